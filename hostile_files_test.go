package skills_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/fswatch"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// atMost asserts that the load allocated less than n MiB in all.
func atMost(n uint64) func(*testing.T, *hostile) {
	return func(t *testing.T, h *hostile) { assert.Less(t, h.bytes, n<<20, "bytes allocated by the load") }
}

func frontmatterChecks() map[string]hostileCheck {
	return map[string]hostileCheck{
		"fm-01": {
			must: func(t *testing.T, h *hostile) {
				isNotListed("m")(t, h)
				require.ErrorIs(t, h.outErr, skills.CodeNotInvocable)
				h.hasIssue(t, "unclosed-frontmatter", "proj/.claude/skills/m/SKILL.md", 1)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Nil(t, h.out)
				assert.True(t, h.skill(t, "m").DisableModelInvocation)
			},
		},
		"fm-02": {
			must: func(t *testing.T, h *hostile) {
				isNotListed("b")(t, h)
				assert.True(t, h.skill(t, "b").DisableModelInvocation)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Equal(t, "with bom", h.skill(t, "b").Description)
				assert.Equal(t, "x\n", bodyOf(t, h.skill(t, "b")))
			},
		},
		"fm-03": {
			must: isNotListed("blk"),
			mustNot: func(t *testing.T, h *hostile) {
				s := h.skill(t, "blk")
				assert.True(t, s.DisableModelInvocation)
				assert.Equal(t, "first\n---\ndisable", s.Description)
			},
		},
		"fm-04": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "no-frontmatter", "proj/.claude/skills/t/SKILL.md", 1)
			},
			mustNot: func(t *testing.T, h *hostile) {
				s := h.skill(t, "t")
				assert.Empty(t, s.DisplayName)
				assert.NotEqual(t, "toml", s.Description)
			},
		},
		"fm-05": {
			note: "the row's 200 ms are not measured; what it costs is",
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "frontmatter-too-large", "proj/.claude/skills/k/SKILL.md", 1)
				assert.True(t, h.skill(t, "k").Degraded)
			},
			mustNot: atMost(16),
		},
		"fm-06": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "alias-limit", "proj/.claude/skills/laugh/SKILL.md", 6)
				assert.Equal(t, "Body.", h.skill(t, "laugh").Description)
			},
			mustNot: atMost(16),
		},
		"fm-07": {
			must: func(t *testing.T, h *hostile) {
				s := h.skill(t, "deep")
				assert.Equal(t, "d", s.Description, "one odd value costs that field")
				assert.NotEmpty(t, h.reg.Snapshot().Issues())
				h.hasIssue(t, "invalid-yaml", "proj/.claude/skills/deep/SKILL.md", 3)
			},
			mustNot: atMost(64),
		},
		"fm-08": {
			must: func(t *testing.T, h *hostile) {
				s := h.skill(t, "num")
				assert.Equal(t, []string{"3000", "true", "[topic: foo | bar]"}, []string{s.DisplayName, s.WhenToUse, s.ArgumentHint})
				h.hasIssue(t, "bad-field", "proj/.claude/skills/num/SKILL.md", 3)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"- num: a - true"}, h.entries())
				assert.NotContains(t, h.listing.Text, "map[")
			},
		},
		"fm-09": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "bad-boolean", "proj/.claude/skills/dmi/SKILL.md", 3)
				assert.True(t, h.skill(t, "dmi").DisableModelInvocation)
			},
			mustNot: isNotListed("dmi"),
		},
		"fm-10": {
			must: func(t *testing.T, h *hostile) {
				lines := 0
				for _, i := range h.reg.Snapshot().Issues() {
					if i.Path == h.path("proj/.claude/skills/g/SKILL.md") && i.Line == 3 && i.Field == "paths" {
						lines++
					}
				}
				assert.Equal(t, 1, lines, "one issue at line 3")
				assert.Empty(t, h.act.Unlocked)
			},
			mustNot: atMost(16),
		},
		"fm-11": {
			note: "03 A4: a round bracket is a plain character in gitignore, so this pattern can be compiled; the issue only warns",
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "unbalanced", "proj/.claude/skills/gi/SKILL.md", 3)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.False(t, h.touched("gi", "src/other"))
				assert.True(t, h.touched("gi", "src/(broken"), "it does activate")
			},
		},
	}
}

