package unlock_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/unlock"
)

func TestSets(t *testing.T) {
	p := unlock.NewPool()
	a, b, other := unlock.Key{Name: "a", Source: "s"}, unlock.Key{Name: "b", Source: "s"}, unlock.Key{Name: "a", Source: "t"}
	var none *unlock.Set
	assert.Nil(t, none.All())
	assert.False(t, none.Has(a))
	assert.Nil(t, p.With(nil), "nothing and nothing is nothing")

	one := p.With(nil, a)
	assert.True(t, one.Has(a))
	assert.False(t, one.Has(other), "another skill of the name stays locked")
	two := p.With(one, b, a, b)
	assert.Equal(t, []unlock.Key{a, b}, two.All(), "sorted, each once")
	assert.Equal(t, []unlock.Key{a}, one.All(), "a set never changes")
	assert.Same(t, two, p.With(p.With(nil, b), a), "whoever unlocked the same shares it")
	assert.Same(t, one, p.With(one))
	assert.NotSame(t, two, unlock.NewPool().With(nil, a, b))
}
