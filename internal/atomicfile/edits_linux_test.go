package atomicfile_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// An edit is what somebody else does to the file. do may return what they do
// later, after the swap has returned. ok reports whether the file is then as
// it would be without the swap, or with the swap before the edit.
type edit struct {
	name, reason string
	held         bool // the file is open for writing meanwhile
	whole        bool // what was there before does not matter
	do           func(p *place, work string) (later func() error, err error)
	ok           func(t *testing.T, p *place, work, old, data string) bool
}

func now(f func(p *place, work string) error) func(*place, string) (func() error, error) {
	return func(p *place, work string) (func() error, error) { return nil, f(p, work) }
}

func isWork(t *testing.T, p *place, work, _, _ string) bool { return p.content(t) == work }

func isEither(t *testing.T, p *place, _, old, data string) bool {
	return p.content(t) == old || p.content(t) == data
}

// within opens the file and writes to it later.
func within(flag int, write func(f *os.File, work string) error) func(*place, string) (func() error, error) {
	return func(p *place, work string) (func() error, error) {
		f, err := os.OpenFile(p.file(), flag, 0)
		if err != nil {
			return nil, err
		}
		return func() error { return errors.Join(write(f, work), f.Close()) }, nil
	}
}

func edits() []edit {
	return slices.Concat(editsOfContent(), editsOfNames(), slowEdits())
}

// named returns the edit of that name.
func named(name string) edit {
	all := edits()
	return all[slices.IndexFunc(all, func(e edit) bool { return e.name == name })]
}

// editsOfContent give the file other bytes, or none.
func editsOfContent() []edit {
	return []edit{
		{name: "overwrite", reason: "truncate and write", whole: true, ok: isWork, do: now(func(p *place, work string) error {
			return os.WriteFile(p.file(), []byte(work), 0o640)
		})},
		{name: "append", reason: "no truncation", do: now(func(p *place, work string) error {
			f, err := os.OpenFile(p.file(), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString(work)
				err = errors.Join(err, f.Close())
			}
			return err
		}), ok: func(t *testing.T, p *place, work, old, data string) bool {
			return p.content(t) == old+work || p.content(t) == data+work
		}},
		{name: "rename over", reason: "most editors", whole: true, ok: isWork, do: now(func(p *place, work string) error {
			tmp := p.path("skill/4913")
			if err := os.WriteFile(tmp, []byte(work), 0o640); err != nil {
				return err
			}
			return os.Rename(tmp, p.file())
		})},
		{name: "backup", reason: "vim: the old file moves away", ok: func(t *testing.T, p *place, work, old, data string) bool {
			was := read(t, p.path("skill/SKILL.md~"))
			return p.content(t) == work && (was == old || was == data)
		}, do: now(func(p *place, work string) error {
			if err := os.Rename(p.file(), p.file()+"~"); err != nil {
				return err
			}
			return os.WriteFile(p.file(), []byte(work), 0o640)
		})},
		{name: "delete", reason: "it stays deleted", whole: true, do: now(func(p *place, _ string) error {
			return os.Remove(p.file())
		}), ok: func(t *testing.T, p *place, _, _, _ string) bool { return p.content(t) == absent }},
		{name: "delete and create", reason: "checking out a branch", whole: true, ok: isWork, do: now(func(p *place, work string) error {
			return replaceBy(p, func() error { return os.WriteFile(p.file(), []byte(work), 0o640) })
		})},
	}
}

