package lint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

// Whatever a file holds: no panic, all the loader says is there, every issue is
// well formed and points at a line of the file, and strict findings are added
// to the others without changing them.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		"", "---\n", "---\nname: x\ndescription: Fix #1 for $1.50\n---\nDo:!`x` $2 \u200b\n",
		"---\npaths: ['{,}', '!x']\nallowed-tools: [a, b]\nmetadata: {a: [b]}\n---\n```sh\n$0\n```\n",
		"\ufeff---\r\nname: \u0130\r\n---\r\n", "---\na: &a\n - x #y\nb: *a\nc: [*a, *a]\n---\n", "---\n<<: {name: x}\n---\n!`a`!`b`",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, command bool) {
		if len(s) > 4<<10 {
			return
		}
		doc := []byte(s)
		layout := layoutSkill
		if command {
			layout = layoutCommand
		}
		_, loader := skills.Parse(doc, skills.ParseOptions{Name: "x", Path: "p", Layout: layout})
		plain := Document(doc, "p", &Options{Folder: "x", Command: command})
		strict := Document(doc, "p", &Options{Folder: "x", Command: command, Strict: true})
		if len(loader) > 0 {
			require.Subset(t, plain, loader)
		}
		if len(plain) > 0 {
			require.Subset(t, strict, plain)
		}
		wellFormed(t, strict, "p")
		lines := 1 + strings.Count(s, "\n") + strings.Count(s, "\r")
		for _, i := range strict {
			require.LessOrEqual(t, i.Line, lines)
		}
		assert.Equal(t, s, string(doc), "the document is not changed")
	})
}
