package line

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainEndSlowly is plainEnd, one byte after the other.
func plainEndSlowly(s string, pos int) int {
	i, word := pos, pos
	for i < len(s) {
		if b := s[i]; b > ' ' && b <= '~' && b != '<' && b != '>' {
			i++
		} else if b == ' ' && i != word {
			i++
			word = i
		} else if n := wideLen(s[i:]); n > 0 {
			i += n
		} else {
			break
		}
	}
	if i == word && i > pos {
		return i - 1
	}
	return i
}

// Eight bytes at once give what single ones give.
func TestPlainEnd(t *testing.T) {
	const alphabet = "aaaaaaaaaaaaaaaaaaaaaaaz~!  \t\x1f\x7f<>=;?é技\u200b\xff\x80\x00"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		b := make([]byte, rng.IntN(40))
		for i := range b {
			b[i] = alphabet[rng.IntN(len(alphabet))]
			if rng.IntN(4) > 0 {
				b[i] = 'a'
			}
		}
		s, pos := string(b), 0
		if len(s) > 0 {
			pos = rng.IntN(len(s))
		}
		require.Equal(t, plainEndSlowly(s, pos), plainEnd(s, pos), "%q from %d", s, pos)
	}
}
