package usage

import (
	"cmp"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/seed-12b313d8/skills"
)

// The numbers of 02 §2, and what bounds the memory of a Store.
const (
	defaultHalfLife = 7 * 24 * time.Hour
	defaultFloor    = 0.1
	defaultMax      = 10_000

	// maxWeight is far above what uses can sum up to. It keeps sums finite.
	maxWeight = 1e9
)

// Options configures a [Store]. The zero value is the default.
type Options struct {
	// HalfLife is the time in which a use loses half of its weight; 0 or less
	// means 7 days (02 §2).
	HalfLife time.Duration
	// Floor is the least score of a skill that was used at any time; 0, NaN
	// and infinities mean 0.1 (02 §2), a negative number means none.
	Floor float64
	// Max is how many skills are remembered; 0 or less means 10,000. When one
	// more is used, the least valuable of the others is forgotten.
	Max int
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.HalfLife <= 0 {
		c.HalfLife = defaultHalfLife
	}
	if c.Floor == 0 || math.IsNaN(c.Floor) || math.IsInf(c.Floor, 0) {
		c.Floor = defaultFloor
	}
	c.Floor = max(c.Floor, 0)
	if c.Max <= 0 {
		c.Max = defaultMax
	}
	return c
}

// A Store remembers the use of skills: a weight and a time for each, however
// often it is used. It implements [skills.Usage] and is safe for concurrent
// use. Make one with [New].
//
// A skill is known by its source and its name, so that another skill of the
// same name does not inherit its score. Whether a plugin or nested skill goes
// by its bare or its qualified name makes no difference.
type Store struct {
	opts Options

	mu    sync.Mutex
	known map[key]use
}

var _ skills.Usage = (*Store)(nil)

// New returns an empty Store. A nil o means zero options; o is copied.
func New(o *Options) *Store {
	return &Store{opts: o.withDefaults(), known: make(map[key]use)}
}

// Used records one use of sk. Uses may arrive in any order of their times: an
// earlier one counts with what is left of it. A use that is ahead of other
// clocks counts in full until they catch up, and those before it count less;
// [Store.Load] puts that right. A nil sk and one without a name are ignored.
//
// It takes constant time, except for a skill not yet known to a full Store:
// then one look at all others finds the one to forget.
func (s *Store) Used(sk *skills.Skill, at time.Time) {
	k, at := keyOf(sk), normalTime(at)
	if k.name == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u, ok := s.known[k]
	switch {
	case !ok:
		s.makeRoom()
		u = use{weight: 1, last: at}
	case at.After(u.last):
		u = use{weight: u.at(at, s.opts.HalfLife) + 1, last: at}
	default:
		u.weight += use{weight: 1, last: at}.at(u.last, s.opts.HalfLife)
	}
	u.weight = min(u.weight, maxWeight)
	s.known[k] = u
}

// Score returns 0 if sk was never used, and otherwise the sum of its uses, each
// halved for every half-life that has passed until now, or the floor if that
// is more (02 §2). It is finite and never negative. A nil sk scores 0.
func (s *Store) Score(sk *skills.Skill, now time.Time) float64 {
	k := keyOf(sk)
	s.mu.Lock()
	u, ok := s.known[k]
	s.mu.Unlock()
	if !ok {
		return 0
	}
	return max(u.at(now, s.opts.HalfLife), s.opts.Floor)
}

// makeRoom forgets the least valuable skill of a full Store. What is worth
// less now is so at any time; equal ones go in the order of their keys.
func (s *Store) makeRoom() {
	if len(s.known) < s.opts.Max {
		return
	}
	var least key
	found := false
	for k := range s.known {
		if !found || s.byValue(k, least) > 0 {
			least, found = k, true
		}
	}
	delete(s.known, least)
}

// byValue compares two known skills, the most valuable first.
func (s *Store) byValue(a, b key) int {
	return cmp.Or(cmp.Compare(s.known[b].rank(s.opts.HalfLife), s.known[a].rank(s.opts.HalfLife)), a.compare(b))
}

// A key names one skill.
type key struct{ source, name string }

// keyOf returns the key of a skill; that of nil has no name. JSON can carry
// valid UTF-8 only.
func keyOf(s *skills.Skill) key {
	if s == nil {
		return key{}
	}
	name := s.Name
	if s.Owner != "" {
		name = strings.TrimPrefix(name, s.Owner+":")
	}
	return key{strings.ToValidUTF8(s.Source, "\uFFFD"), strings.ToValidUTF8(name, "\uFFFD")}
}

func (k key) compare(o key) int {
	return cmp.Or(strings.Compare(k.source, o.source), strings.Compare(k.name, o.name))
}

// A use is the sum of all uses of one skill: its weight at the time of the
// last one, where that one counts 1. So the weight is never less than 1.
type use struct {
	weight float64
	last   time.Time // UTC, without a monotonic clock
}

// at returns the weight at a time; before the last use it is as it was then.
func (u use) at(now time.Time, halfLife time.Duration) float64 {
	age := max(now.Round(0).Sub(u.last), 0) // Sub saturates
	return u.weight * math.Exp2(-float64(age)/float64(halfLife))
}

// rank orders uses by value: the logarithm of the weight at one time that is
// the same for all, whichever that is, so that it cannot run out of bits.
func (u use) rank(halfLife time.Duration) float64 {
	seconds := float64(u.last.Unix()) + float64(u.last.Nanosecond())/1e9
	return math.Log2(u.weight) + seconds/halfLife.Seconds()
}

// normalTime returns t in UTC and within the years that JSON can carry.
func normalTime(t time.Time) time.Time {
	t = t.Round(0).UTC()
	if t.Year() < 1 {
		return time.Time{}
	}
	if end := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC); t.After(end) {
		return end
	}
	return t
}
