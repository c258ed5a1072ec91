package skills

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/manifest"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// A pluginLoad is one Load under way, with the lock held.
type pluginLoad struct {
	*pluginSource
	out   Loaded
	parts map[string]*dirSource
	files map[string]pluginFile
	memo  map[*Skill]*Skill
	there map[string]bool // real paths of the skills in out
}

func newPluginLoad(p *pluginSource) *pluginLoad {
	return &pluginLoad{
		pluginSource: p, parts: make(map[string]*dirSource), files: make(map[string]pluginFile),
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
	if len(l.out.Skills) == 0 {
		l.file(skillFile, filepath.Base(l.root), layoutSkill)
	}
	l.dropFound()
	return nil
}

// dropFound drops the issues about files too deep for one folder of skills that
// another one has.
func (l *pluginLoad) dropFound() {
	l.out.Issues = slices.DeleteFunc(l.out.Issues, func(i Issue) bool {
		return i.Code == "too-deep" && slices.ContainsFunc(l.out.Skills, func(s *Skill) bool { return s.Path == i.Path })
	})
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
		return l.part(ctx, p.Rel, layout == layoutCommand)
	}
	return nil
}

// part adds a directory that the manifest names.
func (l *pluginLoad) part(ctx context.Context, rel string, commands bool) error {
	d := l.pluginSource.parts[rel]
	if d == nil || d.opts.Commands != commands {
		d = l.dir(rel, commands)
	}
	l.parts[rel] = d
	return l.directory(ctx, d)
}

// directory adds what a directory of skills or commands holds.
func (l *pluginLoad) directory(ctx context.Context, d *dirSource) error {
	part, err := d.Load(ctx)
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
	f, known := l.pluginSource.files[path]
	if !known || f.id != id || f.skill.RealPath != real {
		f = pluginFile{id: id}
		f.skill, f.issues = Parse(doc, ParseOptions{Name: name, Path: path, Layout: layout, Source: l.info})
		f.skill.Content, f.skill.place, f.skill.folder = Content{}, l.skills.place, l.folder
		f.skill.RealPath, f.skill.Dir = real, filepath.Dir(path)
	}
	l.files[path] = f
	l.out.Issues = append(l.out.Issues, f.issues...)
	l.add(f.skill)
	return true
}

// add adds a skill under the plugin's name, unless it is there by another path.
func (l *pluginLoad) add(s *Skill) {
	if s.RealPath != "" && l.there[s.RealPath] {
		return
	}
	l.there[s.RealPath] = true
	l.out.Skills = append(l.out.Skills, l.qualify(s, l.memo))
}
