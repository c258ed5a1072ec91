package osshell

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// cleaned cleans pieces that were written one after the other.
func cleaned(pieces ...string) string {
	var b strings.Builder
	c := &cleaner{emit: func(text []byte, n int) {
		if utf8.RuneCount(text) != n {
			panic(fmt.Sprintf("%q is not %d characters", text, n))
		}
		b.Write(text)
	}}
	for _, p := range pieces {
		c.write([]byte(p))
	}
	c.close()
	return b.String()
}

func TestClean(t *testing.T) {
	for _, test := range []struct{ reason, in, want string }{
		{"plain text stays", "a\tb\nc", "a\tb\nc"},
		{"so do other languages", "ä€😀\u0301", "ä€😀\u0301"},
		{"so do other controls: they may separate fields", "a\x1fb\x07\b\f\x7f", "a\x1fb\x07\b\f\x7f"},
		{"NUL goes", "a\x00b\x00", "ab"},
		{"colour", "\x1b[31ma\x1b[0m", "a"},
		{"many parameters, private marks, intermediates", "\x1b[?25l\x1b[38;2;1;2;3ma\x1b[0 q\x1b[>4;1m", "a"},
		{"colons as separators", "\x1b[4:3ma", "a"},
		{"cursor movement", "a\x1b[2K\x1b[1Ab", "ab"},
		{"two-character sequences", "\x1b7a\x1b8\x1bM\x1bc\x1b=\x1b>b", "ab"},
		{"character sets", "\x1b(B\x1b)0\x1b#8a", "a"},
		{"title with BEL", "\x1b]0;title\x07a", "a"},
		{"title with ST", "\x1b]0;title\x1b\\a", "a"},
		{"title with one-character ST", "\x1b]0;title\u009ca", "a"},
		{"link", "\x1b]8;;http://x\x07text\x1b]8;;\x07", "text"},
		{"device control, privacy, application, start of string", "\x1bPq#0~\x1b\\\x1b^p\x1b\\\x1b_a\x1b\\\x1bXs\x1b\\z", "z"},
		{"one-character sequences", "\u009b31ma\u009b0m\u009d0;t\u009cb\u0090q\u009cc", "abc"},
		{"other one-character controls", "a\u0084\u008d\u009cb", "ab"},
		{"but not the line end among them", "a\u0085b", "a\u0085b"},
		{"an open string hides its line, no more", "a\x1b]0;title\nb", "a\nb"},
		{"CAN and SUB end a string", "\x1b]0;t\x18a\x1bPq\x1ab", "ab"},
		{"a sequence inside a string ends it", "\x1b]0;t\x1b[31ma", "a"},
		{"a sequence broken off by text", "\x1b[31\na\x1b\nb", "\na\nb"},
		{"a sequence broken off by another", "\x1b[31\x1b[0ma", "a"},
		{"a sequence broken off by letters of others", "\x1b[3ä\x1bä", "ää"},
		{"a sequence without end", "a\x1b[31", "a"},
		{"ESC at the end", "a\x1b", "a"},
		{"ESC twice", "\x1b\x1b[1ma", "a"},
		{"NUL inside a sequence", "\x1b\x00[3\x001ma", "a"},
		{"nothing removed can make a new sequence", "\x1b\x1b[1m[31ma", "[31ma"},
		{"Windows line ends", "a\r\nb\r\n", "a\nb\n"},
		{"doubled by a terminal", "a\r\r\nb", "a\nb"},
		{"progress", "1%\r2%\r3%\n", "1%\n2%\n3%\n"},
		{"progress with erasing", "1%\r\x1b[K2%\r\x1b[K\n", "1%\n2%\n"},
		{"at the start of a line it means nothing", "\ra\n\rb", "a\nb"},
		{"at the end it means nothing", "a\r", "a"},
		{"runs of it", "a\r\r\rb", "a\nb"},
		{"a run of bytes that are not UTF-8", "a\xff\xfe\x80b\xc3", "a\uFFFDb\uFFFD"},
		{"overlong, surrogate, too large", "a\xc0\x80b\xed\xa0\x80c\xf4\x90\x80\x80d", "a\uFFFDb\uFFFDc\uFFFDd"},
		{"a real U+FFFD stays", "\uFFFD\uFFFD", "\uFFFD\uFFFD"},
		{"a character that never ends", "\xf0\x9f\x98", "\uFFFD"},
	} {
		assert.Equal(t, test.want, cleaned(test.in), test.reason)
		assert.Equal(t, test.want, cleaned(strings.Split(test.in, "")...), "character by character: "+test.reason)
		assert.Equal(t, test.want, cleaned(bytewise(test.in)...), "byte by byte: "+test.reason)
	}
}

