package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// usage prints the help text.
func usage(w io.Writer) {
	fmt.Fprint(w, "skillctl shows the skills of a project and what a model gets of them.\n\nUsage: skillctl [flags] COMMAND\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-20s %s\n", c.name+" "+c.args, c.help)
	}
	fmt.Fprintf(w, "  %-20s %s\n", "help [COMMAND]", "this text, or the flags and examples of a command")
	fmt.Fprint(w, "\nFirst steps: skillctl list, then skillctl explain NAME where a skill is missing,\nskillctl lint to mend files, and skillctl help COMMAND for an example of each.\n")
	fmt.Fprint(w, "\nFlags, before or after the command (-- ends them):\n")
	printFlags(w, nil)
	fmt.Fprint(w, "\nExit codes: 0 all went well, 1 what was asked for failed, 2 wrong usage.\n")
}

// printFlags prints the flags of the given names in that order, or all.
func printFlags(w io.Writer, names []string) {
	fs := new(flags).set()
	if names == nil {
		fs.VisitAll(func(fl *flag.Flag) { names = append(names, fl.Name) })
	}
	for _, n := range names {
		arg, help := flag.UnquoteUsage(fs.Lookup(n))
		fmt.Fprintf(w, "  %-20s %s\n", "--"+n+" "+arg, help)
	}
}

// help prints the help text, or that of one command.
func (a *app) help(words []string) int {
	switch {
	case len(words) == 0:
		usage(a.out)
		return exitOK
	case len(words) > 1:
		return misuse(a.errs, "usage: skillctl help [COMMAND]")
	}
	c, ok := commandOf(words[0])
	if !ok {
		return misuse(a.errs, unknownCommand(words[0]))
	}
	c.printHelp(a.out)
	return exitOK
}

// helpAsked is help for a command line with --help somewhere: about its
// command, if it has one.
func (a *app) helpAsked(words []string) int {
	if len(words) > 0 {
		if c, ok := commandOf(words[0]); ok {
			c.printHelp(a.out)
			return exitOK
		}
	}
	usage(a.out)
	return exitOK
}

// printHelp says what the command is for, by words and by examples.
func (c command) printHelp(w io.Writer) {
	t, err := topicOf(c.name)
	if err != nil { // the tests look at every command
		fmt.Fprintf(w, "There is no help on %s: %v\n", c.name, err)
		return
	}
	fmt.Fprintf(w, "Usage: skillctl [flags] %s\n\n%s\nFlags that matter most here:\n", strings.TrimSpace(c.name+" "+c.args), t.text)
	printFlags(w, t.flags)
	fmt.Fprint(w, "\nRun skillctl help for all flags and the exit codes.\n")
}

// unknownCommand names the commands that may have been meant.
func unknownCommand(word string) string {
	known := []string{"help"}
	for _, c := range commands() {
		known = append(known, c.name)
	}
	return fmt.Sprintf("unknown command %q%s", word, meant(word, known, ""))
}

// explained puts an error of package flag about the last word it read into our
// words, with the flags that may have been meant. The word may have been meant
// as an argument of a skill.
func (f *flags) explained(err error, read []string, argument bool) error {
	advice := ""
	if argument {
		advice = "; to pass it as an argument write -- before it"
	}
	switch msg := err.Error(); {
	case strings.HasPrefix(msg, "bad flag syntax"):
		return errors.New(msg + advice)
	case !strings.HasPrefix(msg, "flag provided but not defined"):
		return err
	}
	var known []string
	f.set().VisitAll(func(fl *flag.Flag) { known = append(known, fl.Name) })
	typed, _, _ := strings.Cut(read[len(read)-1], "=")
	near := meant(strings.TrimLeft(typed, "-"), known, "--")
	if near != "" {
		advice = strings.Replace(advice, "; to", " To", 1)
	}
	return fmt.Errorf("unknown flag %s%s%s", typed, near, advice)
}
