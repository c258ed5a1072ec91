package skills

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"github.com/seed-12b313d8/skills/internal/confine"
	"github.com/seed-12b313d8/skills/internal/header"
)

// A Skill is one parsed SKILL.md or command file. It is read-only once a
// source has returned it: snapshots, sessions and registries share it between
// goroutines. Use [Skill.Clone] for a copy that may be changed.
type Skill struct {
	// Name is the invocation name without "/": the folder name, or for
	// namespaced skills "owner:name" (01 §6).
	Name string
	// DisplayName is the frontmatter name; a label and a second lookup key.
	DisplayName string
	// Description says what the skill is for. A file without one gets the
	// first paragraph of its body, or its name. Line breaks are kept.
	Description string
	// WhenToUse is joined to Description in the listing.
	WhenToUse string
	// ArgumentHint is shown in the user's menu, as its author wrote it.
	ArgumentHint string
	// Aliases are further names, for lookup only; a name beats an alias.
	Aliases []string
	// Arguments are the declared names for $name placeholders, by position.
	Arguments []string
	// Paths are gitignore patterns relative to the project root. If there
	// are any the skill is locked until a touched path matches (03 §2).
	Paths []string
	// AllowedTools are the tool rules the skill asks to have granted while
	// it is in force, as written. They pre-approve; they are no sandbox.
	AllowedTools []string
	// DisallowedTools are the tool rules the skill gives up.
	DisallowedTools []string
	// Mode says where it runs; "" counts as ModeInline.
	Mode Mode
	// Model is the model the skill asks for, as written; "" asks for none.
	Model string
	// Effort is low, medium, high, xhigh or max, an integer if the host allows
	// these, or "" for none.
	Effort string
	// Agent is the kind of sub-agent, with ModeFork only; "" leaves it to the
	// default.
	Agent string
	// Shell is the shell for the skill's commands: "", "bash" or "powershell".
	// Any other value is as written, and the commands do not run.
	Shell string
	// Background says whether the conversation need not wait for the fork; nil
	// leaves it to the host.
	Background *bool
	// DisableModelInvocation hides the skill from the model.
	DisableModelInvocation bool
	// DisableUserInvocation hides the skill from the user's menu.
	DisableUserInvocation bool
	// Trusted is stamped by the registry from the source, never by a file.
	// It decides shell, grants and hooks (00, trust matrix).
	Trusted bool
	// Degraded marks a file whose frontmatter could not be read: only the
	// user may run it and it is granted nothing (01 §4).
	Degraded bool

	blank bool // the file held nothing when it was loaded; here it costs no space

	// Hooks is the frontmatter's event map, with every key it had. Values
	// are nil, bool, int, float64, string, []any and map[string]any.
	Hooks map[string]any
	// Extra holds unknown and informational keys (version, license, …) as
	// written. Scalars are source text; lists and maps nest.
	Extra map[string]any

	// Origin says where the skill came from. The registry stamps it, like
	// Source and Owner.
	Origin Origin
	// Source is the [SourceInfo].ID.
	Source string
	// Owner is the plugin, MCP server or nested directory that qualifies Name,
	// or "".
	Owner string
	// Layout is "skill" for a SKILL.md in a folder of its own, "command" for a
	// legacy command file, and "prompt" for text that a callback or a server
	// makes.
	Layout string
	// Dir is the skill's folder, "" for skills that are not files on disk.
	Dir string
	// Path is the skill's file as it was found, or "".
	Path string
	// RealPath is Path with all links resolved, or "".
	RealPath string

	// Content supplies what the skill says if it is not a file on disk.
	Content Content `json:"-"`

	file   string         // as issues name it; Path, or the path in an fs.FS
	place  *confine.Place // how a file on disk is read again; nil otherwise
	plugin *pluginSource  // the plugin it belongs to, or nil
	folder string         // the nested folder it was found in, or ""
}

// The layouts of files.
const (
	layoutSkill   = "skill"
	layoutCommand = "command"
)

// fileKey returns the path that issues about the skill's file have.
func (s *Skill) fileKey() string { return cmp.Or(s.file, s.Path) }

// Clone returns a deep copy of s.
func (s *Skill) Clone() *Skill {
	c := *s
	for _, l := range []*[]string{&c.Aliases, &c.Arguments, &c.Paths, &c.AllowedTools, &c.DisallowedTools} {
		*l = slices.Clone(*l)
	}
	if s.Background != nil {
		b := *s.Background
		c.Background = &b
	}
	c.Hooks, c.Extra = header.Clone(s.Hooks), header.Clone(s.Extra)
	return &c
}

// Content supplies what a skill says. Every func may be nil and may be called
// concurrently, with no lock held. A panic inside one is contained: it counts
// as an error, or for Enabled as false, and becomes an issue.
type Content struct {
	// Read returns the whole file, frontmatter included.
	Read func(ctx context.Context) ([]byte, error)
	// Prompt makes the blocks instead of a body. They are final: never
	// scanned for placeholders or shell commands (04 §2).
	Prompt func(ctx context.Context, p PromptContext) ([]Block, error)
	// Files returns resources that are not on disk. They are extracted to a
	// private folder at the first invocation (05 §2).
	Files func() (fs.FS, error)
	// Enabled is a gate, asked whenever the skill would be used. It must be
	// cheap. A nil Enabled is open.
	Enabled func() bool
}

// A PromptContext is what a [Content].Prompt may use.
type PromptContext struct {
	Session string         // the session's id
	Dir     string         // the session's working directory
	Base    string         // folder with the extracted Files, "" without any
	Args    string         // argument text exactly as given
	Words   []string       // Args split like a shell does
	Host    map[string]any // Call.Host: session memory, messages, log path …
}

// A Mode says whether a skill runs in the conversation or in a sub-agent.
type Mode string

// The two modes of 01 §3 (frontmatter context).
const (
	ModeInline Mode = "inline"
	ModeFork   Mode = "fork"
)

// An Origin is where a skill came from (00). The zero Origin may do nothing.
type Origin string

// The origins in their default order of precedence (D3).
const (
	OriginManaged    Origin = "managed"
	OriginUser       Origin = "user"
	OriginProject    Origin = "project"
	OriginAdditional Origin = "additional"
	OriginLegacy     Origin = "legacy"
	OriginBundled    Origin = "bundled"
	OriginPlugin     Origin = "plugin"
	OriginMCP        Origin = "mcp"
	OriginRemote     Origin = "remote"
)

// foreign reports whether skills of this origin come from another machine.
func (o Origin) foreign() bool { return o == OriginMCP || o == OriginRemote }

// defaultOrder returns the default order of precedence (D3), highest first.
func defaultOrder() []Origin {
	return []Origin{
		OriginManaged, OriginUser, OriginProject, OriginAdditional, OriginLegacy,
		OriginBundled, OriginPlugin, OriginMCP, OriginRemote,
	}
}

// ProjectOverUser returns the order in which a project's skill beats a user's
// skill of the same name (01 §7). The caller owns the slice.
func ProjectOverUser() []Origin {
	o := defaultOrder()
	o[1], o[2] = o[2], o[1]
	return o
}
