// Package corpus reads folders of skills, and what their authors say on when to
// use them, for measurements.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-12b313d8/skills"
)

// A Document is one skill with the queries that should find it.
type Document struct {
	// Skill is the skill as the library reads it.
	Skill *skills.Skill
	// Queries are what its body says on when to use it, and its description does
	// not in the same words.
	Queries []string
	// Rest is the body without the sections that say when to use it.
	Rest string
}

// A Corpus is what a folder holds, in the order of names.
type Corpus struct {
	// Files is the number of skill files that were read.
	Files int
	// Docs are the skills that a model is told of.
	Docs []Document

	taken map[string]string // descriptions by name
}

// Queries returns how many queries there are, and how many skills have any.
func (c *Corpus) Queries() (queries, asked int) {
	for _, d := range c.Docs {
		queries += len(d.Queries)
		if len(d.Queries) > 0 {
			asked++
		}
	}
	return queries, asked
}

// Load reads the skills of dir: folders with a SKILL.md, at any depth, and .md
// files with frontmatter directly in it. Links to folders below others are not
// followed. It is an error if there are fewer than two.
func Load(ctx context.Context, dir string) (*Corpus, error) {
	c := &Corpus{taken: make(map[string]string)}
	if err := c.folder(ctx, dir, 0); err != nil {
		return nil, err
	}
	if err := c.dropUntold(ctx); err != nil {
		return nil, err
	}
	if len(c.Docs) < 2 {
		return nil, fmt.Errorf("%s: at least two skills are needed", dir)
	}
	return c, nil
}

// folder adds what is in dir.
func (c *Corpus) folder(ctx context.Context, dir string, depth int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		doc, name, err := read(path, depth)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		case doc != nil:
			err = c.add(ctx, doc, name)
		case e.IsDir():
			err = c.folder(ctx, path, depth+1)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// add takes one skill up. Of copies, with one name and description, only the
// first counts; others of its name get a number.
func (c *Corpus) add(ctx context.Context, doc []byte, name string) error {
	c.Files++
	s, _ := skills.Parse(doc, skills.ParseOptions{Name: name, Source: source()})
	for n := 2; ; n++ {
		told, ok := c.taken[s.Name]
		if !ok {
			break
		}
		if told == s.Description {
			return nil
		}
		s.Name = fmt.Sprintf("%s-%d", name, n)
	}
	c.taken[s.Name] = s.Description
	body, err := s.Body(ctx)
	if err != nil {
		return err
	}
	said, rest := whenToUse(body)
	c.Docs = append(c.Docs, Document{s, heldOut(said, s.Description+" "+s.WhenToUse), rest})
	return nil
}

// read returns the skill file that path is or holds, and the name of the skill;
// a nil doc for what is none.
func read(path string, depth int) (doc []byte, name string, err error) {
	base, ext := filepath.Base(path), filepath.Ext(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, "", err
	case info.IsDir():
		doc, err = os.ReadFile(filepath.Join(path, "SKILL.md"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", nil
		}
		return doc, base, err
	case !info.Mode().IsRegular() || !strings.EqualFold(ext, ".md") || depth > 0:
		return nil, "", nil
	}
	doc, err = os.ReadFile(path)
	if text := strings.TrimPrefix(string(doc), "\ufeff"); err != nil || !strings.HasPrefix(text, "---") {
		return nil, "", err
	}
	return doc, flatName(doc, strings.TrimSuffix(base, ext)), nil
}

// flatName returns the name that the frontmatter has, as a folder would be
// called, or else that of the file.
func flatName(doc []byte, stem string) string {
	s, _ := skills.Parse(doc, skills.ParseOptions{Name: stem})
	words := strings.FieldsFunc(strings.ToLower(s.DisplayName), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return stem
	}
	return strings.Join(words, "-")
}

// dropUntold leaves out what a model is not told of: broken files, skills that
// are the user's, that wait for a path, or whose names cannot be used.
func (c *Corpus) dropUntold(ctx context.Context) error {
	reg, err := Open(ctx, c.Docs)
	if err != nil {
		return err
	}
	defer reg.Close()
	told := make(map[string]bool)
	for s := range reg.NewSession("", nil).Skills(skills.CallerModel) {
		told[s.Name] = true
	}
	c.Docs = slices.DeleteFunc(c.Docs, func(d Document) bool { return !told[d.Skill.Name] })
	slices.SortFunc(c.Docs, func(a, b Document) int { return strings.Compare(a.Skill.Name, b.Skill.Name) })
	return nil
}

// Open returns a registry of docs and nothing else.
func Open(ctx context.Context, docs []Document) (*skills.Registry, error) {
	all := make([]*skills.Skill, len(docs))
	for i, d := range docs {
		all[i] = d.Skill
	}
	return skills.Open(ctx, &skills.Options{
		Locations: skills.Locations{NoDisk: true},
		Sources:   []skills.Source{skills.StaticSource(source(), all...)},
	})
}

// source is what all skills are registered as.
func source() skills.SourceInfo {
	return skills.SourceInfo{ID: "measured", Origin: skills.OriginUser}
}
