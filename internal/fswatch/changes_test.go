package fswatch_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// usual are the targets of most tests: skills, more skills, and commands.
func usual(root string) []fswatch.Target {
	at := func(rel string) string { return filepath.Join(root, rel) }
	return []fswatch.Target{
		fswatch.Skills("s", at("proj/.claude/skills"), fswatch.Walk{Depth: 2}),
		fswatch.Skills("u", at("home/.claude/skills"), fswatch.Walk{Depth: 1}),
		fswatch.Commands("c", at("proj/.claude/commands"), fswatch.Walk{Depth: 8}),
	}
}

// What is seen on a real file system (03 W2). Each step is one change, made
// when all earlier events have been dealt with.
func TestSeen(t *testing.T) {
	const skills, home = "proj/.claude/skills/", "home/.claude/skills/"
	type step struct {
		do    func(b *bench)
		hints []string
	}
	s, u, c := []string{"s"}, []string{"u"}, []string{"c"}
	tests := []struct {
		name, reason string
		files        map[string]string
		steps        []step
	}{
		{
			name: "atomic save, twice", reason: "M01: the second save is seen too",
			files: map[string]string{skills + "a/SKILL.md": "1"},
			steps: []step{
				{func(b *bench) { b.save(skills+"a/SKILL.md", "2") }, s},
				{func(b *bench) { b.save(skills+"a/SKILL.md", "3") }, s},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "4") }, s},
			},
		},
		{
			name: "new folder, file at once", reason: "M02: the file's own event is lost",
			files: map[string]string{skills: ""},
			steps: []step{
				{func(b *bench) { b.mkdir(skills + "n/deep"); b.write(skills+"n/SKILL.md", "1") }, s},
				{func(b *bench) { b.write(skills+"n/SKILL.md", "2") }, s},
				{func(b *bench) { b.remove(skills + "n") }, s},
			},
		},
		{
			name: "new folder, file later", reason: "03 W2: each new skill folder is watched",
			files: map[string]string{skills: ""},
			steps: []step{
				{func(b *bench) { b.mkdir(skills + "group") }, s},
				{func(b *bench) { b.mkdir(skills + "group/n") }, s},
				{func(b *bench) { b.write(skills+"group/n/skill.md", "1") }, s},
				{func(b *bench) { b.save(skills+"group/n/skill.md", "2") }, s},
			},
		},
		{
			name: "root later, all levels at once", reason: "M09: the nearest ancestor is watched, then nearer ones",
			files: map[string]string{"home/": ""},
			steps: []step{
				{func(b *bench) { b.mkdir(skills + "a"); b.write(skills+"a/SKILL.md", "1") }, s},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "2") }, s},
				{func(b *bench) { b.mkdir("home/.claude") }, u},
				{func(b *bench) { b.mkdir("home/.claude/skills") }, u},
				{func(b *bench) { b.mkdir(home + "b") }, u},
				{func(b *bench) { b.save(home+"b/SKILL.md", "1") }, u},
			},
		},
		{
			name: "root removed and made again", reason: "03 W2",
			files: map[string]string{skills + "a/SKILL.md": "1"},
			steps: []step{
				{func(b *bench) { b.remove("proj/.claude/skills") }, s},
				{func(b *bench) { b.mkdir(skills + "a"); b.write(skills+"a/SKILL.md", "2") }, s},
				{func(b *bench) { b.remove("proj/.claude"); b.mkdir(skills + "a") }, s},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "3") }, s},
			},
		},
		{
			name: "root renamed, another put there", reason: "03 W2",
			files: map[string]string{skills + "a/SKILL.md": "1", "proj/.claude/other/a/SKILL.md": "2"},
			steps: []step{
				{func(b *bench) {
					b.rename("proj/.claude/skills", "proj/.claude/old")
					b.rename("proj/.claude/other", "proj/.claude/skills")
				}, s},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "3") }, s},
				{func(b *bench) { b.rename("proj/.claude/skills", "proj/gone") }, s},
				{func(b *bench) { b.rename("proj/.claude/old", "proj/.claude/skills") }, s},
				{func(b *bench) { b.save(skills+"a/SKILL.md", "4") }, s},
			},
		},
		{
			name: "ancestor renamed and back", reason: "03 W2: a watch follows its directory, not its path",
			files: map[string]string{skills + "a/SKILL.md": "1", "proj/.claude/commands/x.md": "1"},
			steps: []step{
				{func(b *bench) { b.rename("proj", "moved") }, []string{"s", "c"}},
				{func(b *bench) { b.mkdir(skills + "b"); b.write(skills+"b/SKILL.md", "1") }, s},
				{func(b *bench) { b.remove("proj"); b.rename("moved", "proj") }, []string{"s", "c"}},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "2") }, s},
				{func(b *bench) { b.write("proj/.claude/commands/x.md", "2") }, c},
			},
		},
		{
			name: "two skills swapped", reason: "03 W2: the system knows directories by inode",
			files: map[string]string{skills + "a/SKILL.md": "a", skills + "b/SKILL.md": "b"},
			steps: []step{
				{func(b *bench) {
					b.rename(skills+"a", skills+"t")
					b.rename(skills+"b", skills+"a")
					b.rename(skills+"t", skills+"b")
				}, s},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "1") }, s},
				{func(b *bench) { b.write(skills+"b/SKILL.md", "1") }, s},
			},
		},
		{
			name: "skill moved to another owner", reason: "03 W2",
			files: map[string]string{skills + "a/SKILL.md": "a", home: ""},
			steps: []step{
				{func(b *bench) { b.rename(skills+"a", home+"b") }, []string{"s", "u"}},
				{func(b *bench) { b.write(home+"b/SKILL.md", "1") }, u},
				{func(b *bench) { b.rename(home+"b", skills+"b") }, []string{"s", "u"}},
				{func(b *bench) { b.write(skills+"b/SKILL.md", "1") }, s},
			},
		},
		{
			name: "root is a link", reason: "03 W2: retargeted links are seen, and their real targets",
			files: map[string]string{"one/a/SKILL.md": "1", "two/a/SKILL.md": "1", "proj/.claude/skills": "-> ../../one"},
			steps: []step{
				{func(b *bench) { b.write("one/a/SKILL.md", "2") }, s},
				{func(b *bench) { b.link("../../two", "proj/.claude/skills") }, s},
				{func(b *bench) { b.write("two/a/SKILL.md", "2") }, s},
				{func(b *bench) { b.rename("two", "three") }, s},
				{func(b *bench) { b.mkdir("two/n") }, s},
			},
		},
		{
			name: "folder and file are links", reason: "03 W2",
			files: map[string]string{
				"pool/one/SKILL.md": "1", "pool/two/SKILL.md": "1", "pool/text.md": "1", "pool/more.md": "1",
				skills + "a": "-> ../../../pool/one", skills + "b/SKILL.md": "-> ../../../../pool/text.md",
			},
			steps: []step{
				{func(b *bench) { b.save("pool/one/SKILL.md", "2") }, s},
				{func(b *bench) { b.link("../../../pool/two", skills+"a") }, s},
				{func(b *bench) { b.save("pool/two/SKILL.md", "2") }, s},
				{func(b *bench) { b.write("pool/text.md", "2") }, s},
				{func(b *bench) { b.save("pool/text.md", "3") }, s},
				{func(b *bench) { b.link("../../../../pool/more.md", skills+"b/SKILL.md") }, s},
				{func(b *bench) { b.write("pool/more.md", "2") }, s},
				{func(b *bench) { b.remove("pool/more.md") }, s},
			},
		},
		{
			name: "chain of links", reason: "03 W2: each link on the way counts",
			files: map[string]string{
				"d1/x/SKILL.md": "1", "d2/x/SKILL.md": "1", "in/the/middle": "-> ../../d1", "proj/.claude/skills": "-> ../../in/the/middle",
			},
			steps: []step{
				{func(b *bench) { b.link("../../d2", "in/the/middle") }, s},
				{func(b *bench) { b.write("d2/x/SKILL.md", "2") }, s},
				{func(b *bench) { b.rename("in/the", "in/that") }, s},
			},
		},
		{
			name: "dangling links", reason: "03 W2: seen when they begin to lead somewhere",
			files: map[string]string{skills + "a": "-> ../../../pool/one", skills + "b/SKILL.md": "-> ../../../../pool/text.md"},
			steps: []step{
				{func(b *bench) { b.mkdir("pool") }, s},
				{func(b *bench) { b.mkdir("pool/one") }, s},
				{func(b *bench) { b.write("pool/one/SKILL.md", "1") }, s},
				{func(b *bench) { b.write("pool/text.md", "1") }, s},
				{func(b *bench) { b.write("pool/text.md", "2") }, s},
			},
		},
		{
			name: "root becomes a file and a folder again", reason: "01 R10",
			files: map[string]string{"proj/.claude/skills": "../elsewhere"},
			steps: []step{
				{func(b *bench) { b.write("proj/.claude/skills", "../other") }, s},
				{func(b *bench) { b.remove("proj/.claude/skills"); b.mkdir(skills + "a") }, s},
				{func(b *bench) { b.write(skills+"a/SKILL.md", "1") }, s},
			},
		},
		{
			name: "commands", reason: "01 §5: every folder counts",
			files: map[string]string{"proj/.claude/commands/a.md": "1"},
			steps: []step{
				{func(b *bench) {
					b.mkdir("proj/.claude/commands/x/y/z")
					b.write("proj/.claude/commands/x/y/z/d.md", "1")
				}, c},
				{func(b *bench) { b.save("proj/.claude/commands/x/y/z/d.md", "2") }, c},
				{func(b *bench) { b.rename("proj/.claude/commands/x/y", "proj/.claude/commands/w") }, c},
				{func(b *bench) { b.write("proj/.claude/commands/w/z/d.md", "3") }, c},
				{func(b *bench) { b.remove("proj/.claude/commands/a.md") }, c},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			t.Parallel()
			b := watch(t, tt.files, usual)
			for _, st := range tt.steps {
				b.sees(tt.reason, func() { st.do(b) }, st.hints...)
			}
			b.Close()
			assert.Empty(t, b.lost, "events served throughout")
		})
	}
}

