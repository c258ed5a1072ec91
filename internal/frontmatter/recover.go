package frontmatter

import (
	"errors"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

var errNoPair = errors.New("there is no blank between the key and its value")

// readKeys reads a header that is not valid YAML for the reason cause, key by
// key (01 §4, 2).
func (d *Document) readKeys(cause error) {
	d.Fields, d.Problems, d.aliased = d.Fields[:0], d.Problems[:0], 0
	blocks := splitBlocks(d.header, d.headerLine)
	if !slices.ContainsFunc(blocks, func(b block) bool { return b.key != "" }) {
		d.notMapping(cause)
		return
	}
	d.State = Recovered
	d.recovered(cause)
	culprit := 0
	for _, b := range blocks {
		if b.key == "" {
			first(&culprit, b.line)
			d.ignored(b)
			continue
		}
		err := d.readBlock(b)
		if err == nil && d.State != Broken {
			continue
		}
		if d.State == Broken || b.key == mergeKey {
			d.unmergeable(b.line)
			return
		}
		first(&culprit, b.line)
		d.guess(b, err)
	}
	// The first line that cannot be read is a better hint than the one that
	// yaml.v3 names: that is often the line before or the start of a block.
	if culprit != 0 {
		d.Problems[0].Line = culprit
	}
}

// readBlock reads one block as YAML and appends its field.
func (d *Document) readBlock(b block) error {
	root, mask, err := loadYAML(b.text())
	if err != nil {
		return err
	}
	if root == nil || root.Kind != yaml.MappingNode || len(root.Content) != 2 {
		return errNoPair
	}
	c := converter{doc: d, mask: mask, before: b.line - 1}
	if c.key(root.Content[0]) != b.key {
		return errNoPair
	}
	c.top(root)
	return nil
}

// guess appends the field of a block that is not valid YAML, its value read as
// text.
func (d *Document) guess(b block, cause error) {
	d.Fields = append(d.Fields, Field{Key: b.key, Line: b.line, Value: b.guess()})
	_, message := explain(cause)
	d.report(Problem{
		Code:    CodeInvalid,
		Line:    b.line,
		Key:     b.key,
		Message: "the value is not valid YAML and was taken as text: " + message,
		Hint:    remedy(cause),
	})
}

// remedy returns what to do about a value that cannot be read because of cause.
func remedy(cause error) string {
	switch {
	case errors.Is(cause, errNoPair):
		return "write a blank behind the colon"
	case strings.Contains(cause.Error(), errControl.Error()):
		return "remove the invisible characters from the value"
	}
	return "put the value in quotes"
}

func (d *Document) recovered(cause error) {
	line, message := explain(cause)
	d.report(Problem{
		Code:    CodeRecovered,
		Line:    d.headerLine + max(0, line-1),
		Message: "the header is not valid YAML and was read key by key: " + message,
		Hint:    "put values in quotes that contain a colon and a blank, or start with a special character",
	})
}

func (d *Document) ignored(b block) {
	d.report(Problem{
		Code:    CodeIgnoredLine,
		Line:    b.line,
		Message: "this line belongs to no key and was ignored",
		Hint:    "write key: value, or move the text behind the closing ---",
	})
}

func (d *Document) notMapping(cause error) {
	_, message := explain(cause)
	d.fail(Problem{
		Code:    CodeNotMapping,
		Line:    d.headerLine,
		Message: "the header has no line with a key and a value: " + message,
		Hint:    "write one key: value on each line between the fences",
	})
}

// unmergeable gives the document up because of a merge key: without what it
// stands for, a field that restricts could be missing.
func (d *Document) unmergeable(line int) {
	d.fail(Problem{
		Code:    CodeMergeKey,
		Line:    line,
		Message: "what the merge key << stands for could not be read",
		Hint:    "write the fields themselves in place of <<",
	})
}
