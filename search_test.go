package skills_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// catalog is a Catalog in memory.
type catalog struct {
	hits []skills.Hit
	docs map[string]string
	err  error // of Find
	ask  func()
}

func (c *catalog) Find(context.Context, string, int) ([]skills.Hit, error) {
	if c.ask != nil {
		c.ask()
	}
	return c.hits, c.err
}

func (c *catalog) Get(_ context.Context, slug string) ([]byte, error) {
	doc, ok := c.docs[slug]
	if !ok {
		return nil, errors.New("no such skill")
	}
	return []byte(doc), nil
}

// found returns the names of a search's hits, best first.
func found(t *testing.T, sess *skills.Session, query string, limit int) string {
	t.Helper()
	hits, err := sess.Search(context.Background(), query, limit)
	require.NoError(t, err)
	var out []string
	for i, h := range hits {
		out = append(out, h.Name)
		assert.False(t, i > 0 && h.Score > hits[i-1].Score, "06 §4: best first")
	}
	return strings.Join(out, ",")
}

func TestSearch(t *testing.T) {
	tree := map[string]string{
		"proj/.claude/skills/pdf/SKILL.md":         skill("", "description: Reads and fills forms", "aliases: [acrobat]"),
		"proj/.claude/skills/forms/SKILL.md":       skill("", "description: Something else"),
		"proj/.claude/skills/sheet/SKILL.md":       skill("Use openpyxl.", "description: Tables", "when_to_use: when cells hold forms of numbers"),
		"proj/.claude/skills/parseHTTP2/SKILL.md":  skill("", "description: d"),
		"proj/.claude/skills/残量/SKILL.md":          skill("", "description: 電池の残量を調べる"),
		"proj/.claude/skills/off/SKILL.md":         skill("", "description: forms", "disable-model-invocation: true"),
		"proj/.claude/skills/locked/SKILL.md":      skill("", "description: forms", "paths: '*.pdf'"),
		"proj/.claude/skills/broken/SKILL.md":      "---\n- forms\n---\nforms\n",
		"proj/.claude/skills/denied/SKILL.md":      skill("", "description: forms"),
		"proj/apps/web/.claude/skills/w/SKILL.md":  skill("", "description: forms for the web"),
		"proj/.claude/skills/equal-b/SKILL.md":     skill("", "description: zebra"),
		"proj/.claude/skills/equal-a/SKILL.md":     skill("", "description: zebra"),
		"proj/.claude/skills/commit-msg/SKILL.md":  skill("", "description: Writes the text of a change"),
		"proj/.claude/skills/fixed-name/SKILL.md":  skill("", "name: Display Label", "description: d"),
		"proj/.claude/skills/unrelated-x/SKILL.md": skill("openpyxl is not what this is about, cells neither.", "description: d"),
	}
	deny := func(o *skills.Options) {
		var err error
		o.Policy.Deny, err = skills.ParseRules("Skill(denied)")
		require.NoError(t, err)
	}
	reg, _ := openTree(t, tree, deny)
	sess := reg.NewSession("", nil)
	for _, c := range []struct{ reason, query, want string }{
		{"06 §4: the exact name first; hidden, locked, broken and denied ones are left out", "forms", "forms,pdf,sheet"},
		{"06 §4: letter case apart", "FORMS", "forms,pdf,sheet"},
		{"06 §4: when-to-use", "cells", "sheet"},
		{"06 §4: an alias is a name", "acrobat", "pdf"},
		{"06 §4: the name in the frontmatter", "display label", "fixed-name"},
		{"06 §4: parts of an identifier", "http", "parseHTTP2"},
		{"06 §4: parts of a name", "commit", "commit-msg"},
		{"06 §4: bigrams of CJK", "残量を調べたい", "残量"},
		{"06 §4: ties by rank, then name", "zebra", "equal-a,equal-b"},
		{"06 §4: bodies are not searched unless the host says so", "openpyxl", ""},
		{"nothing fits", "quantum", ""},
		{"nothing asked", "  ", ""},
	} {
		t.Run(c.reason, func(t *testing.T) { assert.Equal(t, c.want, found(t, sess, c.query, 0)) })
	}
	assert.Equal(t, "forms", found(t, sess, "forms", 1))
	sess.Touch(context.Background(), "a.pdf", "apps/web/x")
	assert.ElementsMatch(t, []string{"forms", "pdf", "sheet", "locked", "w"}, strings.Split(found(t, sess, "forms", 0), ","), "06 §4: what this session unlocked and discovered")
	assert.Equal(t, "forms,pdf,sheet", found(t, reg.NewSession("", nil), "forms", 0), "and no other one")

	with, _ := openTree(t, tree, deny, func(o *skills.Options) { o.SearchBodies = true })
	assert.Equal(t, "sheet,unrelated-x", found(t, with.NewSession("", nil), "openpyxl", 0), "06 §4: the body index")
	assert.Equal(t, "sheet,unrelated-x", found(t, with.NewSession("", nil), "cells", 0), "06 §4: the description weighs more")
}

