package remote

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// gzipped sends content compressed, n times over, as one archive.
func gzipped(content []byte, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range n {
			if _, err := z.Write(content); err != nil {
				return
			}
		}
		z.Close()
	}
}

// endless writes a part until the client has enough.
func endless(encoding string, part []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		for {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}
}

// hijacked sends bytes as they are and hangs up.
func hijacked(raw string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		io.WriteString(conn, raw)
		conn.Close()
	}
}

func emptyArchive(t *testing.T) []byte {
	var b bytes.Buffer
	require.NoError(t, gzip.NewWriter(&b).Close())
	return b.Bytes()
}

// What a server can do wrong with the index (06 §3). Each row runs twice: with
// nothing in the cache it is an error of that cause; with an old index in it
// that stands in, unless the row says "no".
func TestHostileServer(t *testing.T) {
	const outside = "https://10.0.0.1/index.json"
	rows := []struct {
		name   string
		page   func(t *testing.T, s *site) http.HandlerFunc
		cause  error
		msg    string
		no     bool
		reason string
	}{
		{"to a file", with(redirect("file:///etc/passwd")), ErrRefused, "not allowed", true, "06 §3: https only, each hop"},
		{"to http", with(redirect("http://example.com/")), ErrRefused, "not encrypted", true, "06 §3: https only, each hop"},
		{"to ftp", with(redirect("ftp://example.com/")), ErrRefused, "not allowed", true, "06 §3: https only"},
		{"to a private address", with(redirect(outside)), ErrRefused, "may not be connected", true, "06 §3: no private ranges"},
		{"to the metadata service", with(redirect("https://169.254.169.254/latest/meta-data/")), ErrRefused, "may not be connected", true, "06 §3: no private ranges"},
		{"to an address with credentials", with(redirect("https://user:pass@example.com/")), ErrRefused, "credentials", true, "06 §3: no credentials to others"},
		{"to nowhere", with(redirect("")), ErrRefused, "no URL", true, "06 §3: redirects are judged"},
		{"to no URL", with(redirect("https://[")), ErrRefused, "no URL", true, "06 §3: redirects are judged"},
		{"in a circle", func(_ *testing.T, s *site) http.HandlerFunc { return redirect(s.URL + wellKnown) }, ErrRefused, "more than 3 times", true, "06 §3: at most three redirects"},
		{"endless body", with(endless("", bytes.Repeat([]byte("x"), 1<<15))), ErrTooLarge, "1048576 bytes", false, "06 §3: at most 1 MiB"},
		{"announced size", with(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999999")
		}), ErrTooLarge, "larger", false, "06 §3: at most 1 MiB"},
		{"gzip bomb", with(gzipped(make([]byte, 1<<20), 200)), ErrTooLarge, "larger", false, "06 §3: at most 1 MiB after decoding"},
		{"endless empty archives", func(t *testing.T, _ *site) http.HandlerFunc { return endless("gzip", emptyArchive(t)) }, ErrTooLarge, "larger", false, "06 §3: both sides bounded"},
		{"no gzip", with(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "{}")
		}), nil, "broken gzip", false, "06 §3: decoding"},
		{"cut gzip", func(t *testing.T, _ *site) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Write(emptyArchive(t)[:12])
			}
		}, io.ErrUnexpectedEOF, "broken gzip", false, "06 §3: short bodies"},
		{"brotli", with(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			fmt.Fprint(w, indexJSON())
		}), nil, "encoding", false, "06 §3: decoding"},
		{"short body", with(hijacked("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + `{"skills":[]}`)), io.ErrUnexpectedEOF, "broke off", false, "06 §3: short bodies"},
		{"cut chunks", with(hijacked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"ski")), io.ErrUnexpectedEOF, "broke off", false, "06 §3: short bodies"},
		{"hangs up", with(hijacked("")), nil, "reached", false, "06 §3: works offline"},
		{"no HTTP", with(hijacked("SSH-2.0-x\r\n\r\n")), nil, "reached", false, "06 §3: works offline"},
		{"huge header", with(hijacked("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n{}")), nil, "reached", false, "06 §3: bounded"},
		{"404", with(status(404)), nil, "404", true, "peers, Remote: 404"},
		{"410", with(status(410)), nil, "410", true, "the server says no"},
		{"401", with(status(401)), nil, "401", true, "the server says no"},
		{"403", with(status(403)), nil, "403", true, "the server says no"},
		{"500", with(status(500)), nil, "500", false, "peers, Remote: non-2xx"},
		{"503", with(status(503)), nil, "503", false, "peers, Remote: non-2xx"},
		{"429", with(status(429)), nil, "429", false, "the server is in trouble"},
		{"204", with(status(204)), nil, "204", true, "only 200 is a document"},
		{"206", with(status(206)), nil, "206", true, "only 200 is a document"},
		{"300", with(status(300)), nil, "300", true, "only 200 is a document"},
		{"bad JSON", with(says(`{"skills":[`)), nil, "no JSON", false, "peers, Remote: bad JSON"},
		{"more than JSON", with(says(`{"skills":[]} x`)), nil, "no JSON", false, "peers, Remote: bad JSON"},
		{"a web page", with(says("<!doctype html><p>hello")), nil, "no JSON", false, "peers, Remote: bad JSON"},
		{"empty", with(says("")), nil, "no JSON", false, "peers, Remote: bad JSON"},
		{"no list", with(says(`{"skills":{}}`)), nil, "no JSON", false, "peers, Remote: bad JSON"},
		{"no skills", with(says(`{}`)), nil, "no list", false, "peers, Remote: bad JSON"},
		{"deep", with(says(`{"skills":` + strings.Repeat("[", 100_000))), nil, "no JSON", false, "bounded"},
		{"other format", with(says(`{"$schema":"https://schemas.agentskills.io/discovery/1.0.0/schema.json","skills":[]}`)), nil, "format", false, "the draft: unknown formats are not read"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.NotEmpty(t, row.reason)
			s := newSite(t)
			s.handle(wellKnown, row.page(t, s))
			_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
			e := requireError(t, err, skills.CodeUnreadable)
			assert.Equal(t, s.URL+wellKnown, e.Path)
			assert.Contains(t, e.Msg, row.msg)
			if row.cause != nil {
				assert.ErrorIs(t, err, row.cause)
			}
			fallsBack(t, s, row.page(t, s), !row.no)
		})
	}
}

