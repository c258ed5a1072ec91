package skills

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/seed-12b313d8/skills/internal/confine"
	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/header"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A place is how the skills of one disk source are read again.
type place struct {
	confine string // real directory that untrusted files must not leave, or ""
	maxSize int64
}

// maxResource is the size in bytes above which Files refuses a resource.
const maxResource = 10 << 20

// Body returns the Markdown below the frontmatter as it is now, with "\n" line
// ends and nothing substituted. It fails with [CodeUnreadable] if the file
// cannot be read, and for skills whose text a Content.Prompt makes.
func (s *Skill) Body(ctx context.Context) (string, error) {
	doc, err := s.document(ctx)
	if err == nil && doc == nil {
		err = asError(errors.New("its text is made at each invocation"), s, CodeUnreadable, "the skill has no file", "invoke it")
	}
	if err != nil {
		return "", err
	}
	return bodyOf(doc), nil
}

// document returns the bytes of the skill's file as they are now, nil if
// Content.Prompt makes the text.
func (s *Skill) document(ctx context.Context) ([]byte, error) {
	if s.Content.Prompt != nil {
		return nil, nil
	}
	doc, err := s.readDocument(ctx)
	if err != nil {
		return nil, asError(err, s, CodeUnreadable, "the skill's file cannot be read", "reload, or check the file")
	}
	if doc == nil {
		doc = []byte{}
	}
	return doc, nil
}

func (s *Skill) readDocument(ctx context.Context) (doc []byte, err error) {
	if s.Content.Read != nil {
		doc, err = guarded("Content.Read", func() ([]byte, error) { return s.Content.Read(ctx) })
		return slices.Clone(doc), err // pinned, whatever the host does with its slice
	}
	if s.place == nil {
		return nil, errors.New("the skill has neither a file nor Content")
	}
	return s.readWritten(ctx)
}

// How long an invocation waits for a file that was just cut to nothing.
const (
	writePause    = 20 * time.Millisecond
	writePatience = 200 * time.Millisecond
)

// readWritten reads the file. One that held something when it was loaded and
// is empty now is probably being written: it gets a moment.
func (s *Skill) readWritten(ctx context.Context) ([]byte, error) {
	for waited := time.Duration(0); ; waited += writePause {
		doc, _, err := s.place.read(s.RealPath)
		if err != nil || s.blank || len(bytes.TrimSpace(doc)) > 0 {
			return doc, err
		}
		if waited >= writePatience {
			return nil, errors.New("it is empty, and was not when it was loaded")
		}
		select {
		case <-time.After(writePause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// read returns the whole file at the real path. If the skill is not trusted,
// nothing that was swapped since it was found can lead out of the confines.
func (p *place) read(real string) ([]byte, readfile.ID, error) {
	if p.confine == "" {
		return readfile.Whole(real, p.maxSize)
	}
	root, err := filepath.EvalSymlinks(p.confine)
	if err != nil {
		return nil, readfile.ID{}, err
	}
	rel, err := filepath.Rel(root, real)
	if err != nil {
		return nil, readfile.ID{}, err
	}
	return readfile.WholeIn(root, rel, p.maxSize)
}

// files returns the folder of s, confined to it; an untrusted one is reached
// through the project root, so that it cannot be swapped for another.
func (p *place) files(s *Skill) fs.FS {
	if p == nil || p.confine == "" {
		return confine.FS(s.Dir, maxResource)
	}
	root, err := filepath.EvalSymlinks(p.confine)
	if err != nil {
		root = p.confine
	}
	rel, err := filepath.Rel(root, filepath.Dir(s.RealPath))
	if err != nil {
		rel = ".." // refused at every Open
	}
	return confine.FSIn(root, rel, maxResource)
}

// refreshed returns s, or if the frontmatter in doc is another than s was
// loaded with, what doc makes of it now. Only files on disk are looked at.
func (s *Skill) refreshed(doc []byte) *Skill {
	if s.place == nil {
		return s
	}
	var p header.Parser
	now, _, _ := parseHead(&p, doc, true, ParseOptions{
		Name: s.Name, Path: s.Path, Layout: s.Layout, Source: SourceInfo{ID: s.Source, Owner: s.Owner, Origin: s.Origin}, NumericEffort: true,
	})
	now.Trusted = s.Trusted && !now.Degraded
	now.Dir, now.RealPath, now.place, now.plugin, now.blank, now.folder = s.Dir, s.RealPath, s.place, s.plugin, s.blank, s.folder
	if s.sameMeta(now) {
		return s
	}
	return now
}

// sameMeta reports whether two readings of one file say the same.
func (s *Skill) sameMeta(o *Skill) bool {
	a, b := *s, *o
	a.Content, b.Content = Content{}, Content{}
	return reflect.DeepEqual(a, b)
}

// bodyOf returns the Markdown below the frontmatter of doc, with LF line ends.
func bodyOf(doc []byte) string {
	text, _ := frontmatter.Decode(doc, true)
	var d frontmatter.Document
	frontmatter.Parse(text, true, frontmatter.Limits{}, &d)
	return string(text[d.Body:])
}

// skillFiles returns the resources of s.
func skillFiles(s *Skill) (fsys fs.FS, err error) {
	if s == nil {
		return nil, asError(fs.ErrNotExist, nil, CodeInvalid, "no skill was given", "look one up first")
	}
	if s.Content.Files != nil {
		if fsys, err = guarded("Content.Files", s.Content.Files); err != nil {
			return nil, asError(err, s, CodeUnreadable, "the skill's resources cannot be listed", "see the cause")
		}
		return fsys, nil
	}
	if s.Dir == "" || s.Layout != layoutSkill {
		return nil, asError(fs.ErrNotExist, s, CodeUnreadable, "the skill has no folder", "only skills in a folder have resources")
	}
	return s.place.files(s), nil
}
