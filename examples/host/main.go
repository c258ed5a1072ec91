// Host is a small but complete host without a model: a script plays the user,
// the model and its sub-agent. The host itself is in host.go.
//
//	go run ./examples/host
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

//go:embed all:testdata/home all:testdata/project
var files embed.FS

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "host:", err)
		os.Exit(1)
	}
}

// run plays the script in a folder that is gone afterwards.
func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	dir = filepath.Join(dir, "testdata")
	project := filepath.Join(dir, "project")
	if err := os.Mkdir(filepath.Join(project, ".git"), 0o755); err != nil {
		return err
	}
	reg, err := open(ctx, filepath.Join(dir, "home"), project)
	if err != nil {
		return err
	}
	defer reg.Close()
	return play(ctx, reg, withoutDir{out, dir + string(filepath.Separator)})
}

// play is what happens in the conversation.
func play(ctx context.Context, reg *skills.Registry, out io.Writer) error {
	h := newHost(reg.NewSession("main", &skills.SessionOptions{Retain: true}), out) // Retain is for Reattach
	tool, _ := h.lister.Tools()
	guidance, _, _ := strings.Cut(h.lister.Guidance(), ".")
	fmt.Fprintf(out, "system prompt: %s …\ntools: %s %s\n", guidance, tool.Name, tool.InputSchema)

	h.userMessage("commit this, then review it")
	h.modelCalls(ctx, `{"skill": "commit", "args": "Fix paging"}`)
	fmt.Fprintln(out, "granted:", h.settings().AllowTools)
	h.modelCalls(ctx, `{"skill": "review", "args": "paging"}`)
	h.modelCalls(ctx, `{"skill": "comit"}`)

	h.userMessage("now the tests")
	fmt.Fprintln(out, "granted:", h.settings().AllowTools)
	h.sess.Touch(ctx, "paging_test.go") // a tool has read it
	h.tell()

	fmt.Fprintln(out, "\nthe context is compacted")
	h.sess.Reset() // the listing is gone from the context, so all of it is told again
	for _, b := range h.sess.Reattach(0, 0) {
		fmt.Fprintln(out, b.Text)
	}
	h.tell()

	state, err := h.sess.Export()
	if err != nil {
		return err
	}
	sess, err := reg.RestoreSession(state, &skills.SessionOptions{Retain: true}) // in the next process
	if err != nil {
		return err
	}
	h = newHost(sess, out) // the context was restored too; otherwise sess.Reset()
	h.userMessage("go on")
	fmt.Fprintf(out, "still to tell: %q\n", h.lister.Next().Text)
	return nil
}

// modelCalls prints what a call of the Skill tool comes to.
func (h *host) modelCalls(ctx context.Context, input string) {
	fmt.Fprintln(h.out, "\nmodel calls Skill", input)
	text, err := h.skillTool(ctx, input)
	var refused *skills.Error
	if errors.As(err, &refused) {
		text = refused.ForModel()
	}
	fmt.Fprintln(h.out, strings.TrimSpace(text))
}

// askTheUser stands for a dialogue.
func askTheUser(_ context.Context, p *skills.Permit) (bool, error) {
	return strings.HasPrefix(p.Skill.Name, "commit"), nil // p.Reasons and p.Grants are what to show
}

// runSubAgent stands for a conversation of its own.
func runSubAgent(_ *skills.Session, f *skills.Fork) string {
	return fmt.Sprintf("(%s was told %q) No findings.", f.Agent, skills.Text(f.Prompt))
}

// A withoutDir leaves the temporary folder out of what is printed.
type withoutDir struct {
	io.Writer
	dir string
}

func (w withoutDir) Write(p []byte) (int, error) {
	_, err := io.WriteString(w.Writer, filepath.ToSlash(strings.ReplaceAll(string(p), w.dir, "")))
	return len(p), err
}
