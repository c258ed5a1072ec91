package bundled

import (
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills/internal/line"
)

// A Host is what the texts say about the program they run in (05 §3). The zero
// Host has the defaults of the reference client's tools and folders.
//
// Names and places are shown to the model as they are, save that each becomes
// one line of at most 300 characters, without backquotes, and with "/" for "\".
type Host struct {
	// Product is the program's name; default "the agent".
	Product string
	// LogPath is the absolute path of the session log, which skill debug reads.
	// [KeyLogPath] of a call beats it. "" is none.
	LogPath string
	// Model is the model that skill claude-api writes into programs; with ""
	// the skill says how to look one up.
	Model string
	// Tools are the host's names for its tools, by the Tool constants. "-" says
	// that there is no such tool, and the texts then use plain words. A key that
	// is missing or "" has its default, unless Only is set.
	//
	// The name under [ToolSkill] must be the ToolName of the host's
	// [skills.ListerOptions]: both have the default "Skill", and for both "-" is
	// no such tool.
	Tools map[string]string
	// Paths are the host's places, by the Path constants. "-" says that there is
	// no such place. A key that is missing or "" has its default, unless Only is
	// set.
	Paths map[string]string
	// Only says that Tools and Paths name all that there is: a key that is
	// missing or "" then means the same as "-". Hosts with tools and folders of
	// their own should set it, as the texts otherwise send the model to those of
	// the reference client. An empty Host with Only has no tools and no places.
	Only bool
}

// The keys of Host.Tools. The defaults are those of the reference client.
const (
	ToolAskUser        = "ask-user"        // asks the user; default AskUserQuestion
	ToolSubAgent       = "sub-agent"       // starts a sub-agent; default Agent
	ToolShell          = "shell"           // runs a command; default Bash
	ToolRead           = "read"            // reads a file; default Read
	ToolEdit           = "edit"            // changes a part of a file; default Edit
	ToolWrite          = "write"           // writes a whole file; default Write
	ToolSkill          = "skill"           // runs a skill, as ListerOptions.ToolName; default Skill
	ToolPlanMode       = "plan-mode"       // begins planning without changes; default EnterPlanMode
	ToolExitPlanMode   = "exit-plan-mode"  // shows the plan for approval; default ExitPlanMode
	ToolWorktree       = "worktree"        // gives an agent a worktree; default EnterWorktree
	ToolBrowser        = "browser"         // the browser extension's tools; default claude-in-chrome
	ToolSchedule       = "schedule"        // schedules a prompt in this session; default CronCreate
	ToolUnschedule     = "unschedule"      // ends such a schedule; default CronDelete
	ToolRemoteSchedule = "remote-schedule" // manages remote agents; default RemoteTrigger
)

// The keys of Host.Paths.
const (
	PathUserSettings    = "user-settings"    // default ~/.claude/settings.json
	PathProjectSettings = "project-settings" // default .claude/settings.json
	PathLocalSettings   = "local-settings"   // default .claude/settings.local.json
	PathKeybindings     = "keybindings"      // default ~/.claude/keybindings.json
	PathUserSkills      = "user-skills"      // default ~/.claude/skills
	PathProjectSkills   = "project-skills"   // default .claude/skills
	PathProjectMemory   = "project-memory"   // default CLAUDE.md
	PathLocalMemory     = "local-memory"     // default CLAUDE.local.md
	PathUserMemory      = "user-memory"      // default ~/.claude/CLAUDE.md
	PathAutoMemory      = "auto-memory"      // default ~/.claude/projects/<project>/memory
	PathTeamMemory      = "team-memory"      // default ~/.claude/projects/<project>/memory/team
	PathTranscripts     = "transcripts"      // default ~/.claude/projects/<project>
)

const (
	none           = "-" // the host has no such tool or place
	defaultProduct = "the agent"
	maxValue       = 300 // characters of a name or place
)

// A term is one key of Host.Tools or Host.Paths: its default, what stands
// around the name, and the words for a host that has none.
type term struct{ key, value, before, after, without string }

