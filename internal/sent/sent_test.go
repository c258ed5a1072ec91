package sent_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/sent"
)

func TestSet(t *testing.T) {
	var none *sent.Set
	assert.Empty(t, slices.Collect(none.All()))
	_, ok := none.Find("a")
	assert.False(t, ok)

	one := none.With([]sent.Entry{{Name: "b", Sum: 1}, {Name: "a", Sum: 2}, {Name: "b", Sum: 3}}, []string{"zz"})
	assert.Equal(t, []sent.Entry{{Name: "a", Sum: 2}, {Name: "b", Sum: 3}}, slices.Collect(one.All()), "sorted; the last of a name counts")
	two := one.With([]sent.Entry{{Name: "c"}}, []string{"a"})
	assert.Equal(t, []sent.Entry{{Name: "b", Sum: 3}, {Name: "c"}}, slices.Collect(two.All()))
	e, ok := one.Find("a")
	assert.True(t, ok, "a set never changes")
	assert.EqualValues(t, 2, e.Sum)
	back := two.With([]sent.Entry{{Name: "a"}}, []string{"a"})
	_, ok = back.Find("a")
	assert.True(t, ok, "what is removed and told again is told")
}

func made(n int) *sent.Set {
	var list []sent.Entry
	for i := range n {
		list = append(list, sent.Entry{Name: fmt.Sprint("skill-", i), Sum: uint64(i), State: "full", Chars: 7})
	}
	return sent.New(list)
}

// Sessions that were told the same hold one set (02 §3).
func TestPool(t *testing.T) {
	p := sent.NewPool()
	assert.Nil(t, p.Share(nil))
	a, b, c := p.Share(made(3)), p.Share(made(3)), p.Share(made(4))
	assert.Same(t, a, b)
	assert.NotSame(t, a, c)
	assert.Len(t, slices.Collect(c.All()), 4)
	runtime.KeepAlive(a)
}
