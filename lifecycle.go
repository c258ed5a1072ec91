package skills

import (
	"context"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"time"
)

// maxRecords bounds what a session remembers of its invocations.
const maxRecords = 500

// record keeps r and reports whether the session was given blocks before. The
// blocks of a fork are nil: they go to another conversation.
func (s *Session) record(r Record, blocks []Block) (loaded bool) {
	sum := sumBlocks(blocks)
	s.mu.Lock()
	if s.records = append(s.records, r); len(s.records) > maxRecords {
		s.records = slices.Delete(s.records, 0, len(s.records)-maxRecords)
	}
	if blocks != nil {
		if s.delivered == nil {
			s.delivered = make(map[string]string)
		}
		key := r.Source + "#" + r.Skill
		loaded = s.delivered[key] == sum
		s.delivered[key] = sum
		if s.opts.Retain {
			if s.rendered == nil {
				s.rendered = make(map[string]string)
			}
			s.rendered[r.Skill] = Text(blocks)
		}
	}
	s.mu.Unlock()
	return loaded
}

// sumBlocks is a short digest of blocks for "the same bytes as before".
func sumBlocks(blocks []Block) string {
	h := fnv.New128a()
	for _, b := range blocks {
		for _, part := range []string{b.MIME, b.Text, string(b.Data)} {
			h.Write([]byte(strconv.Itoa(len(part))))
			h.Write([]byte{0})
			h.Write([]byte(part))
		}
	}
	return strconv.FormatUint(uint64(len(blocks)), 16) + "-" + hex.EncodeToString(h.Sum(nil))
}

// observe hands r to the host and the usage store; panics are contained.
func (v *Invoker) observe(r Record, s *Skill) {
	reg := v.sess.reg
	if f := reg.opts.Observe; f != nil {
		reg.contain("Observe", func() { f(r) })
	}
	if u := v.sess.opts.Usage; u != nil && s != nil && (r.Kind == string(ModeInline) || r.Kind == string(ModeFork)) {
		reg.contain("Usage.Used", func() { u.Used(s, r.Time) })
	}
}

// observeFailure reports a call that gave no outcome. What was asked for is
// not in the record, since it may hold anything; a skill that was found is.
func (v *Invoker) observeFailure(c Call, err error, start time.Time) {
	now := time.Now()
	r := Record{Session: v.sess.id, Kind: string(CodeInvalid), Caller: v.sess.caller(c.Caller), Time: now, Duration: now.Sub(start)}
	var e *Error
	if errors.As(err, &e) {
		r.Kind = string(e.Code)
		if s := e.skill; s != nil {
			r.Skill, r.Source, r.Origin, r.Owner = s.Name, s.Source, s.Origin, s.Owner
		}
	}
	v.observe(r, nil)
}

// caller returns c as records name it: a model inside a fork is nested.
func (s *Session) caller(c Caller) Caller {
	switch {
	case c != "" && c != CallerModel:
		return c
	case len(s.lineageNow()) > 0:
		return CallerNested
	}
	return CallerModel
}

func (s *Session) score(sk *Skill) (score float64) {
	s.reg.contain("Usage.Score", func() { score = s.opts.Usage.Score(sk, time.Now()) })
	return score
}

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
		text = headChars(text, min(left, min(perSkill, maxTokens)*defaultCharsPerToken))
		left -= len([]rune(text))
		out = append(out, Block{Text: "The skill " + name + " was run earlier in this conversation. Its text follows for reference; " +
			"it has been carried out already and its arguments belong to that time. Do not carry it out again.\n\n" + text})
	}
	return out
}

// headChars returns the first n code points of s.
func headChars(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
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
	view := v.sess.view()
	s, err := v.resolve(view, Call{Name: name, Caller: CallerModel})
	if err != nil {
		return nil, nil, err
	}
	if d := view.policy.decide(s); d.byRule && d.decision != decideAllow {
		return nil, nil, asError(nil, s, CodeNeedsPermission, "the skill was not preloaded: "+joinReasons(d.reasons), "allow it by a rule")
	}
	doc, err := s.document(ctx)
	if err != nil {
		return nil, nil, err
	}
	r := rendering{inv: v, pinned: &pinned{sess: v.sess, skill: s, doc: doc, policy: view.policy, trusted: view.policy.trusts(s)}}
	blocks, err := r.blocks(ctx)
	return blocks, r.issues, err
}
