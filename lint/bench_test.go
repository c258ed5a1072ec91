package lint

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// hostileDocuments are a megabyte each of what could make a check slow.
func hostileDocuments() map[string]string {
	const head, size = "---\ndescription: d\n---\n", 1 << 20
	fill := func(s string) string { return head + strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"plain":       fill("Some text of a body that is quite usual.\n"),
		"hidden":      fill("\u200b\n"),
		"positions":   fill("$1"),
		"lines":       fill("$1\n"),
		"glued":       fill("a!`b`"),
		"half-glued":  fill("a!`"),
		"backquotes":  fill("` `` ``` ```` "),
		"fences":      fill("```\n"),
		"long fence":  head + strings.Repeat("`", size),
		"empty lines": fill("\n"),
		"header":      "---\n" + strings.Repeat("a: b #c\n", size/8),
	}
}

func BenchmarkDocumentHostile(b *testing.B) {
	for name, text := range hostileDocuments() {
		b.Run(name, func(b *testing.B) {
			doc := []byte(text)
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				Document(doc, "x/SKILL.md", &Options{Strict: true})
			}
		})
	}
}

func BenchmarkPath(b *testing.B) {
	dir := testkit.BenchSkills(b, b.TempDir(), 1000)
	b.Run("1000-skills", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Path(context.Background(), dir, &Options{Strict: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("document", func(b *testing.B) {
		doc, err := os.ReadFile(filepath.Join(dir, "skill-00000", "SKILL.md"))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			Document(doc, "skill-00000/SKILL.md", &Options{Strict: true})
		}
	})
}
