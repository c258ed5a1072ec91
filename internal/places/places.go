// Package places says where the skills of a workspace lie on disk, and in which
// order of precedence (01 §5). It knows directories and brands, but neither
// skills nor trust.
package places

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/seed-12b313d8/skills/internal/paths"
)

// DefaultBrand is the brand folder that is read when Roots names none.
const DefaultBrand = ".claude"

// Roots are the directories that a host gives. Empty ones are not there.
type Roots struct {
	Managed, Home, UserDir, Project, Dir string
	Additional, Brands                   []string
}

// A Problem is why Roots cannot be used. One of Path and Field is set.
type Problem struct {
	Path, Field, Msg, Hint string
	Err                    error // the cause, or nil
}

// Resolve returns r with absolute directories, and with Project, Dir and Brands
// filled in: Project is the nearest ancestor of Dir that holds .git, otherwise
// Dir, which must not lie outside of it and is spelled like it. The slices of r
// are not touched.
func (r Roots) Resolve() (Roots, *Problem) {
	r.Additional, r.Brands = slices.Clone(r.Additional), slices.Clone(r.Brands)
	if len(r.Brands) == 0 {
		r.Brands = []string{DefaultBrand}
	}
	dirs := []*string{&r.Managed, &r.Home, &r.UserDir, &r.Project, &r.Dir}
	for i := range r.Additional {
		dirs = append(dirs, &r.Additional[i])
	}
	for _, d := range dirs {
		if *d == "" {
			continue
		}
		abs, err := filepath.Abs(*d)
		if err != nil {
			return r, badDir(*d, err)
		}
		*d = abs
	}
	if p := r.place(); p != nil {
		return r, p
	}
	for _, b := range r.Brands {
		if !filepath.IsLocal(b) {
			return r, &Problem{Field: "Brands", Msg: fmt.Sprintf("brand folder %q is not a local name", b), Hint: "use a name such as " + DefaultBrand}
		}
	}
	return r, nil
}

// place settles Project and Dir.
func (r *Roots) place() *Problem {
	switch {
	case r.Project == "" && r.Dir != "":
		r.Project = paths.ProjectRoot(r.Dir)
	case r.Dir == "":
		r.Dir = r.Project
	}
	if r.Project == "" {
		return nil
	}
	rel, ok := paths.NewRoot(r.Project).Rel(r.Dir)
	switch {
	case ok:
		r.Dir = filepath.Join(r.Project, filepath.FromSlash(rel))
	case paths.NewRoot(r.Dir).Real == paths.NewRoot(r.Project).Real:
		r.Dir = r.Project
	default:
		return badDir(r.Dir, errors.New("it is not inside the project root "+r.Project))
	}
	return nil
}

func badDir(dir string, err error) *Problem {
	return &Problem{Path: dir, Msg: "the directory cannot be used", Hint: "check Locations", Err: err}
}

// A Kind is the origin that the skills of a place have.
type Kind string

// The kinds of places.
const (
	Managed    Kind = "managed"
	User       Kind = "user"
	Project    Kind = "project"
	Additional Kind = "additional"
	Legacy     Kind = "legacy" // commands
)

// A Place is one directory of skills or commands, which need not exist.
type Place struct {
	Kind Kind
	Of   Kind // what it belongs to: Kind, or of commands User or Project
	// ID is the place relative to what the host gave, so that what is exported
	// fits on another machine; an additional directory goes by its own path.
	ID  string
	Dir string
	// Confine is the directory that untrusted links must not leave.
	Confine string
}

// List returns the places that keep accepts, highest precedence first, each
// once: a directory may be given twice. r is resolved.
func (r Roots) List(keep func(Place) bool) []Place {
	l := lister{Roots: r, keep: keep}
	l.brands(Managed, r.Managed, r.Managed)
	l.user()
	l.project()
	for _, dir := range r.Additional {
		l.brands(Additional, dir, dir)
	}
	return l.out
}

type lister struct {
	Roots
	keep func(Place) bool
	out  []Place
}

// brands adds the skills directories of all brands in dir.
func (l *lister) brands(of Kind, dir, confine string) {
	for _, brand := range l.Brands {
		l.add(of, of, dir, filepath.Join(brand, "skills"), confine)
	}
}

// commands adds the commands directories of all brands in dir.
func (l *lister) commands(of Kind, dir, confine string) {
	for _, brand := range l.Brands {
		l.add(Legacy, of, dir, filepath.Join(brand, "commands"), confine)
	}
}

func (l *lister) user() {
	if l.UserDir != "" {
		l.add(User, User, l.UserDir, "skills", l.UserDir)
		l.add(Legacy, User, l.UserDir, "commands", l.UserDir)
		return
	}
	l.brands(User, l.Home, l.Home)
	l.commands(User, l.Home, l.Home)
}

// project walks from the working directory up to the root, nearest first.
func (l *lister) project() {
	if l.Project == "" {
		return
	}
	for dir := l.Dir; ; dir = filepath.Dir(dir) {
		l.brands(Project, dir, l.Project)
		l.commands(Project, dir, l.Project)
		if dir == l.Project {
			return
		}
	}
}

// add adds the directory at rel in dir, if there is a dir.
func (l *lister) add(kind, of Kind, dir, rel, confine string) {
	if dir == "" {
		return
	}
	p := Place{Kind: kind, Of: of, Dir: filepath.Join(dir, rel), Confine: confine}
	place := p.Dir
	if rel, err := filepath.Rel(confine, p.Dir); err == nil && kind != Additional {
		place = filepath.ToSlash(rel)
	}
	p.ID = string(kind) + ":" + place
	if kind == Legacy && of == User {
		p.ID = string(kind) + ":user:" + place
	}
	if l.keep(p) && !slices.ContainsFunc(l.out, func(o Place) bool { return o.ID == p.ID }) {
		l.out = append(l.out, p)
	}
}