func toolTerms() []term {
	const the, tool = "the `", "` tool"
	return []term{
		{ToolAskUser, "AskUserQuestion", the, tool, "a plain question in the conversation"},
		{ToolSubAgent, "Agent", the, tool, "whatever runs a sub-agent (if nothing does, do the work yourself, one part after another)"},
		{ToolShell, "Bash", the, tool, "a shell"},
		{ToolRead, "Read", the, tool, "whatever shows you a file"},
		{ToolEdit, "Edit", the, tool, "whatever changes a part of a file"},
		{ToolWrite, "Write", the, tool, "whatever writes a file"},
		{ToolSkill, "Skill", the, tool, "whatever runs a skill"},
		{ToolPlanMode, "EnterPlanMode", the, tool, "a plan in the conversation before anything changes"},
		{ToolExitPlanMode, "ExitPlanMode", the, tool, "a plain request to approve the plan"},
		{ToolWorktree, "EnterWorktree", the, tool, "`git worktree add`"},
		{ToolBrowser, "claude-in-chrome", the, "` tools", "your browser tools"},
		{ToolSchedule, "CronCreate", the, tool, "the host's scheduler"},
		{ToolUnschedule, "CronDelete", the, tool, "the host's scheduler"},
		{ToolRemoteSchedule, "RemoteTrigger", the, tool, "the host's service for remote agents"},
	}
}

func pathTerms() []term {
	const code, without = "`", "no place in this host"
	return []term{
		{PathUserSettings, "~/.claude/settings.json", code, code, without},
		{PathProjectSettings, ".claude/settings.json", code, code, without},
		{PathLocalSettings, ".claude/settings.local.json", code, code, without},
		{PathKeybindings, "~/.claude/keybindings.json", code, code, without},
		{PathUserSkills, "~/.claude/skills", code, code, without},
		{PathProjectSkills, ".claude/skills", code, code, without},
		{PathProjectMemory, "CLAUDE.md", code, code, without},
		{PathLocalMemory, "CLAUDE.local.md", code, code, without},
		{PathUserMemory, "~/.claude/CLAUDE.md", code, code, without},
		{PathAutoMemory, "~/.claude/projects/<project>/memory", code, code, without},
		{PathTeamMemory, "~/.claude/projects/<project>/memory/team", code, code, without},
		{PathTranscripts, "~/.claude/projects/<project>", code, code, without},
	}
}

// say returns the words for t where the host's clean value is v.
func (t term) say(v string) string {
	switch v {
	case none:
		return t.without
	case "":
		v = t.value
	}
	return t.before + v + t.after
}

// name returns the bare name for t. Without one the key must do: it is clear
// to a reader, and a rule with it grants nothing.
func (t term) name(v string) string {
	switch v {
	case none:
		return t.key
	case "":
		return t.value
	}
	return v
}

// clean makes a value one short line that cannot end a code quote (05 §3).
func clean(v string) string {
	v = strings.NewReplacer("`", "'", `\`, "/").Replace(line.Clean(v, line.Options{}))
	return line.Cut(strings.TrimSpace(v), maxValue)
}

// lookup returns what stands for a directive of the notation, without braces.
func (h *Host) lookup(kind, key string) (string, bool) {
	switch {
	case kind == "product" && key == "":
		if p := clean(h.Product); p != "" {
			return p, true
		}
		return defaultProduct, true
	case kind == "model" && key == "":
		return h.modelAdvice(), true
	case kind == "log" && key == "":
		if p := clean(h.LogPath); p != "" && p != none {
			return "`" + p + "`", true
		}
		return "the session log, if this host keeps one", true
	}
	terms, values := toolTerms(), h.Tools
	if kind == "path" {
		terms, values = pathTerms(), h.Paths
	}
	i := slices.IndexFunc(terms, func(t term) bool { return t.key == key })
	switch {
	case i < 0:
		return "", false
	case kind == "tool", kind == "path":
		return terms[i].say(h.value(values, key)), true
	case kind == "name":
		return terms[i].name(h.value(values, key)), true
	}
	return "", false
}

// value returns what the host says under a key: "" is the default.
func (h *Host) value(values map[string]string, key string) string {
	v := clean(values[key])
	if v == "" && h.Only {
		return none
	}
	return v
}

func (h *Host) modelAdvice() string {
	if m := clean(h.Model); m != "" && m != none {
		return "Write `" + m + "` for it unless the user names another one."
	}
	return "Look a current one up with `GET /v1/models`; an id from memory may be years old."
}

// unknown returns the keys of m that no term has, sorted.
func unknown(m map[string]string, terms []term) []string {
	var out []string
	for key := range m {
		if !slices.ContainsFunc(terms, func(t term) bool { return t.key == key }) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}
