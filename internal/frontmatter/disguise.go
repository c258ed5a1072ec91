package frontmatter

import (
	"errors"
	"strings"
)

// A disguise hides the characters of a text that yaml.v3 misreads behind
// others that the text does not use, and brings them back. The zero disguise
// changes nothing.
//
// NEL, LS and PS are line breaks for yaml.v3, as in YAML 1.1, though no editor
// shows them so: a field could hide within what looks like one line, and line
// numbers would be wrong. YAML 1.2 takes them for text, and so does this
// package. With a byte order mark at the start of its read buffer, yaml.v3
// drops the first character of every line.
type disguise struct {
	hider, shower *strings.Replacer
}

// misread returns the characters that need a disguise.
func misread() [4]string {
	return [...]string{"\u0085", "\u2028", "\u2029", "\uFEFF"}
}

var errDisguise = errors.New("private use characters are not allowed beside Unicode line separators")

// newDisguise returns the disguise that text needs.
func newDisguise(text string) (disguise, error) {
	var there []string
	for _, c := range misread() {
		if strings.Contains(text, c) {
			there = append(there, c)
		}
	}
	if there == nil {
		return disguise{}, nil
	}
	var hide, show []string
	const privateUse, tries = '\uE000', 64
	for r := rune(privateUse); r < privateUse+tries && len(there) > 0; r++ {
		if free := string(r); !strings.Contains(text, free) {
			hide = append(hide, there[0], free)
			show = append(show, free, there[0])
			there = there[1:]
		}
	}
	if len(there) > 0 {
		return disguise{}, errDisguise
	}
	return disguise{strings.NewReplacer(hide...), strings.NewReplacer(show...)}, nil
}

// hide returns text with its misread characters disguised.
func (d disguise) hide(text string) string {
	if d.hider == nil {
		return text
	}
	return d.hider.Replace(text)
}

// show undoes hide.
func (d disguise) show(text string) string {
	if d.shower == nil {
		return text
	}
	return d.shower.Replace(text)
}
