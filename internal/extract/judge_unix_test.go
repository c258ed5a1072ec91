//go:build unix

package extract

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJudge(t *testing.T) {
	const sticky = fs.ModeSticky
	for _, c := range []struct {
		reason    string
		owner, me int
		mode      fs.FileMode
		good      bool
	}{
		{"05 §2: ours", 1000, 1000, 0o700, true},
		{"05 §2: ours, others read", 1000, 1000, 0o755, true},
		{"05 §2: root's, only root writes", 0, 1000, 0o755, true},
		{"05 §2: root's and sticky, the usual /tmp", 0, 1000, sticky | 0o777, true},
		{"05 §2: ours and sticky", 1000, 1000, sticky | 0o777, true},
		{"05 §2: root's, all write", 0, 1000, 0o777, false},
		{"05 §2: ours, all write", 1000, 1000, 0o777, false},
		{"05 §2: ours, the group writes", 1000, 1000, 0o770, false},
		{"05 §2: ours, only others write", 1000, 1000, 0o702, false},
		{"05 §2: set-group-ID is not sticky", 0, 1000, fs.ModeSetgid | 0o777, false},
		{"05 §2: another user's", 1001, 1000, 0o755, false},
		{"05 §2: another user's, sticky: its owner may rename all in it", 1001, 1000, sticky | 0o777, false},
		{"05 §2: a user's, seen by root", 1000, 0, 0o700, false},
		{"05 §2: root's, seen by root", 0, 0, 0o700, true},
		{"05 §2: the owner is unknown", -1, 1000, 0o700, false},
	} {
		err := judge(c.owner, c.me, fs.ModeDir|c.mode)
		if c.good {
			assert.NoError(t, err, c.reason)
			continue
		}
		require.ErrorIs(t, err, ErrParent, c.reason)
		assert.ErrorContains(t, err, "; ", "says what to do")
	}
}
