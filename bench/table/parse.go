package main

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// figures are the best values seen: by benchmark, then by metric.
type figures map[string]map[string]float64

// parse reads the lines that go test prints for benchmarks. The number of
// cores is no part of a name here.
func parse(raw string) figures {
	out := make(figures)
	for line := range strings.Lines(raw) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil {
			continue // a benchmark that says something
		}
		out.add(plainName(fields[0]), fields[2:])
	}
	return out
}

// add takes pairs of a value and its metric.
func (f figures) add(name string, pairs []string) {
	if f[name] == nil {
		f[name] = make(map[string]float64)
	}
	for pair := range slices.Chunk(pairs, 2) {
		v, err := strconv.ParseFloat(pair[0], 64)
		if err != nil || len(pair) < 2 {
			return
		}
		if old, ok := f[name][pair[1]]; !ok || v < old {
			f[name][pair[1]] = v
		}
	}
}

// plainName strips "Benchmark" and the number of cores.
func plainName(s string) string {
	s = strings.TrimPrefix(s, "Benchmark")
	at := strings.LastIndexByte(s, '-')
	if at < 0 {
		return s
	}
	if _, err := strconv.Atoi(s[at+1:]); err != nil {
		return s
	}
	return s[:at]
}

// worst returns the largest of a row's figures, in units of the table.
func (f figures) worst(r row) (v float64, ok bool) {
	for i, name := range r.names {
		one, found := f[name][r.metric]
		if !found {
			return 0, false
		}
		if one *= r.scale; i == 0 || one > v {
			v = one
		}
	}
	return v, true
}

// A peer is the figures of one client on one tree.
type peer struct{ tree, client, name string }

// peers returns those that were measured, tree by tree, fastest first.
func (f figures) peers() []peer {
	var out []peer
	for name := range maps.Keys(f) {
		rest, ok := strings.CutPrefix(name, "Peers/")
		if at := strings.LastIndexByte(rest, '/'); ok && at > 0 {
			out = append(out, peer{rest[:at], rest[at+1:], name})
		}
	}
	slices.SortFunc(out, func(a, b peer) int {
		return cmp.Or(cmp.Compare(b.tree, a.tree), cmp.Compare(f[a.name]["xfloor"], f[b.name]["xfloor"]), cmp.Compare(a.client, b.client))
	})
	return out
}
