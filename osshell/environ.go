package osshell

import (
	"slices"
	"strings"
)

// inherited returns what a command gets of the host's environment, followed by
// TERM (04 §4).
func inherited(environ []string) []string {
	out := make([]string, 0, len(environ)+1)
	for _, pair := range environ {
		if name, _, ok := strings.Cut(pair, "="); ok && inherits(name) && !strings.ContainsRune(pair, 0) {
			out = append(out, pair)
		}
	}
	return append(out, "TERM=dumb")
}

func inherits(name string) bool {
	name = envName(name)
	switch name {
	case "PATH", "HOME", "USER", "LANG", "TMPDIR":
		return true
	}
	switch {
	case strings.HasPrefix(name, "LC_"):
		return true
	case strings.HasPrefix(name, "SKILL_"), strings.HasPrefix(name, "CLAUDE_"):
		return !ours(name) && !secret(name)
	}
	return slices.Contains(systemVariables, name)
}

// ours reports whether the library gives the variable a meaning in each
// command. A host that was itself started by a skill has them set: there they
// would stand in for arguments that were not given.
func ours(name string) bool {
	return strings.HasPrefix(name, "SKILL_ARG") || name == "SKILL_NONE"
}

// secret reports whether the variable holds a secret by its name, as
// CLAUDE_CODE_OAUTH_TOKEN does.
func secret(name string) bool {
	for _, word := range []string{"TOKEN", "SECRET", "PASSW", "CREDENTIAL", "KEY"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// lookupEnv returns the value that a process sees: that of the last pair.
func lookupEnv(env []string, name string) (string, bool) {
	for _, pair := range slices.Backward(env) {
		if n, value, ok := strings.Cut(pair, "="); ok && envName(n) == name {
			return value, true
		}
	}
	return "", false
}
