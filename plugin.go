package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/names"
)

const skillFile = "SKILL.md"

// A Plugin is a folder of skills that somebody installed (06 §1).
type Plugin struct {
	// Name qualifies the skills: "office" gives "office:pdf".
	Name string
	// Root holds skills/, commands/ or a SKILL.md of its own.
	Root string
	// DataDir is what ${CLAUDE_PLUGIN_DATA} stands for; "" leaves it.
	DataDir string
	// Trusted lets the plugin's skills run shell commands and be granted tools.
	Trusted bool
}

// PluginSource returns a Source of the plugin's skills: skills/*/SKILL.md and
// commands/**/*.md below its root, or a SKILL.md at the root alone. The error
// is an [*Error] with [CodeInvalid] if the name cannot qualify skills or the
// root is empty. The Source also implements [WatchSource].
func PluginSource(p Plugin) (Source, error) {
	why := names.Check(p.Name)
	if strings.Contains(p.Name, ":") {
		why = "it holds a colon"
	}
	if why == "" && p.Root == "" {
		why = "it has no root"
	}
	root, err := filepath.Abs(p.Root)
	if why != "" || err != nil {
		return nil, &Error{Issue: Issue{
			Code: CodeInvalid, Severity: sevError, Path: p.Root, Field: "Plugin",
			Msg: fmt.Sprintf("the plugin %q cannot be used: %s", p.Name, why), Hint: "give it a plain name and a directory",
		}, Err: err}
	}
	info := SourceInfo{ID: "plugin:" + p.Name, Owner: p.Name, Origin: OriginPlugin, Trusted: p.Trusted}
	return newPluginSource(info, root, root, p.DataDir), nil
}

// newPluginSource returns the source of the plugin at root, which links may
// leave as far as confine if it is not trusted.
func newPluginSource(info SourceInfo, root, confine, data string) *pluginSource {
	return &pluginSource{
		info: info, root: root, data: data,
		skills:   newDirSource(info, filepath.Join(root, "skills"), confine, nil),
		commands: newDirSource(info, filepath.Join(root, "commands"), confine, &ScanOptions{Commands: true}),
	}
}

type pluginSource struct {
	info             SourceInfo
	root, data       string
	skills, commands *dirSource

	mu        sync.Mutex        // serialises loads; guards what follows
	qualified map[*Skill]*Skill // so that an unchanged skill stays the same pointer
	lone      parsed            // the SKILL.md at the root
}

// Info implements [Source].
func (p *pluginSource) Info() SourceInfo { return p.info }

// WatchDirs implements [WatchSource].
func (p *pluginSource) WatchDirs() []string {
	return []string{p.root, p.skills.root, p.commands.root}
}

// Load implements [Source].
func (p *pluginSource) Load(ctx context.Context) (Loaded, error) {
	var out Loaded
	if _, err := os.Stat(p.root); err != nil {
		return out, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	memo := make(map[*Skill]*Skill)
	for _, dir := range []*dirSource{p.skills, p.commands} {
		l, err := dir.Load(ctx)
		if err != nil {
			return Loaded{}, err
		}
		out.Issues = append(out.Issues, l.Issues...)
		for _, s := range l.Skills {
			out.Skills = append(out.Skills, p.qualify(s, memo))
		}
	}
	if len(out.Skills) == 0 {
		if err := p.single(&out, memo); err != nil {
			return Loaded{}, err
		}
	}
	p.qualified = memo
	return out, nil
}

// single reads a plugin that is one skill: a SKILL.md at its root.
func (p *pluginSource) single(out *Loaded, memo map[*Skill]*Skill) error {
	root, err := filepath.EvalSymlinks(p.root)
	if err != nil {
		return err
	}
	path, real := filepath.Join(p.root, skillFile), filepath.Join(root, skillFile)
	doc, id, err := p.skills.place.read(real)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if p.lone.skill == nil || p.lone.id != id {
		s, issues := Parse(doc, ParseOptions{Name: filepath.Base(p.root), Path: path, Source: p.info})
		s.Content, s.place, s.folder = Content{}, p.skills.place, p.skills.folder
		s.RealPath, s.Dir = real, p.root
		p.lone = parsed{id: id, skill: s, issues: issues}
	}
	out.Skills = append(out.Skills, p.qualify(p.lone.skill, memo))
	out.Issues = append(out.Issues, p.lone.issues...)
	return nil
}

// qualify returns s under the plugin's name: with the frontmatter name, or the
// folder's (N1).
func (p *pluginSource) qualify(s *Skill, memo map[*Skill]*Skill) *Skill {
	if s.plugin != nil {
		return s // of a plugin inside this one, which has named it
	}
	c := p.qualified[s]
	if c == nil {
		c = s.Clone()
		c.Name = p.info.Owner + ":" + orDefault(s.DisplayName, s.Name)
		c.plugin = p
	}
	memo[s] = c
	return c
}

func (s *Skill) pluginRoot() string {
	if s.plugin == nil {
		return ""
	}
	return s.plugin.root
}

func (s *Skill) pluginData() string {
	if s.plugin == nil {
		return ""
	}
	return s.plugin.data
}
