package lint

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/frontmatter"
	"github.com/seed-12b313d8/skills/internal/names"
)

// The limits of the open format, in characters.
const (
	maxFormatName          = 64
	maxFormatDescription   = 1024
	maxFormatCompatibility = 500
)

// formatKeys are the keys that the open format has, in the only spelling it
// accepts.
func formatKeys() []string {
	return []string{"name", "description", "license", "allowed-tools", "metadata", "compatibility"}
}

// format checks the rules of the open format (01 §8).
func (f *file) format(doc []byte) {
	f.formatFileName()
	if !f.formatFrontmatter(doc) {
		return
	}
	f.formatName()
	f.formatDescription()
	f.formatCompatibility()
	f.formatMetadata()
	f.formatTools()
	f.formatKeys()
}

// violation reports a breach of the format in the field of v, or in the whole
// file if v is nil.
func (f *file) violation(code skills.Code, v *frontmatter.Field, msg, hint string) {
	i := skills.Issue{Code: code, Severity: sevError, Msg: msg, Hint: hint}
	if v != nil {
		i.Line, i.Field = v.Line, v.Key
	}
	f.report(i)
}

// formatFileName accepts SKILL.md and, as the reference validator does,
// skill.md.
func (f *file) formatFileName() {
	base := filepath.Base(f.path)
	if f.path == "" || base == skillFile || base == strings.ToLower(skillFile) {
		return
	}
	f.violation(codeFormatFileName, nil, "the file is called "+base, "call it "+skillFile)
}

// formatFrontmatter reports a header that other programs do not find or cannot
// read, and whether there are fields to look at.
func (f *file) formatFrontmatter(doc []byte) bool {
	complain := func(line int, msg, hint string) {
		f.report(skills.Issue{Code: codeFormatFrontmatter, Severity: sevError, Line: line, Msg: msg, Hint: hint})
	}
	switch f.head.State {
	case frontmatter.None:
		complain(1, "there is no frontmatter", "begin the file with ---, a name, a description and ---")
		return false
	case frontmatter.Broken:
		complain(f.head.Problems[0].Line, "the frontmatter cannot be read: "+f.head.Problems[0].Message, f.head.Problems[0].Hint)
		return false
	case frontmatter.Recovered:
		complain(f.head.Problems[0].Line, "the frontmatter is not valid YAML", f.head.Problems[0].Hint)
	}
	if !bytes.HasPrefix(doc, []byte("---")) {
		complain(1, "the frontmatter does not begin with the first character of the file", "delete blank lines and byte order marks before the first ---")
	}
	seen := make(map[string]bool)
	for _, v := range f.head.Fields {
		if seen[v.Key] {
			complain(v.Line, "the key "+v.Key+" is there twice, which YAML does not allow", "keep one of them")
		}
		seen[v.Key] = true
	}
	return true
}

// exact returns the last field with this very key; nil without one.
func (f *file) exact(key string) *frontmatter.Field {
	for i := range slices.Backward(f.head.Fields) {
		if f.head.Fields[i].Key == key {
			return &f.head.Fields[i]
		}
	}
	return nil
}

// required returns a field that must hold a text; nil, after saying so, if it
// does not. In the dialect of the reference all scalars are text, null too.
func (f *file) required(key string, code skills.Code) *frontmatter.Field {
	v := f.exact(key)
	switch {
	case v == nil:
		f.violation(code, nil, "there is no "+key, "add "+key+": and a text")
	case v.Value.Kind == frontmatter.List || v.Value.Kind == frontmatter.Map:
		f.violation(code, v, "the "+key+" is not a text", "write one text, in quotes if it holds brackets")
	case strings.TrimSpace(v.Value.Text) == "":
		f.violation(code, v, "the "+key+" is empty", "write a text behind it")
	default:
		return v
	}
	return nil
}

