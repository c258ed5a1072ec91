package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// touchJSON is an activation as --json prints it.
type touchJSON struct {
	Unlocked   []skillJSON    `json:"unlocked"`
	Discovered []skillJSON    `json:"discovered"`
	Issues     []skills.Issue `json:"issues"`
}

// touch prints what becomes available when the work touches the paths.
func touch(ctx context.Context, a *app, touched []string) error {
	c, err := a.converse(ctx)
	if err != nil {
		return err
	}
	defer c.close()
	act := c.Touch(ctx, touched...)
	if a.flags.json {
		writeJSON(a.out, touchJSON{skillsOf(act.Unlocked), skillsOf(act.Discovered), list0(act.Issues)})
		return nil
	}
	r := reasons{a, c.reg, act, touched}
	if err := r.print(ctx); err != nil {
		return err
	}
	printIssues(a.out, act.Issues)
	return nil
}

func skillsOf(all []*skills.Skill) []skillJSON {
	out := make([]skillJSON, len(all))
	for i, s := range all {
		out[i] = skillOf(s)
	}
	return out
}

// reasons says which of the touched paths made each skill available. An
// activation does not: it is that of all paths together. So each path is tried
// on its own.
type reasons struct {
	*app
	reg     *skills.Registry
	act     skills.Activation
	touched []string
}

func (r *reasons) print(ctx context.Context) error {
	all := slices.Clone(r.act.Unlocked)
	for _, s := range r.act.Discovered {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, s := range all {
		why, err := r.of(ctx, s)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.out, "%s: %s\n", s.Name, oneLine(why))
	}
	if len(all) == 0 {
		fmt.Fprintln(r.out, "nothing new")
	}
	return nil
}

// of says in words how s became available.
func (r *reasons) of(ctx context.Context, s *skills.Skill) (string, error) {
	var parts []string
	if slices.Contains(r.act.Discovered, s) {
		parts = append(parts, fmt.Sprintf("found in %s/ by %s", s.Owner, r.finder(ctx, s)))
	}
	if slices.Contains(r.act.Unlocked, s) {
		key, err := r.key(ctx, s)
		if err != nil {
			return "", err
		}
		parts = append(parts, fmt.Sprintf("unlocked by %s, which matches %s", key, strings.Join(s.Paths, ", ")))
	}
	return strings.Join(parts, "; "), nil
}

// finder returns the first path that leads to the folder of s.
func (r *reasons) finder(ctx context.Context, s *skills.Skill) string {
	return r.first(func(path string) bool {
		probe := r.reg.NewSession("probe", nil)
		probe.Touch(ctx, path)
		for found := range probe.Skills(skills.CallerHost) { // locked ones too
			if found.Path == s.Path {
				return true
			}
		}
		return false
	})
}

// key returns the first path that the patterns of s match.
func (r *reasons) key(ctx context.Context, s *skills.Skill) (string, error) {
	m, err := r.matcher(ctx, s.Paths)
	if err != nil {
		return "", err
	}
	defer m.close()
	return r.first(func(path string) bool { return m.match(ctx, path) }), nil
}

func (r *reasons) first(is func(path string) bool) string {
	if i := slices.IndexFunc(r.touched, is); i >= 0 {
		return r.touched[i]
	}
	return "the paths" // files may change between the touch and the trial
}