func with(h http.HandlerFunc) func(*testing.T, *site) http.HandlerFunc {
	return func(*testing.T, *site) http.HandlerFunc { return h }
}

// fallsBack fills a cache, lets the server turn bad, and checks whether the
// cache stands in, in this catalogue and in the next one on that directory.
func fallsBack(t *testing.T, s *site, bad http.HandlerFunc, want bool) {
	t.Helper()
	dir := t.TempDir()
	for range 2 {
		s.index(s.skill("commit", "old"))
		c := s.catalog(t, Options{CacheDir: dir, MaxAge: -1})
		assert.Equal(t, []string{"commit"}, slugs(t, c, ""))
		assert.Equal(t, "old", get(t, c, "commit"))

		s.handle(wellKnown, bad)
		hits, err := c.Find(t.Context(), "", 0)
		if !want {
			assert.Error(t, err)
			continue
		}
		require.NoError(t, err)
		assert.Len(t, hits, 1)
		assert.Equal(t, "old", get(t, c, "commit"))
		issues := c.Issues()
		require.NotEmpty(t, issues)
		assert.Equal(t, codeStale, issues[len(issues)-1].Code)
	}
}

// 06 §3: "10 s" is for all of a request, however slowly it comes.
func TestSlowServer(t *testing.T) {
	rows := []struct {
		name, reason string
		page         func(s *site) http.HandlerFunc
	}{
		{"headers", "06 §3: 10 s", func(s *site) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) { s.wait(r) }
		}},
		{"body", "06 §3: 10 s, slow bodies too", func(s *site) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, `{"skills":[`)
				w.(http.Flusher).Flush()
				s.wait(r)
			}
		}},
		{"compressed body", "06 §3: 10 s, slow bodies too", func(s *site) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				fmt.Fprint(z, `{"skills":[`)
				z.Flush()
				w.(http.Flusher).Flush()
				s.wait(r)
			}
		}},
		{"after a redirect", "06 §3: 10 s with redirects", func(s *site) http.HandlerFunc {
			s.handle("/slow", func(_ http.ResponseWriter, r *http.Request) { s.wait(r) })
			return redirect("/slow")
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.NotEmpty(t, row.reason)
			s := newSite(t)
			s.handle(wellKnown, row.page(s))
			_, err := s.catalog(t, Options{Timeout: 50 * time.Millisecond}).Find(t.Context(), "", 0)
			requireError(t, err, skills.CodeUnreadable)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

// wait holds a response back until the client has gone or the test is over.
func (s *site) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.done:
	}
}

