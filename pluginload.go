package skills

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/manifest"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A pluginLoad is one Load under way, with the lock held.
type pluginLoad struct {
	*pluginSource
	seen  visited
	found []*Skill // under their own names
	out   Loaded
	parts map[partKey]*dirSource
	files map[partKey]pluginFile
	memo  map[*Skill]*Skill
	there map[string]bool // real paths of found
}

func newPluginLoad(p *pluginSource, seen visited) *pluginLoad {
	return &pluginLoad{
		pluginSource: p, seen: seen, parts: make(map[partKey]*dirSource), files: make(map[partKey]pluginFile),
		memo: make(map[*Skill]*Skill), there: make(map[string]bool),
	}
}

// all loads what the plugin holds: its own folders, what the manifest names,
// and if that is nothing, the SKILL.md at the root.
func (l *pluginLoad) all(ctx context.Context) error {
	m := manifest.Read(l.root, func(real string) ([]byte, error) {
		doc, _, err := l.skills.place.Read(real)
		return doc, err
	})
	for _, p := range m.Problems {
		l.problem(p)
	}
	if err := l.directory(ctx, l.skills); err != nil {
		return err
	}
	for _, p := range m.Skills {
		if err := l.named(ctx, p, layoutSkill); err != nil {
			return err
		}
	}
	for _, p := range m.Commands {
		if err := l.named(ctx, p, layoutCommand); err != nil {
			return err
		}
	}
	if !m.ReplacesCommands {
		if err := l.directory(ctx, l.commands); err != nil {
			return err
		}
	}
	l.atRoot()
	l.name()
	l.dropFound()
	return nil
}

// atRoot reads the SKILL.md at the root if the plugin has nothing else, and says
// so if it is passed over.
func (l *pluginLoad) atRoot() {
	if len(l.found) == 0 {
		l.file(skillFile, filepath.Base(l.root), layoutSkill)
		return
	}
	path := filepath.Join(l.root, skillFile)
	if _, err := os.Lstat(path); err == nil && l.files[partKey{path, layoutSkill}].skill == nil {
		l.out.Issues = append(l.out.Issues, Issue{
			Code: "root-skill", Severity: sevWarning, Path: path, Msg: "the plugin has other skills, so the " + skillFile + " at its root is not read",
			Hint: `name it in the manifest too: "skills": "./"`,
		})
	}
}

// name gives the skills their names in the plugin: that of the frontmatter, or
// the folder's (N1), which also settles what two of them claim.
func (l *pluginLoad) name() {
	claims := make(map[string]int)
	for _, s := range l.found {
		claims[cmp.Or(s.DisplayName, s.Name)]++
	}
	for _, s := range l.found {
		name := cmp.Or(s.DisplayName, s.Name)
		switch {
		case s.plugin != nil: // of a plugin inside this one, which has named it
			l.out.Skills = append(l.out.Skills, s)
			continue
		case claims[name] > 1 && s.Layout == layoutSkill:
			name = s.Name
		}
		l.out.Skills = append(l.out.Skills, l.qualify(s, name, l.memo))
	}
}

// dropFound drops the issues about files too deep for one folder of skills that
// another one has.
func (l *pluginLoad) dropFound() {
	paths := make(map[string]bool, len(l.found))
	for _, s := range l.found {
		paths[s.Path] = true
	}
	l.out.Issues = slices.DeleteFunc(l.out.Issues, func(i Issue) bool { return i.Code == "too-deep" && paths[i.Path] })
}

func (l *pluginLoad) problem(p manifest.Problem) {
	l.out.Issues = append(l.out.Issues, Issue{
		Code: "bad-manifest", Severity: sevWarning, Path: filepath.Join(l.root, filepath.FromSlash(manifest.Path)),
		Line: p.Line, Field: p.Field, Msg: p.Msg, Hint: p.Hint,
	})
}

// named adds what a path of the manifest leads to: one skill or command, or a
// folder of them.
func (l *pluginLoad) named(ctx context.Context, p manifest.Part, layout string) error {
	switch {
	case p.Problem != nil:
		l.problem(*p.Problem)
	case !p.IsDir:
		l.file(p.Rel, strings.TrimSuffix(filepath.Base(p.Rel), ".md"), layout)
	case layout == layoutCommand || !l.file(filepath.Join(p.Rel, skillFile), filepath.Base(filepath.Join(l.root, p.Rel)), layout):
		return l.part(ctx, p.Rel, layout)
	}
	return nil
}

// part adds a directory that the manifest names.
func (l *pluginLoad) part(ctx context.Context, rel, layout string) error {
	key := partKey{rel, layout}
	d := l.pluginSource.parts[key]
	if d == nil {
		d = l.dir(rel, layout == layoutCommand)
	}
	l.parts[key] = d
	return l.directory(ctx, d)
}

// directory adds what a directory of skills or commands holds, unless it is
// there by another path.
func (l *pluginLoad) directory(ctx context.Context, d *dirSource) error {
	if !l.seen.directory(d) {
		return nil
	}
	part, err := d.load(ctx, l.seen)
	if err != nil {
		return err
	}
	l.out.Issues = append(l.out.Issues, part.Issues...)
	for _, s := range part.Skills {
		l.add(s)
	}
	return nil
}

// file adds the one skill in the file rel, and reports whether there is one.
func (l *pluginLoad) file(rel, name, layout string) bool {
	path := filepath.Join(l.root, rel)
	real, err := filepath.EvalSymlinks(path)
	var doc []byte
	var id readfile.ID
	if err == nil {
		doc, id, err = l.skills.place.Read(real)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		l.out.Issues = append(l.out.Issues, unreadableFile(name, path, err))
		return true
	}
	key := partKey{path, layout}
	f, known := l.pluginSource.files[key]
	if !known || f.id != id || f.skill.RealPath != real {
		f = pluginFile{id: id}
		f.skill, f.issues = Parse(doc, ParseOptions{Name: name, Path: path, Layout: layout, Source: l.info})
		f.skill.Content, f.skill.place, f.skill.folder = Content{}, l.skills.place, l.folder
		f.skill.RealPath, f.skill.Dir = real, filepath.Dir(path)
	}
	if l.add(f.skill) {
		l.files[key] = f
		l.out.Issues = append(l.out.Issues, f.issues...)
	}
	return true
}

// add adds a skill, and reports false if it is there by another path.
func (l *pluginLoad) add(s *Skill) bool {
	if s.RealPath != "" && l.there[s.RealPath] {
		return false
	}
	l.there[s.RealPath] = true
	l.found = append(l.found, s)
	return true
}
