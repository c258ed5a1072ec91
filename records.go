package skills

import (
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
		reg.log.Contain("Observe", func() { f(r) })
	}
	if u := v.sess.opts.Usage; u != nil && s != nil && (r.Kind == string(ModeInline) || r.Kind == string(ModeFork)) {
		reg.log.Contain("Usage.Used", func() { u.Used(s, r.Time) })
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

func (s *Session) score(sk *Skill, now time.Time) (score float64) {
	s.reg.log.Contain("Usage.Score", func() { score = s.opts.Usage.Score(sk, now) })
	return score
}
