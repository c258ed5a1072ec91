package skills

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/guard"
	"github.com/seed-12b313d8/skills/internal/header"
)

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
	body, _ := frontmatter.Body(doc)
	return body, nil
}

// document returns the bytes of the skill's file as they are now, nil if
// Content.Prompt makes the text.
func (s *Skill) document(ctx context.Context) ([]byte, error) {
	if s.Content.Prompt != nil {
		return nil, nil
	}
	doc, err := s.readDocument(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, asError(err, s, CodeCancelled, wasCancelled, callAgain)
	case err != nil:
		return nil, asError(err, s, CodeUnreadable, "the skill's file cannot be read", "reload, or check the file")
	}
	if doc == nil {
		doc = []byte{}
	}
	return doc, nil
}

func (s *Skill) readDocument(ctx context.Context) (doc []byte, err error) {
	if s.Content.Read != nil {
		doc, err = guard.Call("Content.Read", func() ([]byte, error) { return s.Content.Read(ctx) })
		return slices.Clone(doc), err // pinned, whatever the host does with its slice
	}
	if s.place == nil {
		return nil, errors.New("the skill has neither a file nor Content")
	}
	if s.blank {
		doc, _, err = s.place.Read(s.RealPath)
		return doc, err
	}
	return s.place.ReadWritten(ctx, s.RealPath)
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

// skillFiles returns the resources of s.
func skillFiles(s *Skill) (fsys fs.FS, err error) {
	if s == nil {
		return nil, asError(fs.ErrNotExist, nil, CodeInvalid, "no skill was given", "look one up first")
	}
	if s.Content.Files != nil {
		if fsys, err = guard.Call("Content.Files", s.Content.Files); err != nil {
			return nil, asError(err, s, CodeUnreadable, "the skill's resources cannot be listed", "see the cause")
		}
		return fsys, nil
	}
	if s.Dir == "" || s.Layout != layoutSkill {
		return nil, asError(fs.ErrNotExist, s, CodeUnreadable, "the skill has no folder", "only skills in a folder have resources")
	}
	return s.place.Folder(s.Dir, filepath.Dir(s.RealPath), maxResource), nil
}
