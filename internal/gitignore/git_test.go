package gitignore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newRepo makes an empty repository for git to answer in, or skips the test
// when there is no git.
func newRepo(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; the comparison with it did not run")
	}
	root := t.TempDir()
	// A hand-made repository: cheaper than `git init`, and free of templates.
	for _, dir := range []string{".git/objects", ".git/refs", ".git/info"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	writeFile(t, root, ".git/HEAD", "ref: refs/heads/main\n")
	writeFile(t, root, ".git/config", "[core]\n\trepositoryformatversion = 0\n\tignorecase = false\n")
	return root
}

func writeFile(t testing.TB, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// gitIgnored asks git which of the paths it ignores.
func gitIgnored(t testing.TB, root string, paths []string) map[string]bool {
	t.Helper()
	cmd := exec.Command("git", "-c", "core.fsmonitor=false", "-c", "core.excludesFile=",
		"check-ignore", "--no-index", "-z", "--stdin")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_DIR="+filepath.Join(root, ".git"), "GIT_WORK_TREE="+root, "LC_ALL=C")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // nothing ignored
	}
	require.NoError(t, err, errs.String())
	ignored := make(map[string]bool)
	for p := range strings.SplitSeq(out.String(), "\x00") {
		ignored[p] = true
	}
	return ignored
}

// A question is one path put to one list.
type question struct {
	list []string
	path string
}

// askGit generates lists with paths and has git answer in one call: each list
// is the ignore file of its own folder.
func askGit(t *testing.T, g *generator, lists int) (questions []question, answers []bool) {
	t.Helper()
	root := newRepo(t)
	var asked []string
	for i := range lists {
		list := g.list()
		dir := fmt.Sprintf("d%05d", i)
		writeFile(t, root, dir+"/.gitignore", strings.Join(list, "\n"))
		for _, p := range g.paths(list, 8) {
			questions = append(questions, question{list, p})
			asked = append(asked, dir+"/"+p)
		}
	}
	ignored := gitIgnored(t, root, asked)
	for _, p := range asked {
		answers = append(answers, ignored[p])
	}
	return questions, answers
}

// TestListsAgainstGit compares both kinds of list with git: ignore files, in
// which nothing may differ (03 §3), and lists of skills, which know code points
// and no glued stars (03 A7, A11).
func TestListsAgainstGit(t *testing.T) {
	lists := 2000
	if testing.Short() {
		lists = 300
	}
	questions, answers := askGit(t, newGenerator(1), lists)
	matched, excused := 0, 0
	for i, q := range questions {
		want := answers[i]
		if want {
			matched++
		}
		file := parseFile([]byte(strings.Join(q.list, "\n")))
		assert.Equalf(t, want, file != nil && file.matches(octets.text(q.path)), "file %q, path %q", q.list, q.path)
		if Compile(q.list, Options{CaseSensitive: true, LiteralBraces: true}).Match(q.path) == want {
			continue
		}
		excused++
		assert.NotEmptyf(t, documentedDifference(q.list, q.path), "list %q, path %q: git says %v", q.list, q.path, want)
	}
	t.Logf("%d lists, %d paths, %d ignored by git, %d differ as documented", lists, len(questions), matched, excused)
	assert.Greater(t, matched, len(questions)/10, "the generated paths hardly ever match")
	assert.Less(t, excused, len(questions)/50, "the documented differences must stay rare")
}

// documentedDifference names the difference from git that the package
// documents and that a list and a path can run into, or returns "".
func documentedDifference(list []string, path string) string {
	wide := strings.ContainsFunc(path, func(r rune) bool { return r >= utf8.RuneSelf })
	for _, p := range list {
		switch {
		case wide && strings.ContainsAny(p, "?["):
			return "code points, not bytes"
		case gluedStars.MatchString(p):
			return "stars glued to literal text"
		}
	}
	return ""
}

// gluedStars finds `a**/b` and the like, in a pattern that git anchors.
var gluedStars = regexp.MustCompile(`^!?/?[^*?\[\\]*[^*?\[\\/]\*\*+(\\?/|$|\r)`)

// TestTreeAgainstGit compares whole trees of nested ignore files, exclude file
// included, with git (03 §3).
func TestTreeAgainstGit(t *testing.T) {
	trees := 200
	if testing.Short() {
		trees = 30
	}
	g := newGenerator(3)
	asked, ignored := 0, 0
	for range trees {
		root := newRepo(t)
		dirs := g.tree(t, root)
		if len(dirs) == 0 {
			continue
		}
		want := gitIgnored(t, root, dirs)
		tree := NewTree(root, os.ReadFile)
		for _, dir := range dirs {
			require.Equalf(t, want[dir], tree.IgnoredDir(dir), "folder %s of the tree in %s", dir, root)
		}
		asked += len(dirs)
		ignored += len(want)
	}
	t.Logf("%d trees, %d folders, %d ignored", trees, asked, ignored)
	require.Greater(t, ignored, asked/10, "the generated rules hardly ever match")
}

// tree makes folders with ignore files below root and returns the folders.
func (g *generator) tree(t *testing.T, root string) []string {
	t.Helper()
	var dirs []string
	g.grow(t, root, "", &dirs)
	if g.IntN(2) == 0 {
		writeFile(t, root, ".git/info/exclude", g.ignoreFile())
	}
	return dirs
}

func (g *generator) grow(t *testing.T, root, dir string, dirs *[]string) {
	t.Helper()
	if dir == "" || g.IntN(2) == 0 {
		writeFile(t, root, dir+"/.gitignore", g.ignoreFile())
	}
	if strings.Count(dir, "/") > 1 {
		return
	}
	for _, name := range []string{"a", "b", "build", "src", "x y", "é"} {
		if g.IntN(5) > 1 {
			continue
		}
		sub := strings.TrimPrefix(dir+"/"+name, "/")
		require.NoError(t, os.MkdirAll(filepath.Join(root, sub), 0o755))
		*dirs = append(*dirs, sub)
		g.grow(t, root, sub, dirs)
	}
}

// ignoreFile makes the content of an ignore file over few names, so that rules
// of different files often meet.
func (g *generator) ignoreFile() string {
	var b strings.Builder
	b.WriteString(g.pick("", "", "\uFEFF"))
	for range 1 + g.IntN(4) {
		b.WriteString(g.pick("", "", "!") + g.pick("", "", "/", "**/", "*/", "a/", "src/**/"))
		b.WriteString(g.pick("a", "b", "build", "src", "x y", "é", "*", "[ab]", "?", "??", "b*", "s**/a", "**", "a/b"))
		b.WriteString(g.pick("", "", "/", "/*", "/**", " ", "\\ ") + g.pick("\n", "\n", "\r\n", "\n# note\n\n"))
	}
	return b.String()
}
