package frontmatter

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// TestCorpus reads real files. Where yaml.v3 on its own reads a header, the
// fields must be the same; elsewhere no key may be missing (07 B12).
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedDir(t, "SKILLS_CORPUS", "corpus"), "dev", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	states := map[State]int{}
	flat := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			text, _ := Decode(raw, true)
			var d Document
			Parse(text, true, Limits{}, &d)
			states[d.State]++
			if headerOf(d.header).scanFlat(defaultMaxKeys) && d.State != None {
				flat++
			}
			checkInvariants(t, text, &d)
			checkHeader(t, &d)
			if d.State == None || len(d.Fields) == 0 {
				FirstParagraph(text[d.Body:])
			}
		})
	}
	t.Logf("%d files: %d without header, %d valid (%d of them flat), %d recovered, %d broken",
		len(files), states[None], states[OK], flat, states[Recovered], states[Broken])
	assert.Zero(t, states[Broken], "every header of the corpus can be read")
	assert.GreaterOrEqual(t, flat*10, states[OK]*9, "nine of ten valid headers are flat")
}

// checkHeader compares the fields of d with its header.
func checkHeader(t *testing.T, d *Document) {
	t.Helper()
	var doc yaml.Node
	if yaml.Unmarshal([]byte(d.header), &doc) != nil {
		key := regexp.MustCompile(`(?m)^([A-Za-z_][A-Za-z0-9_-]*):`)
		for _, m := range key.FindAllStringSubmatch(d.header, -1) {
			get(t, d, m[1])
		}
		return
	}
	if len(doc.Content) == 0 {
		assert.Empty(t, d.Fields)
		return
	}
	pairs := doc.Content[0].Content
	require.Len(t, d.Fields, len(pairs)/2)
	for i, f := range d.Fields {
		k, v := pairs[2*i], pairs[2*i+1]
		assert.Equal(t, k.Value, f.Key)
		assert.Equal(t, k.Line+d.headerLine-1, f.Line)
		assert.Equal(t, shape(v), shapeOf(f.Value), f.Key)
	}
}

// shape writes a node out in full.
func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode, yaml.MappingNode:
		text := fmt.Sprint(n.Kind == yaml.MappingNode, "(")
		for _, child := range n.Content {
			text += shape(child) + ","
		}
		return text + ")"
	}
	return fmt.Sprintf("%q", n.Value)
}

// shapeOf writes a value out like shape.
func shapeOf(v Value) string {
	if v.Kind == Scalar || v.Kind == Null {
		return fmt.Sprintf("%q", v.Text)
	}
	text := fmt.Sprint(v.Kind == Map, "(")
	for _, item := range v.Items {
		text += shapeOf(item) + ","
	}
	for _, f := range v.Fields {
		text += fmt.Sprintf("%q,", f.Key) + shapeOf(f.Value) + ","
	}
	return text + ")"
}
