package skills

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/header"
	"github.com/seed-12b313d8/skills/internal/line"
	"github.com/seed-12b313d8/skills/internal/rule"
	"github.com/seed-12b313d8/skills/internal/shellwords"
)

// Render makes the outcome of an allowed permit (04 §2). It refuses with
// [CodeNeedsPermission] while the permit still asks. The caller of an
// asynchronous question renders p.Approve().
func (v *Invoker) Render(ctx context.Context, p *Permit) (Outcome, error) {
	return v.render(ctx, p, time.Now())
}

func (v *Invoker) render(ctx context.Context, p *Permit, start time.Time) (Outcome, error) {
	if p == nil || p.pinned == nil || p.pinned.sess != v.sess {
		return nil, invalidCall("this Permit was not made by Invoker.Permit for this session", "call Permit first", nil, nil)
	}
	pin := p.pinned
	if pin.ask {
		err := newError(CodeNeedsPermission, "the permit has not been approved", "render the result of Permit.Approve")
		err.Skill, err.Path = pin.skill.Name, pin.skill.Path
		v.observeFailure(pin.call, err, start)
		return nil, err
	}
	r := rendering{inv: v, pinned: pin}
	blocks, err := r.blocks(ctx)
	if err != nil {
		v.observeFailure(pin.call, err, start)
		return nil, err
	}
	mod := r.modifier(r.trusted || r.confirmed)
	return v.finish(r, blocks, mod, start), nil
}

// finish records the invocation and wraps it up as the skill's mode says.
func (v *Invoker) finish(r rendering, blocks []Block, mod Modifier, start time.Time) Outcome {
	s := r.skill
	now := time.Now()
	rec := Record{
		Session: v.sess.id, Skill: s.Name, Source: s.Source, Hash: r.hash, Kind: string(ModeInline),
		Origin: s.Origin, Owner: s.Owner, Caller: v.sess.caller(r.call.Caller), Chars: chars(blocks), Time: now, Duration: now.Sub(start),
	}
	if s.Mode == ModeFork {
		rec.Kind = string(ModeFork)
		v.sess.record(rec, nil)
		v.sess.reg.logIssues(r.issues)
		v.observe(rec, s)
		return &Fork{
			Record: rec, Prompt: slices.Concat(blocks, r.variantNote()), Agent: cmp.Or(s.Agent, defaultAgent),
			Background: v.background(s), Modifier: mod,
			Lineage: append(slices.Clone(r.lineage), lineageKey(s)), Issues: r.issues,
		}
	}
	loaded := v.sess.record(rec, blocks)
	v.sess.reg.logIssues(r.issues)
	v.observe(rec, s)
	return &Inline{Record: rec, Content: slices.Concat(blocks, r.variantNote()), Modifier: mod, AlreadyLoaded: loaded, Issues: r.issues}
}

// variantNote tells the model of nested skills of the same name, in a block
// after the skill's own text (03 §3).
func (r *rendering) variantNote() []Block {
	if len(r.variants) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("There are further skills of this name, each for the work in one folder:\n")
	for _, n := range r.variants {
		o := line.Options{EscapeAngles: true}
		fmt.Fprintf(&b, "- %s: for %s/\n", line.Clean(n.qualified(), o), line.Clean(n.folder, o))
	}
	b.WriteString("Use that one instead when the work is in its folder.")
	return []Block{{Text: b.String()}}
}

func (v *Invoker) background(s *Skill) bool {
	if s.Background != nil {
		return *s.Background
	}
	return v.opts.Background
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
	dry    bool // commands do not run
	issues []Issue
}

func (r *rendering) warn(code Code, field, msg, hint string) {
	r.issues = append(r.issues, r.skill.warning(code, field, msg, hint))
}

// blocks renders the content: what Content.Prompt makes, or the body.
func (r *rendering) blocks(ctx context.Context) ([]Block, error) {
	if err := ctx.Err(); err != nil {
		return nil, asError(err, r.skill, CodeCancelled, "the invocation was cancelled", "call again")
	}
	base := r.extracted(ctx)
	if r.skill.Content.Prompt != nil {
		blocks, err := r.prompt(ctx, base)
		if err == nil && base != "" {
			blocks = slices.Concat([]Block{{Text: baseLine(base)}}, blocks)
		}
		return blocks, err
	}
	text, err := r.body(ctx)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		r.warn("empty-body", "", "the skill has no body", "write instructions below the frontmatter")
		if r.skill.Mode == ModeFork {
			text = cmp.Or(r.skill.Description, r.skill.Name)
		}
	}
	if base == "" {
		base = r.skill.baseDir()
	}
	if base != "" {
		text = baseLine(base) + "\n\n" + text
	}
	if text, err = r.expand(ctx, text); err != nil {
		return nil, err
	}
	return []Block{{Text: text}}, nil
}

