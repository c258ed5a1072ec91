package remote

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// An answer that was asked for first and comes last does not replace the newer
// one, neither in memory nor in the cache.
func TestLateAnswer(t *testing.T) {
	rows := []struct {
		name string
		late http.HandlerFunc
	}{
		{"an old index", says(indexJSON(bareEntry("old")))},
		{"one that may not be kept", answers(indexJSON(bareEntry("old")), "Cache-Control", "no-store")},
		{"news that nothing is new", status(304)},
		{"none, so that the stored one stands in", status(503)},
	}
	for _, row := range rows {
		for _, dir := range []string{"", t.TempDir()} {
			t.Run(fmt.Sprintf("%s, disk %v", row.name, dir != ""), func(t *testing.T) {
				s, clock := newSite(t), newClock()
				s.handle(wellKnown, answers(indexJSON(bareEntry("first")), "ETag", "1"))
				c := s.catalog(t, Options{CacheDir: dir}, clock.seam)
				require.Equal(t, []string{"first"}, slugs(t, c, ""))
				clock.move(time.Hour) // its time is up
				slow, release := slowOffer(t, s, c, row.late)

				clock.move(time.Second)
				s.index(bareEntry("new"))
				of, err := c.offer(t.Context(), true)
				require.NoError(t, err)
				assert.True(t, of.asked)
				assert.Equal(t, []string{"new"}, of.index.slugs())

				close(release)
				of = <-slow
				require.NotNil(t, of)
				assert.Equal(t, []string{"new"}, of.index.slugs(), "whoever waited gets what is newer")
				assert.False(t, of.asked, "but has not asked for it")
				assert.Equal(t, []string{"new"}, slugs(t, c, ""), "in memory")
				assert.NotContains(t, fmt.Sprint(c.Issues()), string(codeStale))
				_, body, ok := c.lib.store.load(keyOf("", s.URL+wellKnown))
				assert.True(t, ok)
				assert.Contains(t, string(body), `"new"`, "in the cache")
				assert.Equal(t, 3, s.count(wellKnown))
			})
		}
	}
}

// slowOffer asks for the index, and returns once the server, which answers
// when release is closed, was asked.
func slowOffer(t *testing.T, s *site, c *Catalog, late http.HandlerFunc) (result chan *offer, release chan struct{}) {
	t.Helper()
	asked := make(chan struct{})
	result, release = make(chan *offer, 1), make(chan struct{})
	s.handle(wellKnown, func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-release
		late(w, r)
	})
	go func() {
		of, err := c.offer(t.Context(), false)
		assert.NoError(t, err)
		result <- of
	}()
	<-asked
	return result, release
}

// Forgetting is for what was there, too: an answer that is younger and must
// not be kept removes the older one.
func TestForgetsOlder(t *testing.T) {
	s, clock := newSite(t), newClock()
	dir := t.TempDir()
	s.index(bareEntry("a"))
	c := s.catalog(t, Options{CacheDir: dir}, clock.seam)
	slugs(t, c, "")
	require.Len(t, cacheFiles(t, dir), 2)
	clock.move(time.Hour)
	s.handle(wellKnown, answers(indexJSON(bareEntry("b")), "Cache-Control", "no-store"))
	for n := range 2 {
		assert.Equal(t, []string{"b"}, slugs(t, c, ""))
		assert.Equal(t, n+2, s.count(wellKnown), "an offer that may not be kept is asked for each time")
	}
	assert.Len(t, cacheFiles(t, dir), 1, "the content, and no record of it")
}

// A clock that was put back keeps no answer out of the cache.
func TestKeepAfterClockPutBack(t *testing.T) {
	s, clock, dir := newSite(t), newClock(), t.TempDir()
	s.index(bareEntry("a"))
	slugs(t, s.catalog(t, Options{CacheDir: dir}, clock.seam), "")
	clock.move(-time.Hour)
	s.index(bareEntry("b"))
	slugs(t, s.catalog(t, Options{CacheDir: dir}, clock.seam), "")
	s.stop()
	assert.Equal(t, []string{"b"}, slugs(t, s.catalog(t, Options{CacheDir: dir}, clock.seam), ""))
}

