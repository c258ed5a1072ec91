package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// flags are the flags of all commands.
type flags struct {
	project, dir, home, managed string
	addDirs, brands             multi
	trustProject, shell, json   bool
	bundled                     bool
	features                    multi // open the gates of bundled skills
	window, budget, cap         int

	levelStep, minDescription               int
	dropShared, equalShare, hardBudget, xml bool

	caller           string
	touch            multi
	allow, ask, deny multi
	policy           skills.Policy // what the three say
	yes              bool
	strict           bool

	patterns      multi
	caseSensitive bool
	polling       bool

	limit  int // how many hits a search has
	bodies bool
}

// multi is a flag that may be repeated.
type multi []string

func (m *multi) String() string     { return fmt.Sprint([]string(*m)) }
func (m *multi) Set(v string) error { *m = append(*m, v); return nil }

// set returns the flag set that fills f.
func (f *flags) set() *flag.FlagSet {
	fs := flag.NewFlagSet("skillctl", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&f.json, "json", false, "print one JSON object (watch: one a line)")
	f.setPlaces(fs)
	f.setListing(fs)
	f.setCall(fs)
	fs.Var(&f.touch, "touch", "touch `PATH` first; may be repeated")
	fs.Var(&f.patterns, "pattern", "for paths: the pattern `P` instead of a skill's; may be repeated")
	fs.BoolVar(&f.caseSensitive, "case-sensitive", false, "patterns of paths tell letter case apart")
	fs.IntVar(&f.limit, "limit", 10, "search: find at most `N` skills (default 10)")
	fs.BoolVar(&f.bodies, "bodies", false, "search: look into the bodies, too")
	fs.BoolVar(&f.polling, "polling", false, "watch without events, for network file systems")
	fs.BoolVar(&f.strict, "strict", false, "lint against the open Agent Skills format too")
	return fs
}

// setPlaces adds the flags that say where skills are.
func (f *flags) setPlaces(fs *flag.FlagSet) {
	fs.StringVar(&f.project, "project", ".", "the project's root `DIR`")
	fs.StringVar(&f.dir, "dir", "", "the working `DIR` inside the project (default: the root)")
	fs.StringVar(&f.home, "home", "", "the user's home `DIR` (default: yours)")
	fs.StringVar(&f.managed, "managed", "", "the `DIR` of managed skills")
	fs.Var(&f.addDirs, "add-dir", "a further `DIR` with skills; may be repeated")
	fs.Var(&f.brands, "brand", "`NAME` of the brand folder, default .claude; may be repeated")
	fs.BoolVar(&f.trustProject, "trust-project", false, "trust the project's skills")
	fs.BoolVar(&f.bundled, "bundled", false, "add the bundled skills, as a host may")
	fs.Var(&f.features, "feature", "with --bundled: those that wait for feature `NAME`, for all, or for none (default); may be repeated")
}

// setListing adds the flags that shape a listing.
func (f *flags) setListing(fs *flag.FlagSet) {
	fs.IntVar(&f.window, "window", 0, "the model's context window, `N` tokens")
	fs.IntVar(&f.budget, "budget", 0, "the listing's budget, `N` characters")
	fs.IntVar(&f.cap, "cap", 0, "the longest description, `N` characters (default 250)")
	fs.IntVar(&f.minDescription, "min-description", 0, "leave descriptions out rather than cut them below `N` characters (default 20)")
	fs.IntVar(&f.levelStep, "level-step", 0, "round the length of cut descriptions down to a multiple of `N`")
	fs.BoolVar(&f.equalShare, "equal-share", false, "give every description the same share of the budget, needed or not")
	fs.BoolVar(&f.dropShared, "drop-shared", false, "shorten by leaving out the words that most skills share")
	fs.BoolVar(&f.hardBudget, "hard-budget", false, "leave names out rather than exceed the budget")
	fs.BoolVar(&f.xml, "xml", false, "write the listing as the open format's <available_skills>")
}

// setCall adds the flags that say who calls, and what is permitted.
func (f *flags) setCall(fs *flag.FlagSet) {
	fs.StringVar(&f.caller, "caller", "user", "invoke as `WHO`: user or model")
	fs.BoolVar(&f.shell, "shell", false, "invoke: run the shell commands of trusted skills")
	fs.BoolVar(&f.yes, "yes", false, "answer yes where permission is asked for")
	fs.Var(&f.allow, "allow", "let skills that match `RULE` run without a question, e.g. 'Skill(commit)'; may be repeated")
	fs.Var(&f.ask, "ask", "ask before skills that match `RULE`; may be repeated")
	fs.Var(&f.deny, "deny", "refuse skills that match `RULE`, or commands, e.g. 'Bash(rm *)'; may be repeated")
}

// parse reads flags from anywhere among args and returns the other words.
// "--" ends the flags. With [flag.ErrHelp] the words are those around the flag
// that asks for help.
func (f *flags) parse(args []string) (words []string, err error) {
	fs := f.set()
	for len(args) > 0 {
		switch err := fs.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			return append(words, fs.Args()...), err
		case err != nil:
			read := args[:len(args)-len(fs.Args())]
			return nil, f.explained(err, read, len(words) > 1 && words[0] == "invoke")
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
	return words, f.check()
}

// check looks at what the flags say together, and reads the rules.
func (f *flags) check() error {
	if f.caller != string(skills.CallerUser) && f.caller != string(skills.CallerModel) {
		return fmt.Errorf("--caller is user or model, not %q", f.caller)
	}
	if f.levelStep < 0 || f.minDescription < 0 {
		return errors.New("--level-step and --min-description are numbers of characters, not below 0")
	}
	for _, r := range []struct {
		flag string
		text multi
		to   *[]skills.Rule
	}{{"allow", f.allow, &f.policy.Allow}, {"ask", f.ask, &f.policy.Ask}, {"deny", f.deny, &f.policy.Deny}} {
		rules, err := skills.ParseRules(r.text...)
		if err != nil {
			return fmt.Errorf("--%s: %s", r.flag, strings.TrimPrefix(err.Error(), "skills: rule: "))
		}
		*r.to = rules
	}
	return cmp.Or(f.checkSearch(), f.checkFeatures())
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

// lister says what a listing may cost and how it is shortened.
func (f *flags) lister() *skills.ListerOptions {
	return &skills.ListerOptions{
		ContextWindow: f.window, Budget: f.budget, EntryCap: f.cap, MinDescription: f.minDescription,
		LevelStep: f.levelStep, EqualShare: f.equalShare, HardBudget: f.hardBudget, DropShared: f.dropShared, XML: f.xml,
	}
}
