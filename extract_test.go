package skills_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// filed returns a registry with one bundled skill that has files, and the
// directory they are extracted below.
func filed(t *testing.T, files func() (fs.FS, error), prompt bool) (reg *skills.Registry, temp string) {
	t.Helper()
	temp, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := &skills.Skill{Name: "f", Content: skills.Content{Files: files}}
	if prompt {
		s.Content.Prompt = func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
			return []skills.Block{{Text: "base " + p.Base}}, nil
		}
	} else {
		s.Content.Read = func(context.Context) ([]byte, error) { return []byte("See ref.md."), nil }
	}
	reg = open(t, &skills.Options{
		TempDir: temp,
		Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "bundled", Origin: skills.OriginBundled}, s)},
	})
	return reg, temp
}

// Files that are not on disk are extracted at the first invocation, once, and
// go away with Close (05 §2).
func TestExtraction(t *testing.T) {
	for _, prompt := range []bool{false, true} {
		var calls atomic.Int32
		reg, temp := filed(t, func() (fs.FS, error) {
			calls.Add(1)
			return fstest.MapFS{"ref.md": {Data: []byte("reference")}, "sub/run.sh": {Data: []byte("echo")}}, nil
		}, prompt)
		list, err := os.ReadDir(temp)
		require.NoError(t, err)
		assert.Empty(t, list, "not before somebody needs them")

		var wg sync.WaitGroup
		var texts sync.Map
		for range 100 {
			wg.Go(func() {
				out, err := skills.NewInvoker(reg.NewSession("", nil), nil).Invoke(context.Background(), skills.Call{Name: "f"})
				if assert.NoError(t, err) {
					texts.Store(skills.Text(out.(*skills.Inline).Content), true)
				}
			})
		}
		wg.Wait()
		assert.EqualValues(t, 1, calls.Load())
		var all []string
		texts.Range(func(k, _ any) bool { all = append(all, k.(string)); return true })
		require.Len(t, all, 1, "all are told the same")
		line, rest, _ := strings.Cut(all[0], "\n")
		dir, ok := strings.CutPrefix(line, "Base directory for this skill: "+temp+"/")
		require.True(t, ok, all[0])
		dir = filepath.Join(temp, dir)
		if prompt {
			assert.Contains(t, rest, "base "+dir, "PromptContext.Base")
		} else {
			assert.Contains(t, rest, "See ref.md.")
		}
		data, err := os.ReadFile(filepath.Join(dir, "ref.md"))
		require.NoError(t, err)
		assert.Equal(t, "reference", string(data))
		require.NoError(t, reg.Close())
		list, err = os.ReadDir(temp)
		require.NoError(t, err)
		assert.Empty(t, list)
	}
}

// A failing extraction costs the base directory, and is tried again (05 §2).
func TestExtractionFails(t *testing.T) {
	tests := []struct {
		reason string
		files  func() (fs.FS, error)
		says   string
	}{
		{"the host fails", func() (fs.FS, error) { return nil, errors.New("no files today") }, "no files today"},
		{"the host panics", func() (fs.FS, error) { panic("boom") }, "boom"},
		{"a name that leads out", func() (fs.FS, error) { return fstest.MapFS{"c\\..\\d": {Data: []byte("x")}}, nil }, `c\..\d`},
	}
	for _, tt := range tests {
		fail := true
		reg, temp := filed(t, func() (fs.FS, error) {
			if fail {
				return tt.files()
			}
			return fstest.MapFS{"a.txt": {Data: []byte("A")}}, nil
		}, false)
		sess := reg.NewSession("", nil)
		in := run(t, sess, skills.Call{Name: "f"}, nil)
		assert.Equal(t, "See ref.md.", skills.Text(in.Content), tt.reason)
		require.Len(t, in.Issues, 1, tt.reason)
		assert.Equal(t, skills.Code("extract-failed"), in.Issues[0].Code)
		assert.Contains(t, in.Issues[0].Msg, tt.says, tt.reason)
		list, err := filepath.Glob(temp + "/*/*")
		require.NoError(t, err)
		assert.Empty(t, list, "nothing is left behind")
		fail = false
		in = run(t, sess, skills.Call{Name: "f"}, nil)
		assert.Empty(t, in.Issues, tt.reason)
		assert.Contains(t, skills.Text(in.Content), "Base directory for this skill: "+temp, tt.reason)
	}
}

// MCP and remote skills have no folder (00, trust matrix).
func TestNoExtractionForForeignSkills(t *testing.T) {
	for _, o := range []skills.Origin{skills.OriginMCP, skills.OriginRemote} {
		reg := open(t, &skills.Options{Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "x", Owner: "srv", Origin: o}, &skills.Skill{
			Name: map[skills.Origin]string{skills.OriginMCP: "srv:f", skills.OriginRemote: "_canonical_f"}[o],
			Content: skills.Content{
				Files: func() (fs.FS, error) { t.Error("asked for files"); return nil, fs.ErrNotExist },
				Read:  func(context.Context) ([]byte, error) { return []byte("text"), nil },
			},
		})}})
		in := run(t, reg.NewSession("", nil), skills.Call{Name: map[skills.Origin]string{skills.OriginMCP: "srv:f", skills.OriginRemote: "_canonical_f"}[o]}, nil)
		assert.Equal(t, "text", skills.Text(in.Content), o)
	}
}
