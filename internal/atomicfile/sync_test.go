package atomicfile_test

import (
	"os"
	"path"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/atomicfile"
)

// A step is an operation that a Hook was told of.
type step struct{ op, name string }

// lasting are the operations that change what is on disk, or make it last.
var lasting = []string{
	atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpExchange, atomicfile.OpSyncDir, atomicfile.OpRemove,
}

// A syncRow is a job and the operations of it that count for what a crash of
// the system leaves, in order.
type syncRow struct {
	reason   string
	exchange bool // the system must have one
	job      func(w atomicfile.Writer, p *place) error
	want     []string
}

func syncRows() []syncRow {
	return []syncRow{
		{
			reason: "06 §3: temp, fsync, rename, and the folder",
			job: func(w atomicfile.Writer, p *place) error {
				return w.Write(p.root, target, []byte("new"), 0o600)
			},
			want: []string{atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpSyncDir},
		},
		{
			reason: "06 §5: the old file goes when the new one is sure to be there", exchange: true,
			job:  func(w atomicfile.Writer, p *place) error { return swap(w, p, "old", "new") },
			want: []string{atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpExchange, atomicfile.OpSyncDir, atomicfile.OpRemove},
		},
		{
			reason: "06 §5: without an exchange",
			job: func(w atomicfile.Writer, p *place) error {
				return swap(without(w, atomicfile.OpExchange), p, "old", "new")
			},
			want: []string{atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpRename, atomicfile.OpSyncDir},
		},
		{
			reason: "06 §5: what is put back lasts too", exchange: true,
			job: func(w atomicfile.Writer, p *place) error {
				err := swap(atomicfile.Writer{Hook: func(op, name string) error {
					if op == atomicfile.OpExchange && p.bytes() == "old" {
						if err := os.WriteFile(p.file(), []byte("work"), 0); err != nil {
							return err
						}
					}
					return w.Hook(op, name)
				}}, p, "old", "new")
				if err == nil || p.bytes() != "work" {
					return os.ErrInvalid
				}
				return nil
			},
			want: []string{
				atomicfile.OpWrite, atomicfile.OpSync, atomicfile.OpRename, atomicfile.OpExchange,
				atomicfile.OpExchange, atomicfile.OpRemove, atomicfile.OpSyncDir,
			},
		},
	}
}

// bytes returns the bytes of the file, "" if there are none to be had.
func (p *place) bytes() string {
	data, _ := os.ReadFile(p.file())
	return string(data)
}

// Bytes are on disk before they are moved into place, and the folder is
// written after the move and before anything else is given up: whatever the
// system had in memory when it crashed, the old file or the new one is there.
func TestSync(t *testing.T) {
	for _, tt := range syncRows() {
		t.Run(tt.reason, func(t *testing.T) {
			if tt.exchange && runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
				t.Skip("files cannot change places on this system")
			}
			p := newPlace(t, "old")
			var steps []step
			require.NoError(t, tt.job(atomicfile.Writer{Hook: func(op, name string) error {
				if slices.Contains(lasting, op) {
					steps = append(steps, step{op, name})
				}
				return nil
			}}, p))
			var got []string
			for _, s := range steps {
				got = append(got, s.op)
				if s.op == atomicfile.OpSyncDir {
					assert.Equal(t, path.Dir(target), s.name, "the folder of the file")
				}
			}
			require.Equal(t, tt.want, got)
			assert.Equal(t, steps[0].name, steps[1].name, "what is written is synced")
			assert.Equal(t, steps[1].name, steps[2].name, "and then renamed")
		})
	}
}