// formatName checks the name in the form in which the format compares it:
// trimmed, then NFKC.
func (f *file) formatName() {
	v := f.required("name", codeFormatName)
	if v == nil {
		return
	}
	name := names.FoldNFKC(strings.TrimSpace(v.Value.Text))
	for _, why := range nameFaults(name) {
		f.violation(codeFormatName, v, fmt.Sprintf("the name %q %s", clip(v.Value.Text), why), "use up to 64 lower-case letters, digits and single hyphens between them")
	}
	if f.name != "" && names.FoldNFKC(f.name) != name {
		f.violation(codeFormatFolder, v, fmt.Sprintf("the name %q is not that of the folder %q", clip(v.Value.Text), f.name), "make them equal")
	}
}

// nameFaults says what the format forbids about a name.
func nameFaults(name string) []string {
	var out []string
	add := func(bad bool, why string) {
		if bad {
			out = append(out, why)
		}
	}
	add(utf8.RuneCountInString(name) > maxFormatName, "has more than 64 characters")
	add(name != strings.ToLower(name), "is not in lower case")
	add(strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-"), "begins or ends with a hyphen")
	add(strings.Contains(name, "--"), "holds two hyphens in a row")
	i := strings.IndexFunc(name, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		add(true, fmt.Sprintf("holds %q, which is no letter, digit or hyphen", r))
	}
	return out
}

// formatDescription measures the text untrimmed, as the reference does.
func (f *file) formatDescription() {
	v := f.required("description", codeFormatDescription)
	if v == nil {
		return
	}
	if n := utf8.RuneCountInString(v.Value.Text); n > maxFormatDescription {
		f.violation(codeFormatDescription, v, fmt.Sprintf("the description has %d characters, more than %d", n, maxFormatDescription), "shorten it; details belong in the body")
	}
}

// formatCompatibility lets an empty text pass, as the reference does.
func (f *file) formatCompatibility() {
	v := f.exact("compatibility")
	if v == nil {
		return
	}
	if v.Value.Kind == frontmatter.List || v.Value.Kind == frontmatter.Map {
		f.violation(codeFormatCompatibility, v, "the compatibility is not a text", "write one text")
		return
	}
	if n := utf8.RuneCountInString(v.Value.Text); n > maxFormatCompatibility {
		f.violation(codeFormatCompatibility, v, fmt.Sprintf("the compatibility has %d characters, more than %d", n, maxFormatCompatibility), "shorten it")
	}
}

func (f *file) formatMetadata() {
	v := f.exact("metadata")
	if v == nil {
		return
	}
	if v.Value.Kind != frontmatter.Map {
		f.violation(codeFormatMetadata, v, "the metadata is not a map", "write one key and text a line below it")
		return
	}
	for _, child := range v.Value.Fields {
		if child.Value.Kind == frontmatter.List || child.Value.Kind == frontmatter.Map {
			f.report(skills.Issue{
				Code: codeFormatMetadata, Severity: sevError, Line: child.Line, Field: v.Key,
				Msg: fmt.Sprintf("the metadata %q is not a text", child.Key), Hint: "write one text; the format has no deeper levels",
			})
		}
	}
}

// formatTools accepts one text with blanks between the rules.
func (f *file) formatTools() {
	v := f.exact("allowed-tools")
	switch {
	case v == nil:
	case v.Value.Kind == frontmatter.List || v.Value.Kind == frontmatter.Map:
		f.violation(codeFormatAllowedTools, v, "allowed-tools is not a text", "write the rules on one line with blanks between them")
	case hasListComma(v.Value.Text):
		f.violation(codeFormatAllowedTools, v, "allowed-tools has commas between the rules", "put blanks between them instead")
	}
}

// hasListComma reports whether s has a comma outside brackets and quotes. A
// quote without a partner is an apostrophe.
func hasListComma(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			i += 1 + strings.IndexByte(s[i+1:], c)
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

func (f *file) formatKeys() {
	known := formatKeys()
	for i := range f.head.Fields {
		v := &f.head.Fields[i]
		if slices.Contains(known, v.Key) {
			continue
		}
		hint := "move it below metadata, or leave it out"
		if j := slices.IndexFunc(known, func(k string) bool { return foldKey(k) == foldKey(v.Key) }); j >= 0 {
			hint = "write " + known[j]
		}
		f.violation(codeFormatUnknownKey, v, fmt.Sprintf("the open format has no field %q", v.Key), hint)
	}
}
