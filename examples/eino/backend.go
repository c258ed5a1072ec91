package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk/middlewares/skill"

	"github.com/seed-12b313d8/skills"
)

// A Backend gives the skills of a conversation to eino's own skill middleware,
// for agents that have it already. That middleware lists the skills once, when
// the agent is made, and calls them without arguments; [Conversation.Middleware]
// has neither limit.
type Backend struct {
	c *Conversation
}

var _ skill.Backend = (*Backend)(nil)

// NewBackend returns the backend of c.
func NewBackend(c *Conversation) *Backend { return &Backend{c} }

// List returns the skills that the model may call.
func (b *Backend) List(context.Context) ([]skill.FrontMatter, error) {
	var out []skill.FrontMatter
	for s := range b.c.sess.Skills(skills.CallerModel) {
		text := strings.Join(strings.Fields(s.Description+" "+s.WhenToUse), " ")
		out = append(out, skill.FrontMatter{Name: s.Name, Description: text})
	}
	return out, nil
}

// Get returns the text of a skill, or the result of its sub-agent. A refusal is
// a text, too, since an error would end the whole run.
func (b *Backend) Get(ctx context.Context, name string) (skill.Skill, error) {
	out := skill.Skill{FrontMatter: skill.FrontMatter{Name: name}}
	text, err := b.c.invoke(ctx, skills.Call{Name: name})
	if refused, ok := errors.AsType[*skills.Error](err); ok {
		out.Content = refused.ForModel()
		return out, nil
	}
	if err != nil {
		return skill.Skill{}, err
	}
	if s, err := b.c.sess.Lookup(name); err == nil {
		out.Description, out.BaseDirectory = s.Description, s.Dir
	}
	// eino writes the same line above the text.
	out.Content = strings.TrimPrefix(text, fmt.Sprintf("Base directory for this skill: %s\n\n", out.BaseDirectory))
	return out, nil
}
