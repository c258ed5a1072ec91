package skills_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills"
)

// Searches, reloads, and calls of what was found, by many sessions at once:
// every hit can be looked up, unless its session forgot it meanwhile, and every
// text is that of the skill that was asked for (06 §3, §4).
func TestHammerSearch(t *testing.T) {
	ctx := context.Background()
	c := &catalog{docs: make(map[string]string)}
	for i := range 40 {
		slug := fmt.Sprint("remote-", i)
		c.hits = append(c.hits, skills.Hit{Name: slug, Description: "zebra " + slug})
		c.docs[slug] = "text of " + slug
	}
	var mu sync.Mutex
	version := 0
	reg := open(t, &skills.Options{Catalog: c, SearchBodies: true, Sources: []skills.Source{
		skills.SourceFunc(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, func(context.Context) (skills.Loaded, error) {
			mu.Lock()
			defer mu.Unlock()
			version++
			var out skills.Loaded
			for i := range 200 {
				name := fmt.Sprintf("local-%d-%d", i, version%(i+1))
				out.Skills = append(out.Skills, &skills.Skill{Name: name, Description: "zebra", Content: skills.Content{
					Read: func(context.Context) ([]byte, error) { return []byte("text of " + name), nil },
				}})
			}
			return out, nil
		}),
	}})
	shared := reg.NewSession("shared", nil)
	rounds := 30
	if testing.Short() {
		rounds = 8
	}
	var called atomic.Int64
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			own := reg.NewSession(fmt.Sprint(g), nil)
			for i := range rounds {
				for _, sess := range []*skills.Session{own, shared} {
					hits, err := sess.Search(ctx, "zebra", 300)
					assert.NoError(t, err)
					assert.Len(t, hits, 240)
					for _, h := range hits[max(0, len(hits)-20):] {
						if callFound(t, sess, h.Name, sess == shared) {
							called.Add(1)
						}
					}
				}
				switch g {
				case 0:
					shared.Forget()
				case 1:
					_, err := reg.Reload(ctx)
					assert.NoError(t, err)
				case 2:
					state, err := shared.Export()
					assert.NoError(t, err)
					_, err = reg.RestoreSession(state, nil)
					assert.NoError(t, err, i)
				}
			}
		})
	}
	wg.Wait()
	assert.Greater(t, called.Load(), int64(rounds*8), "most calls succeed")
}

// callFound runs what a search has found. A reload may have taken a local one
// away, and Forget a remote one of a session that others use too.
func callFound(t *testing.T, sess *skills.Session, name string, forgets bool) bool {
	out, err := skills.NewInvoker(sess, nil).Invoke(context.Background(), skills.Call{Name: name})
	slug, remote := strings.CutPrefix(name, "_canonical_")
	switch {
	case err == nil:
		assert.Equal(t, "text of "+slug, skills.Text(out.(*skills.Inline).Content))
	case remote:
		assert.True(t, forgets && errors.Is(err, skills.CodeNotDiscovered), "%s: %v", name, err)
	default:
		assert.ErrorIs(t, err, skills.CodeNotFound)
	}
	return err == nil
}
