package skills

import "context"

// A Shell runs one command found in a skill and returns what it printed. An
// Invoker calls it only for skills that are trusted, never for MCP, remote or
// degraded ones, and never while loading, listing or re-attaching (04 §4).
//
// A Shell must be safe for concurrent use, must end when ctx does, and leaves
// no process behind. A command that ran and failed is a CommandResult with its
// exit code; an error means that it could not be run.
type Shell func(ctx context.Context, c Command) (CommandResult, error)

// A Command is one command of a skill.
type Command struct {
	// Text is the author's command. Argument values are not in it: they come
	// as environment variables (04 §4).
	Text string
	// Dir is the working directory.
	Dir string
	// Shell is the skill's shell field: "", "bash" or "powershell".
	Shell string
	// Env are "NAME=value" pairs to add to the environment.
	Env []string
	// Skill is whose command it is.
	Skill *Skill
}

// A CommandResult is what a command left.
type CommandResult struct {
	Output string // standard output and error as they came
	Exit   int
}