func bytewise(s string) []string {
	var out []string
	for i := range len(s) {
		out = append(out, s[i:i+1])
	}
	return out
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31mb\r\n\x00\xff\u009b1m", uint(3))
	f.Add("\x1b]0;t\x1b\\ä\r\r€", uint(7))
	f.Fuzz(func(t *testing.T, s string, cut uint) {
		got := cleaned(s)
		at := int(cut % uint(len(s)+1))
		if parts := cleaned(s[:at], s[at:]); parts != got {
			t.Errorf("%q in two pieces at %d is %q, in one %q", s, at, parts, got)
		}
		if single := cleaned(bytewise(s)...); single != got {
			t.Errorf("%q byte by byte is %q, in one piece %q", s, single, got)
		}
		if again := cleaned(got); again != got {
			t.Errorf("%q becomes %q, and that %q", s, got, again)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\r\x1b") {
			t.Errorf("%q becomes %q", s, got)
		}
		for _, r := range got {
			if r >= 0x80 && r <= 0x9f && r != 0x85 {
				t.Errorf("%q becomes %q, with %U", s, got, r)
			}
		}
		if repaired := strings.ToValidUTF8(s, "\uFFFD"); !strings.ContainsFunc(repaired, special) && got != repaired {
			t.Errorf("%q becomes %q instead of %q", s, got, repaired)
		}
	})
}

func special(r rune) bool {
	return r == 0 || r == '\r' || r == 0x1b || 0x80 <= r && r <= 0x9f
}

// FuzzCapture compares a capture with one that keeps everything.
func FuzzCapture(f *testing.F) {
	f.Add([]byte("abc\n"), uint16(50), uint8(110), true)
	f.Add([]byte("ä€😀\xff"), uint16(200), uint8(0), false)
	f.Fuzz(func(t *testing.T, piece []byte, times uint16, limit uint8, failed bool) {
		if len(piece) > 1000 {
			return
		}
		c := newCapture(max(int(limit), minOutput))
		for range times % 2000 {
			c.write(piece)
		}
		all := []rune(cleaned(string(bytes.Repeat(piece, int(times%2000)))))
		want := string(all)
		if len(all) > c.max {
			end := 0
			if failed {
				end = c.max / 10
			}
			start := c.max - markerRoom - end
			note := fmt.Sprintf("\n[%d characters were cut here]\n", len(all)-start-end)
			want = string(all[:start]) + note + string(all[len(all)-end:])
		}
		got := c.text(failed)
		if got != want {
			t.Errorf("%q times %d: %q instead of %q", piece, times, got, want)
		}
		if n := utf8.RuneCountInString(got); n > c.max {
			t.Errorf("%d characters with a limit of %d", n, c.max)
		}
		if cap(c.head)+cap(c.tail) > 40*c.max {
			t.Errorf("%d bytes are held for %d characters", cap(c.head)+cap(c.tail), c.max)
		}
	})
}

// Cleaning a flood allocates nothing once the buffers are there.
func TestCleanAllocations(t *testing.T) {
	c := newCapture(30_000)
	flood := []byte(strings.Repeat("0123456789 \x1b[1mä\r\n\xff", 1000))
	for range 20 {
		c.write(flood)
	}
	assert.Zero(t, testing.AllocsPerRun(20, func() { c.write(flood) }))
}

func BenchmarkClean(b *testing.B) {
	for name, text := range map[string]string{
		"plain":   strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 1000),
		"colours": strings.Repeat("\x1b[32mok\x1b[0m  github.com/x/y\t0.01s\r\n", 1000),
		"greek":   strings.Repeat("Γαζέες καὶ μυρτιὲς δὲν θὰ βρῶ πιὰ\n", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			c := newCapture(30_000)
			for b.Loop() {
				c.write([]byte(text))
			}
		})
	}
}
