package lint

import (
	"context"
	"os"
	"path/filepath"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/manifest"
	"github.com/seed-12b313d8/skills/internal/readfile"
)

// codeBadManifest is the one code of what a manifest says wrongly.
const codeBadManifest skills.Code = "bad-manifest"

// plugin checks the root of a plugin: its usual folders, its manifest, and the
// folders that the manifest names beside them (06 §1).
func (l *linter) plugin(ctx context.Context, dir string) error {
	if err := l.brand(ctx, dir); err != nil {
		return err
	}
	source, err := skills.PluginSource(skills.Plugin{Name: "plugin", Root: dir})
	if err != nil {
		return err
	}
	loaded, err := source.Load(ctx)
	if err != nil {
		return cause(err)
	}
	for _, i := range loaded.Issues {
		if i.Code == codeBadManifest {
			l.report(i)
		}
	}
	return l.named(ctx, dir)
}

// named checks the folders that the manifest of the plugin at dir names.
func (l *linter) named(ctx context.Context, dir string) error {
	doc, _, err := readfile.WholeIn(dir, filepath.FromSlash(manifest.Path), maxSize)
	if err != nil {
		return nil // there is none, or the source has said what is wrong with it
	}
	m, _ := manifest.Parse(doc)
	for _, rel := range m.Skills {
		path := filepath.Join(dir, filepath.FromSlash(rel))
		entries, err := os.ReadDir(path)
		switch {
		case err != nil, rel == skillsDir, filepath.Dir(rel) == skillsDir:
			continue // said, or checked, above
		case has(entries, skillFile):
			err = l.skill(ctx, path)
		case rel != ".":
			err = l.skills(ctx, path)
		}
		if err != nil {
			return err
		}
	}
	for _, rel := range m.Commands {
		if path := filepath.Join(dir, filepath.FromSlash(rel)); rel != commandsDir && isDir(path) {
			if err := l.commands(ctx, path); err != nil {
				return err
			}
		}
	}
	return nil
}
