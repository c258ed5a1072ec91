package remote

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// 06 §3: nothing is read from the environment, so a proxy there sees nothing.
func TestNoProxy(t *testing.T) {
	proxy, s := newSite(t), newTLSSite(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	s.index(bareEntry("a"))
	c := s.catalog(t, Options{})
	assert.Equal(t, []string{"a"}, slugs(t, c, ""))
	assert.Nil(t, c.lib.client.transport.Proxy, "not even for hosts that a proxy would be used for")
	assert.Empty(t, proxy.seen)
}

// Conditions that could not be sent back are not kept.
func TestOddValidators(t *testing.T) {
	s := newSite(t)
	for _, etag := range []string{"a\tb", strings.Repeat("x", maxETag+1)} {
		s.handle(wellKnown, hijacked("HTTP/1.1 200 OK\r\nETag: "+etag+"\r\nLast-Modified: "+etag+"\r\nContent-Length: 13\r\n\r\n{\"skills\":[]}"))
		c := s.catalog(t, Options{MaxAge: -1})
		slugs(t, c, "")
		slugs(t, c, "")
		last := s.seen[len(s.seen)-1]
		assert.Empty(t, last.Get("If-None-Match")+last.Get("If-Modified-Since"))
	}
}

// A 304 may change what is known of the document, and forbid keeping it.
func TestNotModifiedTellsMore(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		s, n := newSite(t), 0
		s.handle(wellKnown, func(w http.ResponseWriter, r *http.Request) {
			n++
			w.Header().Set("ETag", fmt.Sprintf("%d", n))
			w.Header().Set("Last-Modified", fmt.Sprintf("day %d", n))
			if n == 3 {
				w.Header().Set("Cache-Control", "no-store")
			}
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, indexJSON(bareEntry("a")))
		})
		c := s.catalog(t, Options{CacheDir: dir, MaxAge: -1})
		for range 4 {
			assert.Equal(t, []string{"a"}, slugs(t, c, ""))
		}
		var sent []string
		for _, h := range s.seen {
			sent = append(sent, h.Get("If-None-Match")+h.Get("If-Modified-Since"))
		}
		assert.Equal(t, []string{"", "1day 1", "2day 2", ""}, sent)
	}
}

// panicky is a log handler of a careless host.
type panicky struct{ slog.Handler }

func (panicky) Enabled(context.Context, slog.Level) bool  { return true }
func (panicky) Handle(context.Context, slog.Record) error { panic("boom") }

// 07 B11: a log handler that panics fails the call and nothing else.
func TestLoggerPanics(t *testing.T) {
	s := newSite(t)
	s.index("7")
	c := s.catalog(t, Options{MaxAge: -1, Logger: slog.New(panicky{})})
	for range 2 {
		_, err := c.Find(t.Context(), "", 0)
		requireError(t, err, skills.CodeUnreadable)
		assert.ErrorContains(t, err, "boom")
	}
	s.index()
	hits, err := c.Find(t.Context(), "", 0)
	require.NoError(t, err)
	assert.Empty(t, hits)
}

// A registry takes a Catalog as its Options.Catalog.
func TestIsACatalog(t *testing.T) {
	s := newSite(t)
	s.index(s.skill("a", "text"))
	reg, err := skills.Open(t.Context(), &skills.Options{Locations: skills.Locations{NoDisk: true}, Catalog: s.catalog(t, Options{})})
	require.NoError(t, err)
	require.NoError(t, reg.Close())
}
