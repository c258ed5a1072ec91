package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bundled"
)

// The values of --feature that are no feature.
const (
	featureAll  = "all"
	featureNone = "none"
)

// features lists the gates of bundled skills that --feature opens, by name:
// what a host has, and the check that its browser is there.
func features() []string {
	var out []string
	for _, i := range bundled.All() {
		out = append(out, gatesOf(i)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gatesOf returns what opens a bundled skill, any one of them.
func gatesOf(i bundled.Info) []string {
	if i.Check != "" {
		return []string{i.Check}
	}
	return i.Features
}

// checkFeatures looks at what --bundled and --feature say.
func (f *flags) checkFeatures() error {
	known := append(features(), featureAll, featureNone)
	for _, name := range f.features {
		if slices.Contains(known, name) {
			continue
		}
		hint := meant(name, known, "")
		if hint == "" {
			hint = "; use one of " + strings.Join(known, ", ")
		}
		return fmt.Errorf("--feature: unknown feature %q%s", name, hint)
	}
	if len(f.features) > 0 && !f.bundled {
		return errors.New("--feature is about bundled skills; add --bundled")
	}
	return nil
}

// gates returns the features that are there, by the flags in their order.
func (f *flags) gates() []string {
	var open []string
	for _, name := range f.features {
		switch name {
		case featureAll:
			open = features()
		case featureNone:
			open = nil
		default:
			open = append(open, name)
		}
	}
	return open
}

// sources returns the bundled skills, if the flags ask for them.
func (f *flags) sources() []skills.Source {
	if !f.bundled {
		return nil
	}
	return []skills.Source{bundled.Source(f.bundledOptions())}
}

// bundledOptions open the gates that the flags name.
func (f *flags) bundledOptions() *bundled.Options {
	o := new(bundled.Options)
	for _, gate := range f.gates() {
		if gate == bundled.CheckBrowser { // only a host's answer opens this one
			o.Checks = map[string]func() bool{gate: func() bool { return true }}
			continue
		}
		o.Features = append(o.Features, gate)
	}
	return o
}
