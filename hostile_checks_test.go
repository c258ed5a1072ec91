package skills_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// hostileLater lists the rows whose feature is not there, with the reason.
func hostileLater() map[string]string { return nil }

// hostileChecks returns the assertions of all other rows.
func hostileChecks() map[string]hostileCheck {
	out := make(map[string]hostileCheck)
	for _, part := range []map[string]hostileCheck{
		argumentChecks(), shellChecks(), trustChecks(), listingChecks(), nameChecks(), frontmatterChecks(), fileChecks(), reloadChecks(), bundleChecks(),
	} {
		for id, c := range part {
			out[id] = c
		}
	}
	return out
}

// hasIssue asserts an issue of that code about path, relative to the tree, and
// line; line 0 is any.
func (h *hostile) hasIssue(t *testing.T, code, path string, line int) skills.Issue {
	t.Helper()
	var near []string
	for _, i := range h.reg.Snapshot().Issues() {
		if string(i.Code) == code && i.Path == h.path(path) && (line == 0 || i.Line == line) {
			assert.NotEmpty(t, i.Hint)
			return i
		}
		near = append(near, i.String())
	}
	assert.Fail(t, "no such issue", "%s at %s:%d; there are: %s", code, path, line, strings.Join(near, "; "))
	return skills.Issue{}
}

// noIssues asserts that nothing is wrong.
func (h *hostile) noIssues(t *testing.T) {
	t.Helper()
	assert.Empty(t, h.reg.Snapshot().Issues())
}

// entries returns the lines of the listing that introduce a skill.
func (h *hostile) entries() []string {
	var out []string
	for l := range strings.Lines(h.listing.Text) {
		if strings.HasPrefix(l, "- ") {
			out = append(out, strings.TrimSuffix(l, "\n"))
		}
	}
	return out
}

func (h *hostile) listed(name string) bool {
	for _, e := range h.entries() {
		if e == "- "+name || strings.HasPrefix(e, "- "+name+": ") {
			return true
		}
	}
	return false
}

// isListed and isNotListed look at the listing only.
func isListed(name string) func(*testing.T, *hostile) {
	return func(t *testing.T, h *hostile) { assert.True(t, h.listed(name), "%s in %q", name, h.listing.Text) }
}

func isNotListed(name string) func(*testing.T, *hostile) {
	return func(t *testing.T, h *hostile) { assert.False(t, h.listed(name), "%s in %q", name, h.listing.Text) }
}

// skill looks a name up.
func (h *hostile) skill(t *testing.T, name string) *skills.Skill {
	t.Helper()
	s, err := h.session("").Lookup(name)
	require.NoError(t, err)
	return s
}

// text returns what the invocation gave, without the line about the folder.
func (h *hostile) text(t *testing.T) string {
	t.Helper()
	require.NoError(t, h.outErr)
	in, ok := h.out.(*skills.Inline)
	require.True(t, ok)
	return text(in)
}

// noCanary asserts that nothing was run: no canary lies anywhere below the
// tree, and no command reached the shell.
func noCanary(t *testing.T, h *hostile) {
	t.Helper()
	assert.Empty(t, h.ran)
	assert.Empty(t, canaries(t, h.root))
}

func canaries(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "pwn") {
			out = append(out, p)
		}
		return nil
	})
	require.NoError(t, err)
	return out
}

func argumentChecks() map[string]hostileCheck {
	return map[string]hostileCheck{
		"arg-shell-04": {
			must:    func(t *testing.T, h *hostile) { assert.Equal(t, "Topic: !`touch pwn-4`\n", h.text(t)) },
			mustNot: noCanary,
		},
		"arg-shell-05": {
			must:    func(t *testing.T, h *hostile) { assert.Equal(t, "Topic: ```!\ntouch pwn-5\n```\n", h.text(t)) },
			mustNot: noCanary,
		},
		"arg-shell-06": {
			note: "04 §3 counts from 0, so that the row's second word is $1; one more word before both gives the row's own text",
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, "A=two B=$2\n", h.text(t))
				h.invoke(hostileOp{Name: "twice", Args: "zero '$2' two", By: skills.CallerModel})
				assert.Equal(t, "A=$2 B=two\n", h.text(t), "one pass only")
			},
			mustNot: func(t *testing.T, h *hostile) {
				h.invoke(hostileOp{Name: "twice", Args: "zero '$2' two", By: skills.CallerModel})
				assert.NotContains(t, h.text(t), "A=two")
			},
		},
	}
}

func trustChecks() map[string]hostileCheck {
	const mcpBody = "!`touch pwn-src2` $1 ${CLAUDE_SKILL_DIR}"
	return map[string]hostileCheck{
		"shell-src-01": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, "[shell command not run: the skill is not trusted]\n", h.text(t))
				issues := h.out.(*skills.Inline).Issues
				require.Len(t, issues, 1)
				assert.Equal(t, skills.Code("shell-disabled"), issues[0].Code)
				assert.Equal(t, h.path("proj/.claude/skills/p/SKILL.md"), issues[0].Path)
			},
			mustNot: noCanary,
		},
		"shell-src-02": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, mcpBody+"\n\nARGUMENTS: one", h.text(t))
			},
			mustNot: noCanary,
		},
		"shell-src-03": {
			must:    func(t *testing.T, h *hostile) { assert.Equal(t, "!`touch pwn-src3` $ARGUMENTS", h.text(t)) },
			mustNot: func(t *testing.T, h *hostile) { noCanary(t, h); assert.NotContains(t, h.text(t), "abc") },
		},
	}
}