// expand gives trusted local text to the host's Expand.
func (r *rendering) expand(ctx context.Context, text string) (out string, err error) {
	f := r.inv.opts.Expand
	if f == nil || !r.trusted {
		return text, nil
	}
	if out, err = guard.Call("it", func() (string, error) { return f(ctx, r.skill, text) }); err != nil {
		return "", r.callbackFailed(ctx, err, "the Expand function failed")
	}
	return out, nil
}

// callbackFailed returns the error of a host's function: that of the caller's
// context if that has ended.
func (r *rendering) callbackFailed(ctx context.Context, err error, msg string) error {
	if ctx.Err() != nil {
		return asError(err, r.skill, CodeCancelled, wasCancelled, callAgain)
	}
	return asError(err, r.skill, CodePrompt, msg, "see the cause")
}

// prompt asks Content.Prompt for final blocks; a panic becomes an error.
func (r *rendering) prompt(ctx context.Context, base string) (blocks []Block, err error) {
	blocks, err = guard.Call("it", func() ([]Block, error) {
		return r.skill.Content.Prompt(ctx, PromptContext{
			Session: r.inv.sess.id, Dir: r.inv.sess.opts.Dir, Base: base,
			Args: r.call.Args, Words: shellwords.Split(r.call.Args), Host: r.call.Host,
		})
	})
	if err != nil {
		return nil, r.callbackFailed(ctx, err, "the skill's prompt function failed")
	}
	if len(blocks) == 0 {
		r.warn("empty-body", "", "the skill has no text", "return at least one block")
		if r.skill.Mode == ModeFork {
			blocks = []Block{{Text: cmp.Or(r.skill.Description, r.skill.Name)}}
		}
	}
	return blocks, nil
}

// baseDir returns the skill's folder, or "" for skills without one, command
// files and what does not come from this machine.
func (s *Skill) baseDir() string {
	if s.Layout == layoutCommand || s.Origin.foreign() {
		return ""
	}
	return s.Dir
}

// baseLine returns the line that names a skill's folder to the model.
func baseLine(dir string) string { return "Base directory for this skill: " + dir }

// extracted returns the folder with the skill's files that are not on disk, and
// extracts them at the first invocation (05 §2). A failure is an issue, and the
// next invocation tries again.
func (r *rendering) extracted(ctx context.Context) string {
	s := r.skill
	if s.Content.Files == nil || s.Dir != "" || s.Origin.foreign() {
		return ""
	}
	reg := r.inv.sess.reg
	dir, err := reg.files.Dir(ctx, reg.fileKeys.Of(s, s.qualified()), s.Content.Files)
	if err != nil {
		r.warn("extract-failed", "", "the skill's files could not be extracted, so the call goes without them: "+err.Error(), "see the cause; the next invocation tries again")
		return ""
	}
	return dir
}

// modifier says what the outcome asks to change, less what nobody may grant.
// granted says whether tools and hooks are given at all.
func (r *rendering) modifier(granted bool) Modifier {
	s := r.skill
	m := Modifier{
		Owner: s.qualified(), Session: r.inv.opts.SessionScope, Untrusted: !r.trusted,
		DenyTools: r.resolveRules(s.DisallowedTools), Effort: s.Effort,
		Model: r.model(),
	}
	switch {
	case len(s.AllowedTools) == 0 && len(s.Hooks) == 0:
	case granted:
		m.AllowTools, m.Hooks = r.grants(), header.Clone(s.Hooks)
	default:
		r.warn("grants-withheld", "allowed-tools", "the skill's tools and hooks were withheld: it is not trusted, and neither a typed command nor a rule is enough", "trust its source, or approve the call with its grants shown")
	}
	return m
}

// grants returns the tool rules without those nobody may grant.
func (r *rendering) grants() []string {
	var out []string
	for _, text := range r.resolveRules(r.skill.AllowedTools) {
		if why, hint := rule.Ungrantable(text, r.policy.NeverGrant); why != "" {
			r.warn("grant-dropped", "allowed-tools", "the rule "+text+" "+why, hint)
			continue
		}
		out = append(out, text)
	}
	return out
}

// resolveRules fills the folder variables into tool rules.
func (r *rendering) resolveRules(rules []string) []string {
	var out []string
	for _, text := range rules {
		out = append(out, r.expandRule(text))
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
		r.warn("model-unknown", "model", fmt.Sprintf("the model %q is not used: %v", m, err), "name a model the host knows, or leave the field out")
		return ""
	}
	return name
}

func (r *rendering) resolveModel(m string) (name string, err error) {
	if r.inv.opts.ResolveModel == nil {
		return m, nil
	}
	return guard.Call("the ResolveModel function", func() (string, error) { return r.inv.opts.ResolveModel(m) })
}
