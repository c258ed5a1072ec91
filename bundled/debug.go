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
	// reports whether it had been on before. It beats KeyDebugLogging. If it
	// panics, or does not return within 5 seconds, the text says that it failed
	// and that nobody knows how debug logging stands (05 §1).
	KeyEnableDebug = "enable-debug"
)

// debugPrompt makes the text of debug: it sees to it that there is a log, and
// puts its bounded tail and a digest of it into the text (05 §3).
func debugPrompt(t text, h Host) prompt {
	return func(ctx context.Context, p skills.PromptContext) ([]skills.Block, error) {
		problem := "The user described none. Look for whatever is wrong, beginning with the latest errors."
		if strings.TrimSpace(p.Args) != "" {
			problem = quote(p.Args)
		}
		path, _ := p.Host[KeyLogPath].(string)
		if path == "" {
			path = h.LogPath
		}
		logging := debugLogging(ctx, p.Host)
		log := logSection(ctx, path)
		if err := ctx.Err(); err != nil { // then they are not what the host and the log say
			return nil, err
		}
		return one(t.fill("", map[string]string{"problem": problem, "logging": logging, "log": log}))
	}
}

// debugLogging switches debug logging on if the host lets it, and says how it
// stands. A switch that fails leaves that unknown, and the rest of the text is
// of use all the more.
func debugLogging(ctx context.Context, host map[string]any) string {
	if enable, ok := host[KeyEnableDebug].(func() bool); ok && enable != nil {
		before, err := await(ctx, "the switch of the host", enable)
		if err != nil {
			return "Whether debug logging is on is unknown: " + clean(err.Error()) + ". If the log below holds no debug lines, tell the user that the switch failed, ask them to switch debug logging on in the settings or on the command line and to let the problem happen again, then read the log anew."
		}
		if before {
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
func logSection(ctx context.Context, path string) string {
	if path == "" || path == none {
		return "The host named no log. Ask the user where it is, or work from what they can reproduce."
	}
	name := "`" + clean(path) + "`"
	tail, err := awaitTail(ctx, path)
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

// awaitTail reads the end of the log, unless its disk does not answer.
func awaitTail(ctx context.Context, path string) (logTail, error) {
	type read struct {
		tail logTail
		err  error
	}
	r, err := await(ctx, "reading it", func() read {
		tail, err := readTail(path)
		return read{tail, err}
	})
	if err != nil {
		return logTail{}, err
	}
	return r.tail, r.err
}
