package skills

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/manifest"
	"github.com/seed-12b313d8/skills/internal/names"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

const skillFile = "SKILL.md"

// A Plugin is a folder of skills that somebody installed (06 §1).
type Plugin struct {
	// Name qualifies the skills: "office" gives "office:pdf".
	Name string
	// Root holds skills/, commands/ or a SKILL.md of its own, and what its
	// manifest .claude-plugin/plugin.json names.
	Root string
	// DataDir is what ${CLAUDE_PLUGIN_DATA} stands for; "" leaves it.
	DataDir string
	// Trusted lets the plugin's skills run shell commands and be granted tools.
	Trusted bool
}

// PluginSource returns a Source of the plugin's skills (06 §1): skills/*/SKILL.md
// and commands/**/*.md below its root, or a SKILL.md at the root alone. In its
// manifest, "skills" names folders that come beside skills/, each a skill or a
// folder of skills, and "commands" names folders or files instead of commands/;
// they are paths inside the root. What of it cannot be followed is an Issue.
//
// The error is an [*Error] with [CodeInvalid] if the name cannot qualify skills
// or the root is empty. The Source also implements [WatchSource]. Registering a
// new one for the same Name replaces the plugin as a whole.
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
		e := newError(CodeInvalid, fmt.Sprintf("the plugin %q cannot be used: %s", p.Name, why), "give it a plain name and a directory")
		e.Path = p.Root
		return nil, e.in("Plugin").because(err)
	}
	info := SourceInfo{ID: "plugin:" + p.Name, Owner: p.Name, Origin: OriginPlugin, Trusted: p.Trusted}
	return newPluginSource(info, root, root, p.DataDir), nil
}

// newPluginSource returns the source of the plugin at root, which links may
// leave as far as confine if it is not trusted.
func newPluginSource(info SourceInfo, root, confine, data string) *pluginSource {
	p := &pluginSource{info: info, root: root, data: data, confine: confine}
	p.skills, p.commands = p.dir("skills", false), p.dir("commands", true)
	return p
}

type pluginSource struct {
	info                SourceInfo
	root, data, confine string
	folder              string // the nested folder it belongs to, or ""
	skills, commands    *dirSource

	mu        sync.Mutex             // serialises loads; guards what follows
	parts     map[partKey]*dirSource // directories that the manifest names
	files     map[partKey]pluginFile // files that are read one by one
	qualified map[*Skill]*Skill      // so that an unchanged skill stays the same pointer
}

// A partKey names what a path of the manifest is read as.
type partKey struct {
	path   string
	layout string
}

// A pluginFile is a file that is read by itself, and its version.
type pluginFile struct {
	id readfile.ID
	parsed
}

// targets implements [targeter].
func (p *pluginSource) targets(id string) []fswatch.Target {
	out := append(p.skills.targets(id), p.commands.targets(id)...)
	out = append(out, fswatch.Target{ID: id, Root: filepath.Join(p.root, filepath.Dir(manifest.Path))},
		fswatch.Target{ID: id, Root: p.root, Match: fswatch.IsSkill})
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.parts {
		out = append(out, d.targets(id)...)
	}
	for f := range p.files {
		out = append(out, fswatch.Target{ID: id, Root: filepath.Dir(f.path), Match: func(path string) bool { return path == f.path }})
	}
	return out
}

// dir returns the source of a directory of the plugin.
func (p *pluginSource) dir(rel string, commands bool) *dirSource {
	d := newDirSource(p.info, filepath.Join(p.root, rel), p.confine, &ScanOptions{Commands: commands})
	d.folder = p.folder
	return d
}

// Info implements [Source].
func (p *pluginSource) Info() SourceInfo { return p.info }

// WatchDirs implements [WatchSource].
func (p *pluginSource) WatchDirs() []string {
	dirs := []string{p.root, p.skills.root, p.commands.root, filepath.Join(p.root, filepath.Dir(manifest.Path))}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.parts {
		dirs = append(dirs, d.root)
	}
	slices.Sort(dirs)
	return dirs
}

// Load implements [Source].
func (p *pluginSource) Load(ctx context.Context) (Loaded, error) {
	seen := make(visited)
	seen.first("plugin", p.root)
	return p.load(ctx, seen)
}

// load is Load, but for the directories that were visited.
func (p *pluginSource) load(ctx context.Context, seen visited) (Loaded, error) {
	if _, err := os.Stat(p.root); err != nil {
		return Loaded{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l := newPluginLoad(p, seen)
	if err := l.all(ctx); err != nil {
		return Loaded{}, err
	}
	p.parts, p.files, p.qualified = l.parts, l.files, l.memo
	return l.out, nil
}

// qualify returns s under the plugin's name and its own.
func (p *pluginSource) qualify(s *Skill, name string, memo map[*Skill]*Skill) *Skill {
	name = p.info.Owner + ":" + name
	c := p.qualified[s]
	if c == nil || c.Name != name {
		c = s.Clone()
		c.Name = name
		c.plugin = p
	}
	memo[s] = c
	return c
}

// pluginDirs returns the folder of the skill's plugin and that of its data, ""
// without any.
func (s *Skill) pluginDirs() (root, data string) {
	if s.plugin == nil {
		return "", ""
	}
	return s.plugin.root, s.plugin.data
}
