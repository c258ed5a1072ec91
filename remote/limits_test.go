package remote

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

const mebibyte = 1 << 20

// What the zero value stands for, as Options says and 06 §3 demands, and what
// a negative one does.
func TestDefaults(t *testing.T) {
	type values struct{ age, stale, timeout, size, index, cache int64 }
	of := func(o *Options) values {
		got, err := o.withDefaults()
		require.NoError(t, err)
		return values{int64(got.MaxAge), int64(got.MaxStale), int64(got.Timeout), got.MaxSize, got.MaxIndexSize, got.CacheSize}
	}
	want := values{int64(5 * time.Minute), int64(720 * time.Hour), int64(10 * time.Second), mebibyte, mebibyte, 64 * mebibyte}
	assert.Equal(t, want, of(nil))
	assert.Equal(t, want, of(&Options{}))
	want.age, want.stale = -1, -1 // not at all
	assert.Equal(t, want, of(&Options{MaxAge: -1, MaxStale: -1, Timeout: -1, MaxSize: -1, MaxIndexSize: -1, CacheSize: -1}))
	assert.Equal(t, values{1, 2, 3, 4, 5, 6}, of(&Options{MaxAge: 1, MaxStale: 2, Timeout: 3, MaxSize: 4, MaxIndexSize: 5, CacheSize: 6}))
}

// 06 §3: 10 s. A request without a timeout of the host has a deadline that far
// away, and no further.
func TestDefaultTimeout(t *testing.T) {
	c, err := New("https://example.com", nil)
	require.NoError(t, err)
	defer c.Close()
	assert.Equal(t, 10*time.Second, c.lib.client.timeout)
}

// padded returns text of that many bytes, what it begins and ends with included.
func padded(head, tail string, size int) string {
	return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
}

// The ways in which a body can come: with its length, without it, compressed.
func sendings() map[string]func(text string) http.HandlerFunc {
	return map[string]func(text string) http.HandlerFunc{
		"with a length": func(text string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", fmt.Sprint(len(text)))
				fmt.Fprint(w, text)
			}
		},
		"in chunks": func(text string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, text[:1])
				w.(http.Flusher).Flush()
				fmt.Fprint(w, text[1:])
			}
		},
		"compressed": func(text string) http.HandlerFunc { return gzipped([]byte(text), 1) },
		"stored in gzip": func(text string) http.HandlerFunc { // larger than its content
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				z, err := gzip.NewWriterLevel(w, gzip.NoCompression)
				if err == nil {
					_, _ = z.Write([]byte(text)) // the client may have enough
					z.Close()
				}
			}
		},
	}
}

// 06 §3: at most 1 MiB after decoding. That very size is taken, also from the
// cache; one byte more is not.
func TestDefaultLimits(t *testing.T) {
	for name, send := range sendings() {
		for _, dir := range []string{"", t.TempDir()} {
			t.Run(fmt.Sprintf("%s, disk %v", name, dir != ""), func(t *testing.T) {
				s := newSite(t)
				for _, slug := range []string{"bare", "known"} {
					fits, over := padded(slug+" ", "", mebibyte), padded(slug+" ", "", mebibyte+1)
					at := "/.well-known/agent-skills/" + slug + "/SKILL.md"
					entry := func(text string) string {
						if slug == "bare" {
							return bareEntry(slug)
						}
						return entryJSON(slug, "", slug+"/SKILL.md", text)
					}
					s.index(entry(fits))
					s.handle(at, send(fits))
					for range 2 {
						c := s.catalog(t, Options{CacheDir: dir, Tenant: slug})
						for range 2 {
							assert.Len(t, get(t, c, slug), len(fits))
						}
					}
					if dir != "" {
						assert.Equal(t, 1, s.count(at), "the cache takes it too")
					}
					s.index(entry(over))
					s.handle(at, send(over))
					_, err := s.catalog(t, Options{}).Get(t.Context(), slug)
					requireTooLarge(t, err, "MaxSize")
				}
			})
		}
	}
}

func TestDefaultIndexLimit(t *testing.T) {
	head, tail := `{"skills":[`+bareEntry("a")+`],"more":"`, `"}`
	for name, send := range sendings() {
		t.Run(name, func(t *testing.T) {
			s, dir := newSite(t), t.TempDir()
			s.handle(wellKnown, send(padded(head, tail, mebibyte)))
			for range 2 {
				assert.Equal(t, []string{"a"}, slugs(t, s.catalog(t, Options{CacheDir: dir}), ""))
			}
			assert.Equal(t, 1, s.count(wellKnown), "the cache takes it too")
			s.handle(wellKnown, send(padded(head, tail, mebibyte+1)))
			_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
			requireTooLarge(t, err, "MaxIndexSize")
		})
	}
}

func requireTooLarge(t *testing.T, err error, option string) {
	t.Helper()
	e := requireError(t, err, skills.CodeUnreadable)
	require.ErrorIs(t, err, ErrTooLarge)
	assert.Contains(t, e.Msg, "1048576 bytes")
	assert.Contains(t, e.Hint, "Options."+option+" ")
}

// The announced size alone decides where there is one: nothing is read then.
func TestAnnouncedSize(t *testing.T) {
	for size, want := range map[int]bool{5: true, 6: false} {
		body := bytes.NewBufferString("12345")
		resp := httptest.NewRecorder().Result()
		resp.ContentLength, resp.Body = int64(size), http.NoBody
		if want {
			resp.Body = readCloser{body}
		}
		got, p := readBody(resp, request{limit: 5, option: "MaxSize"})
		assert.Equal(t, want, p == nil, "%d bytes", size)
		assert.Equal(t, want, string(got) == "12345")
	}
}

type readCloser struct{ *bytes.Buffer }

// Close implements [io.Closer].
func (readCloser) Close() error { return nil }

// A negative MaxStale: nothing old stands in, except what a SHA-256 vouches for.
func TestNeverStale(t *testing.T) {
	rows := []struct {
		name, reason string
		stale        time.Duration
		moved        time.Duration // of the clock, before the server fails
		want         bool
	}{
		{"default", "30 days", 0, 720 * time.Hour, true},
		{"default, over", "30 days", 0, 720*time.Hour + time.Second, false},
		{"never, at once", "less than 0 means that none is used", -1, 0, false},
		{"never", "less than 0 means that none is used", -1, time.Hour, false},
		{"never, clock put back", "less than 0 means that none is used", -time.Second, -time.Hour, false},
	}
	for _, row := range rows {
		for _, bad := range []http.HandlerFunc{status(503), says("no JSON")} {
			s, clock := newSite(t), newClock()
			s.index(s.skill("a", "text"))
			o := Options{MaxAge: -1, MaxStale: row.stale, CacheDir: t.TempDir(), Pins: map[string]string{"a": digestOf([]byte("text"))}}
			c := s.catalog(t, o, clock.seam)
			require.Equal(t, "text", get(t, c, "a"))
			s.handle(wellKnown, bad)
			clock.move(row.moved)
			for range 2 {
				_, err := c.Find(t.Context(), "", 0)
				assert.Equal(t, row.want, err == nil, "%s (%s): %v", row.name, row.reason, err)
			}
			assert.Equal(t, "text", get(t, c, "a"), "%s: known by its SHA-256", row.name)
		}
	}
}
