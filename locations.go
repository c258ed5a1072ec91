package skills

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/internal/paths"
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

// defaultBrand is the brand folder that is read when Brands is empty.
const defaultBrand = ".claude"

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
	l.Additional, l.Brands, l.Disabled = slices.Clone(l.Additional), slices.Clone(l.Brands), slices.Clone(l.Disabled)
	if len(l.Brands) == 0 {
		l.Brands = []string{defaultBrand}
	}
	dirs := []*string{&l.Managed, &l.Home, &l.UserDir, &l.Project, &l.Dir}
	for i := range l.Additional {
		dirs = append(dirs, &l.Additional[i])
	}
	for _, d := range dirs {
		if *d == "" {
			continue
		}
		abs, err := filepath.Abs(*d)
		if err != nil {
			return l, invalidDir(*d, err)
		}
		*d = abs
	}
	switch {
	case l.Project == "" && l.Dir != "":
		l.Project = paths.ProjectRoot(l.Dir)
	case l.Dir == "":
		l.Dir = l.Project
	}
	if l.Project == "" {
		return l, l.checkBrands()
	}
	rel, ok := paths.NewRoot(l.Project).Rel(l.Dir)
	switch {
	case ok:
		l.Dir = filepath.Join(l.Project, filepath.FromSlash(rel))
	case paths.NewRoot(l.Dir).Real == paths.NewRoot(l.Project).Real:
		l.Dir = l.Project
	default:
		return l, invalidDir(l.Dir, errors.New("it is not inside the project root "+l.Project))
	}
	return l, l.checkBrands()
}

func (l *Locations) checkBrands() error {
	for _, b := range l.Brands {
		if !filepath.IsLocal(b) {
			return &Error{Issue: Issue{
				Code: CodeInvalid, Severity: sevError, Field: "Brands",
				Msg: fmt.Sprintf("brand folder %q is not a local name", b), Hint: "use a name such as " + defaultBrand,
			}}
		}
	}
	return nil
}

func invalidDir(dir string, err error) error {
	return &Error{Issue: Issue{
		Code: CodeInvalid, Severity: sevError, Path: dir,
		Msg: "the directory cannot be used", Hint: "check Locations",
	}, Err: err}
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
	b := sourceBuilder{loc: l, scan: scan}
	if !l.NoDisk {
		b.add(OriginManaged, l.Managed, l.Managed, true)
		b.addUser()
		b.addProject()
	}
	for _, dir := range l.Additional {
		b.add(OriginAdditional, dir, dir, true)
	}
	return b.out
}

type sourceBuilder struct {
	loc  *Locations
	scan *ScanOptions
	out  []Source
}

// add appends the skills directories of all brands in dir.
func (b *sourceBuilder) add(o Origin, dir, confine string, trusted bool) {
	if dir == "" {
		return
	}
	for _, brand := range b.loc.Brands {
		b.addDir(o, filepath.Join(dir, brand, "skills"), confine, trusted, false)
	}
}

// addDir appends one directory. Its ID holds the place relative to what the
// host gave, so that exported sessions fit on another machine.
func (b *sourceBuilder) addDir(o Origin, dir, confine string, trusted, commands bool) {
	if !b.loc.allows(o) {
		return
	}
	scan := ScanOptions{}
	if b.scan != nil {
		scan = *b.scan
	}
	scan.Commands = commands
	if commands {
		scan.MaxDepth = 0
	}
	place := dir
	if rel, err := filepath.Rel(confine, dir); err == nil && o != OriginAdditional {
		place = filepath.ToSlash(rel)
	}
	info := SourceInfo{ID: string(o) + ":" + place, Origin: o, Trusted: trusted}
	if o == OriginLegacy && confine != b.loc.Project {
		info.ID = string(o) + ":user:" + place
	}
	if slices.ContainsFunc(b.out, func(s Source) bool { return s.Info().ID == info.ID }) {
		return // a directory was added twice
	}
	b.out = append(b.out, newDirSource(info, dir, confine, &scan))
}

func (b *sourceBuilder) addUser() {
	if b.loc.NoUser {
		return
	}
	if dir := b.loc.UserDir; dir != "" {
		b.addDir(OriginUser, filepath.Join(dir, "skills"), dir, true, false)
		b.addDir(OriginLegacy, filepath.Join(dir, "commands"), dir, true, true)
		return
	}
	b.add(OriginUser, b.loc.Home, b.loc.Home, true)
	b.addCommands(b.loc.Home, b.loc.Home, true)
}

// addProject walks from the working directory up to the root (01 §5).
func (b *sourceBuilder) addProject() {
	if b.loc.Project == "" || b.loc.NoProject {
		return
	}
	for dir := b.loc.Dir; ; dir = filepath.Dir(dir) {
		b.add(OriginProject, dir, b.loc.Project, b.loc.TrustProject)
		b.addCommands(dir, b.loc.Project, b.loc.TrustProject)
		if dir == b.loc.Project {
			return
		}
	}
}

func (b *sourceBuilder) addCommands(dir, confine string, trusted bool) {
	if dir == "" {
		return
	}
	for _, brand := range b.loc.Brands {
		b.addDir(OriginLegacy, filepath.Join(dir, brand, "commands"), confine, trusted, true)
	}
}
