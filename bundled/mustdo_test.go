package bundled_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// A duty is something that the text of a skill must say (05 §3). Line breaks
// and letter case do not count.
type duty struct {
	skill  string
	says   []string
	reason string
}

func duties() []duty {
	return []duty{
		{"update-config", []string{"| user |", "| project |", "| local |", "~/.acme/conf.json", ".acme/conf.mine.json"}, "find the right file and scope"},
		{"update-config", []string{"Read before you write", "read the whole file"}, "read before write"},
		{"update-config", []string{"## 3. Merge", "never write a list anew"}, "merge instead of replace"},
		{"update-config", []string{"jq empty", "python3 -m json.tool"}, "validate the JSON"},
		{"update-config", []string{`"permissions"`, `"env"`, `"hooks"`, "`deny` beats `ask`", "PreToolUse"}, "explain permissions, env and hooks keys"},
		{"update-config", []string{"## 4. Verify", "Try it where that is harmless"}, "verify afterwards"},

		{"keybindings", []string{"| chord |", "ctrl+k ctrl+s"}, "chord syntax"},
		{"keybindings", []string{"### Contexts", "inner context beats"}, "contexts"},
		{"keybindings", []string{"Look for conflicts"}, "conflicts"},
		{"keybindings", []string{"### Reserved keys", "`ctrl+c`", "`ctrl+d`"}, "reserved keys"},
		{"keybindings", []string{"Let the user test"}, "test"},
		{"keybindings", []string{"~/.acme/keys.json", "show the bindings that are in force"}, "view, too"},

		{"debug", []string{"## Debug logging", "whether debug logging is on"}, "switch on debug logging if off"},
		{"debug", []string{"group errors and warnings"}, "group errors and warnings"},
		{"debug", []string{"hypotheses", "**Cause**"}, "diagnose the described problem"},

		{"simplify", []string{"git diff HEAD", "edited in this conversation"}, "find the changed code: diff against the base or recently edited files"},
		{"simplify", []string{"three agents", "at the same time", "### Review 1: reuse", "### Review 2: quality", "### Review 3: efficiency"}, "three reviews in parallel"},
		{"simplify", []string{"redundant state", "parameter sprawl", "copy and paste", "needless comments"}, "what quality means"},
		{"simplify", []string{"repeated work", "missed concurrency", "hot paths", "leaks"}, "what efficiency means"},
		{"simplify", []string{"Decide, then fix", "**Leave** it if"}, "fix what is worth it"},

		{"batch", []string{"## Phase 1: research and plan", "## Phase 2: start the workers", "## Phase 3: keep track"}, "three phases"},
		{"batch", []string{"`begin_plan` tool", "in the **foreground**", "`show_plan` tool"}, "plan mode with a foreground agent"},
		{"batch", []string{"5 to 30 independent units"}, "5–30 independent units"},
		{"batch", []string{"end-to-end check"}, "an end-to-end check recipe"},
		{"batch", []string{"one agent for each unit", "in the background, in a worktree of its own"}, "one background agent per unit in its own worktree"},
		{"batch", []string{"1. Implement", "2. Simplify", "3. Test", "4. Commit", "push", "5. Open a pull request", "`PR: <url>`"}, "the steps of each, with the last line"},
		{"batch", []string{"| # | unit | status | PR |", "from the agents' results"}, "a status table kept current from the results"},

		{"verify", []string{"`cli.md`", "`server.md`", "`ui.md`", "scripts/capture.sh", "scripts/wait_for.py", "scripts/drive_pty.py"}, "pick a recipe; verification scripts"},
		{"verify", []string{"## 3. Build", "## 4. Exercise", "## 5. Keep evidence", "## 7. Report"}, "build, exercise, capture evidence, report"},
		{"verify", []string{"without a base directory"}, "05 §2: it works when the extraction failed"},

		{"skillify", []string{"### Round 1", "### Round 2", "### Round 3", "### Round 4", "`ask_person` tool"}, "four rounds through the ask-user tool"},
		{"skillify", []string{"- Name:", "- Description:", "success criteria of the whole"}, "round 1"},
		{"skillify", []string{"The steps as a numbered list", "- Arguments:", "context: fork", "Where to save it"}, "round 2"},
		{"skillify", []string{"Success criterion", "What does it produce", "Is a human needed", "at the same time as others"}, "round 3"},
		{"skillify", []string{"Phrases that users say", "Edge cases"}, "round 4"},
		{"skillify", []string{"where the user corrected you"}, "attention to corrections"},
		{"skillify", []string{"Every step has its success criterion", "3a, 3b", "`[human]`", "least privilege", "`run_command(gh:*)`, not `run_command`"}, "the rules of the file"},
		{"skillify", []string{"### Session memory", "### What the user wrote since the last compaction"}, "both injected contexts"},

		{"remember", []string{"ACME.md", "ACME.mine.md", "~/.acme/notes`", "~/.acme/notes/team"}, "the memory layers"},
		{"remember", []string{"**promote**", "**move**", "**merge**", "**delete**"}, "promote, move, dedupe, delete"},
		{"remember", []string{"Nothing is written before the user has agreed"}, "ask before writing"},

		{"stuck", []string{"ps -axo", "stat,pcpu"}, "processes, CPU and state"},
		{"stuck", []string{"stacks by language", "/proc/PID/stack"}, "stacks"},
		{"stuck", []string{"## 4. Read the log"}, "logs"},
		{"stuck", []string{"Do not kill", "without the user's consent"}, "no killing without consent"},
		{"stuck", []string{"## 6. Report"}, "report"},

		{"dream", []string{"## 1. Orient", "## 2. Gather the recent signal", "## 3. Merge", "## 4. Prune and index"}, "orient, gather, merge, prune"},
		{"dream", []string{"below 200 lines"}, "keep the index small"},

		{"hunter", []string{"## 2. Hunt", "## 3. Prove each", "## 4. Rank", "## 5. Report"}, "find, prove each, rank, report"},

		{"loop", []string{"`every` tool", "Run it once, now", "how to stop"}, "schedule through the host tool, run once at once, say how to stop"},

		{"schedule", []string{"## Create", "## List", "## Change", "## Run now"}, "create, list, change, run"},
		{"schedule", []string{"**in UTC**", "local time − offset", "`0 3 * * 2-6`"}, "cron in UTC from local time"},
		{"schedule", []string{"Confirm before creating"}, "confirm before creating"},

		{"claude-api", []string{"x-api-key", "anthropic-version: 2026-10-21", "/v1/messages"}, "the request"},
		{"claude-api", []string{"### Model choice", "`acme-model-7`"}, "model choice, through the host"},
		{"claude-api", []string{"message_start", "content_block_delta", "message_stop"}, "streaming"},
		{"claude-api", []string{"tool_use_id", "is_error"}, "tools"},
		{"claude-api", []string{"cache_control", "cache_read_input_tokens"}, "caching"},
		{"claude-api", []string{"overloaded_error", "retry-after"}, "errors"},
		{"claude-api", []string{"/v1/messages/batches", "custom_id", "/v1/messages/count_tokens"}, "batches and counting"},

		{"claude-in-chrome", []string{"## 1. Tabs first"}, "tabs first"},
		{"claude-in-chrome", []string{"## 2. Read before you act"}, "read before acting"},
		{"claude-in-chrome", []string{"**Console**", "**Network**"}, "console and network debugging"},
		{"claude-in-chrome", []string{"## 5. Record"}, "recordings"},
		{"claude-in-chrome", []string{"## 3. What not to trigger", "`alert`"}, "what not to trigger"},

		{"run-skill-generator", []string{"## 1. Discover"}, "discover how the application starts"},
		{"run-skill-generator", []string{"## 2. Start it", "## 5. Prove the recipe"}, "verify by starting it"},
		{"run-skill-generator", []string{"`run/SKILL.md` in `.acme/recipes`"}, "save the recipe"},
	}
}