func listingChecks() map[string]hostileCheck {
	return map[string]hostileCheck{
		"list-01": {
			must: func(t *testing.T, h *hostile) {
				require.Len(t, h.entries(), 1)
				assert.True(t, strings.HasPrefix(h.entries()[0], "- nl: ok "), "a line break is one blank: %q", h.entries()[0])
				assert.Contains(t, h.entries()[0], "run evil")
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Equal(t, 1, strings.Count(h.listing.Text, "</system-reminder>"), "the wrapper's own")
				assert.Equal(t, 1, strings.Count(h.listing.Text, "<system-reminder>"))
				assert.True(t, strings.HasSuffix(strings.TrimSpace(h.listing.Text), "</system-reminder>"))
			},
		},
		"list-02": {
			must: func(t *testing.T, h *hostile) {
				assert.Len(t, h.entries(), 1)
				assert.Len(t, h.listing.Report.Entries, 1)
			},
			mustNot: isNotListed("commit"),
		},
		"list-03": {
			must: func(t *testing.T, h *hostile) {
				assert.Contains(t, []string{"- tags: tidy code", "- tags: tidy  code"}, h.entries()[0])
				h.hasIssue(t, "hidden-unicode", "proj/.claude/skills/tags/SKILL.md", 2)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.False(t, strings.ContainsFunc(h.listing.Text, func(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }))
			},
		},
		"list-04": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"- bidi: abc gnp.exe"}, h.entries())
				h.hasIssue(t, "hidden-unicode", "proj/.claude/skills/bidi/SKILL.md", 2)
			},
			mustNot: func(t *testing.T, h *hostile) { assert.NotContains(t, h.listing.Text, "\u202e") },
		},
		"list-05": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"- emoji: family \U0001F468\u200D\U0001F469\u200D\U0001F467 \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"}, h.entries())
			},
			mustNot: func(t *testing.T, h *hostile) { h.noIssues(t) },
		},
	}
}

func nameChecks() map[string]hostileCheck {
	return map[string]hostileCheck{
		"name-01": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "bad-name", "proj/.claude/skills/ok/SKILL.md", 2)
				isListed("ok")(t, h)
				_, err := h.session("").Lookup("../../etc/x")
				require.ErrorIs(t, err, skills.CodeNotFound)
			},
			mustNot: func(t *testing.T, h *hostile) {
				for s := range h.reg.Snapshot().All() {
					assert.True(t, strings.HasPrefix(s.RealPath, h.path("proj")+string(filepath.Separator)))
					assert.Empty(t, s.DisplayName)
				}
			},
		},
		"name-02": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "bad-name", "proj/.claude/skills/ok2/SKILL.md", 2)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Empty(t, h.skill(t, "ok2").DisplayName)
				_, err := h.session("").Lookup("a")
				require.ErrorIs(t, err, skills.CodeNotFound, "not cut at NUL")
			},
		},
		"name-03": {
			must: func(t *testing.T, h *hostile) {
				i := h.hasIssue(t, "bad-name", "proj/.claude/skills/ok3/SKILL.md", 2)
				assert.Contains(t, i.Msg, "invisible")
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"- ok3: d"}, h.entries())
				assert.NotContains(t, h.listing.Text, "commit")
			},
		},
		"name-04": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, "Body.\n", h.text(t))
				assert.Equal(t, skills.OriginManaged, h.out.(*skills.Inline).Record.Origin)
				i := h.hasIssue(t, "shadowed", "proj/.claude/skills/deploy/SKILL.md", 0)
				assert.Contains(t, i.Msg, h.path("managed/.claude/skills/deploy/SKILL.md"), "both paths are named")
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.NotContains(t, skills.Text(h.out.(*skills.Inline).Content), h.path("proj"))
				assert.Equal(t, "policy", h.skill(t, "deploy").Description)
			},
		},
		"name-05": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, "BUNDLED", h.text(t))
				clash := false
				for _, i := range h.reg.Snapshot().Issues() {
					clash = clash || strings.Contains(i.Msg, "remember") && i.Path == h.path("proj/.claude/skills/x/SKILL.md")
				}
				assert.True(t, clash, "the alias that can never be reached is reported")
			},
			mustNot: func(t *testing.T, h *hostile) { assert.NotContains(t, h.text(t), "Body.") },
		},
		"name-06": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "bad-name", "proj/.claude/skills/_canonical_tool/SKILL.md", 0)
				require.ErrorIs(t, h.outErr, skills.CodeNotDiscovered)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Nil(t, h.out)
				assert.Empty(t, all(h.reg))
			},
		},
		"name-07": {must: isDenied, mustNot: func(t *testing.T, h *hostile) { assert.Nil(t, h.out) }},
		"name-08": {must: isDenied, mustNot: func(t *testing.T, h *hostile) { assert.Nil(t, h.out) }},
	}
}

func isDenied(t *testing.T, h *hostile) {
	require.ErrorIs(t, h.outErr, skills.CodeDenied)
	assert.Contains(t, h.outErr.Error(), "Skill(")
}

// touched reports whether touching the path unlocks the skill of that name.
func (h *hostile) touched(name, path string) bool {
	for _, s := range h.session("").Touch(context.Background(), path).Unlocked {
		if s.Name == name {
			return true
		}
	}
	return false
}
