package main

// A group is benchmarks that are run by one command.
type group struct {
	dir, pattern string
	times        int // rounds
}

// groups are ordered so that what needs a quiet machine most comes first.
func groups() []group {
	return []group{
		{".", "^BenchmarkColdLoad$/^n=1000$", 30},
		{".", "^Benchmark(YAMLLoad|ReloadUnchanged)$", 30},
		{".", "^BenchmarkGrowth$", 8},
		{".", "^Benchmark(Retained|Listing)$", 50},
		{".", "^Benchmark(OpenEmpty|NextUnchanged|Substitute|Invoke)$", 2000},
		{".", "^BenchmarkTouch$/^(none|matches=10)$", 2000},
		{".", "^BenchmarkTouch$/^compile$", 5},
		{".", "^BenchmarkSearch$/^(common|rare|name|long)$", 200},
		{".", "^BenchmarkSearch$/^build$", 3},
		{"bench/peers", "^BenchmarkPeers$", 10},
	}
}

// A row is one line of the table: the best figure of one metric.
type row struct {
	what   string
	names  []string // benchmarks; the worst of them counts
	metric string
	scale  float64 // what one unit of the metric is in units of the table
	unit   string
	bar    float64 // the most it may be; negative if there is none
	better float64 // what would be better still; 0 if there is nothing
}

const noBar = -1

// rows are those of the specification's table, in its order (07 §1).
func rows() []row {
	listing := []string{"Listing/full", "Listing/cut", "Listing/names"}
	queries := []string{"Search/common", "Search/rare", "Search/name", "Search/long"}
	return []row{
		{"cold load, plain headers, 1,000 skills", []string{"ColdLoad/n=1000"}, "xfloor", 1, "x floor", 1.5, 1.2},
		{"cold load, every header through YAML", []string{"YAMLLoad"}, "xfloor", 1, "x floor", 4, 0},
		{"a skill among 10,000 / among 1,000", []string{"Growth"}, "xgrowth", 1, "x", 1.3, 0},
		{"load, allocations", []string{"ColdLoad/n=1000"}, "allocs/skill", 1, "/skill", 20, 0},
		{"retained heap, no bodies", []string{"Retained"}, "B/skill", 1, "B/skill", 1024, 0},
		{"reload, nothing changed", []string{"ReloadUnchanged"}, "xcold", 1, "x cold load", 0.5, 0},
		{"listing, 1,000 skills, all fit", listing[:1], "min-ns/skill", 1, "ns/skill", 1000, 0},
		{"listing, cut to a budget", listing[1:2], "min-ns/skill", 1, "ns/skill", 1000, 0},
		{"listing, names only", listing[2:], "min-ns/skill", 1, "ns/skill", 1000, 0},
		{"listing, allocations, the most", listing, "allocs/skill", 1, "/skill", 2, 0},
		{"unchanged Next", []string{"NextUnchanged"}, "ns/op", 1, "ns", 100, 0},
		{"unchanged Next, allocations", []string{"NextUnchanged"}, "allocs/op", 1, "", 0, 0},
		{"touch, 10,000 conditional skills, none match", []string{"Touch/none"}, "ns/op", 1e-3, "us", 20, 0},
		{"touch, 10 match", []string{"Touch/matches=10"}, "ns/op", 1e-3, "us", 100, 0},
		{"touch, patterns compiled", []string{"Touch/compile"}, "ns/skill", 1e-3, "us/skill", 20, 0},
		{"substitution, 10 KB, no placeholder", []string{"Substitute/placeholders=0"}, "xfloor", 1, "x clone+scan", 2, 0},
		{"substitution, 10 KB, 50 placeholders", []string{"Substitute/placeholders=50"}, "xfloor", 1, "x clone+scan", 5, 0},
		{"invocation of that skill, all of it", []string{"Invoke"}, "ns/op", 1e-3, "us", noBar, 0},
		{"search, 25,000 skills, slowest query", queries, "ns/op", 1e-6, "ms", 5, 0},
		{"search, index built", []string{"Search/build"}, "min-ms/build", 1e-3, "s", 1, 0},
		{"Open, no skills", []string{"OpenEmpty"}, "min-us/open", 1, "us", 200, 0},
	}
}
