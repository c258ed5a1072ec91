package pool_test

import (
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/pool"
)

type value struct {
	text string
	_    [64]byte
}

func make1(text string) func() *value { return func() *value { return &value{text: text} } }

func TestGet(t *testing.T) {
	var p pool.Pool[int, value]
	a := p.Get(1, nil, make1("a"))
	assert.Same(t, a, p.Get(1, nil, make1("b")), "one value for a key")
	isB := func(v *value) bool { return v.text == "b" }
	b := p.Get(1, isB, make1("b"))
	assert.Equal(t, "b", b.text, "another of the same key: a collision, or a new version")
	assert.Same(t, b, p.Get(1, isB, make1("b")))
	assert.NotSame(t, a, p.Get(2, nil, make1("a")))
	assert.Nil(t, p.Get(3, nil, func() *value { return nil }))
	runtime.KeepAlive(a)
}

// What nobody holds is forgotten.
func TestForgets(t *testing.T) {
	var p pool.Pool[int, value]
	kept := p.Get(0, nil, make1("kept"))
	for i := range 100 {
		p.Get(i, nil, make1("x"))
	}
	for range 1000 {
		if p.Len() == 1 {
			break
		}
		runtime.GC()
		runtime.Gosched()
	}
	assert.Equal(t, 1, p.Len())
	assert.Same(t, kept, p.Get(0, nil, make1("new")))
}

func TestHammer(t *testing.T) {
	var p pool.Pool[int, value]
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 300 {
				one, two := p.Get(i%7, nil, make1("x")), p.Get(i%7, nil, make1("x"))
				assert.Same(t, one, two)
				if i%100 == 0 {
					runtime.GC()
				}
				runtime.KeepAlive(one)
			}
		})
	}
	wg.Wait()
}

func TestSum(t *testing.T) {
	seed := maphash.MakeSeed()
	sums := map[uint64]bool{}
	for _, list := range [][]string{nil, {""}, {"", ""}, {"a", "b"}, {"b", "a"}, {"ab"}} {
		assert.Equal(t, pool.Sum(seed, list), pool.Sum(seed, slices.Clone(list)))
		sums[pool.Sum(seed, list)] = true
	}
	assert.Len(t, sums, 6, "values and their order count")
}
