package remote

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func testPlaces(t testing.TB, index string, o Options) *places {
	t.Helper()
	p, err := newPlaces(index, &o)
	require.NoError(t, err)
	return p
}

// entryBase is the URL of the index in TestEntries.
const entryBase = "https://example.com/catalog/index.json"

// An entryRow is an entry, and where its SKILL.md is, or "" and what the issue
// says if it is left out.
type entryRow struct{ name, entry, url, issue, reason string }

// entriesTaken can be fetched.
func entriesTaken() []entryRow {
	return []entryRow{
		{"relative", `{"name":"a","type":"skill-md","url":"a/SKILL.md"}`, "https://example.com/catalog/a/SKILL.md", "", "relative to the index"},
		{"from the top", `{"name":"a","url":"/a.md"}`, "https://example.com/a.md", "", "relative to the index"},
		{"whole", `{"name":"a","url":"https://EXAMPLE.com:443/a.md?v=1#x"}`, "https://EXAMPLE.com:443/a.md?v=1", "", "same origin"},
		{"same scheme", `{"name":"a","url":"//example.com/a.md"}`, "https://example.com/a.md", "", "same origin"},
		{"listed host", `{"name":"a","url":"https://cdn.example.com:8443/a.md"}`, "https://cdn.example.com:8443/a.md", "", "Options.Hosts"},
		{"older form", `{"name":"a","files":["x.md","SKILL.md"]}`, "https://example.com/catalog/a/SKILL.md", "", "the draft's first form"},
		{"older form with digests", `{"name":"a","digest":"sha256:of all files","files":[{"path":"SKILL.md","digest":"sha256:` + zeros + `"}]}`, "https://example.com/catalog/a/SKILL.md", "", "the draft's second form"},
		{"no description", `{"name":"a","url":"a.md"}`, "https://example.com/catalog/a.md", "", "lenient: its name may be found"},
		{"unknown fields", `{"name":"a","url":"a.md","x":[{}]}`, "https://example.com/catalog/a.md", "", "lenient"},
	}
}

// entriesOfNoUse say something that cannot be used.
func entriesOfNoUse() []entryRow {
	return []entryRow{
		{"archive", `{"name":"a","type":"archive","url":"a.zip"}`, "", "archive", "archives are skipped"},
		{"other type", `{"name":"a","type":"video","url":"a.mp4"}`, "", "type", "unknown types are skipped"},
		{"no name", `{"url":"a.md"}`, "", "slug", "peers, Remote"},
		{"path for a name", `{"name":"../x","url":"a.md"}`, "", "slug", "C05"},
		{"upper case", `{"name":"A","url":"a.md"}`, "", "slug", "06 §3: slug"},
		{"hyphen first", `{"name":"-a","url":"a.md"}`, "", "slug", "06 §3: slug"},
		{"long", `{"name":"` + strings.Repeat("a", 65) + `","url":"a.md"}`, "", "slug", "06 §3: slug"},
		{"number for a name", `{"name":7,"url":"a.md"}`, "", "texts", "one broken entry"},
		{"list", `["a"]`, "", "texts", "one broken entry"},
		{"null", `null`, "", "slug", "one broken entry"},
		{"twice", `{"name":"first","url":"other.md"}`, "", "same name", "the first counts"},
		{"short digest", `{"name":"a","url":"a.md","digest":"sha256:abc"}`, "", "digest", "never taken for none"},
		{"empty digest", `{"name":"a","url":"a.md","digest":""}`, "", "digest", "never taken for none"},
		{"other digest", `{"name":"a","url":"a.md","digest":"md5:` + zeros + `"}`, "", "digest", "never taken for none"},
		{"digest of no hex", `{"name":"a","url":"a.md","digest":"sha256:` + zeros[1:] + `g"}`, "", "digest", "never taken for none"},
	}
}

