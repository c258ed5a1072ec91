package skills_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// The bodies are read once, and again only where a skill changed (06 §4).
func TestSearchReadsBodiesOnce(t *testing.T) {
	reads := make(map[string]int)
	mk := func(name, desc string) *skills.Skill {
		return &skills.Skill{Name: name, Description: desc, Content: skills.Content{Read: func(context.Context) ([]byte, error) {
			reads[name]++
			return []byte("body of " + name), nil
		}}}
	}
	list := []*skills.Skill{mk("a", "d"), mk("b", "d")}
	source := skills.SourceFunc(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, func(context.Context) (skills.Loaded, error) {
		return skills.Loaded{Skills: list}, nil
	})
	reg := open(t, &skills.Options{Sources: []skills.Source{source}, SearchBodies: true})
	sess := reg.NewSession("", nil)
	for range 3 {
		assert.Equal(t, "a,b", found(t, sess, "body", 0))
	}
	assert.Equal(t, map[string]int{"a": 1, "b": 1}, reads)
	list = []*skills.Skill{list[0], mk("b", "other"), mk("c", "d")}
	_, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "a,b,c", found(t, sess, "body", 0))
	assert.Equal(t, map[string]int{"a": 1, "b": 2, "c": 1}, reads)
}

// A search ends with its context, whatever bodies it waits for, and the next one
// goes on where it stopped (06 §4, B11).
func TestSearchEndsWithContext(t *testing.T) {
	var reads atomic.Int64
	stuck, asked := make(chan struct{}), make(chan struct{}, 100)
	list := []*skills.Skill{{Name: "quick", Content: skills.Content{Read: func(context.Context) ([]byte, error) {
		reads.Add(1)
		return []byte("zebra"), nil
	}}}}
	for i := range 20 {
		list = append(list, &skills.Skill{Name: fmt.Sprint("slow", i), Content: skills.Content{Read: func(ctx context.Context) ([]byte, error) {
			asked <- struct{}{}
			select {
			case <-stuck:
				return []byte("zebra"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}})
	}
	reg := open(t, &skills.Options{SearchBodies: true, Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, list...)}})
	sess := reg.NewSession("", nil)

	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := sess.Search(ended, "zebra", 0)
	require.ErrorIs(t, err, skills.CodeCancelled, "one that has ended already")

	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-asked; cancel() }()
	_, err = sess.Search(ctx, "zebra", 0)
	require.ErrorIs(t, err, skills.CodeCancelled)
	_, err = sess.SearchTool(ctx, []byte(`{"query":"zebra"}`))
	require.ErrorIs(t, err, skills.CodeCancelled)

	close(stuck)
	assert.Len(t, strings.Split(found(t, sess, "zebra", 100), ","), 21, "the next one finds all")
	assert.LessOrEqual(t, reads.Load(), int64(1), "and reads nothing twice")
}

// A body that could not be read is tried again for the next snapshot (06 §4).
func TestSearchTriesBodiesAgain(t *testing.T) {
	down := true
	list := []*skills.Skill{{Name: "a", Content: skills.Content{Read: func(context.Context) ([]byte, error) {
		if down {
			return nil, errors.New("down")
		}
		return []byte("zebra"), nil
	}}}}
	reg := open(t, &skills.Options{SearchBodies: true, Sources: []skills.Source{
		skills.SourceFunc(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, func(context.Context) (skills.Loaded, error) {
			return skills.Loaded{Skills: list}, nil
		}),
	}})
	sess := reg.NewSession("", nil)
	assert.Empty(t, found(t, sess, "zebra", 0))
	down = false
	list = append(list, &skills.Skill{Name: "b"})
	_, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "a", found(t, sess, "zebra", 0))
}

// Nested skills are searched as others are, bodies too; and nothing is read
// before somebody searches (06 §4: lazily).
func TestSearchNestedBodies(t *testing.T) {
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md":          skill("zebra", "description: d"),
		"proj/apps/web/.claude/skills/n/SKILL.md": skill("A zebra here.", "description: d"),
	}, func(o *skills.Options) { o.SearchBodies = true })
	sess := reg.NewSession("", nil)
	sess.Touch(context.Background(), "apps/web/x")
	assert.ElementsMatch(t, []string{"a", "n"}, strings.Split(found(t, sess, "zebra", 0), ","))

	reads := 0
	lazy := open(t, &skills.Options{SearchBodies: true, Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "x", Origin: skills.OriginUser},
		&skills.Skill{Name: "l", Content: skills.Content{Read: func(context.Context) ([]byte, error) { reads++; return nil, nil }}})}})
	skills.NewLister(lazy.NewSession("", nil), nil).Next()
	assert.Zero(t, reads)
}