// Only files that matter cause hints, and no number of others causes watches
// (03 W3, M03, CL118).
func TestIgnored(t *testing.T) {
	files := 10_000
	if testing.Short() {
		files = 1000
	}
	b := watch(t, map[string]string{
		"proj/.claude/skills/a/SKILL.md":   "1",
		"proj/.claude/skills/a/ref.txt":    "1",
		"proj/.claude/skills/g/b/SKILL.md": "1",
		"proj/.claude/commands/x.md":       "1",
		"proj/.claude/commands/.hid/y.md":  "1",
	}, usual)
	watched, adds := b.spy.list(b.root), b.spy.added()
	b.ignores("a build runs in a skill folder", func() {
		for i := range files {
			name := "proj/.claude/skills/a/out/" + time.Duration(i).String()
			if i%20 == 0 {
				name = "proj/.claude/skills/a/" + time.Duration(i).String()
				b.mkdir("proj/.claude/skills/a/out/d" + filepath.Base(name))
			}
			b.write(name, "x")
		}
		b.remove("proj/.claude/skills/a/out")
	}, "s", "u", "c")
	b.ignores("files that are no skill", func() {
		b.save("proj/.claude/skills/a/ref.txt", "2")
		b.write("proj/.claude/skills/README", "1")
		b.write("proj/.claude/settings.json", "1")
		b.write("proj/x", "1")
		b.mkdir("proj/.git")
		b.write("proj/.claude/commands/tool.py", "1")
		b.mkdir("proj/.claude/commands/node_modules/x")
		b.write("proj/.claude/commands/.hid/y.md", "2")
	}, "s", "u", "c")
	b.ignores("attributes", func() {
		path := b.path("proj/.claude/skills/a/ref.txt")
		require.NoError(t, os.Chmod(path, 0o600))
		require.NoError(t, os.Chtimes(path, time.Now(), time.Unix(1e9, 0)))
		require.NoError(t, os.Chmod(b.path("proj/.claude/skills"), 0o700))
	}, "s", "u", "c")
	assert.Equal(t, watched, b.spy.list(b.root), "the same directories are watched")
	assert.Equal(t, adds, b.spy.added(), "and none was added meanwhile")
	assert.Equal(t, []string{
		".", "marker", "marker/m", "proj", "proj/.claude", "proj/.claude/commands",
		"proj/.claude/skills", "proj/.claude/skills/a", "proj/.claude/skills/g", "proj/.claude/skills/g/b",
	}, watched)
}