// entriesElsewhere lead where nothing is fetched, or nowhere.
func entriesElsewhere() []entryRow {
	return []entryRow{
		{"dots", `{"name":"a","url":"../../etc/passwd"}`, "", "..", "peers 2f"},
		{"inner dots", `{"name":"a","url":"/x/../a.md"}`, "", "..", "peers 2f"},
		{"encoded dots", `{"name":"a","url":"%2e%2e/a.md"}`, "", "..", "peers 2f"},
		{"half encoded dots", `{"name":"a","url":".%2E/a.md"}`, "", "..", "peers 2f"},
		{"twice encoded dots", `{"name":"a","url":"%252e%252e/a.md"}`, "", "..", "peers 2f"},
		{"encoded slash", `{"name":"a","url":"a%2f..%2fb.md"}`, "", "..", "peers 2f"},
		{"backslash", `{"name":"a","url":"..\\a.md"}`, "", "..", "peers 2f"},
		{"many encodings", `{"name":"a","url":"` + "%" + strings.Repeat("25", 9) + `2e/a.md"}`, "", "..", "no end of it"},
		{"whole with dots", `{"name":"a","url":"https://example.com/a/%2e%2e/b.md"}`, "", "..", "peers 2f"},
		{"other origin", `{"name":"a","url":"https://evil.example/a.md"}`, "", "another origin", "peers 2f"},
		{"other port", `{"name":"a","url":"https://example.com:444/a.md"}`, "", "another origin", "peers 2f"},
		{"sub-domain", `{"name":"a","url":"https://a.example.com/a.md"}`, "", "another origin", "peers 2f"},
		{"dot behind", `{"name":"a","url":"https://example.com./a.md"}`, "", "another origin", "peers 2f"},
		{"other scheme's host", `{"name":"a","url":"//evil.example/a.md"}`, "", "another origin", "peers 2f"},
		{"http", `{"name":"a","url":"http://example.com/a.md"}`, "", "not encrypted", "06 §3: https only"},
		{"file", `{"name":"a","url":"file:///etc/passwd"}`, "", "https", "06 §3: https only"},
		{"data", `{"name":"a","url":"data:text/plain,x"}`, "", "https", "06 §3: https only"},
		{"script", `{"name":"a","url":"javascript:alert(1)"}`, "", "https", "06 §3: https only"},
		{"credentials", `{"name":"a","url":"https://me:pw@example.com/a.md"}`, "", "credentials", "06 §3"},
		{"credentials look", `{"name":"a","url":"https://example.com@evil.example/a.md"}`, "", "credentials", "06 §3"},
		{"look-alike", `{"name":"a","url":"https://ex\u0430mple.com/a.md"}`, "", "ASCII", "06 §3"},
		{"no URL", `{"name":"a"}`, "", "no URL", "06 §3: SKILL.md by URL"},
		{"empty URL", `{"name":"a","url":""}`, "", "no URL", "06 §3: SKILL.md by URL"},
		{"null URL", `{"name":"a","url":null}`, "", "no URL", "06 §3: SKILL.md by URL"},
		{"no URL at all", `{"name":"a","url":"https://[x"}`, "", "cannot be read", "06 §3"},
		{"control characters", `{"name":"a","url":"a\n.md"}`, "", "cannot be read", "06 §3"},
		{"no SKILL.md", `{"name":"a","files":["README.md",7,null]}`, "", "no SKILL.md", "peers 2f"},
		{"no files", `{"name":"a","files":[]}`, "", "no SKILL.md", "peers 2f"},
	}
}

// Each entry is judged alone (06 §3; peers 2f; C05). In all rows a good entry
// stands before and behind.
func TestEntries(t *testing.T) {
	p := testPlaces(t, entryBase, Options{Hosts: []string{"cdn.example.com:8443"}})
	for _, row := range slices.Concat(entriesTaken(), entriesElsewhere(), entriesOfNoUse()) {
		t.Run(row.name, func(t *testing.T) {
			require.NotEmpty(t, row.reason)
			ix, problem := newIndex([]byte(indexJSON(entryJSON("first", "", "f.md", ""), row.entry, entryJSON("last", "", "l.md", ""))), p, nil)
			require.Nil(t, problem)
			if row.url != "" {
				require.Len(t, ix.entries, 3)
				assert.Equal(t, row.url, ix.entries[1].url)
				return
			}
			assert.Equal(t, []string{"first", "last"}, ix.slugs())
			require.Len(t, ix.issues, 1)
			i := ix.issues[0]
			assert.Contains(t, i.Msg, row.issue)
			assert.NotEmpty(t, i.Hint)
			assert.Equal(t, codeEntry, i.Code)
			assert.Equal(t, entryBase, i.Path)
		})
	}
}

func TestDigestOfOlderForm(t *testing.T) {
	p := testPlaces(t, "https://example.com", Options{})
	ix, problem := newIndex([]byte("\ufeff"+`{"version":"0.2.0","skills":[{"name":"a","files":[{"path":"SKILL.md","digest":"sha256:`+strings.ToUpper(zeros[1:]+"a")+`"}]}]}`), p, nil)
	require.Nil(t, problem)
	assert.Equal(t, zeros[1:]+"a", ix.entries[0].digest)
	assert.Equal(t, "https://example.com/.well-known/agent-skills/a/SKILL.md", ix.entries[0].url)
}

// What is wrong a thousand times is told a hundred times.
func TestManyIssues(t *testing.T) {
	var list []string
	for range 1000 {
		list = append(list, "7")
	}
	ix, problem := newIndex([]byte(indexJSON(list...)), testPlaces(t, "https://example.com", Options{}), nil)
	require.Nil(t, problem)
	require.Len(t, ix.issues, maxIssues+1)
	assert.Contains(t, ix.issues[maxIssues].Msg, "900 more")
}

