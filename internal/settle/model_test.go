package settle_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/settle"
)

// A model says when Ready is called, worked out millisecond by millisecond
// from the rules of the package comment.
type model struct {
	*world
	stable, poll, gather, patience int

	marked map[string]bool
	state  map[string]*modelled
	until  int // end of Gather, or -1
	busy   int // end of the current call of Ready
	calls  []call
}

type modelled struct {
	since, moved, due   int
	print               uint64
	ready, again, spent bool
}

func (m *model) run(ms int, all []string) []call {
	m.marked, m.state, m.until = make(map[string]bool), make(map[string]*modelled), -1
	hints := slices.SortedFunc(slices.Values(m.hints), func(a, b hint) int { return a.at - b.at })
	for now := range ms {
		if len(hints)+len(m.marked)+len(m.state) == 0 {
			break
		}
		for len(hints) > 0 && hints[0].at == now {
			m.mark(hints[0].id, all)
			hints = hints[1:]
		}
		if now >= m.busy {
			m.tick(now)
		}
	}
	return m.calls
}

func (m *model) mark(id string, all []string) {
	if id != settle.Everything {
		all = []string{id}
	}
	for _, id := range all {
		m.marked[id] = true
	}
}

func (m *model) tick(now int) {
	m.accept(now)
	m.lookAround(now)
	if now == m.until {
		m.handOver(now)
	}
	if now >= m.busy {
		m.accept(now)
	}
}

func (m *model) accept(now int) {
	for id := range m.marked {
		if s := m.state[id]; s != nil {
			s.again = s.ready || s.again
			continue
		}
		m.state[id] = &modelled{since: now, moved: now, due: now + m.poll, print: m.print(now, id)}
	}
	clear(m.marked)
}

func (m *model) lookAround(now int) {
	for id, s := range m.state {
		if s.ready || now < s.due && now < s.since+m.patience {
			continue
		}
		m.look(now, id, s)
		if s.ready = now-s.moved >= m.stable || now-s.since >= m.patience; s.ready {
			s.spent = now-s.moved < m.stable
			s.again = false
			if m.until < 0 {
				m.until = now + m.gather
			}
		}
	}
}

func (m *model) look(now int, id string, s *modelled) {
	if p := m.print(now, id); p != s.print {
		s.print, s.moved = p, now
	}
	s.due = now + m.poll
}

func (m *model) handOver(now int) {
	m.until = -1
	var ids []string
	for id, s := range m.state {
		if !s.ready {
			continue
		}
		if s.again && !s.spent {
			m.look(now, id, s)
			if now-s.moved < m.stable && now-s.since < m.patience {
				s.ready = false
				continue
			}
			s.spent = now-s.moved < m.stable
		}
		ids = append(ids, id)
		delete(m.state, id)
		m.marked[id] = s.spent
	}
	maps.DeleteFunc(m.marked, func(_ string, v bool) bool { return !v })
	if len(ids) == 0 {
		return
	}
	slices.Sort(ids)
	m.calls = append(m.calls, call{now, ids})
	m.busy = now
	if len(m.work) > 0 {
		m.busy += m.work[(len(m.calls)-1)%len(m.work)]
	}
}

// grid is the unit of all durations in an event order, in milliseconds, and
// above the number of hints: every hint has its own remainder, so that none
// falls on the moment of a look, of which the order would be anybody's guess.
const grid = 32

// order returns a seeded event order.
func order(rng *rand.Rand) (*model, []string) {
	m := &model{world: &world{moves: make(map[string][]int)}}
	between := func(low, high int) int { return grid * (low + rng.IntN(high-low+1)) }
	m.stable, m.poll, m.gather, m.patience = between(2, 15), between(1, 9), between(1, 6), between(5, 60)
	m.patience = max(m.patience, m.stable+m.poll)
	all := []string{"a", "b", "c", "d"}[:1+rng.IntN(4)]
	for i := range 1 + rng.IntN(grid-1) {
		h := hint{between(0, 90) + i, all[rng.IntN(len(all))]}
		if rng.IntN(12) == 0 {
			h.id = settle.Everything
		}
		m.hints = append(m.hints, h)
	}
	for _, id := range all {
		at, pace := 0, 5+rng.IntN(500)
		for at < 90*grid && rng.IntN(25) > 0 {
			at += 1 + rng.IntN(pace)
			m.moves[id] = append(m.moves[id], at)
		}
	}
	for range rng.IntN(4) {
		m.work = append(m.work, between(0, 9))
	}
	return m, all
}

// In 10,000 seeded event orders Ready is called exactly when the rules say
// (07 B8).
func TestOrders(t *testing.T) {
	seeds := 10_000
	if testing.Short() {
		seeds = 1000
	}
	const ms = 240 * grid // everything has come to rest by then
	synctest.Test(t, func(t *testing.T) {
		for seed := range seeds {
			m, all := order(rand.New(rand.NewPCG(7, uint64(seed))))
			got := m.play(settle.Options{
				Stable: milliseconds(m.stable), Poll: milliseconds(m.poll), Gather: milliseconds(m.gather), Patience: milliseconds(m.patience),
				All: func() []string { return all },
			}, ms)
			require.Equal(t, m.run(ms, all), got, "seed %d", seed)
			m.check(t, all, got, fmt.Sprint("seed ", seed))
		}
	})
}

// check holds the calls to what readers rely on, without the model's rules.
func (m *model) check(t *testing.T, all []string, calls []call, seed string) {
	for i, c := range calls {
		require.True(t, slices.IsSorted(c.IDs), seed)
		if i > 0 {
			require.GreaterOrEqual(t, c.At-calls[i-1].At, m.gather, "%s: call %d", seed, i)
		}
	}
	for _, h := range m.hints {
		ids := []string{h.id}
		if h.id == settle.Everything {
			ids = all
		}
		for _, id := range ids {
			answered := slices.ContainsFunc(calls, func(c call) bool { return c.At > h.at && slices.Contains(c.IDs, id) })
			require.True(t, answered, "%s: the hint at %d for %q leads to no call", seed, h.at, id)
		}
	}
	for id, moves := range m.moves {
		m.checkRest(t, id, moves, calls, seed)
	}
}

// checkRest: the last call of a source comes after its last change, if it was
// hinted at after that, and at rest.
func (m *model) checkRest(t *testing.T, id string, moves []int, calls []call, seed string) {
	last := -1
	for _, c := range calls {
		if slices.Contains(c.IDs, id) {
			last = c.At
		}
	}
	for _, h := range m.hints {
		if len(moves) > 0 && h.id == id && h.at > moves[len(moves)-1] {
			assert.GreaterOrEqual(t, last, moves[len(moves)-1]+min(m.stable, m.patience), "%s: %q was read before it rested", seed, id)
		}
	}
}
