package frontmatter

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	adrg "github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"
)

// yamlFence stands around a text when adrg/frontmatter reads it. That package
// trims lines before it compares them, so that with "---" an indented --- in a
// block scalar would end the header (01 R4, R7). A line of NUL cannot occur in
// a text: Decode replaces NUL, and loadYAML refuses it.
const yamlFence = "\x00"

// readers spare a buffer for each header; the parser takes a bufio.Reader as it
// is.
var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

var (
	errDocuments  = errors.New("there is text behind the end of the YAML document")
	errNotMapping = errors.New("the header is not a list of keys with values")
	errNesting    = errors.New("nested too deep")
	errAliases    = errors.New("aliases expand to too much")
	errControl    = errors.New("control characters are not allowed")
)

// loadYAML reads text, whose last line is ended, as one YAML document and
// returns its root; nil if there is none. Strings in the nodes have to be
// passed through the disguise. Everything that is YAML goes through here, and
// through adrg/frontmatter with this one format (01 R7).
func loadYAML(text string) (*yaml.Node, disguise, error) {
	d, err := newDisguise(text)
	if err != nil {
		return nil, d, err
	}
	text = d.hide(text)
	switch {
	case strings.Contains(text, yamlFence):
		return nil, d, errControl
	case isNestedDeep(text):
		return nil, d, errNesting
	}
	root, err := parseYAML(text)
	if err != nil {
		if joined := joinSurrogates(text); joined != text {
			root, err = parseYAML(joined)
		}
	}
	return root, d, err
}

// parseYAML reads text without any precaution but those of unmarshal.
func parseYAML(text string) (*yaml.Node, error) {
	var doc yaml.Node
	r := readers.Get().(*bufio.Reader)
	defer func() {
		r.Reset(nil) // keep no text alive
		readers.Put(r)
	}()
	r.Reset(strings.NewReader(yamlFence + "\n" + text + yamlFence + "\n"))
	format := adrg.NewFormat(yamlFence, yamlFence, unmarshal)
	if _, err := adrg.MustParse(r, &doc, format); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// unmarshal reads data into v. Unlike yaml.Unmarshal it insists on reading all
// of data: that function stops without a word where the first document ends,
// which may be as early as the first line that is further out than the first
// key. It also returns an error where yaml.v3 panics, as that package does on
// inconsistencies of its own.
func unmarshal(data []byte, v any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	switch err := dec.Decode(v); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	var more yaml.Node
	switch err := dec.Decode(&more); {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return fmt.Errorf("line %d: %w", more.Line, errDocuments)
	default:
		// The parser counts lines from 0.
		line, _ := explain(err)
		return fmt.Errorf("line %d: %w", line+1, errDocuments)
	}
}

// isNestedDeep reports whether text has so many brackets open at once that
// yaml.v3, which goes down to 10,000, would be kept busy for nothing.
// Brackets within texts count too; no text has that many unclosed.
func isNestedDeep(text string) bool {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if open++; open > maxNesting {
				return true
			}
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return false
}

// explain takes an error of loadYAML apart: the line in the text, 1-based or 0
// if unknown, and what is wrong.
func explain(err error) (line int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	rest, ok := strings.CutPrefix(message, "line ")
	if !ok {
		return 0, message
	}
	number, text, ok := strings.Cut(rest, ": ")
	if !ok {
		return 0, message
	}
	line, err = strconv.Atoi(number)
	if err != nil {
		return 0, message
	}
	return line, text
}

// plainValue returns what YAML takes a plain scalar for.
func plainValue(text string) any {
	var v any
	if err := (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).Decode(&v); err != nil {
		return text
	}
	return v
}
