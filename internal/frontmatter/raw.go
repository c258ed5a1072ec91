package frontmatter

import "strings"

// Raw returns the value of f, a top-level field of d, the way it stands in the
// file, for fields whose brackets are not meant as YAML (01 §3, argument-hint):
//
//   - a scalar or null: its text, that is without quotes and without what YAML
//     takes for a comment;
//   - a list or map in brackets: its source, [issue] or [a: b | c], folded into
//     one line;
//   - a block list: its items, each as it stands in the file, joined by blanks;
//   - a block map: its source, folded into one line.
//
// Where there is no source to quote, because the value comes from an alias or
// the whole header is in braces, lists and maps are written as by
// [Value.String].
func (d *Document) Raw(f Field) string {
	v := f.Value
	if v.Kind == Null || v.Kind == Scalar {
		return v.Text
	}
	b := d.blockOf(f)
	switch {
	case v.Kind == List && !v.Flow:
		return rawList(v, b)
	case v.Flow:
		text := strings.Trim(b.rest+"\n"+b.below(), " \t\n")
		opened := text != "" && (text[0] == '[' || text[0] == '{')
		if end := closing(text, !v.Guessed); opened && end > 0 {
			return fold(text[:end+1], !v.Guessed)
		}
	case b.rest == "" && b.source != "":
		return b.folded()
	}
	return v.String()
}

// blockOf returns the lines of the header that hold f, or none.
func (d *Document) blockOf(f Field) block {
	for _, b := range splitBlocks(d.header, d.headerLine) {
		if b.line == f.Line && b.key == f.Key {
			return b
		}
	}
	return block{}
}

// rawList joins the items of a block list. Items that are more than a scalar
// are taken from the source, if it shows the same number of items.
func rawList(v Value, b block) string {
	source := guessList(b.below(), 0)
	texts := make([]string, len(v.Items))
	for i, item := range v.Items {
		texts[i] = item.String()
		if item.Kind > Scalar && len(source) == len(v.Items) {
			texts[i] = source[i].Text
		}
	}
	return strings.Join(texts, " ")
}

// String writes v on one line: scalars as their text, lists as [a, b], maps as
// {a: b}. It is meant for people and not meant to be read back.
func (v Value) String() string {
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v Value) write(b *strings.Builder) {
	switch v.Kind {
	case List:
		b.WriteByte('[')
		for i, item := range v.Items {
			separate(b, i)
			item.write(b)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for i, f := range v.Fields {
			separate(b, i)
			b.WriteString(f.Key + ": ")
			f.Value.write(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.Text)
	}
}

// separate writes a comma before all elements but the first.
func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}
