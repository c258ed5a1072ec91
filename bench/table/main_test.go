package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines are two runs of some benchmarks, as go test prints them.
const lines = `goos: linux
cpu: Some Processor
BenchmarkColdLoad/n=1000-2   	      20	  9876543 ns/op	        12.00 allocs/skill	         1.600 xfloor
BenchmarkColdLoad/n=1000-2   	      20	  9876543 ns/op	        12.00 allocs/skill	         1.150 xfloor
BenchmarkListing/full-2      	      50	      900 min-ns/skill	         0.060 allocs/skill
BenchmarkListing/cut-2       	      50	     1500 min-ns/skill	         1.080 allocs/skill
BenchmarkListing/names-2     	      50	      800 min-ns/skill	         0.080 allocs/skill
BenchmarkNextUnchanged       	    2000	        17.50 ns/op	       0 B/op	       0 allocs/op
BenchmarkTouch/none-2        	    2000	     25000 ns/op
BenchmarkPeers/open-format/n=1000/ours-2        	       8	      1700 B/skill	        11.4 allocs/skill	     17000 ns/skill	         1.700 xfloor
BenchmarkPeers/open-format/n=1000/eino@v1.2.3-2 	       8	       256 B/skill	       140.0 allocs/skill	     47000 ns/skill	         5.100 xfloor
BenchmarkPeers/open-format/n=1000/says-2 something that is no figure
PASS
`

func TestParse(t *testing.T) {
	f := parse(lines)
	for _, c := range []struct {
		reason, name, metric string
		want                 float64
	}{
		{"07 §1: the best of several runs counts", "ColdLoad/n=1000", "xfloor", 1.15},
		{"a name without the number of cores", "NextUnchanged", "ns/op", 17.5},
		{"a zero is a figure", "NextUnchanged", "allocs/op", 0},
		{"a version is part of the name", "Peers/open-format/n=1000/eino@v1.2.3", "B/skill", 256},
	} {
		got, ok := f[c.name][c.metric]
		assert.True(t, ok, c.reason)
		assert.InDelta(t, c.want, got, 1e-9, c.reason)
	}
	assert.NotContains(t, f, "Peers/open-format/n=1000/says", "what is no figure is passed over")
	assert.Equal(t, []string{"ours", "eino@v1.2.3"}, []string{f.peers()[0].client, f.peers()[1].client}, "the fastest first")
}

func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(file, []byte(lines), 0o600))
	out := filepath.Join(t.TempDir(), "table")
	var b, discard strings.Builder
	require.NoError(t, run(t.Context(), []string{"-from", file, "-o", out}, &b, &discard))
	written, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(written))
	for _, c := range []struct{ reason, want string }{
		{"a bar that is met, and the stretch", `(?m)^cold load, plain headers, 1,000 skills +1\.15 x floor +<= 1\.50, better 1\.20 +met, and better *$`},
		{"a bar that is missed", `(?m)^touch, 10,000 conditional skills, none match +25 us +<= 20 +MISSED *$`},
		{"the worst of several benchmarks counts", `(?m)^listing, allocations, the most +1\.08 /skill +<= 2 +met *$`},
		{"zero of zero is met", `(?m)^unchanged Next, allocations +0 +<= 0 +met *$`},
		{"what did not run is not met", `(?m)^a skill among 10,000 / among 1,000 +not measured +<= 1\.30 +- *$`},
		{"other clients", `(?m)^open-format/n=1000 +eino@v1\.2\.3 +5\.10 +140 +256 *$`},
		{"what benchstat reads", `(?m)^BenchmarkColdLoad/n=1000-2 `},
		{"the version of Go", `(?m)^# go1\.`},
	} {
		assert.Regexp(t, c.want, b.String(), c.reason)
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	assert.NotContains(t, b.String(), here, "no path of this machine")
}

// Arguments that make no sense are refused; asking for help is no error.
func TestArguments(t *testing.T) {
	var discard strings.Builder
	for _, args := range [][]string{{"x"}, {"-count", "0"}, {"-nope"}, {"-from", filepath.Join(t.TempDir(), "none")}} {
		assert.Error(t, run(t.Context(), args, &discard, &discard), "%q", args)
	}
	assert.NoError(t, run(t.Context(), []string{"-h"}, &discard, &discard))
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1.054: "1.05", 16.24: "16.2", 1402.4: "1402", 1000: "1000", 0.4: "0.40"} {
		assert.Equal(t, want, number(v))
	}
}
