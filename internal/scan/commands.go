package scan

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills/internal/readfile"
)

// commands reads every Markdown file below the root (01 §5).
func (s *scanner) commands(ctx context.Context, entries []readfile.Entry) error {
	c := commandWalk{scanner: s, seen: map[string]bool{s.real: true}}
	c.walk(ctx, "", false, entries, 1)
	if len(c.files) > maxEntries {
		s.truncated(s.root, "the directory holds more commands than are read")
	}
	return each(ctx, s, c.files, (*worker).listed)
}

// A commandWalk collects the files of a commands directory; Name in files is
// the path relative to the root.
type commandWalk struct {
	*scanner
	files []readfile.Entry
	seen  map[string]bool // real directories, so that links cannot loop
}

// walk goes through the entries of the folder rel; linked says that a link
// leads there.
func (c *commandWalk) walk(ctx context.Context, rel string, linked bool, entries []readfile.Entry, depth int) {
	for _, e := range entries {
		if ctx.Err() != nil || len(c.files) > maxEntries {
			return
		}
		name := rel + e.Name
		switch {
		case e.Kind != readfile.Directory && isMarkdown(e.Name):
			if e.Name = name; linked {
				e.Kind = readfile.Symlink
			}
			c.files = append(c.files, e)
		case e.Kind == readfile.File || e.Kind == readfile.Other || skippedFolder(e.Name):
		case depth >= c.MaxDepth:
			c.report(Problem{
				Code: "too-deep", Path: c.join(name), Error: true,
				Msg: "the folder lies deeper than commands are looked for", Hint: "move it up",
			})
		default:
			c.descend(ctx, name, depth)
		}
	}
}

// skippedFolder names what no command lies in: packages, dot folders and with
// them the folders of version control.
func skippedFolder(name string) bool {
	return name == "node_modules" || name == "CVS" || strings.HasPrefix(name, ".")
}

func (c *commandWalk) descend(ctx context.Context, rel string, depth int) {
	path := c.join(rel)
	real, err := c.tree.Real(path)
	switch {
	case err != nil:
		c.dangling(path, err)
		return
	case c.outside(real):
		c.escapes(path, real, "")
		return
	case c.seen[real]:
		return
	}
	c.seen[real] = true
	d, err := c.tree.OpenDir(real)
	if err != nil {
		if !isNotDir(err) {
			c.unreadable(path, err)
		}
		return
	}
	defer d.Close()
	entries, err := d.Entries(maxEntries)
	if err != nil {
		c.unreadable(path, err)
	}
	linked := real != c.real+string(filepath.Separator)+rel
	c.walk(ctx, rel+string(filepath.Separator), linked, entries, depth+1)
}

func isMarkdown(name string) bool { return strings.EqualFold(filepath.Ext(name), ".md") }
