package extract_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/extract"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("n", 255)
	for _, c := range []struct {
		name   string
		good   bool
		reason string
	}{
		{"b.txt", true, "05 §2: a local name"},
		{"..a", true, "05 §2: not a way up"},
		{"a..b", true, "05 §2: not a way up"},
		{".hidden", true, "05 §2: a local name"},
		{"console", true, "05 §2: only like a device"},
		{"com10", true, "05 §2: only like a device"},
		{"-rf", true, "05 §2: a local name"},
		{"日本語.md", true, "05 §2: any script"},
		{long, true, "05 §2: as long as systems allow"},
		{long + "n", false, "05 §2: longer than systems allow"},
		{"", false, "05 §2: nothing, as from an absolute name"},
		{".", false, "05 §2: the folder itself"},
		{"..", false, "05 §2: a way up"},
		{"../../b", false, "05 §2: a way up"},
		{"/abs", false, "05 §2: absolute"},
		{"a/b", false, "05 §2: two elements in one"},
		{"a/", false, "05 §2: two elements in one"},
		{`c\..\d`, false, `05 §2: no \`},
		{`\\host\share`, false, `05 §2: no \`},
		{"c:", false, "05 §2: a drive on Windows"},
		{"a:stream", false, "05 §2: a stream on Windows"},
		{"nul", false, "05 §2: a device on Windows"},
		{"NUL.txt", false, "05 §2: a device on Windows"},
		{"Con .md", false, "05 §2: a device on Windows"},
		{"COM1", false, "05 §2: a device on Windows"},
		{"lpt².x", false, "05 §2: a device on Windows"},
		{"CONIN$", false, "05 §2: a device on Windows"},
		{"a.", false, "05 §2: Windows drops the dot"},
		{"a ", false, "05 §2: Windows drops the space"},
		{"...", false, "05 §2: Windows drops the dots"},
		{"a\x00b", false, "05 §2: NUL ends names"},
		{"a\nb", false, "05 §2: a control character"},
		{"a\xffb", false, "05 §2: not UTF-8"},
	} {
		t.Run(c.name+"/"+c.reason, func(t *testing.T) {
			parent := parentDir(t)
			s := newStore(t, extract.Options{Parent: parent})
			fsys := naming(c.name)
			dir, err := s.Dir(t.Context(), "verify", of(fsys))
			if c.good {
				require.NoError(t, err)
				assert.FileExists(t, filepath.Join(dir, c.name))
				return
			}
			require.ErrorIs(t, err, extract.ErrName)
			assertNamesRaw(t, err, c.name)
			assertEmpty(t, parent)
		})
	}
}

func assertNamesRaw(t *testing.T, err error, name string) {
	t.Helper()
	var at *fs.PathError
	require.ErrorAs(t, err, &at)
	assert.Equal(t, name, at.Path)
}

// naming lists a good file before one of that name, in whatever order.
func naming(name string) fs.FS {
	return &namedFS{adding(entry{name, 0, 1}), name}
}

// A namedFS opens the file of a name that MapFS would not.
type namedFS struct {
	fs.FS
	name string
}

func (n *namedFS) Open(name string) (fs.File, error) {
	if name == n.name && name != "." {
		return n.FS.Open("a.txt")
	}
	return n.FS.Open(name)
}

// The file names of the hostile case bundle-01, one bad one at a time and all
// together, beside a good one that must not be written.
func TestHostileNames(t *testing.T) {
	bad := []string{"../../b", "/abs", `c\..\d`}
	sets := [][]string{bad}
	for _, name := range bad {
		sets = append(sets, []string{name})
	}
	for _, set := range sets {
		box := parentDir(t)
		parent := filepath.Join(box, "tmp")
		require.NoError(t, os.Mkdir(parent, 0o700))
		files := fstest.MapFS{"a.txt": {Data: []byte("A")}, "0/first": {Data: []byte("0")}}
		for _, name := range set {
			files[name] = &fstest.MapFile{Data: []byte("B")}
		}
		touched := false
		s := newStore(t, extract.Options{Parent: parent, Hook: func(string, string) error { touched = true; return nil }})
		_, err := s.Dir(t.Context(), "verify", of(files))
		require.ErrorIs(t, err, extract.ErrName, "%q", set)
		assert.False(t, touched, "refused before anything is written")
		entries, err := os.ReadDir(box)
		require.NoError(t, err)
		assert.Len(t, entries, 1)
	}
}

func TestLongNames(t *testing.T) {
	element := strings.Repeat("e", 101)
	good := strings.Join([]string{element, element, element, element, element}, "/") // 509
	s := newStore(t, extract.Options{})
	_, err := s.Dir(t.Context(), "good", of(tree(map[string]string{good + "/ab": "x"})))
	require.NoError(t, err, "512 bytes")
	_, err = s.Dir(t.Context(), "bad", of(tree(map[string]string{good + "/abc": "x"})))
	require.ErrorIs(t, err, extract.ErrName, "513 bytes")
	_, err = s.Dir(t.Context(), "deep", of(tree(map[string]string{strings.Repeat("d/", 300) + "f": "x"})))
	require.ErrorIs(t, err, extract.ErrName, "deeper than any system opens by path")
}

// windows matches names that cannot be trusted there, written independently.
var windows = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)|[. ]$|[\\:\x00-\x1f]`)

// What is accepted is local everywhere and becomes exactly that one file; what
// is not leaves nothing.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"a.txt", "../../b", "/abs", `c\..\d`, "nul.txt", "..", "", "a\x00", "COM¹", "ä", "a.", "\u0130", "con\u00a0"} {
		f.Add(name, "verify")
	}
	f.Add("key", "Plugin:x")
	f.Add("key", "nul")
	f.Fuzz(func(t *testing.T, name, key string) {
		if len(key) > 10_000 || name == "a.txt" {
			return
		}
		s := newStore(t, extract.Options{})
		dir, err := s.Dir(t.Context(), key, of(naming(name)))
		if err != nil {
			require.ErrorIs(t, err, extract.ErrName)
			// Refused for a reason: a plain name never is.
			require.False(t, plain.MatchString(name) && !windows.MatchString(name), "%q was refused", name)
			return
		}
		require.True(t, fs.ValidPath(name) && filepath.IsLocal(name) && utf8.ValidString(name), "%q", name)
		require.NotContains(t, name, "/")
		require.False(t, windows.MatchString(name), "%q", name)
		assertTree(t, dir, fstest.MapFS{"a.txt": {Data: []byte("A")}, name: {Data: []byte("A")}})
		if base := filepath.Base(dir); runtime.GOOS != "windows" {
			require.Regexp(t, `^[a-z0-9_-]*(\+[0-9a-f]{32})?$`, base)
			require.False(t, windows.MatchString(base), "%q", base)
			require.Equal(t, strings.Contains(base, "+"), base != key, "%q became %q", key, base)
		}
	})
}

// plain matches names that are good anywhere.
var plain = regexp.MustCompile(`^[a-zA-Z0-9_-][a-zA-Z0-9_. -]{0,100}$`)
