package skills

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills/internal/rule"
)

// A Permit is the decision about one call. It pins one skill value and the
// bytes to render, so what was approved is what runs, also across a reload;
// resource files and what Content.Prompt returns are not pinned. Changing an
// exported field does not change what runs. It belongs to the session whose
// Invoker made it, and may be rendered more than once.
type Permit struct {
	// Skill is the pinned skill; a clone of it if its file has changed since
	// it was loaded.
	Skill *Skill
	// Hash is the SHA-256, in hex, of what the decision is bound to: source,
	// name and trust of the skill, the bytes of its file, and its metadata if
	// it is not a file on disk. Call.Approved takes it.
	Hash string
	// Ask says that somebody must approve before Render.
	Ask bool
	// Reasons say in words why the skill may run or why to ask.
	Reasons []string
	// Suggest are rules that would allow the skill: the exact one, then the
	// prefix. A rule never grants tools or hooks to a skill that is not
	// trusted: these need Approve for each call.
	Suggest []string
	// Grants is what a yes would give: tools, model, effort, hooks.
	Grants Modifier

	pinned *pinned
}

// pinned is what a Permit decides about, out of reach of the host.
type pinned struct {
	sess      *Session
	skill     *Skill
	call      Call
	doc       []byte // the file; nil if Content.Prompt makes the text
	hash      string
	trusted   bool
	confirmed bool // the host's Confirm or Approve said yes to this call
	ask       bool
	policy    *Policy
	lineage   []string
	variants  []*Skill // nested skills of the same name
}

// Approve returns a permit for which somebody who saw Grants said yes. It may
// be used on a permit that does not ask, too: a skill that is not trusted is
// granted its tools and hooks only this way, even if the user typed the call.
func (p *Permit) Approve() *Permit {
	c := *p
	if p.pinned == nil {
		return &c // nothing that Render takes
	}
	pin := *p.pinned
	pin.ask, pin.confirmed = false, true
	c.Ask, c.pinned = false, &pin
	return &c
}

// Permit decides whether c may run (04 §5). A denial is an error with
// [CodeDenied]; a skill this caller may not invoke one with
// [CodeNotInvocable]; that somebody must be asked is none: see [Permit].Ask.
// The file is read now: if its frontmatter is another than when it was loaded,
// the new one counts.
func (v *Invoker) Permit(ctx context.Context, c Call) (*Permit, error) {
	start := time.Now()
	p, err := v.permit(ctx, c)
	if err != nil {
		v.observeFailure(c, err, start)
	}
	return p, err
}

func (v *Invoker) permit(ctx context.Context, c Call) (*Permit, error) {
	seen := v.sess.view()
	s, err := v.resolve(seen, c)
	if err != nil {
		return nil, err
	}
	lineage := v.sess.lineageNow()
	if err := v.checkDepth(s, lineage); err != nil {
		return nil, err
	}
	s, doc, err := v.pin(ctx, seen, s, c)
	if err != nil {
		return nil, err
	}
	return v.decide(seen, s, c, doc, lineage)
}

// pin reads the file of s, and returns s as its frontmatter says now.
func (v *Invoker) pin(ctx context.Context, seen *view, s *Skill, c Call) (*Skill, []byte, error) {
	doc, err := s.document(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nil, asError(err, s, CodeCancelled, wasCancelled, callAgain)
	case err != nil:
		return nil, nil, asError(err, s, CodeUnreadable, "", "")
	}
	fresh := s.refreshed(doc)
	if fresh != s {
		err = v.barred(seen, fresh, c)
	}
	return fresh, doc, err
}

// decide makes the permit of a call that nothing bars.
func (v *Invoker) decide(seen *view, s *Skill, c Call, doc []byte, lineage []string) (*Permit, error) {
	hash, err := hashOf(s, doc)
	if err != nil {
		return nil, asError(err, s, CodeInvalid, "the skill's metadata is no plain data", "use values that JSON can write")
	}
	pin := &pinned{
		sess: v.sess, skill: s, call: c, doc: doc, hash: hash,
		trusted: seen.policy.trusts(s), policy: seen.policy, lineage: lineage, variants: seen.variants(s, c),
	}
	d := seen.policy.decide(s)
	pin.ask = d.decision == decideAsk && c.Caller != CallerUser
	if c.Approved == hash {
		pin.ask, pin.confirmed = false, true
	}
	if pin.ask && !pin.trusted && len(s.AllowedTools)+len(s.Hooks) > 0 {
		d.reasons = append(slices.Clone(d.reasons), "it is not trusted: only a yes to this call grants its tools and hooks, a rule does not")
	}
	if d.decision == decideAsk && c.Caller == CallerUser {
		d.reasons = []string{"the user asked for it"}
	}
	would := rendering{inv: v, pinned: pin}
	exact, prefix := rule.For(s.Name)
	return &Permit{
		Skill: s, Hash: hash, Ask: pin.ask, Reasons: d.reasons,
		Suggest: []string{exact, prefix}, Grants: would.modifier(true), pinned: pin,
	}, nil
}

// resolve finds the skill of c and checks that its caller may invoke it.
func (v *Invoker) resolve(seen *view, c Call) (*Skill, error) {
	name := strings.TrimPrefix(strings.TrimSpace(c.Name), "/")
	input := strings.TrimSpace(c.Name + " " + c.Args)
	s, err := seen.lookup(c.Name, c.Caller)
	if err != nil {
		e := err.(*Error)
		e.Input = input
		return nil, e
	}
	if seen.barrier(c.Caller, s) == barLocked && c.Caller == CallerUser {
		return nil, seen.notFound(name, input, c.Caller)
	}
	return s, v.barred(seen, s, c)
}

// barred returns the error of what keeps the caller from s, nil if nothing does.
func (v *Invoker) barred(seen *view, s *Skill, c Call) error {
	b := seen.barrier(c.Caller, s)
	if b == barNone {
		return nil
	}
	code := CodeNotInvocable
	if b == barDenied {
		code = CodeDenied
	}
	person, model := b.advice(s)
	e := newError(code, seen.reason(b, s), person).about(s)
	e.advice = model
	return e.asked(strings.TrimSpace(c.Name + " " + c.Args))
}

// checkDepth refuses a fork that would run itself, or nest too deep.
func (v *Invoker) checkDepth(s *Skill, lineage []string) error {
	msg := ""
	switch {
	case slices.Contains(lineage, lineageKey(s)):
		msg = "the skill runs in a sub-agent already, started by itself"
	case s.Mode == ModeFork && len(lineage) >= v.opts.MaxDepth:
		msg = fmt.Sprintf("sub-agents nest deeper than %d", v.opts.MaxDepth)
	default:
		return nil
	}
	return newError(CodeRecursion, msg, "do the work in this sub-agent, or return to the caller").about(s)
}

func lineageKey(s *Skill) string { return s.Source + "#" + s.qualified() }

func (s *Session) lineageNow() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lineage)
}

// hashOf returns the SHA-256, in hex, of what a decision about s is bound to:
// where it comes from, whether it is trusted, and its file; without a file its
// metadata.
func hashOf(s *Skill, doc []byte) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %t\n", s.Source, s.qualified(), s.Trusted)
	if s.place == nil { // its file, if it has one, does not hold its metadata
		meta, err := json.Marshal(s)
		if err != nil {
			return "", err
		}
		h.Write(meta)
	}
	h.Write(doc)
	return hex.EncodeToString(h.Sum(nil)), nil
}

func joinReasons(reasons []string) string { return strings.Join(reasons, "; ") }
