package template

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// prose is a piece of an ordinary body: headings, lists, code, one fence, an
// exclamation mark, and nothing to replace.
const prose = "## Step\n\nRead `config.yaml` first! Then run the checks:\n\n" +
	"- look at **every** file below `src/`\n- keep the order of the steps\n\n" +
	"```bash\nmake test && echo ok\n```\n\nReport what failed, with the path and the line of each failure.\n\n"

// bodyWith returns a body of 10 KB with n placeholders spread over it.
func bodyWith(n int) string {
	text := strings.Repeat(prose, 10_000/len(prose)+1)[:10_000]
	var b strings.Builder
	for i := range n {
		b.WriteString(text[i*len(text)/n : (i+1)*len(text)/n])
		b.WriteString([]string{"$ARGUMENTS", "$0", "$target", "$ARGUMENTS[1]", "${CLAUDE_SKILL_DIR}"}[i%5])
	}
	if n == 0 {
		return text
	}
	return b.String()
}

// BenchmarkParseRender has the bars 2 and 5 for xfloor, the time divided by
// that of a clone of the body and one scan through it, measured in turns
// (07 §1: substitution).
func BenchmarkParseRender(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchParseRender(b, bodyWith(0)) })
	b.Run("50", func(b *testing.B) { benchParseRender(b, bodyWith(50)) })
}

func benchParseRender(b *testing.B, body string) {
	const turn = 16
	o := Options{Names: []string{"target", "scope"}}
	v := Values{
		Args:   "src/main.go fast",
		Words:  []string{"src/main.go", "fast"},
		Lookup: func(string) (string, bool) { return "/home/me/skills/check", true },
	}
	raw := []byte(body)
	var floor, ours time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		for range turn {
			sinkInt = bytes.IndexByte(bytes.Clone(raw), 0)
		}
		middle := time.Now()
		for range turn {
			t, err := Parse(body, o)
			if err != nil {
				b.Fatal(err)
			}
			sinkText, _ = t.Render(v)
		}
		floor += middle.Sub(start)
		ours += time.Since(middle)
	}
	b.ReportMetric(float64(ours)/float64(floor), "xfloor")
	b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N*turn), "ns/render")
	b.ReportMetric(0, "ns/op") // both sides of the comparison, of no interest
}

// BenchmarkParseSpans reads a body of 10 KB that has spans and so needs the
// look at Markdown that others are spared.
func BenchmarkParseSpans(b *testing.B) {
	body := bodyWith(0) + "\n- Branch: !`git branch $0`\n- State: !`git status`\n\n```!\nmake $ARGUMENTS\n```\n"
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(body, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

var (
	sinkInt  int
	sinkText string
)