// When the working directory goes, the other roots go on, without a word
// (CL004).
func TestWorkingDirectoryDeleted(t *testing.T) {
	b := watch(t, map[string]string{
		"proj/sub/.claude/skills/a/SKILL.md": "1", "home/.claude/skills/b/SKILL.md": "1",
	}, func(root string) []fswatch.Target {
		return []fswatch.Target{
			fswatch.Skills("cwd", filepath.Join(root, "proj/sub/.claude/skills"), fswatch.Walk{Depth: 1, Confine: filepath.Join(root, "proj/sub")}),
			fswatch.Skills("u", filepath.Join(root, "home/.claude/skills"), fswatch.Walk{Depth: 1}),
		}
	})
	b.sees("the directory is gone", func() { b.remove("proj") }, "cwd")
	before := b.of("cwd")
	for _, text := range []string{"2", "3", "4"} {
		b.sees("the other root is as before", func() { b.save("home/.claude/skills/b/SKILL.md", text) }, "u")
	}
	assert.Equal(t, before, b.of("cwd"), "the lost one is not hinted at again")
	b.sees("it comes back", func() { testkit.Write(t, b.root, map[string]string{"proj/sub/.claude/skills/a/SKILL.md": "2"}) }, "cwd")
	b.Close()
	assert.Empty(t, b.lost)
}

