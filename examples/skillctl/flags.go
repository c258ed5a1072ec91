package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-12b313d8/skills"
)

// flags are the flags of all commands.
type flags struct {
	project, dir, home, managed string
	addDirs, brands             multi
	trustProject, shell, json   bool
	window, budget, cap         int

	caller string
	touch  multi
	yes    bool
	strict bool

	patterns      multi
	caseSensitive bool
	polling       bool
}

// multi is a flag that may be repeated.
type multi []string

func (m *multi) String() string     { return fmt.Sprint([]string(*m)) }
func (m *multi) Set(v string) error { *m = append(*m, v); return nil }

// set returns the flag set that fills f.
func (f *flags) set() *flag.FlagSet {
	fs := flag.NewFlagSet("skillctl", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&f.project, "project", ".", "the project's root `DIR`")
	fs.StringVar(&f.dir, "dir", "", "the working `DIR` inside the project (default: the root)")
	fs.StringVar(&f.home, "home", "", "the user's home `DIR` (default: yours)")
	fs.StringVar(&f.managed, "managed", "", "the `DIR` of managed skills")
	fs.Var(&f.addDirs, "add-dir", "a further `DIR` with skills; may be repeated")
	fs.Var(&f.brands, "brand", "`NAME` of the brand folder, default .claude; may be repeated")
	fs.BoolVar(&f.trustProject, "trust-project", false, "trust the project's skills")
	fs.BoolVar(&f.shell, "shell", false, "run the shell commands of trusted skills (in this version: leave a marker)")
	fs.IntVar(&f.window, "window", 0, "the model's context window, `N` tokens")
	fs.IntVar(&f.budget, "budget", 0, "the listing's budget, `N` characters")
	fs.IntVar(&f.cap, "cap", 0, "the longest description, `N` characters (default 250)")
	fs.BoolVar(&f.json, "json", false, "print one JSON object (watch: one a line)")
	fs.StringVar(&f.caller, "caller", "user", "invoke as `WHO`: user or model")
	fs.Var(&f.touch, "touch", "touch `PATH` first; may be repeated")
	fs.BoolVar(&f.yes, "yes", false, "answer yes where permission is asked for")
	fs.BoolVar(&f.strict, "strict", false, "lint against the open Agent Skills format too")
	fs.Var(&f.patterns, "pattern", "for paths: the pattern `P` instead of a skill's; may be repeated")
	fs.BoolVar(&f.caseSensitive, "case-sensitive", false, "patterns of paths tell letter case apart")
	fs.BoolVar(&f.polling, "polling", false, "watch without events, for network file systems")
	return fs
}

// parse reads flags from anywhere among args and returns the other words.
// "--" ends the flags.
func (f *flags) parse(args []string) (words []string, err error) {
	fs := f.set()
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		rest := fs.Args()
		if used := len(args) - len(rest); used > 0 && args[used-1] == "--" {
			words = append(words, rest...)
			break
		}
		if len(rest) == 0 {
			break
		}
		words, args = append(words, rest[0]), rest[1:]
	}
	if f.caller != string(skills.CallerUser) && f.caller != string(skills.CallerModel) {
		return nil, fmt.Errorf("--caller is user or model, not %q", f.caller)
	}
	return words, nil
}

// locations says where the skills are.
func (f *flags) locations() (skills.Locations, error) {
	loc := skills.Locations{
		Managed: f.managed, Home: f.home, Project: f.project, Dir: f.dir,
		Additional: f.addDirs, Brands: f.brands, TrustProject: f.trustProject,
	}
	if info, err := os.Stat(f.project); err != nil {
		return loc, err
	} else if !info.IsDir() {
		return loc, errors.New(f.project + " is not a directory")
	}
	if loc.Dir != "" && !filepath.IsAbs(loc.Dir) {
		if _, err := os.Stat(loc.Dir); err != nil {
			loc.Dir = filepath.Join(f.project, loc.Dir)
		}
	}
	if loc.Home == "" {
		home, err := os.UserHomeDir()
		if err == nil {
			loc.Home = home
		}
	}
	return loc, nil
}

// lister says what a listing may cost.
func (f *flags) lister() *skills.ListerOptions {
	return &skills.ListerOptions{ContextWindow: f.window, Budget: f.budget, EntryCap: f.cap}
}

// usage prints the help text.
func usage(w io.Writer) {
	fmt.Fprint(w, "skillctl shows the skills of a project and what a model gets of them.\n\nUsage: skillctl [flags] COMMAND\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-20s %s\n", c.name+" "+c.args, c.help)
	}
	fmt.Fprint(w, "\nFlags, before or after the command (-- ends them):\n")
	var f flags
	f.set().VisitAll(func(fl *flag.Flag) {
		arg, help := flag.UnquoteUsage(fl)
		fmt.Fprintf(w, "  %-20s %s\n", "--"+fl.Name+" "+arg, help)
	})
	fmt.Fprint(w, "\nExit codes: 0 all went well, 1 what was asked for failed, 2 wrong usage.\n")
}
