package scan_test

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/readfile"
	"github.com/seed-12b313d8/skills/internal/scan"
)

// md is the text of a file that is plainly a skill.
const md = "---\ndescription: d\n---\nBody.\n"

// A found file is what a visitor was handed, with its data copied.
type found struct {
	Seq              int
	Name, Path, Real string
	Data             string
	Known, Complete  bool
	ID               readfile.ID
}

// A result is what one scan gave, in the order its contract promises.
type result struct {
	Files    []found
	Problems []scan.Problem
	Err      error
}

// skillOptions and commandOptions are what the loader sets by default.
func skillOptions() scan.Options {
	return scan.Options{MaxDepth: 1, MaxFiles: 10_000, MaxSize: 1 << 20}
}

func commandOptions() scan.Options {
	o := skillOptions()
	o.Commands, o.MaxDepth = true, 8
	return o
}

// run scans root and holds the scan to what it promises of its visitors: each
// is used by one goroutine at a time, and data lives until it returns.
func run(t testing.TB, tree scan.Tree, root string, o scan.Options) result {
	t.Helper()
	return runContext(context.Background(), t, tree, root, o, nil)
}

func runContext(ctx context.Context, t testing.TB, tree scan.Tree, root string, o scan.Options, seen func()) result {
	t.Helper()
	var mu sync.Mutex
	var shares []*[]found
	problems, err := scan.Scan(ctx, tree, root, o, func() func(*scan.File) {
		share, busy := new([]found), new(sync.Mutex)
		mu.Lock()
		shares = append(shares, share)
		mu.Unlock()
		return func(f *scan.File) {
			if !busy.TryLock() {
				t.Error("one visitor was called by two goroutines")
				return
			}
			defer busy.Unlock()
			*share = append(*share, found{
				f.Seq, f.Name, f.Path, f.Real, string(f.Head.Data), f.Head.Data == nil, f.Head.Complete, f.Head.ID,
			})
			if seen != nil {
				seen()
			}
		}
	})
	r := result{Problems: problems, Err: err}
	for _, s := range shares {
		r.Files = append(r.Files, *s...)
	}
	slices.SortFunc(r.Files, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), strings.Compare(a.Path, b.Path))
	})
	checkProblems(t, r.Problems)
	return r
}

// checkProblems holds every problem to the same form.
func checkProblems(t testing.TB, problems []scan.Problem) {
	t.Helper()
	assert.True(t, slices.IsSortedFunc(problems, func(a, b scan.Problem) int { return strings.Compare(a.Path, b.Path) }), "problems are sorted by path")
	for _, p := range problems {
		assert.NotEmpty(t, p.Code)
		assert.NotEmpty(t, p.Path, p.Code)
		assert.NotEmpty(t, p.Msg, p.Code)
		assert.NotEmpty(t, p.Hint, p.Code)
	}
}

// names returns the invocation names in order.
func (r result) names() string {
	var out []string
	for _, f := range r.Files {
		out = append(out, f.Name)
	}
	return strings.Join(out, ",")
}

// problems returns "code path" of each problem, paths relative to root.
func (r result) problems(root string) string {
	var out []string
	for _, p := range r.Problems {
		rel, err := filepath.Rel(root, p.Path)
		if err != nil {
			rel = p.Path
		}
		out = append(out, p.Code+" "+filepath.ToSlash(rel))
	}
	return strings.Join(out, ",")
}

func requireReason(t *testing.T, reason string) {
	t.Helper()
	require.NotEmpty(t, reason, "a row says which rule it checks")
}
