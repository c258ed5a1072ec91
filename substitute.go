package skills

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/shellwords"
	"github.com/seed-12b313d8/skills/internal/template"
)

func splitWords(args string) []string { return shellwords.Split(args) }

// body renders the Markdown body: the author's text with values in place of
// its placeholders, and the output of its commands in theirs. The text is
// scanned once and inserted text never again (04 §2).
func (r *rendering) body(ctx context.Context) (string, error) {
	s := r.skill
	text := bodyOf(r.doc)
	if s.Origin == OriginRemote {
		return text, nil // verbatim, whatever it holds
	}
	values := template.Values{Args: r.call.Args, Words: splitWords(r.call.Args), Lookup: r.variable}
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
		return "", r.tooManyCommands(err)
	}
	if n := t.Size(values); n > maxRendered {
		return "", asError(fmt.Errorf("%d bytes, limit %d", n, maxRendered), s, CodeInvalid, "the text with its arguments is too long", "give shorter arguments")
	}
	used := false
	if commands := t.Spans(); len(commands) > 0 && s.Origin != OriginMCP {
		run := spans{rendering: r, values: values, line: linesBefore(r.doc, text)}
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

// linesBefore returns how many lines of doc stand before its body, of which
// text is the whole.
func linesBefore(doc []byte, text string) int {
	decoded, _ := frontmatter.Decode(doc, true) // its line ends may be lone CR
	return bytes.Count(decoded, []byte{'\n'}) - strings.Count(text, "\n")
}

// tooManyCommands returns the error of a body with more commands than allowed.
func (r *rendering) tooManyCommands(err error) error {
	e := asError(err, r.skill, CodeInvalid, "the skill holds too many commands", "join commands in one fenced block")
	var many *template.TooManySpansError
	if errors.As(err, &many) {
		e.Line = linesBefore(r.doc, bodyOf(r.doc)) + many.Line
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
	switch r.trimPrefix(name) {
	case "SKILL_DIR":
		value = slashPath(s.Dir)
	case "SESSION_ID":
		value = r.inv.sess.id
	case "PROJECT_DIR":
		value = slashPath(r.inv.sess.reg.loc.Project)
	case "EFFORT":
		value = orDefault(s.Effort, r.call.Settings.Effort)
	case "PLUGIN_ROOT":
		value = slashPath(s.pluginRoot())
	case "PLUGIN_DATA":
		value = slashPath(s.pluginData())
	}
	return value, value != ""
}

// isVariable reports whether ${name} has a prefix the host allows.
func (r *rendering) isVariable(name string) bool { return r.trimPrefix(name) != "" }

// trimPrefix returns name without the longest of the host's prefixes that it
// has, or "" if it has none.
func (r *rendering) trimPrefix(name string) string {
	short := ""
	for _, prefix := range r.inv.opts.Variables {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (short == "" || len(rest) < len(short)) {
			short = rest
		}
	}
	return short
}

func isFolder(name string) bool {
	switch name {
	case "SKILL_DIR", "PROJECT_DIR", "PLUGIN_ROOT", "PLUGIN_DATA":
		return true
	}
	return false
}

// expandRule fills folder variables into one tool rule; text that comes in
// through them is not looked at again.
func (r *rendering) expandRule(rule string) string {
	t, err := template.Parse(rule, template.Options{Variable: r.isVariable, NoSpans: true})
	if err != nil {
		return rule
	}
	var b strings.Builder
	for tok := range t.Tokens() {
		value := tok.Text
		if tok.Kind == template.Variable && isFolder(r.trimPrefix(tok.Name)) {
			if v, ok := r.variable(tok.Name); ok {
				value = v
			}
		}
		b.WriteString(value)
	}
	return b.String()
}