// 25,000 entries (07 §1): read, listed, found, and a repeated search is cheap.
func TestHugeIndex(t *testing.T) {
	s := newSite(t)
	var list []string
	kinds := []string{"audio", "video", "text", "tables"}
	for n := range 25_000 {
		list = append(list, entryJSON(fmt.Sprintf("skill-%d", n), fmt.Sprintf("Does thing number %d with files of kind %s.", n, kinds[n%4]), fmt.Sprintf("%d.md", n), ""))
	}
	s.index(list...)
	_, err := s.catalog(t, Options{}).Find(t.Context(), "", 0)
	requireError(t, err, skills.CodeUnreadable)
	assert.ErrorIs(t, err, ErrTooLarge, "06 §3: 1 MiB by default")

	c := s.catalog(t, Options{MaxIndexSize: 16 << 20, CacheDir: t.TempDir()})
	hits, err := c.Find(t.Context(), "skill-24999", 3)
	require.NoError(t, err)
	require.Len(t, hits, 3)
	assert.Equal(t, "skill-24999", hits[0].Name, "06 §4: exact name first")
	hits, err = c.Find(t.Context(), " ", 0)
	require.NoError(t, err)
	assert.Len(t, hits, defaultHits)
	assert.Equal(t, "skill-0", hits[0].Name, "in the order of the index")
	hits, err = c.Find(t.Context(), "audio", 25_000)
	require.NoError(t, err)
	assert.Len(t, hits, 6250)
	assert.Equal(t, 2, s.count(wellKnown))
}

func TestTooManyEntries(t *testing.T) {
	doc := `{"skills":[` + strings.Repeat("0,", maxEntries) + `{"name":"a","url":"a"}]}`
	ix, problem := newIndex([]byte(doc), testPlaces(t, "https://example.com", Options{}), nil)
	require.Nil(t, problem)
	assert.Empty(t, ix.entries)
	assert.LessOrEqual(t, len(ix.issues), maxIssues+1)
}

// The searchable form is built on that of the index before.
func TestSearchFollowsIndex(t *testing.T) {
	s := newSite(t)
	s.index(entryJSON("alpha", "Makes coffee.", "a", ""), entryJSON("beta", "Makes tea.", "b", ""))
	c := s.catalog(t, Options{MaxAge: -1})
	assert.Equal(t, []string{"alpha"}, slugs(t, c, "coffee"))
	before := c.current.Load().index.rank.Load()
	s.index(entryJSON("beta", "Makes tea.", "b", ""), entryJSON("gamma", "Brews coffee and tea.", "c", ""))
	of, err := c.offer(t.Context(), true)
	require.NoError(t, err)
	assert.True(t, before != nil && of.index.before == before, "it is built on what is there")
	assert.Equal(t, []string{"gamma"}, slugs(t, c, "coffee"))
	assert.ElementsMatch(t, []string{"beta", "gamma"}, slugs(t, c, "tea"))
	assert.Empty(t, slugs(t, c, "water"))
	assert.Nil(t, of.index.before, "which is then let go")
	hits, err := c.Find(t.Context(), "beta", 1)
	require.NoError(t, err)
	assert.Equal(t, "Makes tea.", hits[0].Description)
	assert.Positive(t, hits[0].Score)
}

// Only slugs come out, each once, at places the host allows (06 §3).
func FuzzIndex(f *testing.F) {
	f.Add(indexJSON(bareEntry("a"), `{"name":"b","url":"../b"}`, `{"name":"c","url":"//evil/c","digest":"sha256:`+zeros+`"}`))
	f.Add(`{"skills":[{"name":"a","url":"%2e%2e/a"},{"name":"a","url":"https://cdn.example.com/x"},null,7]}`)
	f.Add(`{"skills":[{"name":"a","files":[{"path":"SKILL.md","digest":null}]}]}`)
	f.Add("\ufeff{}")
	p := testPlaces(f, "https://example.com/x/index.json", Options{Hosts: []string{"cdn.example.com"}})
	f.Fuzz(func(t *testing.T, doc string) {
		ix, problem := newIndex([]byte(doc), p, nil)
		if problem != nil {
			assert.Nil(t, ix)
			assert.NotEmpty(t, problem.msg)
			return
		}
		assert.LessOrEqual(t, len(ix.issues), maxIssues+1)
		assert.Len(t, ix.at, len(ix.entries))
		for i, e := range ix.entries {
			assert.Regexp(t, `^[a-z0-9][a-z0-9-]{0,63}$`, e.slug)
			assert.Equal(t, i, ix.at[e.slug])
			assert.True(t, e.digest == "" || isHex(e.digest), e.digest)
			u, err := url.Parse(e.url)
			require.NoError(t, err)
			assert.Contains(t, []string{"https://example.com", "https://cdn.example.com"}, origin(u))
			assert.True(t, u.Scheme == "https" && u.User == nil && u.Fragment == "", e.url)
			assert.False(t, climbs(u.EscapedPath()) || strings.Contains("/"+u.Path+"/", "/../"), e.url)
		}
		again, problem := newIndex([]byte(doc), p, nil)
		require.Nil(t, problem)
		assert.Equal(t, ix.entries, again.entries)
	})
}