// editsOfNames make it something else, or put it elsewhere.
func editsOfNames() []edit {
	return []edit{
		{name: "symbolic link", reason: "never through a link", whole: true, do: now(func(p *place, work string) error {
			return replaceBy(p, func() error {
				if err := os.WriteFile(p.path("skill/elsewhere"), []byte(work), 0o640); err != nil {
					return err
				}
				return os.Symlink("elsewhere", p.file())
			})
		}), ok: func(t *testing.T, p *place, work, _, _ string) bool {
			to, err := os.Readlink(p.file())
			return err == nil && to == "elsewhere" && p.content(t) == work
		}},
		{name: "link out", reason: "never out of the root", whole: true, do: now(func(p *place, _ string) error {
			return replaceBy(p, func() error { return os.Symlink(p.dir+".outside", p.file()) })
		}), ok: func(t *testing.T, p *place, _, _, _ string) bool {
			to, err := os.Readlink(p.file())
			return err == nil && to == p.dir+".outside"
		}},
		{name: "folder", reason: "another kind of thing", whole: true, do: now(func(p *place, _ string) error {
			return replaceBy(p, func() error { return os.Mkdir(p.file(), 0o755) })
		}), ok: func(t *testing.T, p *place, _, _, _ string) bool {
			info, err := os.Lstat(p.file())
			return err == nil && info.IsDir()
		}},
		{name: "hard link", reason: "one link: both names stay one file", do: now(func(p *place, _ string) error {
			return os.Link(p.file(), p.path("skill/second"))
		}), ok: func(t *testing.T, p *place, _, old, data string) bool {
			a, err1 := os.Stat(p.file())
			b, err2 := os.Stat(p.path("skill/second"))
			return err1 == nil && err2 == nil && os.SameFile(a, b) && isEither(t, p, "", old, data)
		}},
		{name: "chmod", reason: "the new mode stays", do: now(func(p *place, _ string) error {
			return os.Chmod(p.file(), 0o600)
		}), ok: func(t *testing.T, p *place, _, old, data string) bool {
			info, err := os.Stat(p.file())
			return err == nil && info.Mode() == 0o600 && isEither(t, p, "", old, data)
		}},
		{name: "move", reason: "the file has another name", do: now(func(p *place, _ string) error {
			return os.Rename(p.file(), p.path("skill/other.md"))
		}), ok: func(t *testing.T, p *place, _, old, data string) bool {
			is := read(t, p.path("skill/other.md"))
			return p.content(t) == absent && (is == old || is == data)
		}},
		{name: "move folder", reason: "the folder has another name", do: now(func(p *place, _ string) error {
			return os.Rename(p.path("skill"), p.path("moved"))
		}), ok: func(t *testing.T, p *place, _, old, data string) bool {
			is := read(t, p.path("moved/SKILL.md"))
			return p.content(t) == absent && (is == old || is == data)
		}},
	}
}

// slowEdits change nothing, or not all at once.
func slowEdits() []edit {
	return []edit{
		{name: "same bytes", reason: "bugs M12: no change", ok: isEither, do: now(func(p *place, _ string) error {
			data, err := os.ReadFile(p.file())
			if err != nil {
				return err
			}
			return os.WriteFile(p.file(), data, 0o640)
		})},
		{name: "reader", reason: "who reads is in nobody's way", ok: func(t *testing.T, p *place, _, _, data string) bool {
			return p.content(t) == data
		}, do: within(os.O_RDONLY, func(*os.File, string) error { return nil })},
		{
			name: "slow overwrite", reason: "truncated now, written later", held: true, ok: isWork,
			do: within(os.O_WRONLY|os.O_TRUNC, writeString),
		},
		{
			name: "slow append", reason: "opened now, written later", held: true, do: within(os.O_WRONLY|os.O_APPEND, writeString),
			ok: func(t *testing.T, p *place, work, old, data string) bool {
				return p.content(t) == old+work || p.content(t) == data+work
			},
		},
		{
			name: "slow patch", reason: "opened now, written at the front later", held: true, do: within(os.O_RDWR, writeString),
			ok: func(t *testing.T, p *place, work, _, _ string) bool { return strings.HasPrefix(p.content(t), work) },
		},
		{name: "mapping", reason: "written through memory later", held: true, do: func(p *place, work string) (func() error, error) {
			f, err := os.OpenFile(p.file(), os.O_RDWR, 0)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			m, err := syscall.Mmap(int(f.Fd()), 0, 1, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
			if err != nil {
				return nil, err
			}
			return func() error {
				m[0] = work[0]
				return syscall.Munmap(m)
			}, nil
		}, ok: func(t *testing.T, p *place, work, _, _ string) bool { return p.content(t)[0] == work[0] }},
	}
}

func writeString(f *os.File, s string) error {
	_, err := f.WriteString(s)
	return err
}