// 06 §3: three redirects are followed, the fourth is not.
func TestRedirectCount(t *testing.T) {
	s := newSite(t)
	for i := range 3 {
		s.handle(fmt.Sprintf("/hop/%d", i), redirect(fmt.Sprintf("/hop/%d", i+1)))
	}
	s.text("/hop/3", indexJSON())
	s.handle(wellKnown, redirect("hop/1"))
	s.handle("/.well-known/agent-skills/hop/1", redirect("/hop/2")) // relative to where it is said
	_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
	require.NoError(t, err, "3 hops: index, hop/1, /hop/2, /hop/3")

	s.handle(wellKnown, redirect("/hop/0"))
	_, err = s.catalog(t, Options{}).Find(t.Context(), "", 0)
	assert.ErrorIs(t, err, ErrRefused)
	assert.Equal(t, 1, s.count("/hop/3"), "the fourth was not asked")
}

// Nothing leads from https to http, even where http would be allowed.
func TestRedirectDowngrade(t *testing.T) {
	plain := newSite(t)
	plain.index()
	s := newTLSSite(t)
	s.handle(wellKnown, redirect(plain.URL+wellKnown))
	_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
	assert.ErrorIs(t, err, ErrRefused)
	assert.ErrorContains(t, err, "from https to http")
	assert.Zero(t, plain.count(wellKnown))
}

// 06 §3: "not modified" without anything there is asked again once, past caches.
func TestNotModifiedOfNothing(t *testing.T) {
	s := newSite(t)
	s.handle(wellKnown, status(304))
	_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
	e := requireError(t, err, skills.CodeUnreadable)
	assert.Contains(t, e.Msg, "not modified")
	require.Equal(t, 2, s.count(wellKnown))
	assert.Empty(t, s.seen[0].Get("Cache-Control"))
	assert.Equal(t, "no-cache", s.seen[1].Get("Cache-Control"))

	s.handle(wellKnown, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Cache-Control") == "" {
			w.WriteHeader(304)
			return
		}
		fmt.Fprint(w, indexJSON(bareEntry("a")))
	})
	assert.Equal(t, []string{"a"}, slugs(t, s.catalog(t, Options{}), ""), "the second answer counts")

	// A stored copy that nothing was asked about is not confirmed by it either.
	s.index(bareEntry("b"))
	c := s.catalog(t, Options{MaxAge: -1})
	slugs(t, c, "")
	s.handle(wellKnown, status(304))
	assert.Equal(t, []string{"b"}, slugs(t, c, ""))
	assert.Equal(t, codeStale, c.Issues()[len(c.Issues())-1].Code)
}

// A server that nobody knows, and one that has gone.
func TestUnreachable(t *testing.T) {
	s := newSite(t)
	s.stop()
	_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
	requireError(t, err, skills.CodeUnreadable)

	tls := newTLSSite(t)
	tls.index()
	c := open(t, tls.URL, Options{AllowLoopback: true, Timeout: patience})
	_, err = c.Find(t.Context(), "", 0)
	e := requireError(t, err, skills.CodeUnreadable)
	assert.Contains(t, e.Msg, "certificate")
	assert.Zero(t, tls.count(wellKnown))
}