// Names that a system keeps for itself are slugs like others, since no file is
// called like a slug (peers CL025).
func TestReservedNames(t *testing.T) {
	reserved := []string{"con", "nul", "aux", "prn", "com1", "lpt9", "conin", "0"}
	s, dir := newSite(t), t.TempDir()
	var list []string
	for _, slug := range reserved {
		list = append(list, s.skill(slug, "text of "+slug))
		s.text("/.well-known/agent-skills/bare-"+slug+"/SKILL.md", "bare text of "+slug)
		list = append(list, bareEntry("bare-"+slug))
	}
	s.index(list...)
	c := s.catalog(t, Options{CacheDir: dir, Tenant: "aux"})
	assert.Len(t, slugs(t, c, ""), len(list))
	for _, slug := range reserved {
		assert.Equal(t, "text of "+slug, get(t, c, slug))
		assert.Equal(t, "bare text of "+slug, get(t, c, "bare-"+slug))
	}
	for _, slug := range []string{"aux.", "nul ", "con.md", "..", "CON", "a:b"} {
		_, err := c.Get(t.Context(), slug)
		requireError(t, err, skills.CodeNotFound)
	}

	top, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, top, 1)
	assert.Equal(t, folder, top[0].Name())
	files, err := os.ReadDir(filepath.Join(dir, folder))
	require.NoError(t, err)
	require.Len(t, files, 3*len(reserved)+2, "contents; records of the index and of those without a digest")
	for _, f := range files {
		assert.Regexp(t, `^(r-[0-9a-f]{64}|b-[0-9a-f]{16}-[0-9a-f]{64})$`, f.Name(), "a hash")
		assert.True(t, f.Type().IsRegular())
	}
}

// What the newest index has no more is not to be had, although its content is
// in the cache (peers 2f: no longer advertised).
func TestNoLongerAdvertised(t *testing.T) {
	for _, bare := range []bool{false, true} {
		s, dir, clock := newSite(t), t.TempDir(), newClock()
		at, entry := "/a/SKILL.md", s.skill("a", "text of a")
		if bare {
			at, entry = "/.well-known/agent-skills/a/SKILL.md", bareEntry("a")
			s.text(at, "text of a")
		}
		s.index(entry, s.skill("b", "text of b"))
		pin := map[string]string{"a": digestOf([]byte("text of a"))}
		all := []*Catalog{
			s.catalog(t, Options{CacheDir: dir}, clock.seam),
			s.catalog(t, Options{}, clock.seam),
			s.catalog(t, Options{CacheDir: dir, Tenant: "pinned", Pins: pin}, clock.seam),
		}
		for _, c := range all {
			require.Equal(t, "text of a", get(t, c, "a"))
		}
		s.index(s.skill("b", "text of b"))
		clock.move(time.Hour)
		all = append(all, s.catalog(t, Options{CacheDir: dir}, clock.seam))
		fetched := s.count(at)
		for _, c := range all {
			_, err := c.Get(t.Context(), "a")
			e := requireError(t, err, skills.CodeNotFound)
			assert.Equal(t, "a", e.Input)
			assert.Equal(t, []string{"b"}, slugs(t, c, ""))
			assert.Equal(t, "text of b", get(t, c, "b"))
		}
		assert.Equal(t, fetched, s.count(at), "it is not asked for")
	}
}

// What is written is on disk before it gets its name, and the name before the
// next thing happens: a record never comes before its content (06 §3).
func TestSynced(t *testing.T) {
	type step struct{ op, name string }
	var steps []step
	d := newTestDisk(t, t.TempDir(), func(op, name string) error {
		steps = append(steps, step{op, name})
		return nil
	})
	steps = nil
	body := []byte("text")
	require.NoError(t, d.save(keyOf("", "u"), &record{Digest: digestOf(body), Time: time.Now()}, body))
	var got []string
	for _, s := range steps {
		switch s.op {
		case atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpSyncDir:
			got = append(got, s.op)
		}
	}
	one := []string{atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpSyncDir}
	assert.Equal(t, append(one, one...), got, "the content, then the record")
	names := make(map[string]bool)
	for _, s := range steps {
		if s.op == atomicfile.OpSync || s.op == atomicfile.OpRename {
			names[s.op+" "+s.name] = true
		}
	}
	assert.Len(t, names, 4, "the files that are synced are those that are renamed: %v", names)
}
