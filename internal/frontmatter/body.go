package frontmatter

import "bytes"

// Body returns the Markdown below the frontmatter of a whole file, decoded, and
// the number of lines above it.
func Body(doc []byte) (text string, above int) {
	decoded, _ := Decode(doc, true)
	var d Document
	Parse(decoded, true, Limits{}, &d)
	return string(decoded[d.Body:]), bytes.Count(decoded[:d.Body], []byte{'\n'})
}
