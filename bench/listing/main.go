// Listing measures how well a model could find skills by the listing it is
// given, and how steady that listing is (02 §2). DIR holds skills as folders
// with a SKILL.md, at any depth, or as .md files with frontmatter; nothing is
// written.
//
//	go run ./bench/listing [-json] [-seed N] [-samples N] [-sizes N,N] [-budget N] DIR
//
// Sets of several sizes are drawn from DIR by seed, and rendered with each way
// of shortening the library has. A size beyond what there is becomes all there
// is. Equal files and flags give equal output.
//
// Findability: the queries are what authors say on when to use their skill, in
// lists and paragraphs of the body below headings such as "When to use". They
// are held out: what the description says in the same words is no query. Each
// query should find the line of its own skill among the lines of the listing.
// Two scorers that have nothing in common rank the lines: BM25 over words, and
// the cosine of character tri-grams. Reported are the share of queries whose
// line comes first (hit@1) or among the first five (hit@5), and the mean
// reciprocal rank (mrr). Lines with equal scores share their ranks evenly; a
// line that scores 0 is not found. Queries with a "not" in them are left out.
//
// Stability: the share of lines that change when one skill is added to the
// set. Each changed line is text that a prompt cache has to read again.
//
// What it does not measure: whether a model would choose the skill. A model
// reads synonyms, both scorers only compare spellings; and users do not ask
// the way authors write. So the figures compare ways of shortening with each
// other and say nothing about one of them alone. Skills that share boilerplate
// or were copied from each other count against all ways alike. Skills without
// such a heading give no queries, but stand in the way of the others. Skills
// that no model would be told of are left out. Cutting in the middle of words
// is not among the ways, since the library does not do it, and tags of XML are not
// measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills/bench/internal/corpus"
)

func main() {
	switch err := run(context.Background(), os.Stdout, os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "listing:", err)
		os.Exit(1)
	}
}

// A config is what the command line says.
type config struct {
	dir     string
	seed    uint64
	samples int   // sets of each size
	sizes   []int // skills in a set
	budget  int   // characters
	json    bool
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
	if n, _ := c.Queries(); n == 0 {
		return fmt.Errorf("%s: no skill says in its body when to use it", cfg.dir)
	}
	r, err := measure(ctx, c, cfg)
	if err != nil {
		return err
	}
	if cfg.json {
		return r.writeJSON(w)
	}
	return r.writeTable(w)
}

func parse(w io.Writer, args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("listing", flag.ContinueOnError)
	flags.Uint64Var(&cfg.seed, "seed", 1, "draws other sets")
	flags.IntVar(&cfg.samples, "samples", 5, "sets of each size")
	flags.IntVar(&cfg.budget, "budget", 8000, "characters of a listing")
	flags.BoolVar(&cfg.json, "json", false, "print one JSON object")
	sizes := flags.String("sizes", "25,50,100,200", "skills in a set")
	flags.SetOutput(io.Discard) // main prints the error
	flags.Usage = func() {}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(w, "usage: listing [flags] DIR")
			flags.SetOutput(w)
			flags.PrintDefaults()
		}
		return cfg, err
	}
	if flags.NArg() != 1 {
		return cfg, errors.New("give one DIR that holds skills")
	}
	cfg.dir = flags.Arg(0)
	for s := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 2 {
			return cfg, fmt.Errorf("-sizes: %q is no number from 2 on", s)
		}
		cfg.sizes = append(cfg.sizes, n)
	}
	if cfg.samples < 1 || cfg.budget < 1 {
		return cfg, errors.New("-samples and -budget must be 1 or more")
	}
	return cfg, nil
}
