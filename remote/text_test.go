package remote

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// The SKILL.md itself can be as bad as an index.
func TestHostileText(t *testing.T) {
	rows := []struct {
		name, entry string
		page        http.HandlerFunc
		cause       error
		msg, reason string
	}{
		{"other content", entryJSON("a", "", "/a", "good"), says("evil"), ErrDigest, "SHA-256", "06 §3: digest"},
		{"cut content", entryJSON("a", "", "/a", "good"), says("goo"), ErrDigest, "SHA-256", "06 §3: digest"},
		{"too large", entryJSON("a", "", "/a", "good"), says(strings.Repeat("x", 2000)), ErrTooLarge, "1000 bytes", "06 §3: size"},
		{"no UTF-8", entryJSON("a", "", "/a", "\xff"), says("\xff"), nil, "UTF-8", "text only"},
		{"NUL", entryJSON("a", "", "/a", "a\x00b"), says("a\x00b"), nil, "UTF-8", "text only"},
		{"empty", entryJSON("a", "", "/a", " \n"), says(" \n"), nil, "empty", "text only"},
		{"gone", entryJSON("a", "", "/a", "good"), status(404), nil, "404", "peers, Remote: 404"},
		{"moved to a file", entryJSON("a", "", "/a", "good"), redirect("file:///etc/passwd"), ErrRefused, "not allowed", "06 §3: each hop"},
		{"a page without digest", `{"name":"a","url":"/a"}`, says("<!DOCTYPE html>\n<p>not here"), nil, "web page", "soft 404"},
		{"empty without digest", `{"name":"a","url":"/a"}`, says(""), nil, "empty", "text only"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.NotEmpty(t, row.reason)
			s, dir := newSite(t), t.TempDir()
			s.index(row.entry)
			s.handle("/a", row.page)
			c := s.catalog(t, Options{MaxSize: 1000, CacheDir: dir})
			require.Equal(t, []string{"a"}, slugs(t, c, ""))
			body, err := c.Get(t.Context(), "a")
			e := requireError(t, err, skills.CodeUnreadable)
			assert.Nil(t, body, "no part of it")
			assert.Equal(t, "a", e.Skill)
			assert.Equal(t, s.URL+"/a", e.Path)
			assert.Contains(t, e.Msg, row.msg)
			assert.NotContains(t, e.ForModel(), "://")
			if row.cause != nil {
				assert.ErrorIs(t, err, row.cause)
			}
			assert.Len(t, cacheFiles(t, dir), 2, "the index and its record: nothing bad is stored")
		})
	}
}

// 06 §3: the server goes back to other content than the pin. That is an error;
// what is stored stays and serves again when the server is right.
func TestRollback(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	good := s.skill("a", "good")
	s.index(good)
	o := Options{CacheDir: dir, MaxAge: -1, Pins: map[string]string{"a": "sha256:" + digestOf([]byte("good"))}}
	c := s.catalog(t, o)
	require.Equal(t, "good", get(t, c, "a"))
	before := cacheFiles(t, dir)

	s.index(s.skill("a", "older"))
	_, err := c.Get(t.Context(), "a")
	e := requireError(t, err, skills.CodeUnreadable)
	assert.ErrorIs(t, err, ErrPin)
	assert.NotErrorIs(t, err, ErrDigest)
	assert.Equal(t, "a", e.Skill)
	assert.Zero(t, s.count("/a/SKILL.md")-1, "what is not wanted is not fetched")
	assert.Subset(t, cacheFiles(t, dir), before)

	// A server that lies about it in the index as well gets no further.
	s.index(good)
	other := s.catalog(t, Options{Pins: o.Pins, MaxAge: -1})
	_, err = other.Get(t.Context(), "a")
	assert.ErrorIs(t, err, ErrDigest)
	assert.Equal(t, "good", get(t, c, "a"), "what was stored is still good")
}

// 06 §3: a pin vouches for content of an index without digests, and for stored
// content without any index.
func TestPinAlone(t *testing.T) {
	s, dir := newSite(t), t.TempDir()
	s.skill("a", "good")
	path := "/.well-known/agent-skills/a/SKILL.md"
	s.text(path, "good")
	s.index(bareEntry("a"))
	pins := map[string]string{"a": digestOf([]byte("good"))}
	require.Equal(t, "good", get(t, s.catalog(t, Options{CacheDir: dir, Pins: pins}), "a"))

	s.text(path, "evil")
	_, err := s.catalog(t, Options{Pins: pins}).Get(t.Context(), "a")
	assert.ErrorIs(t, err, ErrDigest)

	s.stop()
	removeFiles(t, dir, recordPrefix)
	assert.Equal(t, "good", get(t, s.catalog(t, Options{CacheDir: dir, Pins: pins}), "a"))
	_, err = s.catalog(t, Options{CacheDir: dir}).Get(t.Context(), "a")
	requireError(t, err, skills.CodeUnreadable)
}

// An index from the cache may be behind its server: what does not fit is looked
// up once more.
func TestOutdatedIndex(t *testing.T) {
	rows := []struct {
		name, reason string
		change       func(s *site)
	}{
		{"new content", "digest differs", func(s *site) { s.index(s.skill("a", "new")) }},
		{"new place", "404", func(s *site) {
			s.handle("/a/SKILL.md", status(404))
			s.text("/b", "new")
			s.index(entryJSON("a", "", "/b", "new"))
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := newSite(t)
			s.index(s.skill("a", "old"))
			c := s.catalog(t, Options{})
			slugs(t, c, "")
			row.change(s)
			assert.Equal(t, "new", get(t, c, "a"), row.reason)
			assert.Equal(t, 2, s.count(wellKnown))
		})
	}
	t.Run("still wrong", func(t *testing.T) {
		s := newSite(t)
		s.index(s.skill("a", "old"))
		c := s.catalog(t, Options{})
		slugs(t, c, "")
		s.text("/a/SKILL.md", "evil")
		_, err := c.Get(t.Context(), "a")
		assert.ErrorIs(t, err, ErrDigest)
		assert.Equal(t, 1, s.count("/a/SKILL.md"), "not asked again for the same entry")
	})
}

// C05, CL025: names that could be paths find nothing, and nothing is asked.
func TestBadSlugs(t *testing.T) {
	s := newSite(t)
	s.index()
	c := s.catalog(t, Options{CacheDir: t.TempDir()})
	for _, slug := range []string{"", "..", "../../etc", "a/../b", "A", "-a", "a b", "a\x00", "é", "con.", "a_b", strings.Repeat("a", 65), "%2e%2e"} {
		_, err := c.Get(t.Context(), slug)
		e := requireError(t, err, skills.CodeNotFound)
		assert.Equal(t, slug, e.Skill)
	}
	assert.Zero(t, s.count(wellKnown))
	_, err := c.Get(t.Context(), "con")
	requireError(t, err, skills.CodeNotFound)
}

// Near names help.
func TestNotFoundNamesNear(t *testing.T) {
	s := newSite(t)
	s.index(bareEntry("commit"), bareEntry("commits"), bareEntry("deploy"))
	_, err := s.catalog(t, Options{}).Get(t.Context(), "commi")
	e := requireError(t, err, skills.CodeNotFound)
	assert.Equal(t, []string{"commit", "commits"}, e.Names)
	assert.True(t, errors.Is(err, skills.CodeNotFound))
}
