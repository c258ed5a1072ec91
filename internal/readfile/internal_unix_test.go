//go:build unix

package readfile

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests need a file to change between two system calls, which is done by
// calling the two halves themselves.

func TestFileChangesWhileRead(t *testing.T) {
	const limit = 10
	for _, row := range []struct {
		reason        string
		before, after int
		buf           int
		want          int // bytes, -1: too large
		complete      bool
	}{
		{"01 R1: grows within the limit", 4, 6, 20, 6, true},
		{"01 R1: grows up to the limit", 4, 10, 20, 10, true},
		{"01 R1: grows over the limit", 4, 11, 20, -1, false},
		{"01 R1: grows without end", 4, 1 << 20, 20, -1, false},
		{"01 R1: grows from nothing", 0, 3, 20, 3, true},
		{"01 R1: grows over the limit, small buffer", 4, 1 << 20, 5, 5, false},
		{"01 R1: grows, buffer of the old size", 4, 6, 4, 4, true},
		{"01 R1: shrinks", 6, 4, 20, 4, true},
		{"01 R1: shrinks to nothing", 6, 0, 20, 0, true},
	} {
		require.NotEmpty(t, row.reason)
		t.Run(row.reason, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			require.NoError(t, os.WriteFile(path, make([]byte, row.before), 0o644))
			f, err := os.Open(path)
			require.NoError(t, err)
			defer f.Close()
			file, err := fileInfo(f)
			require.NoError(t, err)
			require.NoError(t, os.Truncate(path, int64(row.after)))

			h, err := readHead(rawFile(f.Fd()), file, make([]byte, row.buf), limit)
			if row.want < 0 {
				assert.Equal(t, &SizeError{Size: limit + 1, Limit: limit}, err)
			} else {
				require.NoError(t, err)
				assert.Len(t, h.Data, row.want)
				assert.Equal(t, row.complete, h.Complete)
			}

			_, err = f.Seek(0, 0)
			require.NoError(t, err)
			data, err := readAll(f, file.id.Size, limit)
			if row.after > limit {
				assert.Equal(t, &SizeError{Size: limit + 1, Limit: limit}, err)
				return
			}
			require.NoError(t, err)
			assert.Len(t, data, row.after)
		})
	}
}

// TestSizeIsALie: a file system may claim any size.
func TestSizeIsALie(t *testing.T) {
	for _, size := range []int64{0, 1, math.MaxInt64, -1, math.MinInt64} {
		data, err := readAll(strings.NewReader("text"), size, math.MaxInt64)
		require.NoError(t, err)
		assert.Equal(t, "text", string(data))
		assert.LessOrEqual(t, cap(data), 2*firstRead)

		file := info{id: ID{Size: size}, regular: true}
		h, err := readHead(strings.NewReader("text"), file, make([]byte, 10), math.MaxInt64)
		require.NoError(t, err)
		assert.Equal(t, "text", string(h.Data[:4]))
	}
}

// TestHeadContinuesShortReads with a reader of one byte at a time.
func TestHeadContinuesShortReads(t *testing.T) {
	file := info{id: ID{Size: 4}, regular: true}
	r := oneByte{strings.NewReader("text")}
	h, err := readHead(r, file, make([]byte, 10), 10)
	require.NoError(t, err)
	assert.Equal(t, "text", string(h.Data))
	assert.True(t, h.Complete)
}

type oneByte struct{ r *strings.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:1]) }
