package peers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	eino "github.com/cloudwego/eino/adk/middlewares/skill"
	"github.com/firebase/genkit/go/ai"
	genkit "github.com/firebase/genkit/go/plugins/middleware"
	adk "google.golang.org/adk/tool/skilltoolset/skill"
	"gopkg.in/yaml.v3"
	trpc "trpc.group/trpc-go/trpc-agent-go/skill"

	"github.com/seed-12b313d8/skills"
)

// A client is one way to load a project's skills.
type client struct {
	name   string
	module string                                       // what its version is asked of; "" for none
	load   func(root, dir string) (held any, err error) // what a program would hold on to
	told   func(held any) (string, error)               // the names and descriptions it has
}

func clients() []client {
	return []client{
		{"ours", "", loadOurs, toldOurs},
		{"readfile", "", loadReadFile, toldPlain}, // no client: the least that a loop with yaml.v3 does
		{"genkit", "github.com/firebase/genkit/go", loadGenkit, toldGenkit},
		{"eino", "github.com/cloudwego/eino", loadEino, toldEino},
		{"adk", "google.golang.org/adk", loadADK, toldADK},
		{"trpc", "trpc.group/trpc-go/trpc-agent-go", loadTRPC, toldTRPC},
	}
}

func loadOurs(root, _ string) (any, error) {
	return skills.Open(context.Background(), &skills.Options{Locations: skills.Locations{Project: root}})
}

func toldOurs(held any) (string, error) {
	reg := held.(*skills.Registry)
	var b strings.Builder
	for s := range reg.Snapshot().All() {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, s.Description)
	}
	return b.String(), reg.Close()
}

// plain is what the loop reads of a header.
type plain struct{ Name, Description string }

func loadReadFile(_, dir string) (any, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []plain
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name(), "SKILL.md"))
		if err != nil {
			return nil, err
		}
		_, rest, _ := strings.Cut(string(text), "---\n")
		header, _, _ := strings.Cut(rest, "\n---")
		var p plain
		if err := yaml.Unmarshal([]byte(header), &p); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func toldPlain(held any) (string, error) {
	var b strings.Builder
	for _, p := range held.([]plain) {
		fmt.Fprintf(&b, "%s: %s\n", p.Name, p.Description)
	}
	return b.String(), nil
}

func loadGenkit(_, dir string) (any, error) {
	return (&genkit.Skills{SkillPaths: []string{dir}}).New(context.Background())
}

// toldGenkit looks at the request that its middleware would send.
func toldGenkit(held any) (string, error) {
	var text string
	next := func(_ context.Context, p *ai.GenerateParams) (*ai.ModelResponse, error) {
		for _, m := range p.Request.Messages {
			text += m.Text()
		}
		return nil, nil
	}
	_, err := held.(*ai.Hooks).WrapGenerate(context.Background(), &ai.GenerateParams{Request: &ai.ModelRequest{}}, next)
	return text, err
}

// loadEino lists, which is what its skill tool does for each request.
func loadEino(_, dir string) (any, error) {
	b, err := eino.NewLocalBackend(&eino.LocalBackendConfig{BaseDir: dir})
	if err != nil {
		return nil, err
	}
	return b.List(context.Background())
}

func toldEino(held any) (string, error) {
	var b strings.Builder
	for _, m := range held.([]eino.FrontMatter) {
		fmt.Fprintf(&b, "%s: %s\n", m.Name, m.Description)
	}
	return b.String(), nil
}

func loadADK(_, dir string) (any, error) {
	src, _, err := adk.WithFrontmatterPreloadSource(context.Background(), adk.NewFileSystemSource(os.DirFS(dir)))
	return src, err
}

func toldADK(held any) (string, error) {
	list, err := held.(adk.Source).ListFrontmatters(context.Background())
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%s: %s\n", m.Name, m.Description)
	}
	return b.String(), err
}

// loadTRPC includes Summaries: its repository keeps paths only.
func loadTRPC(_, dir string) (any, error) {
	repo, err := trpc.NewFSRepository(dir)
	if err != nil {
		return nil, err
	}
	return repo.Summaries(), nil
}

func toldTRPC(held any) (string, error) {
	var b strings.Builder
	for _, m := range held.([]trpc.Summary) {
		fmt.Fprintf(&b, "%s: %s\n", m.Name, m.Description)
	}
	return b.String(), nil
}
