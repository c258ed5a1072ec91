package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// Options that make no sense are told at once, without quoting what may be
// secret.
func TestBadOptions(t *testing.T) {
	good := "https://example.com"
	rows := []struct {
		index, field string
		o            Options
	}{
		{"", "index", Options{}},
		{"example.com", "index", Options{}},
		{"https://", "index", Options{}},
		{"https://exa mple.com", "index", Options{}},
		{"http://example.com", "index", Options{}},
		{"http://example.com", "index", Options{AllowLoopback: true}},
		{"http://127.0.0.1", "index", Options{}},
		{"file:///index.json", "index", Options{}},
		{"https://user:SECRET@example.com", "index", Options{}},
		{"https://user:SECRET@exa mple.com:x", "index", Options{}},
		{good, "Options.Hosts", Options{Hosts: []string{"https://cdn.example.com"}}},
		{good, "Options.Hosts", Options{Hosts: []string{""}}},
		{good, "Options.Hosts", Options{Hosts: []string{"cdn.example.com/x"}}},
		{good, "Options.Hosts", Options{Hosts: []string{"me:SECRET@cdn.example.com"}}},
		{good, "Options.Pins", Options{Pins: map[string]string{"../a": zeros}}},
		{good, "Options.Pins", Options{Pins: map[string]string{"a": "abc"}}},
		{good, "Options.Pins", Options{Pins: map[string]string{"a": ""}}},
	}
	for _, row := range rows {
		_, err := New(row.index, &row.o)
		e := requireError(t, err, skills.CodeInvalid)
		assert.Equal(t, row.field, e.Field, row.index)
		assert.NotContains(t, err.Error(), "SECRET")
	}
}

func TestIndexPlace(t *testing.T) {
	rows := map[string]string{
		"https://example.com":                  "https://example.com" + wellKnown,
		"https://example.com/":                 "https://example.com" + wellKnown,
		"https://example.com/skills/":          "https://example.com/skills/index.json",
		"https://example.com/list?t=1":         "https://example.com/list?t=1",
		"https://example.com/a/index.json#top": "https://example.com/a/index.json",
	}
	for in, want := range rows {
		assert.Equal(t, want, testPlaces(t, in, Options{}).index.String())
	}
	_, err := New("https://example.com", nil)
	assert.NoError(t, err)
}

// 06 §3: credentials go to the origins the host named and to no other, whatever
// redirects say, and never come up in errors.
func TestHeader(t *testing.T) {
	other, s := newSite(t), newSite(t)
	var origins []string
	o := Options{Header: func(ctx context.Context, origin string) (http.Header, error) {
		_, ok := ctx.Deadline()
		assert.True(t, ok)
		origins = append(origins, origin)
		return http.Header{
			"Authorization": {"Bearer SECRET"}, "x-key": {"SECRET"}, "Cookie": {"c=SECRET"},
			"Range": {"bytes=0-1"}, "Accept-Encoding": {"br"}, "If-None-Match": {"x"}, "Host": {"evil.example"},
		}, nil
	}}
	secret := func(h http.Header) bool { return strings.Contains(fmt.Sprint(h), "SECRET") }

	s.handle(wellKnown, redirect("/here"))
	s.handle("/here", redirect(other.URL+"/there"))
	other.handle("/there", redirect(s.URL+"/back"))
	s.text("/back", indexJSON())
	c := s.catalog(t, o)
	_, err := c.Find(t.Context(), "", 0)
	require.NoError(t, err)
	require.Len(t, s.seen, 3)
	assert.True(t, secret(s.seen[0]))
	assert.True(t, secret(s.seen[1]), "the same origin")
	assert.False(t, secret(other.seen[0]), "another origin")
	assert.False(t, secret(s.seen[2]), "back again, but on another's word")
	assert.Equal(t, "gzip", s.seen[0].Get("Accept-Encoding"))
	assert.Empty(t, s.seen[0].Get("Range")+s.seen[0].Get("If-None-Match")+s.seen[0].Get("Referer"))
	assert.Equal(t, []string{s.URL}, origins)

	// Hosts are asked about by name.
	u, err := url.Parse(other.URL)
	require.NoError(t, err)
	o.Hosts = []string{u.Host}
	s.text(wellKnown, indexJSON(entryJSON("a", "", other.URL+"/a", "text")))
	other.text("/a", "text")
	assert.Equal(t, "text", get(t, s.catalog(t, o), "a"))
	assert.Equal(t, other.URL, origins[len(origins)-1])
	assert.True(t, secret(other.seen[1]))
}

func TestNoSecretsInErrors(t *testing.T) {
	s := newSite(t)
	s.text("/list", indexJSON(`{"name":"a","url":"/a?key=SECRET"}`))
	s.handle("/a", redirect("http://me:SECRET@example.com/x?key=SECRET"))
	o := Options{AllowLoopback: true, Timeout: patience, Header: func(context.Context, string) (http.Header, error) {
		return http.Header{"Authorization": {"SECRET"}}, nil
	}}
	c := open(t, s.URL+"/list?key=SECRET", o)
	_, err := c.Get(t.Context(), "a")
	requireError(t, err, skills.CodeUnreadable)
	assert.NotContains(t, err.Error(), "SECRET")
	s.stop()
	_, err = open(t, s.URL+"/list?key=SECRET", o).Find(t.Context(), "", 0)
	e := requireError(t, err, skills.CodeUnreadable)
	assert.NotContains(t, err.Error(), "SECRET")
	assert.Equal(t, s.URL+"/list", e.Path)
	for _, i := range c.Issues() {
		assert.NotContains(t, i.String(), "SECRET")
	}
}