// A search sees the skills as they are now (06 §4: per snapshot).
func TestSearchFollowsReload(t *testing.T) {
	text := "zebra"
	source := skills.SourceFunc(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, func(context.Context) (skills.Loaded, error) {
		return skills.Loaded{Skills: []*skills.Skill{{Name: "a", Description: text}, {Name: "b", Description: "same"}}}, nil
	})
	reg := open(t, &skills.Options{Sources: []skills.Source{source}})
	sess := reg.NewSession("", nil)
	assert.Equal(t, "a", found(t, sess, "zebra", 0))
	text = "giraffe"
	_, err := reg.Reload(context.Background())
	require.NoError(t, err)
	assert.Empty(t, found(t, sess, "zebra", 0))
	assert.Equal(t, "a", found(t, sess, "giraffe", 0))
}

// Remote skills are found among the local ones, and callable since (06 §3).
func TestRemoteSkills(t *testing.T) {
	const body = "# Hi\n\nCost $1, !`touch x` ${CLAUDE_SKILL_DIR} $ARGUMENTS\n"
	c := &catalog{
		hits: []skills.Hit{{Name: "weather", Description: "Says what the <b>weather</b> will be\nsoon"}, {Name: "pdf", Description: "Forms, remotely"}},
		docs: map[string]string{"weather": body, "pdf": "x"},
	}
	reg, _ := openTree(t, map[string]string{
		"proj/.claude/skills/pdf/SKILL.md": skill("local", "description: Fills forms"),
	}, func(o *skills.Options) { o.Catalog = c; o.Locations.TrustProject = true })
	sess := reg.NewSession("", nil)
	ctx := context.Background()
	inv := skills.NewInvoker(sess, &skills.InvokerOptions{Shell: func(context.Context, skills.Command) (skills.CommandResult, error) {
		t.Error("a remote skill ran a command")
		return skills.CommandResult{}, nil
	}})
	call := skills.Call{Name: "_canonical_weather", Args: "abc"}

	_, err := inv.Invoke(ctx, call)
	require.ErrorIs(t, err, skills.CodeNotDiscovered, "06 §3: not before a search has found it")
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "_canonical_weather", e.Skill, "with the slug")
	_, err = sess.Lookup("_canonical_weather")
	require.ErrorIs(t, err, skills.CodeNotDiscovered)

	assert.Equal(t, "_canonical_weather,_canonical_pdf", found(t, sess, "weather", 0), "what the catalogue knows better comes behind")
	assert.Equal(t, []string{"pdf project"}, all(reg), "06 §3: never in the snapshot")
	out, err := inv.Invoke(ctx, call)
	require.NoError(t, err)
	in := out.(*skills.Inline)
	assert.Equal(t, body, skills.Text(in.Content), "04 §2: the body verbatim")
	assert.Equal(t, skills.Modifier{Owner: in.Modifier.Owner, Untrusted: true}, in.Modifier, "00: nothing is granted")
	assert.Equal(t, skills.OriginRemote, in.Record.Origin)

	other := reg.NewSession("", nil)
	_, err = other.Lookup("_canonical_weather")
	require.ErrorIs(t, err, skills.CodeNotDiscovered, "06 §3: in this session")
	_, err = sess.Child("c", nil).Lookup("_canonical_weather")
	require.ErrorIs(t, err, skills.CodeNotDiscovered, "nor in a sub-agent's")

	s, err := sess.Lookup("pdf")
	require.NoError(t, err)
	assert.Equal(t, skills.OriginProject, s.Origin, "06 §3: never shadows anything")
	assert.Equal(t, "pdf,_canonical_pdf,_canonical_weather", found(t, sess, "forms", 0), "ranked by one measure")

	state, err := sess.Export()
	require.NoError(t, err)
	back, err := reg.RestoreSession(state, nil)
	require.NoError(t, err)
	out, err = skills.NewInvoker(back, nil).Invoke(ctx, call)
	require.NoError(t, err, "it travels with the session")
	assert.Equal(t, body, skills.Text(out.(*skills.Inline).Content))
	sess.Reset()
	_, err = sess.Lookup("_canonical_weather")
	require.NoError(t, err, "compaction forgets no discovery")
	sess.Forget()
	_, err = sess.Lookup("_canonical_weather")
	require.ErrorIs(t, err, skills.CodeNotDiscovered)

	text, err := sess.SearchTool(ctx, []byte(`{"query":"weather","limit":1}`))
	require.NoError(t, err)
	assert.Equal(t, "_canonical_weather: Says what the &lt;b&gt;weather&lt;/b&gt; will be soon", text, "02 §1: clean")
	_, err = sess.Lookup("_canonical_weather")
	require.NoError(t, err, "06 §4: the tool marks what it returned as discovered")
	_, err = sess.Lookup("_canonical_pdf")
	require.ErrorIs(t, err, skills.CodeNotDiscovered, "and nothing it did not return")
}

