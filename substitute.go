package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/shellwords"
	"github.com/seed-12b313d8/skills/internal/template"
)

// body renders the Markdown body: the author's text with values in place of
// its placeholders, and the output of its commands in theirs. The text is
// scanned once and inserted text never again (04 §2).
func (r *rendering) body(ctx context.Context) (string, error) {
	s := r.skill
	text, above := frontmatter.Body(r.doc)
	if s.Origin == OriginRemote {
		return text, nil // verbatim, whatever it holds
	}
	values := template.Values{Args: r.call.Args, Words: shellwords.Split(r.call.Args), Lookup: r.variable}
	opts := template.Options{
		Names:              s.Arguments,
		Variable:           r.isVariable,
		TakesArguments:     s.ArgumentHint != "",
		PositionalDeclared: r.inv.opts.PositionalDeclared,
		FenceBlind:         r.inv.opts.FenceBlind,
		FenceStrict:        r.inv.opts.FenceStrict,
	}
	if s.Origin == OriginMCP {
		opts.MaxSpans = -1 // commands are text here, kept byte for byte
	}
	t, err := template.Parse(text, opts)
	if err != nil {
		return "", r.tooManyCommands(err, above)
	}
	if n := t.Size(values); n > maxRendered {
		return "", asError(fmt.Errorf("%d bytes, limit %d", n, maxRendered), s, CodeInvalid, "the text with its arguments is too long", "give shorter arguments")
	}
	used := false
	if commands := t.Spans(); len(commands) > 0 && s.Origin != OriginMCP {
		run := spans{rendering: r, values: values, line: above}
		var outputs []string
		if outputs, used, err = run.run(ctx, commands); err != nil {
			return "", err
		}
		values.Span = func(i int, _ template.Token) string { return outputs[i] }
	}
	out, replaced := t.Render(values)
	if !replaced && !used && strings.TrimSpace(r.call.Args) != "" {
		out = strings.TrimRight(out, "\n") + "\n\nARGUMENTS: " + r.call.Args
	}
	return out, nil
}

// tooManyCommands returns the error of a body with more commands than allowed,
// above which are lines of the file.
func (r *rendering) tooManyCommands(err error, above int) error {
	e := asError(err, r.skill, CodeInvalid, "the skill holds too many commands", "join commands in one fenced block")
	var many *template.TooManySpansError
	if errors.As(err, &many) {
		e.Line = above + many.Line
		e.Msg = fmt.Sprintf("the skill holds more than %d commands", many.Max)
		e.Err = nil // it counts the lines of the body
	}
	return e
}

// maxRendered bounds a rendered body in bytes: a short text may ask for long
// arguments many times.
const maxRendered = 8 << 20

// variable returns the value of ${PREFIX_name}; ok is false if it stays as
// written (04 §3).
func (r *rendering) variable(name string) (value string, ok bool) {
	s := r.skill
	if s.Origin == OriginMCP {
		return "", false
	}
	root, data := s.pluginDirs()
	switch r.prefixes().Trim(name) {
	case "SKILL_DIR":
		value = filepath.ToSlash(s.Dir)
	case "SESSION_ID":
		value = r.inv.sess.id
	case "PROJECT_DIR":
		value = filepath.ToSlash(r.inv.sess.reg.loc.Project)
	case "EFFORT":
		value = cmp.Or(s.Effort, r.call.Settings.Effort)
	case "PLUGIN_ROOT":
		value = filepath.ToSlash(root)
	case "PLUGIN_DATA":
		value = filepath.ToSlash(data)
	}
	return value, value != ""
}

// prefixes returns what the names of the host's variables begin with.
func (r *rendering) prefixes() template.Prefixes { return r.inv.opts.Variables }

// isVariable reports whether ${name} has a prefix the host allows.
func (r *rendering) isVariable(name string) bool { return r.prefixes().Trim(name) != "" }

func isFolder(name string) bool {
	switch name {
	case "SKILL_DIR", "PROJECT_DIR", "PLUGIN_ROOT", "PLUGIN_DATA":
		return true
	}
	return false
}

// expandRule fills folder variables into one tool rule.
func (r *rendering) expandRule(text string) string {
	return template.Expand(text, r.prefixes(), func(name string) (string, bool) {
		if !isFolder(r.prefixes().Trim(name)) {
			return "", false
		}
		return r.variable(name)
	})
}
