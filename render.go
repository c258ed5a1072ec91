package skills

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Render makes the outcome of an allowed permit (04 §2). It refuses with
// [CodeNeedsPermission] while the permit still asks. The caller of an
// asynchronous question renders p.Approve().
func (v *Invoker) Render(ctx context.Context, p *Permit) (Outcome, error) {
	return v.render(ctx, p, time.Now())
}

func (v *Invoker) render(ctx context.Context, p *Permit, start time.Time) (Outcome, error) {
	pin := p.pinned
	if pin == nil {
		return nil, invalidCall("this Permit was not made by Invoker.Permit", "", nil)
	}
	if pin.ask {
		err := &Error{Issue: Issue{
			Code: CodeNeedsPermission, Severity: sevError, Skill: pin.skill.Name, Path: pin.skill.Path,
			Msg: "the permit has not been approved", Hint: "render the result of Permit.Approve",
		}}
		v.observeFailure(pin.call, err, start)
		return nil, err
	}
	r := rendering{inv: v, pinned: pin}
	blocks, err := r.blocks(ctx)
	if err != nil {
		v.observeFailure(pin.call, err, start)
		return nil, err
	}
	mod := r.modifier()
	return v.finish(r, blocks, mod, start), nil
}

// finish records the invocation and wraps it up as the skill's mode says.
func (v *Invoker) finish(r rendering, blocks []Block, mod Modifier, start time.Time) Outcome {
	s := r.skill
	now := time.Now()
	rec := Record{
		Session: v.sess.id, Skill: s.Name, Source: s.Source, Hash: r.hash, Kind: string(ModeInline),
		Origin: s.Origin, Caller: r.call.Caller, Chars: chars(blocks), Time: now, Duration: now.Sub(start),
	}
	if rec.Caller == "" {
		rec.Caller = CallerModel
	}
	if s.Mode == ModeFork {
		rec.Kind = string(ModeFork)
		v.sess.record(rec, nil)
		v.observe(rec)
		return &Fork{
			Record: rec, Prompt: blocks, Agent: orDefault(s.Agent, defaultAgent),
			Background: v.background(s), Modifier: mod,
			Lineage: append(slices.Clone(r.lineage), lineageKey(s)), Issues: r.issues,
		}
	}
	loaded := v.sess.record(rec, blocks)
	v.observe(rec)
	return &Inline{Record: rec, Content: blocks, Modifier: mod, AlreadyLoaded: loaded, Issues: r.issues}
}

