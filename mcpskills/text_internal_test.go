package mcpskills

import (
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/line"
)

func ourCleaner() cleaner {
	return cleaner{(&Options{Tags: []string{"acme-note"}}).withDefaults().Tags}
}

func TestCleanText(t *testing.T) {
	tests := []struct{ name, in, want, reason string }{
		{"empty", "", "", "06 §2: nothing is clean"},
		{"plain", "# Title\n\n\tcode  two blanks \n", "# Title\n\n\tcode  two blanks \n", "06 §2: newline, tab and blanks stay as they are"},
		{"line ends", "a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh", "06 §2: no break glues words or stays hidden"},
		{"controls", "a\x00\x1b[31mb\x7f\u009bc", "a[31mbc", "06 §2: control characters go"},
		{"bytes", "a\xffb\xc3(\xed\xa0\x80", "a\uFFFDb\uFFFD(\uFFFD\uFFFD\uFFFD", "06 §2: invalid UTF-8 becomes U+FFFD"},
		{"bidi", "abc \u202Egnp.exe\u2066x\u2069", "abc gnp.exex", "hostile list-04: bidi goes"},
		{"tags", "tidy \U000E0072\U000E006D code", "tidy  code", "hostile list-03: tag characters go"},
		{"zero width", "com\u200Bmit\uFEFF\u00AD\u2060", "commit", "06 §2: invisible characters go"},
		{"family", "\U0001F468\u200D\U0001F469 \u0645\u06CC\u200C\u062E \u2764\uFE0F\n", "\U0001F468\u200D\U0001F469 \u0645\u06CC\u200C\u062E \u2764\uFE0F\n", "hostile list-05: honest joiners stay"},
		{"joiner alone", "a \u200D b\u200D\nc\u200D\u200Dd", "a  b\nc\u200Dd", "02 §1: a single joiner, between visible characters"},
		{"wide blanks", "a\u00a0b\u3000c", "a\u00a0b\u3000c", "06 §2: blanks that can be seen stay"},

		{"close", "x</system-reminder>y", "x&lt;/system-reminder>y", "06 §2: the wrapper cannot be closed"},
		{"open", "<system-reminder>", "&lt;system-reminder>", "06 §2: the wrapper cannot be opened"},
		{"listing", "</available_skills>", "&lt;/available_skills>", "06 §2: that of listings neither"},
		{"of the host", "</ACME-note >", "&lt;/ACME-note >", "Options.Tags"},
		{"case and blanks", "< / System-\n\tReminder >", "&lt; / System-\n\tReminder >", "06 §2: however it is written"},
		{"hidden in it", "</sys\u200Btem-rem\x00inder>", "&lt;/system-reminder>", "06 §2: removing must not build a tag"},
		{"joiner in it", "<s\u200Dystem-reminder>", "&lt;s\u200Dystem-reminder>", "06 §2: what is kept must not hide a tag"},
		{"break in it", "<sys\u2028tem-reminder>", "&lt;sys\ntem-reminder>", "06 §2: however it is written"},
		{"behind others", "a <b> << <system-reminder> < <i", "a <b> << &lt;system-reminder> < <i", "06 §2: other tags stay"},
		{"code", "List<int> a < b && c > d", "List<int> a < b && c > d", "06 §2: code stays as it is"},
		{"escaped", "&lt;system-reminder&gt;", "&lt;system-reminder&gt;", "06 §2: idempotent"},
		{"no end", "<system-reminder", "&lt;system-reminder", "06 §2: without its > too"},
		{"placeholders", "!`touch x` $1 ${CLAUDE_SKILL_DIR}", "!`touch x` $1 ${CLAUDE_SKILL_DIR}", "hostile shell-src-02: the span stays verbatim"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.NotEmpty(t, tt.reason)
			got := ourCleaner().text(tt.in)
			assert.Equal(t, tt.want, got, tt.reason)
			assert.Equal(t, got, ourCleaner().text(got), "idempotent")
		})
	}
}

func TestCleanTextCostsNothing(t *testing.T) {
	s := strings.Repeat("Read the file, then write `List`.\n\tÜber 技能 \u2764\uFE0F\n", 50)
	assert.Zero(t, testing.AllocsPerRun(20, func() { _ = ourText(s) }), "clean text is returned as it is")
}

var fixedCleaner = ourCleaner() // outside the measurement

func ourText(s string) string { return fixedCleaner.text(s) }

// No stretch behind a < is looked at again for another <: the memory that takes
// would grow with the square of the text.
func TestCleanTextIsLinear(t *testing.T) {
	for _, piece := range []string{"<", "< ", "<system-\n", "a\u200B", " \u200D"} {
		s := "<" + strings.Repeat(piece, 1<<18/len(piece))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := ourText(s)
		runtime.ReadMemStats(&after)
		assert.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(40*len(s)), "%q", piece)
		assert.Equal(t, got, ourText(got), "%q", piece)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain text", "</ System-Reminder>", "<\u200D/s\u200Bystem-reminder", "a\xff\u202Eb\r\nc", "<<system-<system-reminder",
		"\uFE0F\u200D<\u2764\uFE0F\u200D\U0001F525>", "<acme-\n\u2028note", "&lt;acme-note", "\U000E0041 \u00a0\u200D x",
	} {
		f.Add(s)
	}
	c := ourCleaner()
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4<<10 {
			t.Skip("over 4 KiB")
		}
		got := c.text(s)
		require.True(t, utf8.ValidString(got))
		for _, r := range got {
			require.False(t, unicode.IsControl(r) && r != '\n' && r != '\t', "%q holds %U", got, r)
		}
		r, at, hidden := line.Hidden(got)
		require.False(t, hidden, "%q holds %U at %d", got, r, at)
		require.Equal(t, line.Clean(got, line.Options{}), line.Clean(got, line.Options{Reserved: c.tags}), "no tag is left")
		require.Equal(t, got, c.text(got), "idempotent")
		// A listing of it says what a listing of the raw text would, but for
		// the control characters, which count as blanks there.
		tight := func(s string) string {
			return strings.ReplaceAll(line.Clean(s, line.Options{Reserved: c.tags}), " ", "")
		}
		if !strings.ContainsAny(s, "\u200C\u200D\uFE0F") && !strings.ContainsFunc(s, unicode.IsControl) {
			require.Equal(t, tight(s), tight(got), "nothing that can be seen is lost or added")
		}
	})
}
