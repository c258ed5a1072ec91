package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// Contents is what a manifest says a plugin holds, looked up on disk.
type Contents struct {
	Skills   []Part // folders
	Commands []Part // folders and .md files
	// ReplacesCommands is as in Manifest.
	ReplacesCommands bool
	// Problems are those of the manifest itself.
	Problems []Problem
}

// A Part is one path of a manifest.
type Part struct {
	Rel   string // file system path relative to the plugin's root
	IsDir bool
	// Problem, if not nil, says why the path cannot be followed.
	Problem *Problem
}

// Read reads the manifest of the plugin at root, which need not have one, by
// read, which is given a real path. Nothing it names may lie outside of root,
// wherever links lead.
func Read(root string, read func(real string) ([]byte, error)) Contents {
	real, err := inside(root, filepath.FromSlash(Path))
	var doc []byte
	if err == nil {
		doc, err = read(real)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Contents{}
	case err != nil:
		return Contents{Problems: []Problem{{Msg: "the manifest cannot be read: " + err.Error(), Hint: "check the file and where it leads"}}}
	}
	m, problems := Parse(doc)
	c := Contents{ReplacesCommands: m.ReplacesCommands, Problems: problems}
	p := parser{doc: doc}
	at := func(field string) Problem { return Problem{Field: field, Line: p.line(field)} }
	for _, rel := range m.Skills {
		c.Skills = append(c.Skills, part(root, rel, at("skills"), mustBeFolder))
	}
	for _, rel := range m.Commands {
		c.Commands = append(c.Commands, part(root, rel, at("commands"), mustBeCommands))
	}
	return c
}

// cause is err without a path, which the caller names.
func cause(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// part looks up one path; what lies there is judged by its kind. A problem is
// that of the field at.
func part(root, rel string, at Problem, judge func(Part) (msg, hint string)) Part {
	p := Part{Rel: filepath.FromSlash(rel)}
	real, err := inside(root, p.Rel)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	if err != nil {
		at.Msg, at.Hint = fmt.Sprintf("the path %.200q leads nowhere: %v", p.Rel, cause(err)), "correct the path, or remove it"
	} else {
		p.IsDir = info.IsDir()
		at.Msg, at.Hint = judge(p)
	}
	if at.Msg != "" {
		p.Problem = &at
	}
	return p
}

func mustBeFolder(p Part) (msg, hint string) {
	if p.IsDir {
		return "", ""
	}
	folder := "./"
	if dir := filepath.ToSlash(filepath.Dir(p.Rel)); dir != "." {
		folder += dir
	}
	return fmt.Sprintf("the path %.200q is a file", p.Rel), fmt.Sprintf("name its folder: %q", folder)
}

func mustBeCommands(p Part) (msg, hint string) {
	if p.IsDir || strings.HasSuffix(filepath.Base(p.Rel), ".md") {
		return "", ""
	}
	return fmt.Sprintf("the path %.200q is no .md file", p.Rel), "name a folder of commands, or one .md file"
}

// inside returns where rel leads, which must be in the plugin.
func inside(plugin, rel string) (real string, err error) {
	root, err := filepath.EvalSymlinks(plugin)
	if err != nil {
		return "", err
	}
	if real, err = filepath.EvalSymlinks(filepath.Join(root, rel)); err != nil {
		return "", err
	}
	if in, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(in) {
		return "", &fs.PathError{Op: "open", Path: filepath.Join(plugin, rel), Err: readfile.ErrEscapes}
	}
	return real, nil
}
