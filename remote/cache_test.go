package remote

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// answers sends content with headers, and 304 to its own ETag or date.
func answers(content string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Add(header[i], header[i+1])
		}
		etag, date := w.Header().Get("ETag"), w.Header().Get("Last-Modified")
		if etag != "" && r.Header.Get("If-None-Match") == etag || date != "" && r.Header.Get("If-Modified-Since") == date {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, content)
	}
}

// How long an index is used without asking (06 §3). Each row asks, moves the
// clock by after, and asks again, in memory and in a new process on the disk.
func TestFreshness(t *testing.T) {
	date := newClock().at.Format(http.TimeFormat)
	rows := []struct {
		name   string
		header []string
		age    time.Duration // Options.MaxAge
		after  time.Duration
		again  bool
		reason string
	}{
		{"nothing said", nil, 0, 4 * time.Minute, false, "default of MaxAge"},
		{"nothing said, later", nil, 0, 5 * time.Minute, true, "default of MaxAge"},
		{"the host's", nil, time.Hour, 59 * time.Minute, false, "MaxAge"},
		{"the host's, never", nil, -1, 0, true, "MaxAge below 0"},
		{"max-age", []string{"Cache-Control", "public, max-age=600"}, 0, 599 * time.Second, false, "peers, Remote: max-age"},
		{"max-age, over", []string{"Cache-Control", "public, max-age=600"}, 0, 600 * time.Second, true, "peers, Remote: expired"},
		{"max-age, quoted", []string{"Cache-Control", `MAX-AGE="600"`}, 0, 599 * time.Second, false, "lenient"},
		{"max-age over the host's", []string{"Cache-Control", "max-age=60"}, time.Hour, time.Minute, true, "the server knows"},
		{"max-age beyond a day", []string{"Cache-Control", "max-age=31536000"}, 0, 24 * time.Hour, true, "up to a day"},
		{"max-age beyond numbers", []string{"Cache-Control", "max-age=99999999999999999999"}, 0, 23 * time.Hour, false, "up to a day"},
		{"max-age, odd", []string{"Cache-Control", "max-age=x"}, time.Hour, time.Second, true, "odd counts as 0"},
		{"max-age, negative", []string{"Cache-Control", "max-age=-5"}, time.Hour, time.Second, true, "odd counts as 0"},
		{"two of them", []string{"Cache-Control", "max-age=600", "Cache-Control", "max-age=60"}, 0, time.Minute, true, "the stricter one"},
		{"age", []string{"Cache-Control", "max-age=600", "Age", "590"}, 0, 10 * time.Second, true, "it was old already"},
		{"no-cache", []string{"Cache-Control", "no-cache"}, time.Hour, 0, true, "ask each time"},
		{"no-cache with max-age", []string{"Cache-Control", "max-age=60, no-cache"}, 0, 0, true, "the stricter one"},
		{"must-revalidate", []string{"Cache-Control", "max-age=0, must-revalidate"}, 0, 0, true, "ask each time"},
		{"no-store", []string{"Cache-Control", "no-store, max-age=600"}, time.Hour, 0, true, "peers, Remote: no-store"},
		{"expires", []string{"Date", date, "Expires", newClock().at.Add(time.Minute).Format(http.TimeFormat)}, 0, 59 * time.Second, false, "older servers"},
		{"expires, over", []string{"Date", date, "Expires", newClock().at.Add(time.Minute).Format(http.TimeFormat)}, 0, time.Minute, true, "older servers"},
		{"expires 0", []string{"Date", date, "Expires", "0"}, time.Hour, 0, true, "odd counts as over"},
		{"vary", []string{"Vary", "*", "Cache-Control", "max-age=600"}, 0, time.Second, true, "nothing can be said"},
		{"clock put back", []string{"Cache-Control", "max-age=600"}, 0, -time.Minute, true, "a future date says nothing"},
		{"clock put back far", []string{"Cache-Control", "max-age=600"}, 0, -48 * time.Hour, true, "a future date says nothing"},
		{"the host's, never, clock put back", nil, -1, -time.Hour, true, "MaxAge below 0"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.NotEmpty(t, row.reason)
			for _, restart := range []bool{false, true} {
				s, clock, dir := newSite(t), newClock(), t.TempDir()
				s.handle(wellKnown, answers(indexJSON(bareEntry("a")), row.header...))
				o := Options{CacheDir: dir, MaxAge: row.age}
				c := s.catalog(t, o, clock.seam)
				slugs(t, c, "")
				if restart {
					c = s.catalog(t, o, clock.seam)
				}
				clock.move(row.after)
				slugs(t, c, "")
				want := 1
				if row.again {
					want = 2
				}
				assert.Equal(t, want, s.count(wellKnown), "restart %v: %s", restart, row.reason)
			}
		})
	}
}

