package skills

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills/internal/header"
)

// An Outcome is an *[Inline] or a *[Fork].
type Outcome interface{ outcome() }

// An Inline is content for the calling conversation and what should change in
// it while the skill is in force.
type Inline struct {
	// Record says which skill it was, for whom, and how long it took.
	Record Record
	// Content goes into the conversation.
	Content []Block
	// Modifier is data; the host applies it.
	Modifier Modifier
	// AlreadyLoaded says that the session was given the same bytes before;
	// the host may send a short note instead of Content. Modifier applies all
	// the same.
	AlreadyLoaded bool
	// Issues tell what of the skill was left out or changed.
	Issues []Issue
}

// A Fork asks the host to run a sub-agent. Only what [Fork.Result] makes of
// its summary goes back to the conversation. Where the host keeps a prompt
// prefix that does not change, the sub-agent may share it.
type Fork struct {
	// Record says which skill it was, for whom, and how long it took.
	Record Record
	// Prompt is never empty.
	Prompt []Block
	// Agent is the kind of sub-agent; "general-purpose" if the skill names none.
	Agent string
	// Background says that the conversation need not wait.
	Background bool
	// Modifier is for the sub-agent. Apply it to the host's base settings, not to
	// those in force, so that what other skills were granted does not go along.
	Modifier Modifier
	// Lineage is the chain of forks this one runs in, itself last. Give the
	// Fork to [Session.Child], which carries it on.
	Lineage []string
	// Issues tell what of the skill was left out or changed.
	Issues []Issue
}

const defaultAgent = "general-purpose"

func (*Inline) outcome() {}
func (*Fork) outcome()   {}

// Result returns what goes back to the main conversation: the sub-agent's
// final summary and where it comes from.
func (f *Fork) Result(summary string) []Block {
	text := "The skill " + f.Record.Skill + " ran in a sub-agent and reports:\n\n" + summary
	if strings.TrimSpace(summary) == "" {
		text = "The skill " + f.Record.Skill + " ran in a sub-agent and reported nothing."
	}
	return []Block{{Text: text}}
}

// A Block is one piece of content: text if MIME is "", otherwise data.
type Block struct {
	// Text is the text if MIME is "".
	Text string
	// MIME is the type of Data, e.g. "image/png".
	MIME string
	// Data is the content if MIME is not "".
	Data []byte
}

// Text returns the text of the text blocks, joined by blank lines.
func Text(b []Block) string {
	var parts []string
	for _, x := range b {
		if x.MIME == "" {
			parts = append(parts, x.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// A Modifier is what an outcome asks to change. The zero Modifier changes
// nothing. Grants are the weakest layer: the host's own deny and ask rules
// beat them.
type Modifier struct {
	// AllowTools are tool rules to grant in addition, as written.
	AllowTools []string
	// DenyTools are tool rules to take away.
	DenyTools []string
	// Model replaces the current model; "" keeps it.
	Model string
	// Effort replaces the current effort; "" keeps it.
	Effort string
	// Hooks last for the session, under Owner: a later invocation of the same
	// skill replaces them.
	Hooks map[string]any
	// Owner is the qualified name of the skill.
	Owner string
	// Untrusted marks what a skill asks for that nobody vouches for; a host
	// may want to treat its Model, Effort and fork with care.
	Untrusted bool
	// Session makes tools, model and effort last for the session too; by
	// default they end at the next user message.
	Session bool
}

// Settings are what modifiers change.
type Settings struct {
	// Model is the model in force, perhaps with a "[1m]" suffix.
	Model string
	// Effort is the effort in force.
	Effort string
	// AllowTools are the tool rules granted by skills.
	AllowTools []string
	// DenyTools are the tool rules taken away by skills.
	DenyTools []string
	// Hooks are keyed by Modifier.Owner.
	Hooks map[string]map[string]any
}

// EndTurn returns what of m is still in force after the next user message,
// and whether that is anything: its hooks, and with Session all of it.
func (m Modifier) EndTurn() (rest Modifier, ok bool) {
	if !m.Session {
		m = Modifier{Hooks: m.Hooks, Owner: m.Owner, Untrusted: m.Untrusted}
	}
	return m, len(m.AllowTools)+len(m.DenyTools)+len(m.Hooks) > 0 || m.Model != "" || m.Effort != ""
}

// Apply returns s changed by m; s is not touched. A host keeps its base
// settings and applies the modifiers still in force in the order of their
// invocations; at a user message it replaces each by its [Modifier.EndTurn].
func (m Modifier) Apply(s Settings) Settings {
	s.AllowTools = union(s.AllowTools, m.AllowTools)
	s.DenyTools = union(s.DenyTools, m.DenyTools)
	if m.Model != "" {
		s.Model = m.Model
	}
	if m.Effort != "" {
		s.Effort = m.Effort
	}
	s.Hooks = maps.Clone(s.Hooks)
	if len(m.Hooks) > 0 {
		if s.Hooks == nil {
			s.Hooks = make(map[string]map[string]any, 1)
		}
		s.Hooks[m.Owner] = header.Clone(m.Hooks)
	}
	return s
}

// union returns a with those of b that it lacks, in a slice of its own.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// A Record is one invocation, kept in the session and handed to
// Options.Observe. It never holds argument values.
type Record struct {
	// Session is the id of the session.
	Session string `json:"session"`
	// Skill is the skill's name, "" if none was found; Source is its source.
	Skill  string `json:"skill"`
	Source string `json:"source"` // ID
	Hash   string `json:"hash"`   // Permit.Hash
	// Kind is "inline", "fork", or the Code of the error that ended it.
	Kind   string `json:"kind"`
	Origin Origin `json:"origin"`          // of the skill
	Owner  string `json:"owner,omitempty"` // plugin, server or nested directory
	// Caller is on whose behalf; a model inside a fork is CallerNested.
	Caller Caller `json:"caller"`
	// Chars is the length of the rendered text in code points.
	Chars int `json:"chars"`
	// Time is when it ended, Duration how long it took, in nanoseconds.
	Time     time.Time     `json:"time"`
	Duration time.Duration `json:"duration"` // in JSON nanoseconds
}
