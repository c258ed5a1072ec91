package skills

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/rule"
)

// A Permit is the decision about one call. It pins one skill value and the
// bytes to render, so what was approved is what runs, also across a reload;
// resource files and what Content.Prompt returns are not pinned. Changing an
// exported field does not change what runs.
type Permit struct {
	Skill *Skill
	// Hash is the SHA-256 of the pinned file in hex; of the metadata if the
	// skill has no file. Call.Approved takes it.
	Hash string
	// Ask says that somebody must approve before Render.
	Ask bool
	// Reasons say in words why the skill may run or why to ask.
	Reasons []string
	// Suggest are rules that would allow the skill: the exact one, then the
	// prefix.
	Suggest []string
	// Grants is what the skill asks to be given: tools, model, effort, hooks.
	Grants Modifier

	pinned *pinned
}

// pinned is what a Permit decides about, out of reach of the host.
type pinned struct {
	skill     *Skill
	call      Call
	doc       []byte // the file; nil if Content.Prompt makes the text
	hash      string
	trusted   bool
	confirmed bool // the host's Confirm or Approve said yes to this call
	ask       bool
	policy    *Policy
	lineage   []string
}

// Approve returns a permit for which the answer was yes.
func (p *Permit) Approve() *Permit {
	c := *p
	pin := *p.pinned
	pin.ask, pin.confirmed = false, true
	c.Ask, c.pinned = false, &pin
	return &c
}

// Permit decides whether c may run (04 §5). A denial is an error with
// [CodeDenied]; a skill this caller may not invoke one with
// [CodeNotInvocable]; that somebody must be asked is none: see [Permit].Ask.
func (v *Invoker) Permit(ctx context.Context, c Call) (*Permit, error) {
	view := v.sess.view()
	s, err := v.resolve(view, c)
	if err != nil {
		return nil, err
	}
	lineage := v.sess.lineageNow()
	if err := v.checkDepth(s, lineage); err != nil {
		return nil, err
	}
	doc, err := s.document(ctx)
	if err != nil {
		return nil, err
	}
	pin := &pinned{
		skill: s, call: c, doc: doc, hash: hashOf(s, doc),
		trusted: view.policy.trusts(s), policy: view.policy, lineage: lineage,
	}
	d := view.policy.decide(s)
	pin.ask = d.decision == decideAsk && c.Caller != CallerUser
	if pin.ask && c.Approved != "" && c.Approved == pin.hash {
		pin.ask, pin.confirmed = false, true
	}
	if d.decision == decideAsk && c.Caller == CallerUser {
		d.reasons = []string{"the user asked for it"}
	}
	return &Permit{
		Skill: s, Hash: pin.hash, Ask: pin.ask, Reasons: d.reasons,
		Suggest: suggestions(s),
		Grants:  Modifier{AllowTools: slices.Clone(s.AllowedTools), DenyTools: slices.Clone(s.DisallowedTools), Model: s.Model, Effort: s.Effort, Hooks: cloneMap(s.Hooks), Owner: s.qualified()},
		pinned:  pin,
	}, nil
}

// resolve finds the skill of c and checks that its caller may invoke it.
func (v *Invoker) resolve(view *view, c Call) (*Skill, error) {
	name := strings.TrimPrefix(strings.TrimSpace(c.Name), "/")
	if strings.HasPrefix(name, names.Reserved) && view.exact(name) == nil {
		return nil, &Error{Issue: Issue{
			Code: CodeNotDiscovered, Severity: sevError, Skill: name,
			Msg: "this remote skill was not found by a search of this session", Hint: "search for it first",
		}, Input: c.Name}
	}
	s, err := view.lookup(c.Name)
	if err != nil {
		e := err.(*Error)
		e.Input = strings.TrimSpace(c.Name + " " + c.Args)
		return nil, e
	}
	b := view.barrier(c.Caller, s)
	switch {
	case b == barNone:
		return s, nil
	case b == barLocked && c.Caller == CallerUser:
		return nil, &Error{Issue: Issue{
			Code: CodeNotFound, Severity: sevError, Skill: name,
			Msg: fmt.Sprintf("there is no skill named %q", name), Hint: hintNear(view, name),
		}, Input: strings.TrimSpace(c.Name + " " + c.Args)}
	}
	code := CodeNotInvocable
	if b == barDenied {
		code = CodeDenied
	}
	return nil, &Error{Issue: Issue{
		Code: code, Severity: sevError, Skill: s.Name, Path: s.Path,
		Msg: view.reason(b, s), Hint: barrierHint(b, s),
	}, Input: strings.TrimSpace(c.Name + " " + c.Args)}
}

func barrierHint(b barrier, s *Skill) string {
	switch b {
	case barModel, barUserOnly, barDegraded:
		return "ask the user to run /" + s.Name
	case barLocked:
		return "touch a matching file, or ask the user to run /" + s.Name
	case barDenied, barOff, barOnly:
		return "change the policy if that is not meant"
	}
	return "see Explain"
}

// checkDepth refuses a fork that would run itself, or nest too deep.
func (v *Invoker) checkDepth(s *Skill, lineage []string) error {
	fail := func(msg string) error {
		return &Error{Issue: Issue{
			Code: CodeRecursion, Severity: sevError, Skill: s.Name, Path: s.Path,
			Msg: msg, Hint: "do the work in this sub-agent, or return to the caller",
		}}
	}
	switch {
	case slices.Contains(lineage, lineageKey(s)):
		return fail("the skill runs in a sub-agent already, started by itself")
	case s.Mode == ModeFork && len(lineage) >= v.opts.MaxDepth:
		return fail(fmt.Sprintf("sub-agents nest deeper than %d", v.opts.MaxDepth))
	}
	return nil
}

func lineageKey(s *Skill) string { return s.Source + "#" + s.qualified() }

func (s *Session) lineageNow() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lineage)
}

// hashOf returns the SHA-256 of the file, or of the metadata without one.
func hashOf(s *Skill, doc []byte) string {
	if doc == nil {
		doc, _ = json.Marshal(s) // plain data; cannot fail on what Parse makes
	}
	sum := sha256.Sum256(doc)
	return hex.EncodeToString(sum[:])
}

// suggestions returns rules that would allow s: exact, then prefix.
func suggestions(s *Skill) []string {
	prefix := s.Name
	if i := strings.IndexAny(prefix, ":-"); i > 0 {
		prefix = prefix[:i]
	}
	return []string{rule.Tool + "(" + s.Name + ")", rule.Tool + "(" + prefix + ":*)"}
}

func joinReasons(reasons []string) string { return strings.Join(reasons, "; ") }