// 06 §3: ETag. An unchanged index is not sent again, and counts as new.
func TestConditional(t *testing.T) {
	for _, header := range [][]string{{"ETag", `W/"1"`}, {"Last-Modified", "Mon, 02 Jan 2030 03:04:05 GMT"}} {
		for _, dir := range []string{"", t.TempDir()} {
			s, clock := newSite(t), newClock()
			s.handle(wellKnown, answers(indexJSON(bareEntry("a")), append(header, "Cache-Control", "max-age=60")...))
			c := s.catalog(t, Options{CacheDir: dir}, clock.seam)
			for n := range 3 {
				assert.Equal(t, []string{"a"}, slugs(t, c, ""))
				assert.Equal(t, n+1, s.count(wellKnown))
				slugs(t, c, "")
				assert.Equal(t, n+1, s.count(wellKnown), "fresh for a minute again")
				clock.move(time.Minute)
			}
			assert.Empty(t, s.seen[0].Get("If-None-Match")+s.seen[0].Get("If-Modified-Since"))
			assert.Equal(t, header[1], s.seen[1].Get("If-None-Match")+s.seen[1].Get("If-Modified-Since"))
			assert.Empty(t, c.Issues()[1:], "one, about digests")

			s.handle(wellKnown, answers(indexJSON(bareEntry("b")), "ETag", "new"))
			assert.Equal(t, []string{"b"}, slugs(t, c, ""), "a changed one is")
		}
	}
}

// A condition is never sent without the content it is about.
func TestConditionNeedsContent(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	s.handle(wellKnown, answers(indexJSON(bareEntry("a")), "ETag", "1", "Cache-Control", "no-cache"))
	slugs(t, s.catalog(t, Options{CacheDir: dir}), "")
	removeFiles(t, dir, blobPrefix)
	assert.Equal(t, []string{"a"}, slugs(t, s.catalog(t, Options{CacheDir: dir}), ""))
	require.Len(t, s.seen, 2)
	assert.Empty(t, s.seen[1].Get("If-None-Match"))
}

// 06 §3: works offline from cache.
func TestOffline(t *testing.T) {
	s, dir, clock := newSite(t), t.TempDir(), newClock()
	s.text("/.well-known/agent-skills/bare/SKILL.md", "bare text")
	s.index(s.skill("known", "known text"), bareEntry("bare"), s.skill("never", "never fetched"))
	first := s.catalog(t, Options{CacheDir: dir}, clock.seam)
	get(t, first, "known")
	get(t, first, "bare")
	s.stop()

	var log bytes.Buffer
	clock.move(29 * 24 * time.Hour)
	c := s.catalog(t, Options{CacheDir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}, clock.seam)
	assert.Equal(t, []string{"known", "bare", "never"}, slugs(t, c, ""))
	assert.Equal(t, "known text", get(t, c, "known"))
	assert.Equal(t, "bare text", get(t, c, "bare"))
	_, err := c.Get(t.Context(), "never")
	requireError(t, err, skills.CodeUnreadable)
	assert.Contains(t, log.String(), "stands in")
	assert.Equal(t, codeStale, c.Issues()[len(c.Issues())-1].Code)

	clock.move(2 * 24 * time.Hour)
	_, err = c.Find(t.Context(), "", 0)
	requireError(t, err, skills.CodeUnreadable)
	o := Options{CacheDir: dir, Pins: map[string]string{"known": digestOf([]byte("known text"))}, MaxStale: 365 * 24 * time.Hour}
	assert.Equal(t, "bare text", get(t, s.catalog(t, o, clock.seam), "bare"), "MaxStale")
	o.MaxStale = 0
	assert.Equal(t, "known text", get(t, s.catalog(t, o, clock.seam), "known"), "content with a digest has no age")
}

