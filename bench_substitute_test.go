package skills_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/template"
)

// tenKB returns a body of 10 KB with n placeholders spread over it.
func tenKB(n int) string {
	const prose = "## Step\n\nRead `config.yaml` first! Then look at **every** file below `src/` and keep the order.\n\n"
	text := strings.Repeat(prose, 10_000/len(prose)+1)[:10_000]
	var b strings.Builder
	for i := range n {
		b.WriteString(text[i*len(text)/n : (i+1)*len(text)/n])
		b.WriteString([]string{"$ARGUMENTS", "$0", "$ARGUMENTS[1]", "${CLAUDE_SKILL_DIR}"}[i%4])
	}
	if n == 0 {
		return text
	}
	return b.String()
}

// BenchmarkSubstitute replaces the placeholders of a body of 10 KB. The metric
// xfloor is its time divided by that of a clone of the body and one scan
// through it, in turns, as the median of all turns; the bars are 2 without placeholders and 5 with 50 of
// them (07 §1).
func BenchmarkSubstitute(b *testing.B) {
	for _, bb := range []struct {
		name string
		n    int
	}{{"placeholders=0", 0}, {"placeholders=50", 50}} {
		b.Run(bb.name, func(b *testing.B) { benchSubstitute(b, tenKB(bb.n)) })
	}
}

func benchSubstitute(b *testing.B, body string) {
	const turn = 64 // what is measured takes no longer than reading a clock
	values := template.Values{
		Args:   "src/main.go fast",
		Words:  []string{"src/main.go", "fast"},
		Lookup: func(string) (string, bool) { return "/home/me/skills/check", true },
	}
	raw := []byte(body)
	var ours []time.Duration
	var ratios []float64 // of single rounds: the collector falls into either side
	zeros, size := 0, 0
	for b.Loop() {
		start := time.Now()
		for range turn {
			zeros += bytes.IndexByte(bytes.Clone(raw), 0)
		}
		middle := time.Now()
		for range turn {
			t, err := template.Parse(body, template.Options{})
			if err != nil {
				b.Fatal(err)
			}
			text, _ := t.Render(values)
			size += len(text)
		}
		ours = append(ours, time.Since(middle))
		ratios = append(ratios, float64(ours[len(ours)-1])/float64(middle.Sub(start)))
	}
	require.Negative(b, zeros)
	require.NotZero(b, size)
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "xfloor")
	b.ReportMetric(float64(minimum(ours).Nanoseconds())/turn, "ns/body")
	b.ReportMetric(0, "ns/op") // both sides together, of no interest
}

// BenchmarkInvoke is a whole call of a skill on disk with a body of 10 KB: the
// file is read, checked, hashed, rendered and recorded.
func BenchmarkInvoke(b *testing.B) {
	sess := invocable(b, tenKB(50))
	inv := skills.NewInvoker(sess, nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: "src/main.go fast", Caller: skills.CallerUser}); err != nil {
			b.Fatal(err)
		}
	}
}

func invocable(tb testing.TB, body string) *skills.Session {
	reg, err := skills.Open(context.Background(), &skills.Options{
		Sources: []skills.Source{skills.StaticSource(skills.SourceInfo{ID: "x", Origin: skills.OriginUser}, &skills.Skill{
			Name: "s", Description: "d", Content: skills.Content{Read: func(context.Context) ([]byte, error) { return []byte(skill(body, "description: d")), nil }},
		})},
	})
	require.NoError(tb, err)
	tb.Cleanup(func() { assert.NoError(tb, reg.Close()) })
	return reg.NewSession("", nil)
}

// What an invocation allocates does not grow with its placeholders (07 §1).
func TestInvokeAllocations(t *testing.T) {
	count := func(n int) float64 {
		inv := skills.NewInvoker(invocable(t, tenKB(n)), nil)
		return testing.AllocsPerRun(20, func() {
			_, err := inv.Invoke(context.Background(), skills.Call{Name: "s", Args: "src/main.go fast", Caller: skills.CallerUser})
			require.NoError(t, err)
		})
	}
	few, many := count(1), count(400)
	t.Logf("%.0f allocations with one placeholder, %.0f with 400", few, many)
	assert.LessOrEqual(t, many, few+40)
}
