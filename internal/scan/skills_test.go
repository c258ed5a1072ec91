package scan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/scan"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// A scanRow is one tree and what a scan of its folder "root" finds.
type scanRow struct {
	reason   string
	tree     map[string]string
	depth    int    // 0 keeps the default
	confine  string // folder below the tree, "" for none
	want     string // names
	problems string // "code path", relative to the tree's root folder
}

// options returns o changed as the row says; top is where its tree lies.
func (r *scanRow) options(o scan.Options, top string) scan.Options {
	if r.depth > 0 {
		o.MaxDepth = r.depth
	}
	if r.confine != "" {
		o.Confine = filepath.Join(top, r.confine)
	}
	return o
}

// check scans the tree on disk and, if it holds no link, in an fs.FS too: both
// must find the same.
func (r *scanRow) check(t *testing.T, o scan.Options) {
	t.Helper()
	requireReason(t, r.reason)
	top := testkit.Tree(t, r.tree)
	root := filepath.Join(top, "root")
	got := run(t, scan.Disk{}, root, r.options(o, top))
	require.NoError(t, got.Err)
	assert.Equal(t, r.want, got.names())
	assert.Equal(t, r.problems, got.problems(root))
	for _, f := range got.Files {
		real, err := filepath.EvalSymlinks(f.Path)
		require.NoError(t, err)
		assert.Equal(t, real, f.Real, "Real has all links resolved")
		data, err := os.ReadFile(f.Path)
		require.NoError(t, err)
		assert.Equal(t, string(data), f.Data)
		assert.True(t, f.Complete)
	}
	if fsys := r.memory(); fsys != nil {
		got := run(t, scan.FS(fsys), "root", r.options(o, ""))
		require.NoError(t, got.Err)
		assert.Equal(t, r.want, got.names(), "in an fs.FS")
		assert.Equal(t, r.problems, got.problems("root"), "in an fs.FS")
	}
}

