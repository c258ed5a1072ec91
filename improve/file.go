package improve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// skillFile is the name of the files that may be rewritten.
const skillFile = "SKILL.md"

// A file is the SKILL.md of a project skill, inside the session's root.
type file struct {
	skill *skills.Skill
	root  *os.Root
	name  string // in root, slash-separated
	limit int64
	disk  atomicfile.Writer
}

// open finds the skill that is meant, by the session's own knowledge, and
// checks that its file may be rewritten (06 §5).
func (i *Improver) open(t ref) (*file, error) {
	s, err := i.find(t)
	if err != nil {
		return nil, err
	}
	name, err := i.locate(s)
	if err != nil {
		return nil, err
	}
	// The dot makes the system refuse a FIFO instead of waiting for it.
	root, err := os.OpenRoot(i.sess.Root() + string(filepath.Separator) + ".")
	if err != nil {
		return nil, failure(skills.CodeUnreadable, s, "the project cannot be opened", "check the folder "+i.sess.Root(), err)
	}
	return &file{skill: s, root: root, name: name, limit: int64(i.opts.MaxSize), disk: i.disk}, nil
}

// find returns the skill that is meant: a project's, from the same source.
func (i *Improver) find(t ref) (*skills.Skill, error) {
	var found *skills.Skill
	other := false
	for s := range i.sess.Skills(skills.CallerHost) {
		is := ref{s.Name, s.Source, s.Owner}
		switch {
		case s.Name != t.name && (is.owner != t.owner || is.bare() != t.bare()):
		case s.Source != t.source || s.Origin != skills.OriginProject:
			other = true
		case found == nil || s.Name == t.name:
			found = s
		}
	}
	switch {
	case found != nil:
		return found, nil
	case other:
		return nil, failure(skills.CodeDenied, &skills.Skill{Name: t.name}, "it is not the project's skill that was proposed", "only skills of the project are rewritten", nil)
	}
	return nil, failure(skills.CodeNotFound, &skills.Skill{Name: t.name}, "this session has no such skill", "reload, or let the next run propose again", nil)
}

// locate returns the name of the skill's file in the session's root.
func (i *Improver) locate(s *skills.Skill) (string, error) {
	denied := func(msg, hint string) (string, error) { return "", failure(skills.CodeDenied, s, msg, hint, nil) }
	root := i.sess.Root()
	if s.Content.Read != nil || s.Content.Prompt != nil || s.Path == "" || s.RealPath == "" || root == "" {
		return denied("the skill is not a file of the project", "only files are rewritten")
	}
	if s.Layout != "skill" || !strings.EqualFold(filepath.Base(s.RealPath), skillFile) {
		return denied("the file is not a "+skillFile, "make a skill folder of it")
	}
	if s.Degraded {
		return "", failure(skills.CodeInvalid, s, "the frontmatter cannot be read", "mend the frontmatter first", nil)
	}
	rel, err := filepath.Rel(root, s.RealPath)
	if err != nil || !filepath.IsLocal(rel) {
		return denied("the file is outside the project", "edit it by hand")
	}
	// The way to it has no link if it is the same below the root.
	given, ok := strings.CutSuffix(s.Path, string(filepath.Separator)+rel)
	if real, err := filepath.EvalSymlinks(given); !ok || err != nil || real != root {
		return denied("a link leads to the file", "edit it by hand, or replace the link")
	}
	return filepath.ToSlash(rel), nil
}

func (f *file) close() { f.root.Close() }

// read returns the document in the file.
func (f *file) read() (*document, error) {
	if err := f.writable(); err != nil {
		return nil, err
	}
	raw, err := f.disk.Read(f.root, f.name, f.limit)
	if err != nil {
		return nil, f.failed("read", err)
	}
	d, why := parseDocument(raw)
	if why != "" {
		return nil, failure(skills.CodeInvalid, f.skill, why, "mend the file first", nil)
	}
	return d, nil
}

// writable returns an error if the file is marked as not to be written. Its
// folder would let it be replaced all the same.
func (f *file) writable() error {
	info, err := f.root.Lstat(filepath.FromSlash(f.name))
	if err != nil {
		return f.failed("read", err)
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o200 == 0 {
		return failure(skills.CodeDenied, f.skill, "the file is read-only", "use chmod u+w if it may change", nil)
	}
	return nil
}

// swap replaces the old document by the new one.
func (f *file) swap(old, now *document) error {
	if err := f.writable(); err != nil {
		return err
	}
	if err := f.disk.CompareAndSwap(f.root, f.name, old.sum(), now.raw); err != nil {
		return f.failed("written", err)
	}
	return nil
}

// failed returns the error for a file that cannot be read or written.
func (f *file) failed(what string, err error) *skills.Error {
	switch {
	case errors.Is(err, atomicfile.ErrChanged) || errors.Is(err, fs.ErrNotExist):
		return f.changed(err)
	case errors.Is(err, atomicfile.ErrLink) || errors.Is(err, atomicfile.ErrNotRegular):
		return failure(skills.CodeDenied, f.skill, "it is no plain file with one name", "edit it by hand, or make it one", err)
	case errors.Is(err, atomicfile.ErrTooLarge):
		return failure(skills.CodeInvalid, f.skill, "the file is too large", "move text into files beside it, or raise Options.MaxSize", err)
	}
	return failure(skills.CodeUnreadable, f.skill, "the file cannot be "+what, "check the file, its folder and the disk", err)
}

// changed returns the error for a file that is another one by now.
func (f *file) changed(cause error) *skills.Error {
	err := ErrChanged
	if cause != nil {
		err = errors.Join(ErrChanged, cause)
	}
	return failure(skills.CodeInvalid, f.skill, "nothing was written", "let the next run propose again", err)
}