func fileChecks() map[string]hostileCheck {
	goodIsListed := isListed("good")
	return map[string]hostileCheck{
		"fs-01": {
			limit: 10 * time.Second,
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "not-a-regular-file", "proj/.claude/skills/f/SKILL.md", 0)
				goodIsListed(t, h)
			},
			mustNot: isNotListed("f"),
		},
		"fs-02": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "escapes-root", "proj/.claude/skills/z/SKILL.md", 0)
				goodIsListed(t, h)
			},
			mustNot: atMost(16),
		},
		"fs-03": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "too-large", "proj/.claude/skills/s/SKILL.md", 0)
				goodIsListed(t, h)
			},
			mustNot: atMost(16),
		},
		"fs-04": {
			must: func(t *testing.T, h *hostile) {
				i := h.hasIssue(t, "escapes-root", "proj/.claude/skills/e/SKILL.md", 0)
				assert.Contains(t, i.Msg, h.path("outside/secret.md"), "link and target are named")
				isNotListed("e")(t, h)
			},
			mustNot: func(t *testing.T, h *hostile) {
				assert.NotContains(t, h.listing.Text, "TOPSECRET")
				for _, i := range h.reg.Snapshot().Issues() {
					assert.NotContains(t, i.String(), "TOPSECRET")
				}
				_, err := h.session("").Lookup("e")
				require.ErrorIs(t, err, skills.CodeNotFound)
				assert.NotContains(t, err.Error()+h.session("").Explain("e").String(), "TOPSECRET")
			},
		},
		"fs-05": {
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"- shared: shared"}, h.entries())
				assert.Equal(t, h.path("outside/shared/SKILL.md"), h.skill(t, "shared").RealPath)
			},
			mustNot: func(t *testing.T, h *hostile) { h.noIssues(t) },
		},
		"fs-06": {
			must: func(t *testing.T, h *hostile) {
				h.hasIssue(t, "link-loop", "proj/.claude/skills/l1", 0)
				h.hasIssue(t, "link-loop", "proj/.claude/skills/l2", 0)
				goodIsListed(t, h)
			},
			mustNot: func(t *testing.T, h *hostile) { assert.NoError(t, h.loadErr) },
		},
		"fs-07": unreadableCheck(),
		"fs-08": {
			limit: 10 * hangs, // most of it is making the tree's listing
			note:  "the row's 5 s are not measured",
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"good project"}, all(h.reg))
				h.noIssues(t)
			},
			mustNot: atMost(128),
		},
		"fs-09": {
			own: func(t *testing.T, h *hostile) {
				t.Setenv("PATH", h.path("tmp")) // no git binary
				for _, op := range h.row.Action {
					h.do(op)
				}
			},
			must: func(t *testing.T, h *hostile) {
				assert.Empty(t, h.act.Discovered)
				assert.Empty(t, h.act.Unlocked)
				assert.Empty(t, h.act.Issues)
				assert.Empty(t, all(h.reg))
			},
			mustNot: isNotListed("evil"),
		},
	}
}

// unreadableCheck loads the tree of fs-07 as a user whom file modes bind.
func unreadableCheck() hostileCheck {
	var got unprivileged
	return hostileCheck{
		own: func(*testing.T, *hostile) {},
		must: func(t *testing.T, h *hostile) {
			got = runUnprivileged(t, h)
			require.Empty(t, got.Err)
			var about []skills.Issue
			for _, i := range got.Issues {
				if i.Path == h.path("proj/.claude/skills/u/SKILL.md") {
					about = append(about, i)
				}
			}
			require.Len(t, about, 1, "an issue names the path: %v", got.Issues)
			assert.Equal(t, skills.CodeUnreadable, about[0].Code)
			assert.Contains(t, about[0].Msg, "permission denied")
			assert.Contains(t, got.Listing, "- good: g\n")
			assert.Equal(t, string(skills.CodeUnreadable), got.Managed, "a managed place is an error, no empty policy")
		},
		mustNot: func(t *testing.T, _ *hostile) {
			assert.Equal(t, []string{"good project"}, got.Skills)
			assert.NotContains(t, got.Listing, "- u")
		},
	}
}

