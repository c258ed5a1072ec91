package skills_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	root := testkit.Tree(t, map[string]string{"proj/": ""})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	reg, err := skills.Open(ctx, &skills.Options{Locations: skills.Locations{Project: root + "/proj"}})
	require.NoError(t, err)
	changes := make(chan skills.Change, 10)
	reg.Subscribe(func(c skills.Change) { changes <- c })
	require.NoError(t, reg.Watch(ctx, &skills.WatchOptions{Poll: time.Millisecond}))
	require.NoError(t, reg.Watch(ctx, &skills.WatchOptions{Poll: 2 * time.Millisecond}), "a second call replaces the first")

	testkit.Write(t, root, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: d")})
	select {
	case c := <-changes:
		assert.Equal(t, []string{"a"}, c.Added)
	case <-time.After(20 * time.Second):
		t.Fatal("the new skill was not seen")
	}
	require.NoError(t, reg.Close())
	require.NoError(t, reg.Close(), "Close may be called again")
	require.ErrorIs(t, reg.Watch(ctx, nil), skills.CodeInvalid, "a closed registry does not watch")
	assert.Equal(t, []string{"a project"}, all(reg), "the last snapshot stays readable")
}

// Opening leaves nothing behind (07 B9).
func TestOpenLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	root := testkit.Tree(t, map[string]string{"proj/.claude/skills/a/SKILL.md": skill("", "description: d")})
	for range 50 {
		reg, err := skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root + "/proj"}})
		require.NoError(t, err)
		require.NoError(t, reg.Watch(context.Background(), nil))
		require.NoError(t, reg.Close())
	}
}
