package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-12b313d8/skills"
)

// rest is the argument of a skill that declares none: all of its text.
const rest = "arguments"

// arguments are a skill's, as those of a prompt.
func arguments(s *skills.Skill) []*mcp.PromptArgument {
	names := s.Arguments
	if len(names) == 0 {
		return []*mcp.PromptArgument{{Name: rest, Description: cmp.Or(s.ArgumentHint, "arguments, as one text")}}
	}
	var out []*mcp.PromptArgument
	for _, n := range names {
		out = append(out, &mcp.PromptArgument{Name: n})
	}
	return out
}

// prompt answers one prompt. The user chose it, so the user is the caller.
func (s *service) prompt(sk *skills.Skill) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		blocks, err := s.invoke(ctx, skills.Call{Name: sk.Name, Args: line(sk, req.Params.Arguments), Caller: skills.CallerUser})
		if err != nil {
			return nil, err
		}
		res := &mcp.GetPromptResult{Description: sk.Description}
		for _, b := range blocks {
			res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: content(b)})
		}
		return res, nil
	}
}

// line makes the text of the arguments out of named ones, each a word of its
// own; those behind the last that is given are left out.
func line(s *skills.Skill, args map[string]string) string {
	if len(s.Arguments) == 0 {
		return args[rest]
	}
	var words []string
	given := 0
	for _, n := range s.Arguments {
		words = append(words, "'"+strings.ReplaceAll(args[n], "'", `'\''`)+"'")
		if _, ok := args[n]; ok {
			given = len(words)
		}
	}
	return strings.Join(words[:given], " ")
}