// reloadChecks watch a file that is cut to nothing, stays so for a while, and
// is then written. The row gives the times; the registry looks more often than
// by default, so that it is bound to see the empty file.
func reloadChecks() map[string]hostileCheck {
	var listings, bodies map[string]int
	return map[string]hostileCheck{
		"reload-01": {
			own: func(_ *testing.T, h *hostile) { listings, bodies, h.failed = watchPartialWrite(h) },
			must: func(t *testing.T, h *hostile) {
				assert.Positive(t, listings["- w: old"])
				assert.Positive(t, listings["- w: new"])
				assert.Equal(t, "new", h.skill(t, "w").Description, "after 2.5 s")
				assert.Positive(t, bodies["OLDBODY\n"])
				assert.Positive(t, bodies["NEWBODY\n"])
			},
			mustNot: func(t *testing.T, _ *hostile) {
				assert.Len(t, listings, 2, "no listing but the old and the new: %v", listings)
				for body := range bodies { // the row allows no empty body; a typed error says that it is being written
					if strings.HasPrefix(body, "skills: ") {
						assert.Contains(t, body, "it is empty, and was not when it was loaded")
						delete(bodies, body)
					}
				}
				assert.Len(t, bodies, 2, "no body but the old and the new: %v", bodies)
			},
		},
		"reload-02": {
			own: watchOverflow,
			must: func(t *testing.T, h *hostile) {
				assert.Equal(t, []string{"- n: n", "- w: old"}, h.entries(), "one full rescan")
			},
			mustNot: func(t *testing.T, h *hostile) { h.skill(t, "n") },
		},
	}
}

// silent is an event source that tells of nothing but errors.
type silent struct{ errors chan error }

func (silent) Add(string) error             { return nil }
func (silent) Remove(string) error          { return nil }
func (silent) Events() <-chan fswatch.Event { return nil }
func (s silent) Errors() <-chan error       { return s.errors }
func (silent) Close() error                 { return nil }

func watchOverflow(t *testing.T, h *hostile) {
	source := silent{make(chan error)}
	for _, op := range h.row.Action {
		switch op.Op {
		case "watch":
			h.reg.OpenEvents(func() (fswatch.Source, error) { return source, nil })
			if h.failed = h.reg.Watch(context.Background(), quick); h.failed != nil {
				return
			}
			t.Cleanup(func() { h.reg.Close() })
		case "fake_watch_error":
			source.errors <- fswatch.ErrOverflow
		case "write_without_event":
			testkit.Write(t, h.root, map[string]string{op.Path: op.Content})
		case "wait_settled":
			eventually(t, h.reg, func() bool { return len(all(h.reg)) == 2 }, "the skill that no event told of")
		default:
			h.do(op)
		}
	}
}

func watchPartialWrite(h *hostile) (listings, bodies map[string]int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	listings, bodies = make(map[string]int), make(map[string]int)
	look := func() {
		s := h.reg.NewSession("s1", nil)
		h.listing = skills.NewLister(s, &skills.ListerOptions{ContextWindow: 200_000}).Next()
		listings[strings.Join(h.entries(), "\n")]++
		out, err := skills.NewInvoker(s, nil).Invoke(ctx, skills.Call{Name: "w"})
		if err != nil {
			bodies[err.Error()]++
			return
		}
		bodies[text(out.(*skills.Inline))]++
	}
	h.load()
	if err := h.reg.Watch(ctx, &skills.WatchOptions{Poll: 20 * time.Millisecond}); err != nil {
		return nil, nil, err
	}
	op := h.row.Action[1]
	if op.Op != "truncate_then_write" {
		return nil, nil, fmt.Errorf("the second step is %q", op.Op)
	}
	look()
	path := h.path(op.Path)
	if err := os.Truncate(path, 0); err != nil {
		return nil, nil, err
	}
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for i := range 125 { // 2.5 s
		<-ticker.C
		if i == 15 { // 300 ms
			if err := os.WriteFile(filepath.Clean(path), []byte(op.Content), 0o644); err != nil {
				return nil, nil, err
			}
		}
		look()
	}
	return listings, bodies, nil
}
