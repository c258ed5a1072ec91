package changes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/changes"
)

func TestBetween(t *testing.T) {
	was := map[string][]int{"same": {1}, "other": {1}, "gone": {1}, "one more": {1}}
	now := map[string][]int{"same": {1}, "other": {2}, "new": {1}, "one more": {1, 2}}
	assert.Equal(t, changes.Names{Added: []string{"new"}, Changed: []string{"one more", "other"}, Removed: []string{"gone"}}, changes.Between(was, now))
	assert.Equal(t, changes.Names{}, changes.Between(was, was))
	assert.Equal(t, changes.Names{}, changes.Between[int](nil, nil))
}

// Two steps joined say the same as one comparison over both, except that a name
// which changed and changed back counts as changed.
func TestThen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	world := func() map[string][]int {
		w := make(map[string][]int)
		for _, name := range []string{"a", "b", "c"} {
			if n := r.IntN(3); n > 0 {
				w[name] = []int{n}
			}
		}
		return w
	}
	for range 2000 {
		x, y, z := world(), world(), world()
		joined, whole := changes.Between(x, y).Then(changes.Between(y, z)), changes.Between(x, z)
		assert.Equal(t, whole.Added, joined.Added)
		assert.Equal(t, whole.Removed, joined.Removed)
		assert.Subset(t, append(joined.Changed, ""), append(whole.Changed, ""))
		for _, name := range joined.Changed {
			assert.NotNil(t, x[name])
			assert.NotNil(t, z[name])
		}
	}
}

func TestLists(t *testing.T) {
	assert.Equal(t, []int{3, 3}, changes.Fresh([]int{1, 2}, []int{2, 3, 1, 3}))
	assert.Nil(t, changes.Fresh([]int{1}, []int{1}))
	assert.Equal(t, []int{2, 1, 3}, changes.Unique([]int{2, 1, 2, 3, 1}))
	assert.Empty(t, changes.Unique([]int(nil)))
}
