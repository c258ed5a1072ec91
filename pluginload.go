package skills

import (
	"context"
	"errors"
	"fmt"
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
	out   Loaded
	parts map[string]*dirSource
	files map[string]parsed
	memo  map[*Skill]*Skill
	there map[string]bool // real paths of the skills in out
}

func newPluginLoad(p *pluginSource) *pluginLoad {
	return &pluginLoad{
		pluginSource: p, parts: make(map[string]*dirSource), files: make(map[string]parsed),
		memo: make(map[*Skill]*Skill), there: make(map[string]bool),
	}
}

// all loads what the plugin holds: its own folders, what the manifest names,
// and if that is nothing, the SKILL.md at the root.
func (l *pluginLoad) all(ctx context.Context) error {
	m := l.manifest()
	if err := l.directory(ctx, l.skills); err != nil {
		return err
	}
	for _, rel := range m.Skills {
		if err := l.named(ctx, rel, l.skillsAt); err != nil {
			return err
		}
	}
	for _, rel := range m.Commands {
		if err := l.named(ctx, rel, l.commandsAt); err != nil {
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

// manifest reads the manifest, which need not exist.
func (l *pluginLoad) manifest() manifest.Manifest {
	real, err := l.inside(filepath.FromSlash(manifest.Path))
	var doc []byte
	if err == nil {
		doc, _, err = l.skills.place.read(real)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.problem(manifest.Problem{Msg: "the manifest cannot be read: " + err.Error(), Hint: "check the file and where it leads"})
		}
		return manifest.Manifest{}
	}
	m, problems := manifest.Parse(doc)
	for _, p := range problems {
		l.problem(p)
	}
	return m
}

func (l *pluginLoad) problem(p manifest.Problem) {
	l.out.Issues = append(l.out.Issues, Issue{
		Code: "bad-manifest", Severity: sevWarning, Path: filepath.Join(l.root, filepath.FromSlash(manifest.Path)),
		Line: p.Line, Field: p.Field, Msg: p.Msg, Hint: p.Hint,
	})
}

// inside returns where rel leads, which must be in the plugin.
func (l *pluginLoad) inside(rel string) (real string, err error) {
	root, err := filepath.EvalSymlinks(l.root)
	if err != nil {
		return "", err
	}
	if real, err = filepath.EvalSymlinks(filepath.Join(root, rel)); err != nil {
		return "", err
	}
	if in, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(in) {
		return "", &fs.PathError{Op: "open", Path: filepath.Join(l.root, rel), Err: readfile.ErrEscapes}
	}
	return real, nil
}

// named adds what a path of the manifest leads to, by add.
func (l *pluginLoad) named(ctx context.Context, rel string, add func(context.Context, string, bool) error) error {
	rel = filepath.FromSlash(rel)
	real, err := l.inside(rel)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	if err != nil {
		l.problem(manifest.Problem{
			Msg: fmt.Sprintf("the path %q leads nowhere: %v", rel, err), Hint: "correct the path, or remove it",
		})
		return nil
	}
	return add(ctx, rel, info.IsDir())
}

// skillsAt adds the skill, or the folder of skills, at rel.
func (l *pluginLoad) skillsAt(ctx context.Context, rel string, isDir bool) error {
	if !isDir {
		l.problem(manifest.Problem{
			Field: "skills", Msg: fmt.Sprintf("the path %q is a file", rel),
			Hint: fmt.Sprintf("name its folder: \"./%s\"", filepath.ToSlash(filepath.Dir(rel))),
		})
		return nil
	}
	if l.file(filepath.Join(rel, skillFile), filepath.Base(filepath.Join(l.root, rel)), layoutSkill) {
		return nil
	}
	return l.part(ctx, rel, false)
}

// commandsAt adds the command, or the folder of commands, at rel.
func (l *pluginLoad) commandsAt(ctx context.Context, rel string, isDir bool) error {
	name, isCommand := strings.CutSuffix(filepath.Base(rel), ".md")
	switch {
	case isDir:
		return l.part(ctx, rel, true)
	case isCommand:
		l.file(rel, name, layoutCommand)
	default:
		l.problem(manifest.Problem{
			Field: "commands", Msg: fmt.Sprintf("the path %q is no .md file", rel), Hint: "name a folder of commands, or one .md file",
		})
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
		doc, id, err = l.skills.place.read(real)
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
		f = parsed{id: id}
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