func (v *Invoker) background(s *Skill) bool {
	if s.Background != nil {
		return *s.Background
	}
	return v.opts.Background
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

func chars(blocks []Block) int {
	n := 0
	for _, b := range blocks {
		n += utf8.RuneCountInString(b.Text)
	}
	return n
}

// A rendering is one permit on its way to an outcome.
type rendering struct {
	inv *Invoker
	*pinned
	issues []Issue
}

func (r *rendering) issue(code Code, sev string, field, msg, hint string) {
	r.issues = append(r.issues, Issue{
		Code: code, Severity: sev, Skill: r.skill.Name, Path: r.skill.Path, Field: field, Msg: msg, Hint: hint,
	})
}

// blocks renders the content: what Content.Prompt makes, or the body.
func (r *rendering) blocks(ctx context.Context) ([]Block, error) {
	if err := ctx.Err(); err != nil {
		return nil, asError(err, r.skill, CodePrompt, "the invocation was cancelled", "")
	}
	if r.skill.Content.Prompt != nil {
		return r.prompt(ctx)
	}
	text, err := r.body()
	if err != nil {
		return nil, err
	}
	if f := r.inv.opts.Expand; f != nil && r.trusted {
		if text, err = f(ctx, r.skill, text); err != nil {
			return nil, asError(err, r.skill, CodePrompt, "InvokerOptions.Expand failed", "see the cause")
		}
	}
	if r.skill.Mode == ModeFork && strings.TrimSpace(text) == "" {
		text = orDefault(r.skill.Description, r.skill.Name)
		r.issue("empty-body", sevWarning, "", "the skill has no body; its description is the sub-agent's prompt", "write instructions below the frontmatter")
	}
	return []Block{{Text: text}}, nil
}

// prompt asks Content.Prompt for final blocks; a panic becomes an error.
func (r *rendering) prompt(ctx context.Context) (blocks []Block, err error) {
	defer func() {
		if p := recover(); p != nil {
			blocks, err = nil, asError(fmt.Errorf("panic: %v", p), r.skill, CodePrompt, "the skill's prompt function panicked", "report it to the skill's author")
		}
	}()
	blocks, err = r.skill.Content.Prompt(ctx, PromptContext{
		Session: r.inv.sess.id, Dir: r.inv.sess.opts.Dir,
		Args: r.call.Args, Words: splitWords(r.call.Args), Host: r.call.Host,
	})
	if err != nil {
		return nil, asError(err, r.skill, CodePrompt, "the skill's prompt function failed", "see the cause")
	}
	return blocks, nil
}

// baseDir returns the line that names the skill's folder, or "" for skills
// without one, command files and what does not come from this machine.
func (s *Skill) baseLine() string {
	if s.Dir == "" || s.Layout == layoutCommand || s.Origin == OriginMCP || s.Origin == OriginRemote {
		return ""
	}
	return "Base directory for this skill: " + s.Dir + "\n\n"
}

// modifier says what the outcome asks to change, less what the skill may not.
func (r *rendering) modifier() Modifier {
	s := r.skill
	m := Modifier{
		Owner: s.qualified(), Session: r.inv.opts.SessionScope,
		DenyTools: r.resolveRules(s.DisallowedTools), Effort: s.Effort,
		Model: r.model(),
	}
	if len(s.AllowedTools) == 0 && len(s.Hooks) == 0 {
		return m
	}
	if !r.trusted && !r.confirmed {
		r.issue("grants-withheld", sevWarning, "allowed-tools", "the skill's tools and hooks were withheld: it is not trusted and nobody confirmed them", "trust the project, or confirm the call")
		return m
	}
	m.AllowTools = r.grants()
	m.Hooks = cloneMap(s.Hooks)
	return m
}

// grants returns the tool rules without those nobody may grant.
func (r *rendering) grants() []string {
	var out []string
	for _, rule := range r.resolveRules(r.skill.AllowedTools) {
		tool, _, _ := strings.Cut(rule, "(")
		switch {
		case strings.TrimSpace(tool) == "*":
			r.issue("grant-dropped", sevWarning, "allowed-tools", "the rule * would grant every tool and was dropped", "name the tools the skill needs")
		case slices.Contains(r.policy.NeverGrant, strings.TrimSpace(tool)):
			r.issue("grant-dropped", sevWarning, "allowed-tools", "the tool "+tool+" may not be granted by a skill", "leave it out")
		default:
			out = append(out, rule)
		}
	}
	return out
}

// resolveRules fills the folder variables into tool rules.
func (r *rendering) resolveRules(rules []string) []string {
	var out []string
	for _, rule := range rules {
		out = append(out, r.expandRule(rule))
	}
	return out
}

// model resolves the skill's model and keeps a "[1m]" suffix of the current
// one, so that a session's window does not shrink.
func (r *rendering) model() string {
	m := r.skill.Model
	if m == "" {
		return ""
	}
	const suffix = "[1m]"
	if strings.HasSuffix(r.call.Settings.Model, suffix) && !strings.HasSuffix(m, suffix) {
		if long, err := r.resolveModel(m + suffix); err == nil {
			return long
		}
	}
	name, err := r.resolveModel(m)
	if err != nil {
		r.issue("model-unknown", sevWarning, "model", fmt.Sprintf("the model %q is not used: %v", m, err), "name a model the host knows, or leave the field out")
		return ""
	}
	return name
}

func (r *rendering) resolveModel(m string) (name string, err error) {
	if r.inv.opts.ResolveModel == nil {
		return m, nil
	}
	defer func() {
		if p := recover(); p != nil {
			name, err = "", fmt.Errorf("the ResolveModel function panicked: %v", p)
		}
	}()
	return r.inv.opts.ResolveModel(m)
}

func slashPath(p string) string { return filepath.ToSlash(p) }
