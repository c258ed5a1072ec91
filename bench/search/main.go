// Search measures how well the search finds skills (06 §4). DIR holds skills as
// folders with a SKILL.md, at any depth, or as .md files with frontmatter;
// nothing is written.
//
//	go run ./bench/search [-json] [-from body|description] DIR
//
// The queries are what authors say on when to use their skill: with -from body
// the items and sentences below headings such as "When to use", except for what
// the description says in the same words; with -from description its sentences
// such as "Use when …". Where a query comes from is not part of what is
// searched: the sections are taken out of the body, the sentences out of the
// description. Equal files and flags give equal output.
//
// Each query should find its own skill among all. What is searched is the name,
// the name with the first 250 characters of the description, or name,
// description and body. The engines are the one of the library; plain BM25 over
// all of it as one text; and the same with names written three times and
// descriptions twice. The library must not be below plain BM25.
//
// Reported are the shares of queries whose skill comes first (hit@1) or among
// the first 5 or 10, and the mean reciprocal rank (mrr). Skills with equal
// scores share their ranks evenly; one that scores 0 is not found.
//
// Authors do not write the way users ask, and their queries repeat words of
// their other text: the figures compare engines and say little about one alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/seed-12b313d8/skills/bench/internal/corpus"
)

func main() {
	switch err := run(context.Background(), os.Stdout, os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

// Where queries come from.
const (
	fromBody        = "body"
	fromDescription = "description"
)

// A config is what the command line says.
type config struct {
	dir  string
	from string
	json bool
}

func run(ctx context.Context, w io.Writer, args []string) error {
	cfg, err := parse(w, args)
	if err != nil {
		return err
	}
	c, err := corpus.Load(ctx, cfg.dir)
	if err != nil {
		return err
	}
	entries, err := entriesOf(ctx, c, cfg.from)
	if err != nil {
		return err
	}
	r := measure(entries)
	r.Files, r.From = c.Files, cfg.from
	switch {
	case r.Queries == 0:
		return fmt.Errorf("%s: no skill says in its %s when to use it; try another -from", cfg.dir, cfg.from)
	case cfg.json:
		return r.writeJSON(w)
	}
	return r.writeTable(w)
}

func parse(w io.Writer, args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("search", flag.ContinueOnError)
	flags.StringVar(&cfg.from, "from", fromBody, "what queries are taken out of: body or description")
	flags.BoolVar(&cfg.json, "json", false, "print one JSON object")
	flags.SetOutput(io.Discard) // main prints the error
	flags.Usage = func() {}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(w, "usage: search [flags] DIR")
			flags.SetOutput(w)
			flags.PrintDefaults()
		}
		return cfg, err
	}
	switch {
	case flags.NArg() != 1:
		return cfg, errors.New("give one DIR that holds skills")
	case cfg.from != fromBody && cfg.from != fromDescription:
		return cfg, fmt.Errorf("-from: %q is neither body nor description", cfg.from)
	}
	cfg.dir = flags.Arg(0)
	return cfg, nil
}
