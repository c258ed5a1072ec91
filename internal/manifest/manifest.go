// Package manifest reads the plugin.json of a plugin: where its skills and
// commands are beside the usual folders (06 §1).
//
// Parse is pure, Read looks at the disk; both are safe for concurrent use. What
// is wrong with one field leaves the others as they are.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// Path is where a plugin has its manifest, relative to its root.
const Path = ".claude-plugin/plugin.json"

// maxPaths is the number of paths of one field that are read.
const maxPaths = 1_000

// A Manifest says what a plugin holds.
type Manifest struct {
	// Name is the plugin's name, or "".
	Name string
	// Skills are folders of skills that come beside skills/: clean slash paths
	// relative to the plugin's root, "." being the root itself.
	Skills []string
	// Commands are folders or files of commands that come instead of
	// commands/, if ReplacesCommands says so.
	Commands         []string
	ReplacesCommands bool
}

// A Problem is something a manifest says that cannot be followed.
type Problem struct {
	Field string // "" if the whole file is meant
	Line  int    // 1-based; 0 if unknown
	Msg   string
	Hint  string
}

// Parse reads a manifest. A document that is no JSON object is one problem and
// says nothing.
func Parse(doc []byte) (Manifest, []Problem) {
	doc = bytes.TrimPrefix(doc, []byte("\ufeff"))
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(doc, &fields); err != nil || fields == nil {
		return Manifest{}, []Problem{broken(doc, err)}
	}
	p := parser{doc: doc}
	var m Manifest
	if raw, ok := fields["name"]; ok && json.Unmarshal(raw, &m.Name) != nil {
		p.add("name", "the name is no text", "write \"name\": \"my-plugin\"")
	}
	m.Skills = p.paths("skills", fields["skills"])
	m.Commands = p.paths("commands", fields["commands"])
	m.ReplacesCommands = len(m.Commands) > 0
	return m, p.problems
}

// broken is the problem of a document that is no JSON object.
func broken(doc []byte, err error) Problem {
	p := Problem{Line: 1, Msg: "the manifest is no JSON object", Hint: "write one, such as {\"name\": \"my-plugin\"}"}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		p.Line = 1 + bytes.Count(doc[:min(int(syntax.Offset), len(doc))], []byte("\n"))
		p.Msg += ": " + syntax.Error()
	}
	return p
}

// A parser collects what is wrong with one manifest.
type parser struct {
	doc      []byte
	problems []Problem
}

func (p *parser) add(field, msg, hint string) {
	p.problems = append(p.problems, Problem{Field: field, Line: p.line(field), Msg: msg, Hint: hint})
}

// line returns the line of the first key of that name, which is near enough in
// a file that people write.
func (p *parser) line(field string) int {
	before, _, found := bytes.Cut(p.doc, []byte(`"`+field+`"`))
	if !found {
		return 0
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// paths reads a field that is one path or a list of them.
func (p *parser) paths(field string, raw json.RawMessage) []string {
	var list []any
	switch v := decode(raw).(type) {
	case nil:
		return nil
	case string:
		list = []any{v}
	case []any:
		list = v
	default:
		p.add(field, field+" is neither a path nor a list of paths", example(field))
		return nil
	}
	if len(list) > maxPaths {
		p.add(field, fmt.Sprintf("%s has more than %d paths; the rest is not read", field, maxPaths), "name the folder they are in")
		list = list[:maxPaths]
	}
	var out []string
	seen := make(map[string]bool)
	for _, v := range list {
		clean, why := cleanPath(v)
		if why != "" {
			p.add(field, fmt.Sprintf("the path %.200q of %s %s", fmt.Sprint(v), field, why), example(field))
			continue
		}
		if !seen[clean] {
			seen[clean] = true
			out = append(out, clean)
		}
	}
	return out
}

func decode(raw json.RawMessage) any {
	var v any
	_ = json.Unmarshal(raw, &v) // raw is a part of valid JSON, or empty: then nil is right
	return v
}

func example(field string) string {
	return fmt.Sprintf("write a path inside the plugin, such as %q: \"./more\"", field)
}

// cleanPath returns v as a clean path inside the plugin, or why it is none. It
// is cleaned before it is judged, so "./" and "a/.." are the root.
func cleanPath(v any) (clean, why string) {
	s, ok := v.(string)
	switch {
	case !ok:
		return "", "is no text"
	case s == "":
		return "", "is empty"
	case strings.ContainsAny(s, "\\\x00"):
		return "", "holds a character that no path here may hold"
	case path.IsAbs(s), len(s) > 1 && s[1] == ':':
		return "", "is not relative to the plugin"
	}
	clean = path.Clean(s)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", "leads out of the plugin"
	}
	return clean, ""
}
