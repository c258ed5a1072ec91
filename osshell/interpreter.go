package osshell

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// interpreter returns the arguments and the path of the process that runs c.
func interpreter(c skills.Command, env []string) (args []string, path string, err error) {
	var names []string
	switch c.Shell {
	case "":
		names = []string{"bash", "sh"}
	case "bash", "sh":
		names = []string{c.Shell}
	case "powershell":
		names = []string{"pwsh", "powershell"}
	default:
		return nil, "", fault(c, skills.CodeShellUnavailable, "the shell "+head(c.Shell)+" is unknown", `write "bash", "sh" or "powershell"`, nil)
	}
	for _, name := range names {
		if path := find(name, env); path != "" {
			return append([]string{name}, shellArgs(name, c.Text)...), path, nil
		}
	}
	return nil, "", fault(c, skills.CodeShellUnavailable, "there is no "+strings.Join(names, " and no ")+" in the directories of PATH",
		"install it, or write another shell into the skill", nil)
}

// shellArgs passes text as one argument, so that no byte of it is read but by
// the shell itself.
func shellArgs(name, text string) []string {
	switch name {
	case "pwsh", "powershell":
		return []string{"-NoProfile", "-NonInteractive", "-Command", text}
	}
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		text = " " + text // else it would be options; not all shells know "--" here
	}
	return []string{"-c", text}
}

// find looks for a program in the PATH of env. Relative entries are passed
// over: they would let the working directory supply the program.
func find(name string, env []string) string {
	list, ok := lookupEnv(env, "PATH")
	if !ok {
		list = defaultPath
	}
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name+exeSuffix)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && executable(info) {
			return path
		}
	}
	return ""
}
