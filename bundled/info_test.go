package bundled_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/bundled"
)

// All says of each skill what the table of 05 §3 says, and what Source does.
func TestAll(t *testing.T) {
	list := bundled.All()
	require.Len(t, list, len(table()))
	for n, r := range table() {
		i := list[n]
		assert.Equal(t, r.name, i.Name, "by name")
		assert.Equal(t, r.userOnly, i.UserOnly, "%s: who may call", r.name)
		gates := slices.Clone(i.Features)
		if i.Check != "" {
			gates = append(gates, i.Check)
		}
		assert.Equal(t, r.gate, strings.Join(gates, " "), "%s: 05 §3, gate", r.name)

		open := &bundled.Options{Features: i.Features, Skills: []string{i.Name}}
		if i.Check != "" {
			open.Checks = map[string]func() bool{i.Check: func() bool { return true }}
		}
		s := find(t, load(t, open), i.Name)
		assert.Equal(t, i.UserOnly, s.DisableModelInvocation, "%s: what it says opens the skill, and holds for it", r.name)
	}
	list[0].Name, list[1].Features[0] = "changed", "changed"
	assert.NotEqual(t, list[:2], bundled.All()[:2], "the caller owns what All returns")
}

func TestNeeds(t *testing.T) {
	for _, c := range []struct{ skill, want, reason string }{
		{"simplify", "", "always there"},
		{"loop", `feature "triggers"`, "one feature"},
		{"dream", `feature "memory" or "memory-consolidation"`, "one of two"},
		{"claude-in-chrome", `check "browser"`, "a feature of this name opens nothing"},
	} {
		i := slices.IndexFunc(bundled.All(), func(i bundled.Info) bool { return i.Name == c.skill })
		require.GreaterOrEqual(t, i, 0, c.skill)
		assert.Equal(t, c.want, bundled.All()[i].Needs(), c.reason)
	}
}

// Missing and Source agree on what exists, for every single option.
func TestMissing(t *testing.T) {
	yes := func() bool { return true }
	rows := []*bundled.Options{
		nil,
		{},
		all(bundled.Host{}),
		{Skills: []string{}},
		{Skills: []string{"loop", "simplify"}},
		{Features: []string{bundled.CheckBrowser}},
		{Checks: map[string]func() bool{bundled.CheckBrowser: nil}},
		{Checks: map[string]func() bool{"simplify": func() bool { panic("asked") }}},
	}
	for _, i := range bundled.All() {
		for _, f := range append(i.Features, bundled.CheckBrowser) {
			rows = append(rows, &bundled.Options{Features: []string{f}}, &bundled.Options{Checks: map[string]func() bool{f: yes}})
		}
	}
	for _, o := range rows {
		l, err := bundled.Source(o).Load(t.Context())
		require.NoError(t, err)
		got := names(l.Skills)
		for _, i := range o.Missing() {
			assert.NotContains(t, got, i.Name, "%+v", o)
			got = append(got, i.Name)
		}
		slices.Sort(got)
		assert.Equal(t, infoNames(bundled.All()), got, "%+v: every skill is there or missing, none both", o)
	}
	assert.Empty(t, all(bundled.Host{}).Missing())
	assert.Len(t, new(bundled.Options).Missing(), 11)
}

func infoNames(list []bundled.Info) []string {
	var out []string
	for _, i := range list {
		out = append(out, i.Name)
	}
	return out
}
