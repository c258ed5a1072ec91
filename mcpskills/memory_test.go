package mcpskills_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/mcpskills"
)

// heap returns how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Of the files that are read for their frontmatter only that is kept, while the
// rest is read as well as afterwards.
func TestLoadKeepsNoFiles(t *testing.T) {
	const files, size = 64, 990_000
	for _, tt := range []struct{ name, head, reason string }{
		{"described", "---\ndescription: d\n---\n", "06 §2: memory is bounded by what is shown, not by what is served"},
		{"paragraph", "---\nversion: 1\n---\n", "01 §3: of a paragraph that stands in for the description its beginning is kept"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var entries []map[string]string
			for i := range files {
				entries = append(entries, skillMD(fmt.Sprintf("x%d", i), fmt.Sprintf("skill://x%d/SKILL.md", i), ""))
			}
			index := []byte(indexOf(t, entries...))
			var reads, last atomic.Int64
			f := &fake{read: func(_ context.Context, uri string) ([]byte, error) {
				if uri == mcpskills.IndexURI {
					return index, nil
				}
				if reads.Add(1) == files {
					last.Store(heap())
				}
				return append([]byte(tt.head), bytes.Repeat([]byte("word "), size/5)...), nil
			}}
			src := mcpskills.Source("s", f, nil)
			before := heap()
			loaded, err := src.Load(ctxFor(t))
			require.NoError(t, err)
			require.Len(t, loaded.Skills, files)
			t.Logf("MiB while loading %.1f, afterwards %.2f", float64(last.Load()-before)/(1<<20), float64(heap()-before)/(1<<20))
			assert.Less(t, last.Load()-before, int64(files*size/3), tt.reason)
			assert.Less(t, heap()-before, int64(files*16<<10), tt.reason)
			runtime.KeepAlive(loaded)
			runtime.KeepAlive(src)
		})
	}
}