// 07 B11: a callback that fails, panics, leaves or hangs fails its request only.
func TestHeaderFails(t *testing.T) {
	s := newSite(t)
	s.index(bareEntry("a"))
	sorry := errors.New("sorry")
	hang := make(chan struct{})
	rows := map[string]func(context.Context, string) (http.Header, error){
		"sorry": func(context.Context, string) (http.Header, error) { return nil, sorry },
		"panic": func(context.Context, string) (http.Header, error) { panic("boom") },
		"leave": func(context.Context, string) (http.Header, error) { runtime.Goexit(); return nil, nil },
	}
	for name, f := range rows {
		_, err := s.catalog(t, Options{Header: f}).Find(t.Context(), "", 0)
		e := requireError(t, err, skills.CodeUnreadable)
		assert.Contains(t, e.Msg, "Options.Header")
		assert.Equal(t, name == "sorry", errors.Is(err, sorry), "the cause")
	}
	c := s.catalog(t, Options{Timeout: 20 * time.Millisecond, Header: func(context.Context, string) (http.Header, error) {
		<-hang
		return nil, nil
	}})
	_, err := c.Find(t.Context(), "", 0)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.NoError(t, c.Close())
	close(hang)
	assert.Zero(t, s.count(wellKnown))
}

// Equal requests are one. The first caller goes; the others get the answer, and
// nobody asks twice.
func TestSingleFlight(t *testing.T) {
	s := newSite(t)
	started, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s.handle(wellKnown, func(w http.ResponseWriter, _ *http.Request) {
		once.Do(func() { close(started) })
		<-release
		fmt.Fprint(w, indexJSON(bareEntry("a")))
	})
	c := s.catalog(t, Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the user left")
	first := make(chan error)
	go func() {
		_, err := c.Find(ctx, "", 0)
		first <- err
	}()
	<-started
	var wg sync.WaitGroup
	var good atomic.Int32
	for range 30 {
		wg.Go(func() {
			if hits, err := c.Find(t.Context(), "", 0); err == nil && len(hits) == 1 {
				good.Add(1)
			}
		})
	}
	cancel(gone)
	err := <-first
	requireError(t, err, skills.CodeCancelled)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, gone)
	close(release)
	wg.Wait()
	assert.EqualValues(t, 30, good.Load())
	assert.Equal(t, 1, s.count(wellKnown))

	_, err = c.Find(ctx, "", 0)
	requireError(t, err, skills.CodeCancelled)
}

// Close ends what runs, at once, and what comes later.
func TestClose(t *testing.T) {
	s := newSite(t)
	started := make(chan struct{})
	s.handle(wellKnown, func(_ http.ResponseWriter, r *http.Request) {
		close(started)
		s.wait(r)
	})
	c := s.catalog(t, Options{})
	result := make(chan error)
	go func() {
		_, err := c.Find(t.Context(), "", 0)
		result <- err
	}()
	<-started
	require.NoError(t, c.Close())
	err := <-result
	requireError(t, err, skills.CodeCancelled)
	assert.ErrorIs(t, err, ErrClosed)
	_, err = c.Get(t.Context(), "a")
	assert.ErrorIs(t, err, ErrClosed)
	assert.NoError(t, c.Close())
}

// Many callers, changing servers, one cache: every answer is whole.
func TestHammer(t *testing.T) {
	s := newSite(t)
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	publish := func(n int) {
		var list []string
		for _, slug := range []string{"a", "b", "c"} {
			list = append(list, s.skill(slug, fmt.Sprintf("%s of %d %s", slug, n, strings.Repeat("x", 1000))))
		}
		s.index(list...)
	}
	publish(0)
	dir := t.TempDir()
	catalogs := []*Catalog{
		s.catalog(t, Options{CacheDir: dir, MaxAge: -1, CacheSize: 10 * blockSize}),
		s.catalog(t, Options{CacheDir: dir, MaxAge: -1}),
		s.catalog(t, Options{MaxAge: -1, CacheSize: 4000}),
	}
	var wg sync.WaitGroup
	var whole atomic.Int32
	for w := range 9 {
		c := catalogs[w%3]
		wg.Go(func() {
			for n := range rounds {
				slug := []string{"a", "b", "c"}[n%3]
				body, err := c.Get(t.Context(), slug)
				if err != nil {
					// The index is published after its contents.
					assert.ErrorIs(t, err, ErrDigest)
					continue
				}
				whole.Add(1)
				assert.True(t, strings.HasPrefix(string(body), slug+" of ") && strings.HasSuffix(string(body), "xxx"))
				_, err = c.Find(t.Context(), "about", 5)
				assert.NoError(t, err)
				c.Issues()
			}
		})
	}
	for n := range rounds / 3 {
		publish(n)
	}
	wg.Wait()
	assert.Positive(t, whole.Load())
}