// memory returns the tree as an fs.FS, nil if it holds a link, an empty folder
// or a confinement, none of which an fs.FS has.
func (r *scanRow) memory() fstest.MapFS {
	fsys := fstest.MapFS{"root/.keep": {}}
	for name, text := range r.tree {
		if strings.HasPrefix(text, "-> ") || strings.HasSuffix(name, "/") || r.confine != "" {
			return nil
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestSkillFolders(t *testing.T) {
	for _, row := range []scanRow{
		{reason: "01 §5: each folder with a SKILL.md", tree: map[string]string{"root/b/SKILL.md": md, "root/a/SKILL.md": md}, want: "a,b"},
		{reason: "01 §5: an empty folder is no defect", tree: map[string]string{"root/a/": "", "root/b/SKILL.md": md}, want: "b"},
		{reason: "01 §5: neither is one with other files", tree: map[string]string{"root/a/notes.txt": "x", "root/a/README.md": "x"}},
		{reason: "01 §5: nor an empty root", tree: map[string]string{"root/": ""}},
		{reason: "01 §5: other files of the root are ignored", tree: map[string]string{"root/LICENSE": "x", "root/x.json": "{}"}},
		{reason: "01 §5: a flat file is no skill", tree: map[string]string{"root/x.md": md, "root/Y.MD": md}, problems: "flat-file Y.MD,flat-file x.md"},
		{reason: "01 §5: not even at the root itself", tree: map[string]string{"root/SKILL.md": md}, problems: "flat-file SKILL.md"},
		{reason: "01 §5: a flat file beside the folder of its name", tree: map[string]string{"root/x.md": md, "root/x/SKILL.md": md}, want: "x", problems: "flat-file x.md"},
		{reason: "R9: another case of the name", tree: map[string]string{"root/a/skill.md": md}, want: "a", problems: "filename-case a/skill.md"},
		{reason: "R9: SKILL.md is preferred", tree: map[string]string{"root/a/skill.md": "x", "root/a/SKILL.md": md}, want: "a"},
		{reason: "R9: of several other cases the first by name", tree: map[string]string{"root/a/skill.md": "x", "root/a/Skill.md": md, "root/a/skill.MD": "x"}, want: "a", problems: "filename-case a/Skill.md"},
		{reason: "R1: a folder called SKILL.md", tree: map[string]string{"root/a/SKILL.md/x": "x", "root/b/SKILL.md": md}, want: "b", problems: "not-a-regular-file a/SKILL.md"},
		{reason: "R1: and in another case", tree: map[string]string{"root/a/skill.md/x": "x"}, problems: "filename-case a/skill.md,not-a-regular-file a/skill.md"},
		{reason: "R1: a file over the limit", tree: map[string]string{"root/a/SKILL.md": strings.Repeat("x", 1<<20+1), "root/b/SKILL.md": md}, want: "b", problems: "too-large a/SKILL.md"},
		{reason: "R1: in another case too", tree: map[string]string{"root/a/skill.md": strings.Repeat("x", 1<<20+1)}, problems: "filename-case a/skill.md,too-large a/skill.md"},
		{reason: "01 §5: never below a skill", tree: map[string]string{"root/a/SKILL.md": md, "root/a/b/SKILL.md": md}, want: "a"},
		{reason: "01 §5: deeper than the scan", tree: map[string]string{"root/g/z/SKILL.md": md}, problems: "too-deep g/z/SKILL.md"},
		{reason: "01 §5: in any case", tree: map[string]string{"root/g/z/skill.md": md}, problems: "too-deep g/z/skill.md"},
		{reason: "01 §5: one report a folder is enough", tree: map[string]string{"root/g/y/SKILL.md": md, "root/g/z/SKILL.md": md, "root/h/z/SKILL.md": md}, problems: "too-deep g/y/SKILL.md,too-deep h/z/SKILL.md"},
		{reason: "01 §5: some levels further down", tree: map[string]string{"root/g/1/2/3/SKILL.md": md}, problems: "too-deep g/1/2/3/SKILL.md"},
		{reason: "01 §5: but not without end", tree: map[string]string{"root/g/1/2/3/4/SKILL.md": md}},
		{reason: "01 §5: not in hidden folders or packages", tree: map[string]string{"root/g/.git/SKILL.md": md, "root/g/node_modules/SKILL.md": md, "root/g/a/.x/SKILL.md": md}},
		{reason: "01 §5: MaxDepth 2 has groups", depth: 2, tree: map[string]string{"root/g/z/SKILL.md": md, "root/a/SKILL.md": md, "root/g/b/SKILL.md": md}, want: "a,g:b,g:z"},
		{reason: "01 §5: and still nothing below a skill", depth: 3, tree: map[string]string{"root/a/SKILL.md": md, "root/a/b/SKILL.md": md, "root/g/a/SKILL.md": md, "root/g/a/x/SKILL.md": md}, want: "a,g:a"},
		{reason: "01 §5: MaxDepth 3", depth: 3, tree: map[string]string{"root/x/y/z/SKILL.md": md, "root/x/y/w/v/SKILL.md": md}, want: "x:y:z", problems: "too-deep x/y/w/v/SKILL.md"},
		{reason: "R9: below a group", depth: 2, tree: map[string]string{"root/g/z/skill.md": md}, want: "g:z", problems: "filename-case g/z/skill.md"},
		{reason: "R10: a link that was checked out as text", tree: map[string]string{"root/a/SKILL.md": md, "root/b/SKILL.md": "../a/SKILL.md\n"}, want: "a", problems: "unmaterialised-symlink b/SKILL.md"},
		{reason: "R10: one to a neighbour", tree: map[string]string{"root/b/SKILL.md": "other.md", "root/b/other.md": md}, problems: "unmaterialised-symlink b/SKILL.md"},
		{reason: "R10: a path that leads nowhere is a body", tree: map[string]string{"root/b/SKILL.md": "../gone/SKILL.md"}, want: "b"},
		{reason: "R10: so is a line that is no path", tree: map[string]string{"root/b/SKILL.md": "notes", "root/b/notes": "x"}, want: "b"},
		{reason: "R10: so are two lines", tree: map[string]string{"root/a/SKILL.md": md, "root/b/SKILL.md": "../a/SKILL.md\nmore"}, want: "a,b"},
		{reason: "R10: an absolute path is no committed link", tree: map[string]string{"root/b/SKILL.md": "/etc/passwd", "root/b/etc/passwd": "x"}, want: "b"},
		{reason: "R1: an empty file is read", tree: map[string]string{"root/a/SKILL.md": ""}, want: "a"},
		{reason: "N2: what is in a name is not decided here", tree: map[string]string{"root/残量/SKILL.md": md, "root/a b/SKILL.md": md, "root/.x/SKILL.md": md}, want: ".x,a b,残量"},
	} {
		t.Run(row.reason, func(t *testing.T) { row.check(t, skillOptions()) })
	}
}

func TestSkillLinks(t *testing.T) {
	for _, row := range []scanRow{
		{reason: "R8: a linked folder", tree: map[string]string{"store/x/SKILL.md": md, "root/x": "-> ../store/x"}, want: "x"},
		{reason: "R8: a linked file", tree: map[string]string{"store/s.md": md, "root/x/SKILL.md": "-> ../../store/s.md"}, want: "x"},
		{reason: "R8: a linked file in a linked folder", tree: map[string]string{"store/s.md": md, "store/x/SKILL.md": "-> ../s.md", "root/x": "-> ../store/x"}, want: "x"},
		{reason: "R8: a chain of links", tree: map[string]string{"store/x/SKILL.md": md, "l1": "-> store/x", "l2": "-> l1", "root/x": "-> ../l2"}, want: "x"},
		{reason: "R8: a linked root", tree: map[string]string{"store/x/SKILL.md": md, "root": "-> store"}, want: "x"},
		{reason: "R8: a linked file in a linked root", tree: map[string]string{"s.md": md, "store/x/SKILL.md": "-> ../../s.md", "root": "-> store"}, want: "x"},
		{reason: "R9: another case in a linked folder", tree: map[string]string{"store/x/skill.md": md, "root/x": "-> ../store/x"}, want: "x", problems: "filename-case x/skill.md"},
		{reason: "R9: a linked file of another case", tree: map[string]string{"s.md": md, "root/x/skill.md": "-> ../../s.md"}, want: "x", problems: "filename-case x/skill.md"},
		{reason: "01 §5: a link to a file is no folder", tree: map[string]string{"store/LICENSE": "x", "root/LICENSE": "-> ../store/LICENSE", "root/b/SKILL.md": md}, want: "b"},
		{reason: "01 §5: a linked flat file is one all the same", tree: map[string]string{"store/s.md": md, "root/s.md": "-> ../store/s.md"}, problems: "flat-file s.md"},
		{reason: "01 §5: but in a group it is only a file", depth: 2, tree: map[string]string{"store/s.md": md, "root/g/s.md": "-> ../../store/s.md", "root/g/b/SKILL.md": md}, want: "g:b"},
		{reason: "01 §5: a link to a folder without a skill", tree: map[string]string{"store/x/notes.txt": "x", "root/x": "-> ../store/x"}},
		{reason: "01 §5: a linked group", depth: 2, tree: map[string]string{"store/g/z/SKILL.md": md, "root/g": "-> ../store/g"}, want: "g:z"},
		{reason: "01 §5: a link inside a group", depth: 2, tree: map[string]string{"store/z/SKILL.md": md, "root/g/z": "-> ../../store/z"}, want: "g:z"},
		{reason: "R8: a dangling folder", tree: map[string]string{"root/x": "-> gone", "root/b/SKILL.md": md}, want: "b", problems: "dangling-link x"},
		{reason: "R8: a dangling file", tree: map[string]string{"root/x/SKILL.md": "-> gone", "root/b/SKILL.md": md}, want: "b", problems: "dangling-link x/SKILL.md"},
		{reason: "R8: a dangling file of another case", tree: map[string]string{"root/x/skill.md": "-> gone"}, problems: "dangling-link x/skill.md,filename-case x/skill.md"},
		{reason: "R8: a file that is a dangling link in a linked folder", tree: map[string]string{"store/x/SKILL.md": "-> gone", "root/x": "-> ../store/x"}, problems: "dangling-link x/SKILL.md"},
		{reason: "R8: a link through a file", tree: map[string]string{"f": "x", "root/x/SKILL.md": "-> ../../f/s.md", "root/b/SKILL.md": md}, want: "b", problems: "unreadable x/SKILL.md"},
		{reason: "R8: a circle of folders", tree: map[string]string{"root/x": "-> y", "root/y": "-> x", "root/b/SKILL.md": md}, want: "b", problems: "link-loop x,link-loop y"},
		{reason: "R8: a folder that is a link to itself", tree: map[string]string{"root/x": "-> x"}, problems: "link-loop x"},
		{reason: "R8: a circle of files", tree: map[string]string{"root/x/SKILL.md": "-> SKILL.md", "root/b/SKILL.md": md}, want: "b", problems: "link-loop x/SKILL.md"},
		{reason: "R1: a linked device", tree: map[string]string{"root/x/SKILL.md": "-> /dev/zero", "root/b/SKILL.md": md}, want: "b", problems: "not-a-regular-file x/SKILL.md"},
		{reason: "R1: a file linked to a folder", tree: map[string]string{"store/": "", "root/x/SKILL.md": "-> ../../store"}, problems: "not-a-regular-file x/SKILL.md"},
		{reason: "R1: a linked file over the limit", tree: map[string]string{"s.md": strings.Repeat("x", 1<<20+1), "root/x/SKILL.md": "-> ../../s.md"}, problems: "too-large x/SKILL.md"},
		{reason: "R8: a link back to the root is no loop without end", tree: map[string]string{"root/up": "-> .", "root/b/SKILL.md": md}, want: "b"},
		{reason: "R8: not with groups either", depth: 8, tree: map[string]string{"root/up": "-> .", "root/g/up": "-> ..", "root/g/b/SKILL.md": md}, want: "g:b"},
		{reason: "R10: text that is a link in a linked folder", tree: map[string]string{"store/x/SKILL.md": "../a.md", "store/a.md": md, "root/x": "-> ../store/x", "a.md": md, "root/a.md": "-> ../a.md"}, problems: "flat-file a.md,unmaterialised-symlink x/SKILL.md"},
	} {
		t.Run(row.reason, func(t *testing.T) { row.check(t, skillOptions()) })
	}
}

func TestSkillConfinement(t *testing.T) {
	const secret = "---\ndescription: TOPSECRET\n---\n"
	for _, row := range []scanRow{
		{reason: "R8: a link that stays inside", confine: ".", tree: map[string]string{"store/x/SKILL.md": md, "root/x": "-> ../store/x"}, want: "x"},
		{reason: "R8: a folder outside", confine: "root", tree: map[string]string{"out/x/SKILL.md": secret, "root/x": "-> ../out/x", "root/b/SKILL.md": md}, want: "b", problems: "escapes-root x"},
		{reason: "R8: a file outside", confine: "root", tree: map[string]string{"out/s.md": secret, "root/x/SKILL.md": "-> ../../out/s.md", "root/b/SKILL.md": md}, want: "b", problems: "escapes-root x/SKILL.md"},
		{reason: "R8: another case outside", confine: "root", tree: map[string]string{"out/s.md": secret, "root/x/skill.md": "-> ../../out/s.md"}, problems: "escapes-root x/skill.md,filename-case x/skill.md"},
		{reason: "R8: a folder outside without a skill is not looked into", confine: "root", tree: map[string]string{"out/x/y/SKILL.md": secret, "root/x": "-> ../out/x"}, problems: "escapes-root x"},
		{reason: "R8: a group outside", confine: "root", depth: 2, tree: map[string]string{"out/g/z/SKILL.md": secret, "root/g": "-> ../out/g"}, problems: "escapes-root g"},
		{reason: "R8: inside a group", confine: "root", depth: 2, tree: map[string]string{"out/z/SKILL.md": secret, "root/g/z": "-> ../../out/z", "root/g/b/SKILL.md": md}, want: "g:b", problems: "escapes-root g/z"},
		{reason: "R8: a device outside", confine: "root", tree: map[string]string{"root/x/SKILL.md": "-> /dev/zero"}, problems: "escapes-root x/SKILL.md"},
		{reason: "R8: a root outside", confine: "proj", tree: map[string]string{"out/x/SKILL.md": secret, "proj/": "", "root": "-> out"}, problems: "escapes-root ."},
		{reason: "R8: a root linked inside", confine: ".", tree: map[string]string{"store/x/SKILL.md": md, "root": "-> store"}, want: "x"},
		{reason: "R8: the confines may be a link themselves", confine: "here", tree: map[string]string{"root/x/SKILL.md": md, "here": "-> .", "store/y/SKILL.md": md, "root/y": "-> ../store/y"}, want: "x,y"},
		{reason: "R8: a sibling whose name begins alike is outside", confine: "root", tree: map[string]string{"root2/x/SKILL.md": secret, "root/x": "-> ../root2/x"}, problems: "escapes-root x"},
	} {
		t.Run(row.reason, func(t *testing.T) { row.check(t, skillOptions()) })
	}
}

// A problem names the skill where it can and never quotes what it may not read.
func TestProblemNames(t *testing.T) {
	top := testkit.Tree(t, map[string]string{
		"out/s.md": "TOPSECRET", "root/e/SKILL.md": "-> ../../out/s.md", "root/f": "-> ../out", "root/d/SKILL.md": "-> gone",
		"root/c/skill.md": md, "root/g/z/SKILL.md": md, "root/flat.md": md,
	})
	root := filepath.Join(top, "root")
	o := skillOptions()
	o.Confine = root
	got := run(t, scan.Disk{}, root, o)
	names := make(map[string]string)
	for _, p := range got.Problems {
		names[p.Code+" "+filepath.Base(p.Path)] = p.Name
		assert.NotContains(t, p.Msg+p.Hint, "TOPSECRET")
		if p.Code == "escapes-root" {
			assert.Contains(t, p.Msg, filepath.Join(top, "out"), "fs-04: link and target are named")
		}
	}
	assert.Equal(t, map[string]string{
		"escapes-root SKILL.md": "e", "escapes-root f": "f", "dangling-link SKILL.md": "d",
		"filename-case skill.md": "c", "too-deep SKILL.md": "g:z", "flat-file flat.md": "flat",
	}, names)
}