// Deny and ask come before the rule that allows remote skills (06 §3, 04 §5).
func TestRemotePermission(t *testing.T) {
	c := &catalog{hits: []skills.Hit{{Name: "a", Description: "d"}}, docs: map[string]string{"a": "x"}}
	for _, k := range []struct {
		reason string
		policy skills.Policy
		found  string
		code   skills.Code // of the call after a search under no policy
		ask    bool
	}{
		{reason: "inert text is allowed", found: "_canonical_a"},
		{reason: "deny", policy: skills.Policy{Deny: rules(t, "Skill(_canonical_:*)")}, code: skills.CodeDenied},
		{reason: "ask", policy: skills.Policy{Ask: rules(t, "Skill(_canonical_a)")}, found: "_canonical_a", ask: true},
		{reason: "deny is the default", policy: skills.Policy{DefaultDeny: true}, found: "_canonical_a", ask: true},
		{reason: "an allow-list without it", policy: skills.Policy{Only: []string{"b"}}, code: skills.CodeNotInvocable},
		{reason: "switched off", policy: skills.Policy{Overrides: map[string]skills.Visibility{"_canonical_a": skills.VisibleOff}}, code: skills.CodeNotInvocable},
	} {
		t.Run(k.reason, func(t *testing.T) {
			reg := open(t, &skills.Options{Catalog: c})
			assert.Equal(t, k.found, found(t, reg.NewSession("", &skills.SessionOptions{Policy: k.policy}), "a", 0))
			sess := reg.NewSession("", nil)
			found(t, sess, "a", 0)
			sess.UpdatePolicy(func(p *skills.Policy) { *p = k.policy })
			p, err := skills.NewInvoker(sess, nil).Permit(context.Background(), skills.Call{Name: "_canonical_a"})
			if k.code != "" {
				require.ErrorIs(t, err, k.code)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, k.ask, p.Ask)
		})
	}
}

func rules(t *testing.T, list ...string) []skills.Rule {
	t.Helper()
	out, err := skills.ParseRules(list...)
	require.NoError(t, err)
	return out
}