// A server that fails is left alone for half a minute, and then asked again.
func TestOfflinePause(t *testing.T) {
	s, clock := newSite(t), newClock()
	s.index(bareEntry("a"))
	c := s.catalog(t, Options{MaxAge: -1}, clock.seam)
	slugs(t, c, "")
	s.handle(wellKnown, status(503))
	for range 5 {
		assert.Equal(t, []string{"a"}, slugs(t, c, ""))
	}
	assert.Equal(t, 2, s.count(wellKnown))
	s.index(bareEntry("b"))
	clock.move(offline)
	assert.Equal(t, []string{"b"}, slugs(t, c, ""))
	assert.Len(t, c.Issues(), 1, "nothing stands in any more")
}

// "no-store" content is used and forgotten, on disk too.
func TestNoStore(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	s.handle(wellKnown, answers(indexJSON(entryJSON("a", "", "/a", "text")), "Cache-Control", "no-store"))
	s.handle("/a", answers("text", "Cache-Control", "no-store"))
	c := s.catalog(t, Options{CacheDir: dir})
	for n := range 2 {
		assert.Equal(t, "text", get(t, c, "a"))
		assert.Equal(t, n+1, s.count("/a"))
	}
	assert.Empty(t, cacheFiles(t, dir))
	s.stop()
	_, err := c.Find(t.Context(), "", 0)
	requireError(t, err, skills.CodeUnreadable)
}

// Content with a digest is fetched once, whoever asks for it.
func TestContentOnce(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	s.index(s.skill("a", "text"))
	for range 3 {
		c := s.catalog(t, Options{CacheDir: dir})
		b, err := c.Get(t.Context(), "a")
		require.NoError(t, err)
		b[0] = 'X' // the caller's own
		assert.Equal(t, "text", get(t, c, "a"))
	}
	assert.Equal(t, 1, s.count("/a/SKILL.md"))
	assert.Equal(t, 1, s.count(wellKnown))
}

// 06 §3: tenant + URL. One tenant sees nothing of another.
func TestTenants(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	s.index(s.skill("a", "text"))
	for _, tenant := range []string{"", "one", "two", "1:"} {
		get(t, s.catalog(t, Options{CacheDir: dir, Tenant: tenant}), "a")
	}
	assert.Equal(t, 4, s.count(wellKnown))
	assert.Equal(t, 4, s.count("/a/SKILL.md"))
	assert.NotEqual(t, keyOf("a", "bc"), keyOf("ab", "c"))
	assert.NotEqual(t, keyOf("1:", "x"), keyOf("", "1:x"))
}

// 06 §3: digest verified on read. Whatever is in the place of a file counts as
// missing and is replaced; links are not followed.
func TestDamage(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	replace := func(f func(path string) error) func(string) error {
		return func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return f(path)
		}
	}
	rows := []struct {
		name   string
		damage func(path string) error
	}{
		{"other bytes", func(p string) error { return os.WriteFile(p, []byte("evil"), 0o600) }},
		{"empty", func(p string) error { return os.Truncate(p, 0) }},
		{"cut", func(p string) error { return os.Truncate(p, 20) }},
		{"one bit", flip},
		{"sparse", func(p string) error { return os.Truncate(p, 1<<40) }},
		{"gone", os.Remove},
		{"a link outside", replace(func(p string) error { return os.Symlink(outside, p) })},
		{"a hard link", replace(func(p string) error { return os.Link(outside, p) })},
		{"a link to itself", replace(func(p string) error { return os.Symlink(filepath.Base(p), p) })},
		{"a folder", replace(func(p string) error { return os.MkdirAll(filepath.Join(p, "x"), 0o700) })},
		{"a FIFO", replace(fifo)},
	}
	for _, row := range rows {
		for _, prefix := range []string{recordPrefix, blobPrefix} {
			t.Run(row.name+" "+prefix, func(t *testing.T) {
				s, dir := newSite(t), t.TempDir()
				s.index(s.skill("a", "text"))
				get(t, s.catalog(t, Options{CacheDir: dir}), "a")
				for _, name := range cacheFiles(t, dir) {
					if strings.HasPrefix(name, prefix) {
						require.NoError(t, row.damage(filepath.Join(dir, folder, name)))
					}
				}
				assert.Equal(t, "text", get(t, s.catalog(t, Options{CacheDir: dir}), "a"))
				s.stop()
				assert.Equal(t, "text", get(t, s.catalog(t, Options{CacheDir: dir}), "a"), "it was replaced")
				secret, err := os.ReadFile(outside)
				require.NoError(t, err)
				assert.Equal(t, "secret", string(secret))
			})
		}
	}
}

