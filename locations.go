package skills

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/places"
)

// Locations places the disk sources, the root that paths and nested discovery
// are relative to, and their switches (01 §5). The zero value has no disk
// source. Relative directories are taken from the process's working directory
// when the registry opens. Roots come from here only, never from files.
type Locations struct {
	// Managed holds the policy of an organisation: <Managed>/<brand>/skills.
	// If that cannot be read, Open and Reload return an error.
	Managed string
	// Home is the user's home: <Home>/<brand>/skills and …/commands.
	Home string
	// UserDir, if set, is the user's brand folder itself and is used instead
	// of <Home>/<brand>.
	UserDir string
	// Project is the project root. If it is empty and Dir is not, it is the
	// nearest ancestor of Dir that holds .git, otherwise Dir.
	Project string
	// Dir is the working directory inside Project; default Project. Skills
	// are read from Dir and every parent up to Project, nearest first.
	Dir string
	// Additional directories are read as <dir>/<brand>/skills.
	Additional []string
	// Brands are the brand folders, first wins a clash; default ".claude".
	Brands []string

	// TrustProject lets project skills and commands run shell commands and be
	// granted tools. Leave it off for repositories of unknown people.
	TrustProject bool
	// NoManaged switches managed skills off.
	NoManaged bool
	// NoUser switches the user's skills and commands off.
	NoUser bool
	// NoProject switches the project's skills and commands off, and with them
	// additional directories and nested discovery.
	NoProject bool
	// PluginOnly keeps managed skills and what the host registers itself, and
	// drops user, project, additional and legacy ones ("locked").
	PluginOnly bool
	// NoDisk reads no disk source but Additional ("bare").
	NoDisk bool

	// ListingBudget is the default of ListerOptions.Budget, in characters, and
	// like that beats the context window; 0 leaves it to the window.
	ListingBudget int
	// Disabled names bundled skills that are switched off.
	Disabled []string
}

// LocationsFromEnv returns l changed by the environment variables of the
// reference client, for hosts that want drop-in behaviour. Nothing in this
// package reads the environment by itself; pass [os.Getenv].
//
//   - CLAUDE_CONFIG_DIR sets UserDir
//   - CLAUDE_CODE_DISABLE_POLICY_SKILLS sets NoManaged
//   - CLAUDE_CODE_DISABLE_CLAUDE_API_SKILL adds "claude-api" to Disabled
//   - SLASH_COMMAND_TOOL_CHAR_BUDGET sets ListingBudget if it is a positive integer
//
// The two switches are on for any value but "", 0, false, no and off.
func LocationsFromEnv(l Locations, getenv func(string) string) Locations {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		l.UserDir = dir
	}
	if envTrue(getenv("CLAUDE_CODE_DISABLE_POLICY_SKILLS")) {
		l.NoManaged = true
	}
	if envTrue(getenv("CLAUDE_CODE_DISABLE_CLAUDE_API_SKILL")) {
		l.Disabled = append(slices.Clone(l.Disabled), "claude-api")
	}
	if n, err := strconv.Atoi(getenv("SLASH_COMMAND_TOOL_CHAR_BUDGET")); err == nil && n > 0 {
		l.ListingBudget = n
	}
	return l
}

func envTrue(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// resolve returns l with absolute directories, Project and Dir filled in.
func (l Locations) resolve() (Locations, error) {
	r, problem := l.roots().Resolve()
	if problem != nil {
		e := newError(CodeInvalid, problem.Msg, problem.Hint).in(problem.Field).because(problem.Err)
		e.Path = problem.Path
		return l, e
	}
	l.Managed, l.Home, l.UserDir, l.Project, l.Dir = r.Managed, r.Home, r.UserDir, r.Project, r.Dir
	l.Additional, l.Brands, l.Disabled = r.Additional, r.Brands, slices.Clone(l.Disabled)
	return l, nil
}

func (l *Locations) roots() places.Roots {
	return places.Roots{
		Managed: l.Managed, Home: l.Home, UserDir: l.UserDir, Project: l.Project, Dir: l.Dir,
		Additional: l.Additional, Brands: l.Brands,
	}
}

// allows reports whether the switches let sources of origin o in.
func (l *Locations) allows(o Origin) bool {
	switch o {
	case OriginManaged:
		return !l.NoManaged
	case OriginUser:
		return !l.NoUser && !l.PluginOnly
	case OriginProject, OriginAdditional:
		return !l.NoProject && !l.PluginOnly
	case OriginLegacy:
		return !l.PluginOnly
	}
	return true
}

// sources returns the disk sources in their order of precedence.
func (l *Locations) sources(scan *ScanOptions) []Source {
	var opts ScanOptions
	if scan != nil {
		opts = *scan
	}
	var out []Source
	for _, p := range l.roots().List(l.keeps) {
		o := opts
		if o.Commands = p.Kind == places.Legacy; o.Commands {
			o.MaxDepth = 0
		}
		info := SourceInfo{ID: p.ID, Origin: Origin(p.Kind), Trusted: p.Of != places.Project || l.TrustProject}
		out = append(out, newDirSource(info, p.Dir, p.Confine, &o))
	}
	return out
}

// keeps reports whether the switches let a place on disk in.
func (l *Locations) keeps(p places.Place) bool {
	switch {
	case p.Of == places.User && l.NoUser, p.Of == places.Project && l.NoProject, l.NoDisk && p.Kind != places.Additional:
		return false
	}
	return l.allows(Origin(p.Kind))
}
