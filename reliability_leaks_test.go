package skills_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
)

// A thousand registries that each served a session, extracted the files of a
// skill and were closed leave nothing: no goroutine, no open file, no temporary
// folder (07 B9). Every fourth watches, and every eighth is closed by what it
// tells of a change.
func TestUsedAndClosedLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	temp := realTemp(t)
	before := handles(t)
	for i := range rounds {
		used(t, i, temp)
	}
	assert.LessOrEqual(t, handles(t), before, "open files")
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left, "temporary folders")
}

// used is the life of one registry.
func used(t *testing.T, i int, temp string) {
	ctx := context.Background()
	reg, err := skills.Open(ctx, &skills.Options{TempDir: temp, Sources: []skills.Source{
		skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{
			Name: "f", Content: skills.Content{
				Files: func() (fs.FS, error) { return fstest.MapFS{"a/v.txt": {Data: []byte("x")}}, nil },
				Read:  func(context.Context) ([]byte, error) { return []byte("text"), nil },
			},
		}),
	}})
	require.NoError(t, err)
	if i%4 == 0 {
		require.NoError(t, reg.Watch(ctx, &skills.WatchOptions{Polling: i%8 == 0}))
	}
	in := run(t, reg.NewSession("", nil), skills.Call{Name: "f"}, nil)
	require.Contains(t, skills.Text(in.Content), temp, "the files were extracted")
	if i%8 == 4 {
		closed := make(chan struct{})
		reg.Subscribe(func(skills.Change) { assert.NoError(t, reg.Close()); close(closed) })
		_, err := reg.Register(ctx, skills.StaticSource(skills.SourceInfo{ID: "more", Origin: skills.OriginUser}, &skills.Skill{Name: "more"}))
		require.NoError(t, err)
		<-closed
	}
	require.NoError(t, reg.Close())
}

// Whatever is wrong with a header, each issue names the file, says what to do,
// and where it is about a field, the line (07 B2).
func TestEveryIssueSaysWhere(t *testing.T) {
	headers := []string{
		"name: [a, b]", "description: {a: b}", "description: a: b: c", "description: \"open", "allowed-tools: {x: 1}",
		"allowed-tools: 7", "model: [x]", "effort: 99", "effort: enormous", "context: spoon", "shell: fish", "agent: [a]",
		"disable-model-invocation: perhaps", "disable-model-invocation:", "user-invocable: 2", "paths: {a: b}", "paths: '../x'", "paths: '['",
		"arguments: {a: b}", "arguments: '1st 2nd'", "argument-hint: [a] [b]", "hooks: no", "hooks: [1, 2]", "background: soon",
		"aliases: 'a/b'", "description: x\ndescription: y", "- a\n- b", "\tdescription: x", "x: &a [*a]", "a: *nobody", "? : :", "&&&", "description: \xff\xfe",
		"name: " + strings.Repeat("x", 3000), "k: " + strings.Repeat("[", 3000),
	}
	files := make(map[string]string, len(headers))
	for i, h := range headers {
		files[fmt.Sprintf("home/.claude/skills/s%02d/SKILL.md", i)] = "---\n" + h + "\n---\nBody.\n"
	}
	files["home/.claude/skills/unclosed/SKILL.md"] = "---\ndescription: d\nBody.\n"
	files["home/.claude/skills/empty/SKILL.md"] = ""
	files["home/.claude/skills/big/SKILL.md"] = skill(strings.Repeat("x", 1<<20+1), "description: d")
	reg, root := openTree(t, files)
	list := reg.Snapshot().Issues()
	found := make(map[string]bool)
	for _, i := range list {
		where := fmt.Sprintf("%s: %s", i.Code, i)
		found[strings.TrimPrefix(i.Path, root+"/home/.claude/skills/")] = true
		assert.True(t, strings.HasPrefix(i.Path, root), "%s: no path", where)
		assert.NotEmpty(t, i.Code, where)
		assert.NotEmpty(t, i.Msg, where)
		assert.NotEmpty(t, i.Hint, where)
		assert.Contains(t, []string{"error", "warning", "info"}, i.Severity, where)
		if i.Field != "" {
			assert.Positive(t, i.Line, "%s: no line for %s", where, i.Field)
		}
	}
	t.Logf("%d issues of %d files, %d of which have some", len(list), len(files), len(found))
	assert.GreaterOrEqual(t, len(found), 25)
}
