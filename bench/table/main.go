// Command table measures the performance bars of this module and writes them as
// a table: what was measured, its bar, the figure, and whether it was met.
//
//	go run ./bench/table -o docs/bench/latest.txt
//
// A figure is the best of several runs, since whatever makes a run slower is
// noise of the machine. Most figures are ratios to a floor that took turns with
// what is measured; they mean the same on another machine. The raw lines stand
// below the table, so that benchstat compares two files as they are.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	out   string // file to write, besides standard output; "" for none
	from  string // file with the output of earlier runs, instead of running
	count int    // runs of each benchmark
	quick bool   // few rounds, to see that all of it works
	peers bool   // other clients too
}

func parseArgs(args []string, stderr io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("table", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.out, "o", "", "write to this `file` too")
	fs.StringVar(&o.from, "from", "", "make the table of this `file` of benchmark lines and run nothing")
	fs.IntVar(&o.count, "count", 5, "run each benchmark `n` times and take the best")
	fs.BoolVar(&o.quick, "quick", false, "few rounds: the figures mean little")
	fs.BoolVar(&o.peers, "peers", false, "measure other clients, too (the module bench/peers)")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 || o.count < 1 {
		return o, errors.New("no arguments are taken, and -count is at least 1")
	}
	return o, nil
}

// run measures and writes the table. A missed bar is no error: timing never
// fails anything.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseArgs(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	raw, failed := measure(ctx, o, stderr)
	if raw == "" || ctx.Err() != nil {
		return errors.Join(failed, ctx.Err())
	}
	var b strings.Builder
	write(&b, machine(ctx, raw), parse(raw), raw)
	_, err = io.WriteString(stdout, b.String())
	if err == nil && o.out != "" {
		err = os.WriteFile(o.out, []byte(b.String()), 0o644)
	}
	return errors.Join(failed, err)
}

// measure returns the lines of all benchmarks that did not fail.
func measure(ctx context.Context, o options, stderr io.Writer) (string, error) {
	if o.from != "" {
		raw, err := os.ReadFile(o.from)
		return string(raw), err
	}
	var all strings.Builder
	var failed error
	for _, g := range groups() {
		if g.dir != "." && !o.peers {
			continue
		}
		times := g.times
		if o.quick {
			times = max(1, times/10)
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", g.pattern,
			"-benchtime", fmt.Sprintf("%dx", times), "-count", fmt.Sprint(o.count), "-timeout", "60m", ".")
		cmd.Dir, cmd.Stderr = g.dir, stderr
		fmt.Fprintf(stderr, "in %s: %s\n", g.dir, strings.Join(cmd.Args, " "))
		out, err := cmd.Output()
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("the benchmarks %s in %s failed: %w\n%s", g.pattern, g.dir, err, out))
			continue
		}
		all.Write(out)
	}
	return all.String(), failed
}
