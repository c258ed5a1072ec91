// Portableshell runs the commands inside skills without a shell and without
// processes: adapter.go is a skills.Shell on mvdan.cc/sh. It prints what two
// skills come to, one of them called with an argument that tries to be code.
//
//	go run .
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
)

//go:embed all:testdata/project
var files embed.FS

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "portableshell:", err)
		os.Exit(1)
	}
}

// run makes the project in a folder that is gone afterwards.
func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "portableshell")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	project := filepath.Join(dir, "testdata", "project")
	reg, err := skills.Open(ctx, &skills.Options{
		Locations: skills.Locations{Project: project, TrustProject: true}, // else no command runs at all
	})
	if err != nil {
		return err
	}
	defer reg.Close()
	inv := skills.NewInvoker(reg.NewSession("main", nil), &skills.InvokerOptions{
		Shell: New(&Options{
			Root:     project,
			Programs: map[string]Program{"cat": Cat, "grep": Grep, "head": Head},
		}),
	})
	for _, c := range []skills.Call{
		{Name: "changes", Args: `1.2'; touch injected; $(touch injected) "`, Caller: skills.CallerUser},
		{Name: "nosy", Caller: skills.CallerUser},
	} {
		if err := show(ctx, out, inv, c); err != nil {
			return err
		}
	}
	_, err = os.Stat(filepath.Join(project, "injected"))
	fmt.Fprintln(out, "The argument was run:", !errors.Is(err, os.ErrNotExist))
	return nil
}

// show prints what a call gives to the model.
func show(ctx context.Context, out io.Writer, inv *skills.Invoker, c skills.Call) error {
	fmt.Fprintf(out, "== /%s %s\n\n", c.Name, c.Args)
	outcome, err := inv.Invoke(ctx, c)
	if err != nil {
		return err
	}
	if in, ok := outcome.(*skills.Inline); ok {
		_, body, _ := strings.Cut(skills.Text(in.Content), "\n\n") // the first line is the skill's folder
		fmt.Fprintln(out, body)
	}
	return nil
}
