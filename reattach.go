package skills

import (
	"context"

	"github.com/seed-12b313d8/skills/internal/line"
)

// The defaults of Reattach in tokens, and what a token is taken for (04 §7).
const (
	reattachEach  = 5_000
	reattachTotal = 25_000
	maxTokens     = 1 << 30 // keeps the arithmetic from overflowing
)

// Reattach returns the text of the session's skills for the context after a
// compaction: the latest invocation of each skill, newest first, the first
// perSkill tokens of each and total in all; 0 means 5,000 and 25,000. Nothing
// is run again, and the text says that it is history. It needs
// SessionOptions.Retain, and returns nil without it. Forks are left out, since
// their text never was in this conversation, and so is what a session invoked
// before it was exported.
func (s *Session) Reattach(perSkill, total int) []Block {
	if perSkill <= 0 {
		perSkill = reattachEach
	}
	if total <= 0 {
		total = reattachTotal
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Block
	seen := make(map[string]bool)
	left := min(total, maxTokens) * defaultCharsPerToken
	for i := len(s.records) - 1; i >= 0 && left > 0; i-- {
		name := s.records[i].Skill
		text, ok := s.rendered[name]
		if seen[name] || !ok {
			continue
		}
		seen[name] = true
		text = line.First(text, min(left, min(perSkill, maxTokens)*defaultCharsPerToken))
		left -= line.Len(text)
		out = append(out, Block{Text: "The skill " + name + " was run earlier in this conversation. Its text follows for reference; " +
			"it has been carried out already and its arguments belong to that time. Do not carry it out again.\n\n" + text})
	}
	return out
}

// Preload returns the full text of skills for a sub-agent's start, one block
// each, without arguments and without running commands. Skills that are
// missing, disabled or barred to the model are left out with an issue.
func (v *Invoker) Preload(ctx context.Context, names ...string) ([]Block, []Issue) {
	var out []Block
	var issues []Issue
	for _, name := range names {
		blocks, more, err := v.preload(ctx, name)
		issues = append(issues, more...)
		if err != nil {
			i := asError(err, nil, CodePrompt, "the skill could not be preloaded", "").Issue
			i.Severity = sevWarning
			issues = append(issues, i)
			continue
		}
		out = append(out, blocks...)
	}
	return out, issues
}

func (v *Invoker) preload(ctx context.Context, name string) ([]Block, []Issue, error) {
	seen := v.sess.view()
	s, err := v.resolve(seen, Call{Name: name, Caller: CallerModel})
	if err != nil {
		return nil, nil, err
	}
	if d := seen.policy.decide(s); d.byRule && d.decision != decideAllow {
		return nil, nil, asError(nil, s, CodeNeedsPermission, "the skill was not preloaded: "+joinReasons(d.reasons), "allow it by a rule")
	}
	s, doc, err := v.pin(ctx, seen, s, Call{Name: name, Caller: CallerModel})
	if err != nil {
		return nil, nil, err
	}
	r := rendering{inv: v, dry: true, pinned: &pinned{sess: v.sess, skill: s, doc: doc, policy: seen.policy, trusted: seen.policy.trusts(s)}}
	blocks, err := r.blocks(ctx)
	return blocks, r.issues, err
}
