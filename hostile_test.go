package skills_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A hostileRow is one line of testdata/hostile.jsonl: a tree, what is done with
// it, and in words what must and must not come of it.
type hostileRow struct {
	ID    string
	Kind  string
	Setup struct {
		Files   []hostileFile
		Options struct {
			Shell        string
			TrustProject bool `json:"trust_project"`
		}
	}
	Action  []hostileOp
	Must    string
	MustNot string `json:"must_not"`
}

// A hostileCheck holds what a row left to its words. If the specification
// differs from the words, a note says so.
type hostileCheck struct {
	must, mustNot func(*testing.T, *hostile)
	// limit is when a row counts as hanging; 0 is hangs.
	limit time.Duration
	// note says where the specification overrules the row.
	note string
	// own replaces the row's actions.
	own func(*testing.T, *hostile)
}

// hangs is long enough for any row on a slow machine. It is no measurement.
const hangs = 60 * time.Second

// Every hostile row has assertions of its own, or a reason why its time has not
// come (07 B1).
func TestHostile(t *testing.T) {
	checks, later := hostileChecks(), hostileLater()
	seen := make(map[string]bool)
	for _, row := range hostileRows(t) {
		require.False(t, seen[row.ID], "the row %s is there twice", row.ID)
		seen[row.ID] = true
		check, ok := checks[row.ID]
		why, waits := later[row.ID]
		switch {
		case ok && waits:
			t.Errorf("%s has both a check and an excuse", row.ID)
		case waits:
			assert.NotEmpty(t, why, "%s waits for nothing", row.ID)
			t.Logf("%s waits: %s", row.ID, why)
		case !ok || check.must == nil || check.mustNot == nil:
			t.Errorf("%s has no assertions: it must %s; it must not %s", row.ID, row.Must, row.MustNot)
		default:
			t.Run(row.ID, func(t *testing.T) { runHostile(t, row, check) })
		}
	}
	for id := range checks {
		assert.True(t, seen[id], "%s has a check and is no row", id)
	}
	for id := range later {
		assert.True(t, seen[id], "%s has an excuse and is no row", id)
	}
	assert.Len(t, seen, 62)
}

func hostileRows(t *testing.T) []hostileRow {
	t.Helper()
	f, err := os.Open("testdata/hostile.jsonl")
	require.NoError(t, err)
	defer f.Close()
	var out []hostileRow
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row hostileRow
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		require.NotEmpty(t, row.ID)
		require.NotEmpty(t, row.Must, row.ID)
		require.NotEmpty(t, row.MustNot, row.ID)
		out = append(out, row)
	}
	require.NoError(t, lines.Err())
	return out
}

func runHostile(t *testing.T, row hostileRow, check hostileCheck) {
	if check.limit == 0 {
		check.limit = hangs
	}
	h := newHostile(t, row)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if check.own != nil {
			check.own(t, h)
			return
		}
		for _, op := range row.Action {
			h.do(op)
		}
	}()
	select {
	case <-done:
	case <-time.After(check.limit):
		t.Fatalf("%s hangs: nothing after %v", row.ID, check.limit)
	}
	require.NoError(t, h.failed)
	check.must(t, h)
	check.mustNot(t, h)
}
