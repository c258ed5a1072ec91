package lint

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/names"
)

// Options says how strictly a file is checked, and what it does not say
// itself. The zero value checks a skill for this library and its listing.
type Options struct {
	// Strict adds the rules of the open Agent Skills format (01 §8). They do
	// not apply to command files.
	Strict bool
	// EntryCap is the length in characters from which the listing cuts an
	// entry; default 250 (02 §2).
	EntryCap int
	// Folder is the name of the folder the skill lies in, for a command the
	// name it is invoked by. If empty it is taken from the path; with a path
	// that has none, nothing is said about it. [Path] finds it itself.
	Folder string
	// Command reads the document as a legacy command, a directory as one of
	// commands.
	Command bool
	// Brands are the brand folders that [Path] looks for; default ".claude".
	Brands []string
}

// The defaults of Options.
const (
	defaultEntryCap = 250
	defaultBrand    = ".claude"
)

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.EntryCap <= 0 {
		c.EntryCap = defaultEntryCap
	}
	if len(c.Brands) == 0 {
		c.Brands = []string{defaultBrand}
	}
	return c
}

const (
	skillFile = "SKILL.md"

	layoutSkill   = "skill"
	layoutCommand = "command"
)

// Document checks one file: what [skills.Parse] reports, this package's own
// warnings, and with Options.Strict the open format (01 §8). path goes into the
// issues and is not opened. A nil o means zero options. The issues are sorted
// by line. Time and memory are linear in the length of doc.
func Document(doc []byte, path string, o *Options) []skills.Issue {
	return check(doc, path, "", o)
}

// check is Document for a skill whose place in the project is known: nested is
// the folder of a nested one.
func check(doc []byte, path, nested string, o *Options) []skills.Issue {
	f := newFile(doc, path, o.withDefaults())
	f.nested = nested
	f.loader(doc)
	if f.opts.Strict && !f.opts.Command {
		f.format(doc)
	}
	f.header()
	f.hidden()
	f.body()
	slices.SortStableFunc(f.issues, func(a, b skills.Issue) int { return cmp.Compare(a.Line, b.Line) })
	return f.issues
}

// A file is one document under examination.
type file struct {
	opts   Options
	path   string
	name   string // of the folder or command; "" if unknown
	nested string // the folder below the project's root that a nested skill is for
	text   string // decoded
	head   frontmatter.Document
	skill  *skills.Skill
	issues []skills.Issue
}

func newFile(doc []byte, path string, o Options) *file {
	f := &file{opts: o, path: path, name: o.Folder}
	if f.name == "" {
		f.name = nameFromPath(path, o.Command)
	}
	text, _ := frontmatter.Decode(doc, true)
	f.text = string(text)
	frontmatter.Parse(text, true, frontmatter.Limits{}, &f.head)
	return f
}

// nameFromPath returns the name of the folder of a skill, or that of a command
// file, as far as the path has it.
func nameFromPath(path string, command bool) string {
	if path == "" {
		return ""
	}
	if command {
		base := filepath.Base(path)
		return strings.TrimSuffix(base, filepath.Ext(base))
	}
	switch dir := filepath.Base(filepath.Dir(path)); dir {
	case ".", "..", string(filepath.Separator):
		return ""
	default:
		return dir
	}
}

// loader reports what the loader says of the file and its name.
func (f *file) loader(doc []byte) {
	layout := layoutSkill
	if f.opts.Command {
		layout = layoutCommand
	}
	var issues []skills.Issue
	f.skill, issues = skills.Parse(doc, skills.ParseOptions{
		Name: names.Normalize(f.name), Path: f.path, Layout: layout,
		Source: skills.SourceInfo{ID: "lint", Origin: skills.OriginUser},
	})
	for _, i := range issues {
		if i.Code == "name-differs" && f.name == "" {
			continue
		}
		f.issues = append(f.issues, i)
	}
	if why := names.CheckQualified(f.name); why != "" && f.name != "" {
		f.report(skills.Issue{
			Code: codeBadName, Severity: sevError,
			Msg: fmt.Sprintf("the name %q cannot be used: %s", f.name, why), Hint: "rename it; letters, digits and hyphens always work",
		})
	}
}

// report adds an issue of this file.
func (f *file) report(i skills.Issue) {
	i.Skill, i.Path = f.skill.Name, f.path
	i.Severity = cmp.Or(i.Severity, sevWarning)
	f.issues = append(f.issues, i)
}

// maxRepeats is how often the same is said of one file.
const maxRepeats = 10

// A repeated collects issues that differ only in their line and text, and
// counts those that are too many.
type repeated struct {
	issues []skills.Issue
	more   int
}

// wants reports whether one more issue is to be added, and counts it if not.
func (r *repeated) wants() bool {
	if len(r.issues) < maxRepeats {
		return true
	}
	r.more++
	return false
}

func (r *repeated) add(i skills.Issue) { r.issues = append(r.issues, i) }

// reportAll adds what r collected. Of many, the last tells how many are not
// there.
func (f *file) reportAll(r *repeated) {
	for n, i := range r.issues {
		if r.more > 0 && n == maxRepeats-1 {
			i.Msg += fmt.Sprintf(" (and %d more like it)", r.more)
		}
		f.report(i)
	}
}

// field returns the last field whose key, without regard to letter case, "-"
// and "_", is one of keys; nil without one.
func (f *file) field(keys ...string) *frontmatter.Field {
	for i := range slices.Backward(f.head.Fields) {
		if slices.Contains(keys, foldKey(f.head.Fields[i].Key)) {
			return &f.head.Fields[i]
		}
	}
	return nil
}

// foldKey returns key as the loader compares keys (01 §3).
func foldKey(key string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// bodyLine returns the line in the file of a line of the body; both are
// 1-based.
func (f *file) bodyLine(n int) int { return f.head.BodyLine + n - 1 }
