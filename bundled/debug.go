package bundled

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// The keys of Call.Host that skill debug reads.
const (
	// KeyLogPath is a string: the absolute path of the session log. It beats
	// Host.LogPath, as a server has a log for each session.
	KeyLogPath = "log-path"
	// KeyDebugLogging is a bool: whether debug logging is on.
	KeyDebugLogging = "debug-logging"
	// KeyEnableDebug is a func() bool that switches debug logging on and
	// reports whether it had been on before. It beats KeyDebugLogging.
	KeyEnableDebug = "enable-debug"
)

// debugPrompt makes the text of debug: it sees to it that there is a log, and
// puts its bounded tail and a digest of it into the text (05 §3).
func debugPrompt(t text, h Host) func(context.Context, skills.PromptContext) ([]skills.Block, error) {
	return func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
		problem := "The user described none. Look for whatever is wrong, beginning with the latest errors."
		if strings.TrimSpace(p.Args) != "" {
			problem = quote(p.Args)
		}
		path, _ := p.Host[KeyLogPath].(string)
		if path == "" {
			path = h.LogPath
		}
		return one(t.fill("", map[string]string{
			"problem": problem, "logging": debugLogging(p.Host), "log": logSection(path),
		}))
	}
}

// debugLogging switches debug logging on if the host lets it, and says how it
// stands.
func debugLogging(host map[string]any) string {
	if enable, ok := host[KeyEnableDebug].(func() bool); ok && enable != nil {
		if enable() {
			return "Debug logging is on, and was before."
		}
		return "Debug logging was off and has been switched on just now. The log holds nothing of what happened before: ask the user to let the problem happen again, then read the log anew."
	}
	switch on, known := host[KeyDebugLogging].(bool); {
	case on:
		return "Debug logging is on."
	case known:
		return "Debug logging is off, and this skill cannot switch it on. Find the switch in the settings or the command line help, ask the user to switch it on and to let the problem happen again, then read the log anew."
	}
	return "The host does not say whether debug logging is on. If the log below holds no debug lines, find the switch in the settings or the command line help and ask the user to switch it on."
}

// logSection is what the text says of the log at path.
func logSection(path string) string {
	if path == "" || path == none {
		return "The host named no log. Ask the user where it is, or work from what they can reproduce."
	}
	name := "`" + clean(path) + "`"
	tail, err := readTail(path)
	if err != nil {
		return fmt.Sprintf("The log is at %s, but cannot be read here: %v.", name, err)
	}
	if len(tail.lines) == 0 {
		return fmt.Sprintf("The log is at %s. It is empty.", name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The log is at %s and has %d bytes. Below are its last %d lines", name, tail.size, len(tail.shown()))
	if tail.cut {
		b.WriteString("; what is before them is not shown, so search the file itself for earlier events")
	}
	b.WriteString(".\n\n### Errors and warnings, grouped\n\n" + digest(tail.lines))
	b.WriteString("\n\n### The last lines\n\n" + fence(strings.Join(tail.shown(), "\n")))
	return b.String()
}
