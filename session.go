package skills

import (
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/seed-12b313d8/skills/internal/sent"
	"github.com/seed-12b313d8/skills/internal/unlock"
)

// A Session is one conversation or sub-agent and owns all of its state: what
// it has unlocked, discovered, been told and invoked. It is safe for
// concurrent use, holds no goroutine or file handle and needs no Close.
type Session struct {
	reg  *Registry
	id   string
	opts SessionOptions // Policy in it is not used; see own

	mu        sync.Mutex  // guards what follows
	forgotten uint64      // grows with Forget
	rev       uint64      // grows with each change of what follows, up to sent
	own       *Policy     // the session's own policy; replaced, never changed
	policy    *Policy     // own over the registry's floor; replaced, never changed
	unlocked  *unlock.Set // replaced, never changed
	folders   []string    // nested folders that had skills, relative
	remote    []*Skill    // remote skills that a search found, newest last; replaced, never changed
	sent      *sent.Set   // what the model has been told

	over       *overlay // cache
	foldersRev uint64   // grows with each change of folders
	quiet      quiet
	records    []Record
	lineage    []string          // skills whose forks this session runs in, outermost first
	delivered  map[string]string // digest of the last text of each skill
	rendered   map[string]string // that text itself, with Retain
}

// SessionOptions configures a [Session]. The zero value is usable.
type SessionOptions struct {
	// Policy is the session's own; the registry's floor beats it.
	Policy Policy
	// Usage remembers how often skills are used and may be shared by all
	// sessions of one user; nil remembers nothing.
	Usage Usage
	// Dir is the working directory of shell commands; default Locations.Dir.
	Dir string
	// Retain keeps the rendered text of invocations for Reattach.
	Retain bool
	// Strict hides locked skills from the user too (03 A1).
	Strict bool
}

// Usage remembers how often and how recently skills are used. Implementations
// are safe for concurrent use; they are called with no lock held.
type Usage interface {
	// Used records one invocation of s.
	Used(s *Skill, at time.Time)
	// Score is 0 for a skill never used; higher means more and more recent.
	Score(s *Skill, now time.Time) float64
}

// NewSession returns a session with nothing unlocked, sent or invoked. A nil o
// means zero options; o is copied. The id is the host's; it may be anything.
func (r *Registry) NewSession(id string, o *SessionOptions) *Session {
	s := &Session{reg: r, id: id}
	if o != nil {
		s.opts = *o
	}
	own := s.opts.Policy.clone()
	s.own, s.policy = &own, own.over(&r.opts.Policy)
	if s.opts.Dir == "" {
		s.opts.Dir = r.loc.Dir
	}
	return s
}

// Root returns the project root that paths are relative to, with links
// resolved; "" if the registry has no project.
func (s *Session) Root() string { return s.reg.project().Real }

// Skills returns the skills that caller c may invoke now, in snapshot order:
// the snapshot's and the nested ones the session has discovered, less what
// the policy, a lock or a gate hides.
func (s *Session) Skills(c Caller) iter.Seq[*Skill] {
	return func(yield func(*Skill) bool) {
		v := s.view()
		for _, sk := range v.all {
			if v.barrier(c, sk) == barNone && !yield(sk) {
				return
			}
		}
	}
}

// Lookup returns the skill that answers to name (01 N4): by exact name, alias,
// display name or unique bare tail, with or without a leading "/". Hidden
// skills are found too. The error is an [*Error] with [CodeNotFound] or
// [CodeAmbiguous], or [CodeNotDiscovered] for a remote skill that no search of
// this session found.
func (s *Session) Lookup(name string) (*Skill, error) {
	return s.view().lookup(name, CallerUser)
}

// UpdatePolicy changes the session's own policy, for "always allow" answers.
// f gets a copy, with no lock held; the change is atomic and takes effect for
// the next call. If two updates meet, f is called again on the result of the
// other one, so it should do nothing but change its argument; it must not call
// UpdatePolicy.
func (s *Session) UpdatePolicy(f func(*Policy)) {
	for {
		s.mu.Lock()
		was := s.own
		s.mu.Unlock()
		own := was.clone()
		f(&own)
		own = own.clone()
		if s.replacePolicy(was, &own) {
			return
		}
	}
}

// replacePolicy puts own in the place of was, unless somebody else did so.
func (s *Session) replacePolicy(was, own *Policy) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.own != was {
		return false
	}
	s.own, s.policy = own, own.over(&s.reg.opts.Policy)
	s.rev++
	return true
}

// Reset makes the next listing a full one, and forgets what was delivered:
// after clear, compaction, or when the host took a listing back. Unlocked and
// discovered skills stay.
func (s *Session) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.delivered = nil, nil
	s.rev++
}

// Forget is Reset, and drops what was unlocked, discovered and recorded too.
func (s *Session) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.unlocked, s.folders, s.remote, s.over = nil, nil, nil, nil, nil
	s.records, s.delivered, s.rendered = nil, nil, nil
	s.foldersRev++
	s.forgotten++
	s.rev++
}

// Child returns the session of the sub-agent that runs f: with the policy,
// unlocked and discovered skills of s as they are now, nothing sent and no
// records. Remote skills it must search for itself. From then on the two are
// apart. A nil f is a sub-agent that no skill started. Calls of the sub-agent's
// model are CallerModel; their records say CallerNested.
func (s *Session) Child(id string, f *Fork) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Session{reg: s.reg, id: id, opts: s.opts, own: s.own, policy: s.policy}
	c.folders, c.unlocked = slices.Clip(s.folders), s.unlocked
	c.lineage = slices.Clone(s.lineage)
	if f != nil {
		c.lineage = slices.Clone(f.Lineage)
	}
	return c
}

// Records returns the session's latest 500 invocations, oldest first. The
// caller owns the slice.
func (s *Session) Records() []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.records)
}