func flip(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return os.WriteFile(path, b, 0o600)
}

// A record under the name of another one is foreign.
func TestForeignRecord(t *testing.T) {
	d := newTestDisk(t, t.TempDir(), nil)
	rec := &record{Digest: digestOf([]byte("x")), Time: time.Now()}
	a, b := keyOf("", "a"), keyOf("", "b")
	require.NoError(t, d.save(a, rec, []byte("x")))
	at := filepath.Join(d.dir, folder, recordPrefix)
	require.NoError(t, os.Rename(at+a, at+b))
	_, _, ok := d.load(b)
	assert.False(t, ok)
	for _, text := range []string{"", "\n", "x\ny\n", digestOf(nil) + "\n\n"} {
		_, ok := decodeRecord(a, []byte(text))
		assert.False(t, ok, "%q", text)
	}
}

func newTestDisk(t testing.TB, dir string, hook func(op, name string) error) *disk {
	t.Helper()
	o, err := (&Options{CacheDir: dir}).withDefaults()
	require.NoError(t, err)
	d, err := newDisk(&o, hook)
	require.NoError(t, err)
	return d
}

// The cache's folder may be deleted at any time.
func TestCacheDeleted(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "not", "there", "yet")
	s.index(s.skill("a", "text"))
	c := s.catalog(t, Options{CacheDir: dir, MaxAge: -1})
	for range 3 {
		assert.Equal(t, "text", get(t, c, "a"))
		assert.Len(t, cacheFiles(t, dir), 3)
		require.NoError(t, os.RemoveAll(filepath.Dir(dir)))
	}
}

// A cache that cannot be written costs nothing but the cache.
func TestCacheFails(t *testing.T) {
	s := newSite(t)
	s.index(s.skill("a", "text"))
	var log bytes.Buffer
	dir := t.TempDir()
	c := s.catalog(t, Options{CacheDir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	assert.Equal(t, "text", get(t, c, "a"))
	assert.Contains(t, log.String(), "the cache failed")
	_, err := New(s.URL, &Options{AllowLoopback: true, CacheDir: dir})
	e := requireError(t, err, skills.CodeUnreadable)
	assert.Equal(t, "Options.CacheDir", e.Field)
	assert.Equal(t, dir, e.Path)
}

// 06 §3: bounded. What was not used for longest goes first.
func TestEviction(t *testing.T) {
	dir := t.TempDir()
	d := newTestDisk(t, dir, nil)
	d.limit = 40 * blockSize
	body := func(n int) []byte { return []byte(strings.Repeat(fmt.Sprint(n%10), blockSize-10) + fmt.Sprint(n)) }
	past := time.Now().Add(-1000 * time.Hour)
	for n := range 100 {
		require.NoError(t, d.save("", nil, body(n)))
		at := past.Add(time.Duration(n) * time.Hour)
		require.NoError(t, os.Chtimes(filepath.Join(dir, folder, d.blobName(digestOf(body(n)))), at, at))
		_, ok := d.blob(digestOf(body(0))) // keeps it young
		require.True(t, ok, "round %d", n)
		assert.LessOrEqual(t, len(cacheFiles(t, dir)), 40+40/16+1)
	}
	_, ok := d.blob(digestOf(body(99)))
	assert.True(t, ok, "the newest")
	_, ok = d.blob(digestOf(body(1)))
	assert.False(t, ok, "the oldest")

	// Other files are neither counted nor removed.
	other := filepath.Join(dir, folder, "notes.txt")
	require.NoError(t, os.WriteFile(other, make([]byte, 100*blockSize), 0o600))
	for n := range 100 {
		require.NoError(t, d.save("", nil, body(200+n)))
	}
	assert.FileExists(t, other)
}

func TestMemoryEviction(t *testing.T) {
	m := newMemory(100)
	for n := range 50 {
		body := []byte(fmt.Sprintf("%010d", n))
		require.NoError(t, m.save(fmt.Sprint(n), &record{Digest: digestOf(body)}, body))
		_, ok := m.blob(digestOf([]byte("0000000000")))
		assert.True(t, ok, "in use")
	}
	assert.LessOrEqual(t, m.size, int64(100))
	assert.Len(t, m.blobs, 10)
	assert.Len(t, m.records, 10)
	require.NoError(t, m.save("", nil, make([]byte, 1000)))
	assert.Len(t, m.blobs, 1, "one that is too large alone")
}
