package skills

import (
	"context"
	"io/fs"
	"slices"

	"github.com/seed-12b313d8/skills/internal/guard"
)

// A Source yields the skills of one place: a directory, a plugin, a server.
//
// A source caches by file identity itself and may serve several registries,
// so Load may run concurrently with itself and the skills it returns are
// read-only from then on. Returning the same *Skill for an unchanged skill
// keeps reloads cheap. One skill's defect is an [Issue] in [Loaded]; Load
// returns an error only when the place itself cannot be read, and registries
// then keep their last good result.
//
// Load must not call the registry it is loaded for. A Source may also implement
// [WatchSource]. Test implementations with package skillstest.
type Source interface {
	// Info returns the same value at every call.
	Info() SourceInfo
	Load(ctx context.Context) (Loaded, error)
}

// A WatchSource is a [Source] whose directories can be watched. Any other
// source is refreshed only by [Registry.Reload].
type WatchSource interface {
	Source
	// WatchDirs returns absolute directories that exist or may exist later.
	// The caller owns the slice.
	WatchDirs() []string
}

// SourceInfo identifies a source and says what its skills may do.
type SourceInfo struct {
	// ID is unique in a registry, e.g. "mcp:github".
	ID string
	// Owner is the plugin or server that qualifies the skills' names, or "".
	Owner string
	// Origin decides precedence and the limits of the trust matrix (00).
	Origin Origin
	// Trusted is the host's word that project, legacy and plugin skills of
	// this source may run shell commands and be granted tools. Other origins
	// do not need it (managed, user, additional, bundled) or never get it
	// (mcp, remote).
	Trusted bool
}

// trusts reports whether skills of this source are trusted (00, trust matrix).
func (i SourceInfo) trusts() bool {
	switch i.Origin {
	case OriginManaged, OriginUser, OriginAdditional, OriginBundled:
		return true
	case OriginProject, OriginLegacy, OriginPlugin:
		return i.Trusted
	default:
		return false
	}
}

// Loaded is what a source found: its skills and what is wrong with the rest.
type Loaded struct {
	// Skills are what was found; read-only from now on.
	Skills []*Skill
	// Issues say what is wrong with single skills.
	Issues []Issue
}

// SourceFunc returns a Source that calls load.
func SourceFunc(i SourceInfo, load func(context.Context) (Loaded, error)) Source {
	return funcSource{i, load}
}

type funcSource struct {
	info SourceInfo
	load func(context.Context) (Loaded, error)
}

func (s funcSource) Info() SourceInfo                         { return s.info }
func (s funcSource) Load(ctx context.Context) (Loaded, error) { return s.load(ctx) }

// StaticSource returns a Source of the given skills, for bundled and
// programmatic ones (05 §1). The skills must not change afterwards.
func StaticSource(i SourceInfo, s ...*Skill) Source {
	s = slices.Clone(s)
	return funcSource{i, func(context.Context) (Loaded, error) { return Loaded{Skills: s}, nil }}
}

// ScanOptions says how a directory is read. The zero value is the default.
type ScanOptions struct {
	// Commands reads the directory as legacy commands: every .md file below
	// it, named by its path ("a/b/c.md" is "a:b:c").
	Commands bool
	// MaxDepth is how many levels of folders a skills directory has; default
	// 1. Deeper levels give names like "group:name". Commands: default 8.
	MaxDepth int
	// MaxFiles is how many skills are read at most; default 10,000.
	MaxFiles int
	// MaxSize is the size in bytes above which a file is skipped; default 1 MiB.
	MaxSize int
	// NumericEffort lets the effort field be an integer.
	NumericEffort bool
}

func (o *ScanOptions) withDefaults() ScanOptions {
	var c ScanOptions
	if o != nil {
		c = *o
	}
	if c.MaxDepth <= 0 {
		c.MaxDepth = 1
		if c.Commands {
			c.MaxDepth = 8
		}
	}
	if c.MaxFiles <= 0 {
		c.MaxFiles = 10_000
	}
	if c.MaxSize <= 0 {
		c.MaxSize = defaultMaxSize
	}
	return c
}

// DirSource returns a Source of one skills directory on disk, whose folders
// hold a SKILL.md each. A directory that does not exist yields nothing; it may
// appear later. If i makes the skills untrusted, links that leave dir are
// skipped with an issue (01 R8). The Source also implements [WatchSource].
func DirSource(i SourceInfo, dir string, o *ScanOptions) Source {
	return newDirSource(i, dir, dir, o)
}

// FSSource returns a Source of the skills directory at the root of fsys. Its
// skills have no Dir and no base directory line, and it is never watched.
func FSSource(i SourceInfo, fsys fs.FS, o *ScanOptions) Source {
	return newFSSource(i, fsys, o)
}

// loadContained calls s.Load and turns a panic into an error.
func loadContained(ctx context.Context, s Source) (Loaded, error) {
	return guard.Call("the source", func() (Loaded, error) { return s.Load(ctx) })
}
