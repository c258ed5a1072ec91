package scan_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestCommands(t *testing.T) {
	deep := strings.Repeat("d/", 7)
	for _, row := range []scanRow{
		{reason: "01 §5: every Markdown file, named by its path", tree: map[string]string{"root/x.md": md, "root/a/b/c.md": md, "root/a/b.md": md}, want: "a:b:c,a:b,x"},
		{reason: "01 §5: and no other file", tree: map[string]string{"root/x.txt": md, "root/a/y": md, "root/md": md}},
		{reason: "01 §5: in any case", tree: map[string]string{"root/X.MD": md}, want: "X"},
		{reason: "01 §5: a dot in the name", tree: map[string]string{"root/v1.2.md": md}, want: "v1.2"},
		{reason: "01 §5: not in packages, dot folders or those of version control", tree: map[string]string{
			"root/node_modules/p/README.md": md, "root/.git/x.md": md, "root/.hidden/x.md": md, "root/CVS/x.md": md, "root/a/node_modules/x.md": md, "root/a/b.md": md,
		}, want: "a:b"},
		{reason: "01 §5: a SKILL.md here is a file like others", tree: map[string]string{"root/a/SKILL.md": md}, want: "a:SKILL"},
		{reason: "01 §5: the eighth level of folders", tree: map[string]string{"root/" + deep + "x.md": md}, want: strings.ReplaceAll(deep, "/", ":") + "x"},
		{reason: "01 §5: and not the ninth", tree: map[string]string{"root/" + deep + "e/x.md": md, "root/y.md": md}, want: "y", problems: "too-deep " + deep + "e"},
		{reason: "01 §5: MaxDepth", depth: 1, tree: map[string]string{"root/a/x.md": md, "root/y.md": md}, want: "y", problems: "too-deep a"},
		{reason: "R1: a folder with the ending of a file is a folder", tree: map[string]string{"root/a.md/b.md": md}, want: "a.md:b"},
		{reason: "R1: a file over the limit", tree: map[string]string{"root/a.md": strings.Repeat("x", 1<<20+1), "root/b.md": md}, want: "b", problems: "too-large a.md"},
		{reason: "R10: a link that was checked out as text", tree: map[string]string{"root/a.md": md, "root/b.md": "a.md\n"}, want: "a", problems: "unmaterialised-symlink b.md"},
		{reason: "R10: a line that is no path is a command", tree: map[string]string{"root/b.md": "Run the tests."}, want: "b"},
		{reason: "01 §5: an empty folder", tree: map[string]string{"root/a/": ""}},
	} {
		t.Run(row.reason, func(t *testing.T) { row.check(t, commandOptions()) })
	}
}

func TestCommandLinks(t *testing.T) {
	for _, row := range []scanRow{
		{reason: "R8: a linked file", tree: map[string]string{"store/x.md": md, "root/x.md": "-> ../store/x.md"}, want: "x"},
		{reason: "R8: a linked folder", tree: map[string]string{"store/x.md": md, "root/g": "-> ../store"}, want: "g:x"},
		{reason: "R8: a linked file in a linked folder", tree: map[string]string{"x.md": md, "store/x.md": "-> ../x.md", "root/g": "-> ../store"}, want: "g:x"},
		{reason: "R8: a linked root", tree: map[string]string{"store/x.md": md, "root": "-> store"}, want: "x"},
		{reason: "R8: a folder that two links lead to is read once", tree: map[string]string{"store/x.md": md, "root/g": "-> ../store", "root/h": "-> ../store"}, want: "g:x"},
		{reason: "R8: links back up", tree: map[string]string{"root/a/b.md": md, "root/a/up": "-> ..", "root/a/self": "-> .", "root/top": "-> ../root"}, want: "a:b"},
		{reason: "R8: a link to a file that is no command", tree: map[string]string{"store/x.txt": "x", "root/x.txt": "-> ../store/x.txt", "root/y.md": md}, want: "y"},
		{reason: "R8: a dangling file", tree: map[string]string{"root/x.md": "-> gone", "root/y.md": md}, want: "y", problems: "dangling-link x.md"},
		{reason: "R8: a dangling folder", tree: map[string]string{"root/x": "-> gone", "root/y.md": md}, want: "y", problems: "dangling-link x"},
		{reason: "R8: a circle of files", tree: map[string]string{"root/x.md": "-> y.md", "root/y.md": "-> x.md"}, problems: "link-loop x.md,link-loop y.md"},
		{reason: "R8: a circle of folders", tree: map[string]string{"root/x": "-> y", "root/y": "-> x"}, problems: "link-loop x,link-loop y"},
		{reason: "R1: a linked device", tree: map[string]string{"root/x.md": "-> /dev/zero", "root/y.md": md}, want: "y", problems: "not-a-regular-file x.md"},
		{reason: "R1: a folder linked under the name of a file", tree: map[string]string{"store/y.md": md, "root/x.md": "-> ../store"}, problems: "not-a-regular-file x.md"},
		{reason: "R8: a file outside", confine: "root", tree: map[string]string{"out/x.md": "TOPSECRET", "root/x.md": "-> ../out/x.md", "root/y.md": md}, want: "y", problems: "escapes-root x.md"},
		{reason: "R8: a folder outside", confine: "root", tree: map[string]string{"out/x.md": "TOPSECRET", "root/x": "-> ../out", "root/y.md": md}, want: "y", problems: "escapes-root x"},
		{reason: "R8: a folder inside", confine: ".", tree: map[string]string{"in/x.md": md, "root/g": "-> ../in"}, want: "g:x"},
		{reason: "R8: a root outside", confine: "proj", tree: map[string]string{"out/x.md": md, "proj/": "", "root": "-> out"}, problems: "escapes-root ."},
	} {
		t.Run(row.reason, func(t *testing.T) { row.check(t, commandOptions()) })
	}
}

// A problem with a command file names the command.
func TestCommandProblemNames(t *testing.T) {
	root := testkit.Tree(t, map[string]string{"a/x.md": "-> gone"})
	got := run(t, scan.Disk{}, root, commandOptions())
	require.Len(t, got.Problems, 1)
	assert.Equal(t, "a:x", got.Problems[0].Name)
	assert.Equal(t, filepath.Join(root, "a/x.md"), got.Problems[0].Path)
}
