package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Cat is cat without options.
func Cat(_ context.Context, p *Process) int {
	exit := 0
	for _, name := range operands(p.Args) {
		if err := copyFile(p.Stdout, p, name); err != nil {
			fmt.Fprintf(p.Stderr, "cat: %v\n", err)
			exit = 1
		}
	}
	return exit
}

// Grep prints the lines that contain a text: it is grep -F with one file at
// most.
func Grep(_ context.Context, p *Process) int {
	if len(p.Args) < 2 {
		fmt.Fprintln(p.Stderr, "usage: grep TEXT [FILE]")
		return 2
	}
	in, err := openInput(p, operands(p.Args[1:])[0])
	if err != nil {
		fmt.Fprintf(p.Stderr, "grep: %v\n", err)
		return 2
	}
	defer in.Close()
	exit := 1
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if !strings.Contains(lines.Text(), p.Args[1]) {
			continue
		}
		exit = 0
		if _, err := fmt.Fprintln(p.Stdout, lines.Text()); err != nil {
			return 2
		}
	}
	return exit
}

// Head is head -c BYTES of its input.
func Head(_ context.Context, p *Process) int {
	if len(p.Args) == 3 && p.Args[1] == "-c" {
		if n, err := strconv.ParseInt(p.Args[2], 10, 64); err == nil {
			_, _ = io.CopyN(p.Stdout, p.Stdin, n)
			return 0
		}
	}
	fmt.Fprintln(p.Stderr, "usage: head -c BYTES")
	return 2
}

// operands returns the files of a command line, "-" if there are none.
func operands(args []string) []string {
	if len(args) < 2 {
		return []string{"-"}
	}
	return args[1:]
}

func openInput(p *Process, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.Stdin), nil
	}
	return p.Open(name, os.O_RDONLY, 0)
}

func copyFile(w io.Writer, p *Process, name string) error {
	in, err := openInput(p, name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(w, in)
	return err
}