// Links that leave the confinement are not followed, but seen replaced.
func TestConfined(t *testing.T) {
	b := watch(t, map[string]string{
		"out/x/SKILL.md": "1", "out/text.md": "1", "proj/in/SKILL.md": "1",
		"proj/.claude/skills/a":          "-> ../../../out/x",
		"proj/.claude/skills/b/SKILL.md": "-> ../../../../out/text.md",
	}, func(root string) []fswatch.Target {
		return []fswatch.Target{
			fswatch.Skills("s", filepath.Join(root, "proj/.claude/skills"), fswatch.Walk{Depth: 1, Confine: filepath.Join(root, "proj")}),
			fswatch.Skills("all", filepath.Join(root, "out"), fswatch.Walk{Depth: 1, Confine: filepath.Join(root, "proj")}),
		}
	})
	b.ignores("what lies outside", func() {
		b.write("out/x/SKILL.md", "2")
		b.write("out/text.md", "2")
	}, "s", "all")
	assert.NotContains(t, b.spy.list(b.root), "out")
	b.sees("the folder's link leads inside", func() { b.link("../../in", "proj/.claude/skills/a") }, "s")
	b.sees("and is followed", func() { b.write("proj/in/SKILL.md", "2") }, "s")
	b.sees("the file's link is replaced", func() { b.save("proj/.claude/skills/b/SKILL.md", "1") }, "s")
	b.sees("and is a file", func() { b.save("proj/.claude/skills/b/SKILL.md", "2") }, "s")
}
