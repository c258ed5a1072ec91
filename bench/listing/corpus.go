package main

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

// source is what all skills are registered as.
func source() skills.SourceInfo {
	return skills.SourceInfo{ID: "measured", Origin: skills.OriginUser}
}

// A document is one skill with the queries that should find it.
type document struct {
	skill   *skills.Skill
	queries []string
}

// A corpus is what the folder holds, in the order of names.
type corpus struct {
	files int        // skill files that were read
	docs  []document // those a model is told of

	taken map[string]string // descriptions by name
}

// queries returns how many queries there are, and how many skills have any.
func (c *corpus) queries() (queries, asked int) {
	for _, d := range c.docs {
		queries += len(d.queries)
		if len(d.queries) > 0 {
			asked++
		}
	}
	return queries, asked
}

// load reads the skills of dir.
func load(ctx context.Context, dir string) (*corpus, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	c := &corpus{taken: make(map[string]string)}
	for _, e := range entries {
		doc, name, err := read(dir, e.Name())
		if err == nil && doc != nil {
			err = c.add(ctx, doc, name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, e.Name()), err)
		}
	}
	if err := c.dropUntold(ctx); err != nil {
		return nil, err
	}
	if n, _ := c.queries(); n == 0 || len(c.docs) < 2 {
		return nil, fmt.Errorf("%s: at least two skills are needed, and one that says in its body when to use it", dir)
	}
	return c, nil
}

// add takes one skill up. Of copies, with one name and description, only the
// first counts; others of its name get a number.
func (c *corpus) add(ctx context.Context, doc []byte, name string) error {
	c.files++
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
	c.docs = append(c.docs, document{s, heldOut(whenToUse(body), s.Description+" "+s.WhenToUse)})
	return nil
}

// read returns the skill file that an entry of dir is or holds, and the name
// of the skill; a nil doc for what is none.
func read(dir, entry string) (doc []byte, name string, err error) {
	path, ext := filepath.Join(dir, entry), filepath.Ext(entry)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, "", err
	case info.IsDir():
		doc, err = os.ReadFile(filepath.Join(path, "SKILL.md"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", nil
		}
		return doc, entry, err
	case !info.Mode().IsRegular() || !strings.EqualFold(ext, ".md"):
		return nil, "", nil
	}
	doc, err = os.ReadFile(path)
	if text := strings.TrimPrefix(string(doc), "\ufeff"); err != nil || !strings.HasPrefix(text, "---") {
		return nil, "", err
	}
	return doc, flatName(doc, strings.TrimSuffix(entry, ext)), nil
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
func (c *corpus) dropUntold(ctx context.Context) error {
	reg, err := open(ctx, c.docs)
	if err != nil {
		return err
	}
	defer reg.Close()
	told := make(map[string]bool)
	for s := range reg.NewSession("", nil).Skills(skills.CallerModel) {
		told[s.Name] = true
	}
	c.docs = slices.DeleteFunc(c.docs, func(d document) bool { return !told[d.skill.Name] })
	slices.SortFunc(c.docs, func(a, b document) int { return strings.Compare(a.skill.Name, b.skill.Name) })
	return nil
}

// open returns a registry of docs and nothing else.
func open(ctx context.Context, docs []document) (*skills.Registry, error) {
	all := make([]*skills.Skill, len(docs))
	for i, d := range docs {
		all[i] = d.skill
	}
	return skills.Open(ctx, &skills.Options{
		Locations: skills.Locations{NoDisk: true},
		Sources:   []skills.Source{skills.StaticSource(source(), all...)},
	})
}
