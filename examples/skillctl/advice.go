package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bundled"
)

// How much is done to find a name in nested folders: it is only for a hint.
const (
	maxLook    = 20_000 // files and folders to look at
	maxProbes  = 50     // folders with skills to read
	maxFolders = 3      // folders to name
)

// advised gives an error about a name that nothing answers to a hint with the
// flag that would help, if one would.
func (a *app) advised(ctx context.Context, c *conversation, name string, err error) error {
	var e *skills.Error
	if !errors.As(err, &e) || e.Code != skills.CodeNotFound {
		return err
	}
	out := *e
	a.advise(ctx, c, name, &out.Issue)
	return &out
}

// advise is advised for an issue.
func (a *app) advise(ctx context.Context, c *conversation, name string, i *skills.Issue) {
	if i.Code != skills.CodeNotFound {
		return
	}
	defer a.working("looking for the name")()
	var hints []string
	for _, hint := range []string{a.nestedHint(ctx, c, name), a.flags.bundledHint(name)} {
		if hint != "" {
			hints = append(hints, hint)
		}
	}
	if len(hints) > 0 { // the very name says more than near ones do
		i.Hint = strings.Join(hints, "; or ")
	}
}

// bundledHint says what opens the bundled skill of that name, if it is not
// there.
func (f *flags) bundledHint(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "/"), "bundled:")
	absent, add := bundled.All(), "add --bundled"
	if f.bundled {
		absent, add = f.bundledOptions().Missing(), "add"
	}
	i := slices.IndexFunc(absent, func(i bundled.Info) bool { return i.Name == name })
	if i < 0 {
		return ""
	}
	gates := gatesOf(absent[i])
	if len(gates) == 0 {
		return "it is a bundled skill: " + add
	}
	return fmt.Sprintf("the bundled skill needs %s: %s --feature %s", absent[i].Needs(), add, gates[0])
}

// nestedHint says which folders have a skill of that name that is there once
// the folder is touched. They are tried, so what it says is true.
func (a *app) nestedHint(ctx context.Context, c *conversation, name string) string {
	var found []string
	for _, folder := range a.nested(ctx) {
		probe := c.reg.NewSession("probe", nil)
		probe.Touch(ctx, append(slices.Clone(a.flags.touch), folder)...)
		if _, err := probe.Lookup(name); err == nil {
			found = append(found, word(folder))
		}
		if len(found) == maxFolders {
			break
		}
	}
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("there is one for work in %s: add --touch %s", strings.Join(found, " or "), strings.Join(found, " or --touch "))
}

// word quotes text for a shell if it needs that.
func word(text string) string {
	plain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._/-", r) }
	if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// nested returns folders of the project that have skills of their own, those
// that a walk of bounded length meets.
func (a *app) nested(ctx context.Context) []string {
	var out []string
	w := walk{limit: maxLook, visit: func(path string) {
		if folder := a.flags.ownerOf(path); folder != "" && len(out) < maxProbes && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}}
	if w.run(ctx, a.flags.project) != nil {
		return nil // whoever asks has an error to report
	}
	return out
}

// ownerOf returns the folder below the root whose skills the file at path
// belongs to, or "".
func (f *flags) ownerOf(path string) string {
	brands := f.brands
	if len(brands) == 0 {
		brands = multi{".claude"}
	}
	for _, brand := range brands {
		if folder, _, ok := strings.Cut(path, "/"+brand+"/skills/"); ok {
			return folder
		}
	}
	return ""
}