func TestMustDo(t *testing.T) {
	o := all(acme())
	s := open(t, o, repository(t))
	texts := make(map[string]string)
	for _, sk := range load(t, o) {
		texts[sk.Name] = fold(invoke(t, s, skills.Call{Name: sk.Name, Args: sample(sk.Name)}))
	}
	covered := make(map[string]bool)
	for _, d := range duties() {
		require.NotEmpty(t, d.reason)
		covered[d.skill] = true
		for _, phrase := range d.says {
			assert.Contains(t, texts[d.skill], fold(phrase), "05 §3, %s: %s", d.skill, d.reason)
		}
	}
	for name := range texts {
		assert.True(t, covered[name] || name == "lorem-ipsum", "%s has duties", name)
		if name != "lorem-ipsum" {
			assert.Regexp(t, `done when|the report`, texts[name], "%s says when it has succeeded", name)
		}
	}
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Texts for experts have a certain length, and none is bloated.
func TestLengths(t *testing.T) {
	for _, r := range table() {
		doc, err := os.ReadFile(filepath.Join("skills", r.name, "SKILL.md"))
		require.NoError(t, err)
		lines := strings.Count(string(doc), "\n")
		assert.LessOrEqual(t, lines, 200, r.name)
		if r.name != "lorem-ipsum" {
			assert.GreaterOrEqual(t, lines, 60, r.name)
		}
	}
}

// The texts keep to one spelling, and name no model that would age.
func TestSpellingAndAge(t *testing.T) {
	american := []string{"behavior", " color", "organize", "recognize", "summarize", "optimize", "analyze", "center ", "favorite", "canceled by", "license "}
	err := filepath.WalkDir(".", func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".md" {
			return err
		}
		doc, err := os.ReadFile(p)
		require.NoError(t, err)
		text := strings.ToLower(string(doc))
		for _, w := range american {
			assert.NotContains(t, text, w, p)
		}
		assert.NotRegexp(t, `claude-(opus|sonnet|haiku|instant|[0-9])`, text, "%s: models are named by the host", p)
		return nil
	})
	require.NoError(t, err)
}