// Whatever a catalogue answers, it is no more than text and a slug (06 §3, B11).
func TestCatalogMisbehaves(t *testing.T) {
	ctx := context.Background()
	var reg *skills.Registry
	c := &catalog{docs: map[string]string{"big": strings.Repeat("x", 1<<20+1)}}
	reg = open(t, &skills.Options{Catalog: c, Sources: []skills.Source{
		skills.StaticSource(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, &skills.Skill{Name: "local", Description: "zebra"}),
	}})
	sess := reg.NewSession("", nil)

	for _, slug := range []string{"", "-a", "A", "a/b", "../a", "a_b", "é", "a b", "_canonical_a", strings.Repeat("a", 65)} {
		c.hits = append(c.hits, skills.Hit{Name: slug, Description: "zebra"})
	}
	assert.Equal(t, "local", found(t, sess, "zebra", 100), "06 §3: a name that is no slug")
	c.hits = []skills.Hit{{Name: "a"}, {Name: "a"}, {Name: strings.Repeat("b", 64)}, {Name: "big", Description: strings.Repeat("y ", 1<<20)}}
	assert.Equal(t, "local,_canonical_a,_canonical_"+c.hits[2].Name+",_canonical_big", found(t, sess, "zebra", 100), "each once")
	state, err := sess.Export()
	require.NoError(t, err)
	assert.Less(t, len(state), 4<<10, "a long description is cut")
	_, err = skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "_canonical_big"})
	require.ErrorIs(t, err, skills.CodeUnreadable, "06 §3: at most 1 MiB")
	_, err = skills.NewInvoker(sess, nil).Invoke(ctx, skills.Call{Name: "_canonical_a"})
	require.ErrorIs(t, err, skills.CodeUnreadable, "what cannot be fetched")

	for name, f := range map[string]func(){
		"fails":     func() { c.err = errors.New("down") },
		"panics":    func() { c.err, c.ask = nil, func() { panic("x") } },
		"re-enters": func() { c.ask = func() { reg.Snapshot(); sess.Touch(ctx, "a"); _, _ = sess.Export() } },
	} {
		t.Run(name, func(t *testing.T) {
			c.err, c.ask = nil, nil
			f()
			hits, err := sess.Search(ctx, "zebra", 0)
			assert.Equal(t, "local", hits[0].Name, "local hits are there all the same")
			text, toolErr := sess.SearchTool(ctx, []byte(`{"query":"zebra"}`))
			require.NoError(t, toolErr)
			if name == "re-enters" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, skills.CodeUnreadable)
			assert.Contains(t, text, "local: zebra\n(The catalogue")
			_, toolErr = sess.SearchTool(ctx, []byte(`{"query":"nothing"}`))
			require.ErrorIs(t, toolErr, skills.CodeUnreadable)
		})
	}
	c.err, c.ask, c.hits = nil, nil, nil
	for i := range 600 {
		c.hits = append(c.hits, skills.Hit{Name: fmt.Sprint("n", i)})
	}
	hits, err := sess.Search(ctx, "n", 600)
	require.NoError(t, err)
	for _, h := range hits {
		if h.Origin == skills.OriginRemote {
			_, err = sess.Lookup(h.Name)
			require.NoError(t, err, "06 §3: what a search returns can be called")
		}
	}
	assert.Len(t, hits, 500, "bounded")
	c.hits = nil
	for i := range 100 {
		c.hits = append(c.hits, skills.Hit{Name: fmt.Sprint("m", i)})
	}
	found(t, sess, "m", 100)
	_, err = sess.Lookup(hits[0].Name)
	require.NoError(t, err, "the best of those before stay")
	_, err = sess.Lookup(hits[499].Name)
	require.ErrorIs(t, err, skills.CodeNotDiscovered, "the least go")
}

// Forget counts for a search that is under way (03 §1).
func TestForgetDuringSearch(t *testing.T) {
	c := &catalog{hits: []skills.Hit{{Name: "r"}}}
	sess := open(t, &skills.Options{Catalog: c}).NewSession("", nil)
	c.ask = sess.Forget
	found(t, sess, "r", 0)
	_, err := sess.Lookup("_canonical_r")
	require.ErrorIs(t, err, skills.CodeNotDiscovered)
}

