package line_test

import (
	"strings"
	"testing"

	"github.com/seed-12b313d8/skills/internal/line"
)

// plainText returns 200 characters, like a usual description.
func plainText() string { return strings.Repeat("Reviews a change and names defects; ", 6)[:200] }

func BenchmarkClean(b *testing.B) {
	plain := plainText()
	o := line.Options{Reserved: []string{"system-reminder"}}
	for _, bench := range []struct{ name, text string }{
		{"plain", plain},
		{"dash", plain[:100] + "–" + plain[101:]},
		{"angles", plain[:100] + "<a>" + plain[103:]},
		{"cjk", strings.Repeat("技能を探す", 40)},
		{"dirty", plain[:100] + "\n\u200B" + plain[101:]},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = line.Clean(bench.text, o)
			}
		})
	}
}

func BenchmarkCut(b *testing.B) {
	plain := plainText()
	for _, bench := range []struct{ name, text string }{
		{"plain", plain},
		{"cjk", strings.Repeat("技能を探す", 40)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = line.Cut(bench.text, 80)
			}
		})
	}
}
