package bundled

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills"
)

// apiPrompt makes the text of claude-api, with the reference for the language
// of the project and no other (05 §3).
func apiPrompt(t text, _ Host) prompt {
	return func(ctx context.Context, p skills.PromptContext) ([]skills.Block, error) {
		lang, why, task, err := chooseLanguage(ctx, p)
		if err != nil {
			return nil, err
		}
		reference, err := fs.ReadFile(embedded, "files/claude-api/"+lang.reference+".md")
		if err != nil {
			return nil, err
		}
		if task == "" {
			task = "The user named no task. Find out what they want to build before you write code."
		} else {
			task = quote(task)
		}
		return one(t.fill("", map[string]string{
			"task": task, "language": why, "reference": strings.TrimSpace(string(reference)), "others": otherReferences(p.Base, lang),
		}))
	}
}

// chooseLanguage takes the language that the arguments name first, otherwise
// that of the project. It says why, and returns the arguments without it. It
// fails if the project's folder does not answer.
func chooseLanguage(ctx context.Context, p skills.PromptContext) (l language, why, task string, err error) {
	task = strings.TrimSpace(p.Args)
	if first, rest, _ := strings.Cut(task, " "); first != "" {
		if l, ok := named(first); ok {
			return l, fmt.Sprintf("The user asked for %s; its reference is below.", l.name), strings.TrimSpace(rest), nil
		}
	}
	dir := p.Dir
	found, err := await(ctx, "looking for the project's language", func() detection { return detectLanguage(dir) })
	l, evidence := found.language, found.evidence
	switch {
	case err != nil:
		return l, "", "", err
	case evidence == "":
		why = "Nothing shows which language the project is written in, so the reference below is that of the HTTP API, with curl. Ask the user which language they want, unless the task says so."
	case l.reference == "curl":
		why = fmt.Sprintf("The project looks like %s (%s). The reference below is that of the HTTP API, with curl: see whether there is an official SDK for %s, and otherwise call the API with the HTTP client the project already uses.", l.name, evidence, l.name)
	default:
		why = fmt.Sprintf("The project looks like %s (%s); the reference below is for it.", l.name, evidence)
	}
	return l, why, task, nil
}

// otherReferences says where the rest is, if it was written to disk.
func otherReferences(base string, used language) string {
	if base == "" {
		return "For another language call this skill again with the language as its first word: `go`, `python`, `typescript` or `curl`."
	}
	var out []string
	for _, name := range []string{"go", "python", "typescript", "curl"} {
		if name != used.reference {
			out = append(out, "`"+clean(filepath.ToSlash(filepath.Join(base, name+".md")))+"`")
		}
	}
	return "References for other languages, to read only when they are needed: " + strings.Join(out, ", ") + "."
}