// Models write numbers in several ways (06 §4).
func TestSearchToolLimit(t *testing.T) {
	sess := static(t, skills.OriginUser, &skills.Skill{Name: "a", Description: "zebra"}, &skills.Skill{Name: "b", Description: "zebra"}).NewSession("", nil)
	for in, want := range map[string]int{`1`: 1, `1.0`: 1, `"1"`: 1, `null`: 2, `0`: 2, `-3`: 2, `1e9`: 2} {
		out, err := sess.SearchTool(context.Background(), []byte(`{"query":"zebra","limit":`+in+`}`))
		require.NoError(t, err, in)
		assert.Len(t, strings.Split(out, "\n"), want, in)
	}
	for _, in := range []string{`1.5`, `"many"`, `[1]`, `{}`, `true`} {
		_, err := sess.SearchTool(context.Background(), []byte(`{"query":"zebra","limit":`+in+`}`))
		require.ErrorIs(t, err, skills.CodeInvalid, in)
		assert.Contains(t, err.Error(), "limit", in)
	}
}

// A host's engine finds the local skills; what it says is checked (06 §4).
func TestSearcherAndCatalog(t *testing.T) {
	c := &catalog{hits: []skills.Hit{{Name: "r"}}}
	var answer []skills.Hit
	reg := open(t, &skills.Options{
		Catalog: c, Sources: []skills.Source{skills.StaticSource(
			skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, &skills.Skill{Name: "a"}, &skills.Skill{Name: "b", DisableModelInvocation: true},
		)},
		Searcher: func(context.Context, *skills.Session, string, int) ([]skills.Hit, error) { return answer, nil },
	})
	answer = []skills.Hit{{Name: "b", Score: 3}, {Name: "no", Score: 2}, {Name: "_canonical_r", Score: 2}, {Name: "a", Score: 1}, {Name: "a"}}
	sess := reg.NewSession("", nil)
	assert.Equal(t, "a,_canonical_r", found(t, sess, "q", 0))
	assert.Len(t, answer, 5, "the host's slice is left alone")
	assert.Equal(t, "a", found(t, reg.NewSession("", nil), "q", 1))
}

// The note of a listing of names (06 §4).
func TestNamesNote(t *testing.T) {
	sess := static(t, skills.OriginUser, &skills.Skill{Name: "a", Description: strings.Repeat("x", 100)}, &skills.Skill{Name: "b", Description: "y"}).NewSession("", nil)
	for _, c := range []struct {
		reason, note string
		budget       int
		want         string
	}{
		{"an option: off", "", 9, "- b\n</system-reminder>"},
		{"names only", "Ask {search}.", 9, "- b\nAsk SkillSearch.\n</system-reminder>"},
		{"there is room for texts", "Ask {search}.", 1000, "- b: y\n</system-reminder>"},
		{"02 §2, 06 §4: names are left out, and the closing line says what to do", "Ask {search}.", 7, "- a\n+1\n</system-reminder>"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			n := skills.NewLister(sess, &skills.ListerOptions{Budget: c.budget, NamesNote: c.note, HardBudget: true, Closing: "+{n}"}).Next()
			assert.Contains(t, n.Text, c.want)
		})
	}
}

// A server's alias answers to nothing: it would come before the label of a
// local skill (00, trust matrix).
func TestForeignAliases(t *testing.T) {
	reg := open(t, &skills.Options{Sources: []skills.Source{
		skills.StaticSource(skills.SourceInfo{ID: "u", Origin: skills.OriginUser}, &skills.Skill{Name: "mine", DisplayName: "tidy"}),
		skills.StaticSource(skills.SourceInfo{ID: "m", Owner: "srv", Origin: skills.OriginMCP}, &skills.Skill{Name: "srv:theirs", Aliases: []string{"tidy"}}),
	}})
	s, err := reg.NewSession("", nil).Lookup("tidy")
	require.NoError(t, err)
	assert.Equal(t, "mine", s.Name)
}
