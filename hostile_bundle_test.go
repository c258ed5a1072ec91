package skills_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// namesFS is a file system with whatever names it is told, at its root.
type namesFS map[string]string

func (n namesFS) Open(name string) (fs.File, error) {
	if name == "." {
		return &namesDir{files: n}, nil
	}
	if text, ok := n[name]; ok {
		return fstest.MapFS{"f": {Data: []byte(text)}}.Open("f")
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type namesDir struct {
	files namesFS
	done  bool
}

func (d *namesDir) Stat() (fs.FileInfo, error) { return fakeEntry("."), nil }
func (d *namesDir) Read([]byte) (int, error)   { return 0, fs.ErrInvalid }
func (d *namesDir) Close() error               { return nil }
func (d *namesDir) ReadDir(int) ([]fs.DirEntry, error) {
	if d.done {
		return nil, io.EOF
	}
	d.done = true
	var out []fs.DirEntry
	for name := range d.files {
		out = append(out, fs.FileInfoToDirEntry(fakeEntry(name)))
	}
	return out, nil
}

type fakeEntry string

func (e fakeEntry) Name() string     { return string(e) }
func (e fakeEntry) Size() int64      { return 1 }
func (fakeEntry) ModTime() time.Time { return time.Time{} }
func (fakeEntry) Sys() any           { return nil }
func (e fakeEntry) IsDir() bool      { return e == "." }
func (e fakeEntry) Mode() fs.FileMode {
	if e.IsDir() {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// bundleChecks are about files that are extracted (05 §2). That a link in the
// way makes an extraction fail is shown where one can be put there: in package
// extract.
func bundleChecks() map[string]hostileCheck {
	var temp string
	invoke := func(h *hostile, files namesFS) *skills.Inline {
		reg, err := skills.Open(context.Background(), &skills.Options{
			TempDir: temp,
			Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "b", Origin: skills.OriginBundled}, &skills.Skill{
				Name: "verify", Content: skills.Content{
					Files: func() (fs.FS, error) { return files, nil },
					Read:  func(context.Context) ([]byte, error) { return []byte("text"), nil },
				},
			})},
		})
		if h.failed = err; err != nil {
			return new(skills.Inline)
		}
		h.t.Cleanup(func() { reg.Close() })
		out, err := skills.NewInvoker(reg.NewSession("", nil), nil).Invoke(context.Background(), skills.Call{Name: "verify", Caller: skills.CallerUser})
		if h.failed = err; err != nil {
			return new(skills.Inline)
		}
		return out.(*skills.Inline)
	}
	return map[string]hostileCheck{
		"bundle-01": {
			note: "05 §2: a failing extraction is an issue, and the call goes out without the files",
			own: func(_ *testing.T, h *hostile) {
				temp = h.path("tmp")
				_ = os.RemoveAll(temp)
				h.failed = os.Mkdir(temp, 0o700)
			},
			must: func(t *testing.T, h *hostile) {
				files := h.row.Action[0].Files
				require.Len(t, files, 4)
				for name, text := range files {
					in := invoke(h, namesFS{"ok.txt": "x", name: text})
					require.NoError(t, h.failed)
					if name == "a.txt" {
						assert.Empty(t, in.Issues)
						continue
					}
					require.Len(t, in.Issues, 1, name)
					assert.Equal(t, skills.Code("extract-failed"), in.Issues[0].Code)
					assert.Equal(t, "text", skills.Text(in.Content), "without a base directory")
				}
				modes := make(map[fs.FileMode]int)
				require.NoError(t, filepath.WalkDir(temp, func(path string, d fs.DirEntry, err error) error {
					if err != nil || path == temp {
						return err
					}
					info, err := d.Info()
					modes[info.Mode()]++
					return err
				}))
				assert.Equal(t, map[fs.FileMode]int{fs.ModeDir | 0o700: 2, 0o600: 2}, modes, "only the tree without a bad name was written")
			},
			mustNot: func(t *testing.T, h *hostile) {
				victim, err := os.ReadFile(h.path("outside/victim"))
				require.NoError(t, err)
				assert.Equal(t, "v", string(victim))
				require.NoError(t, filepath.WalkDir(h.root, func(path string, d fs.DirEntry, err error) error {
					if base := d.Name(); base == "b" || base == "abs" || strings.Contains(base, `\`) {
						t.Errorf("%s was written", path)
					}
					return err
				}))
			},
		},
	}
}
