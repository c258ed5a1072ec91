package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// write prints where it was measured, the table, the peers if there are any,
// and the raw lines.
func write(w io.Writer, where []string, f figures, raw string) {
	for _, line := range where {
		fmt.Fprintln(w, "#", line)
	}
	fmt.Fprintln(w, "# each figure is the best of its runs; a floor took turns with what it is compared with")
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "what\tfigure\tbar\t")
	for _, r := range rows() {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", r.what, figure(f, r), bar(r), verdict(f, r))
	}
	tw.Flush()
	writePeers(w, f)
	fmt.Fprintf(w, "\n# what was printed, for benchstat\n\n%s", raw)
}

func writePeers(w io.Writer, f figures) {
	list := f.peers()
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "\n# loading the same trees with other clients; what they do not show, they refused to load")
	fmt.Fprintln(w)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "tree\tclient\tx floor\tallocations/skill\tretained B/skill")
	for _, p := range list {
		m := f[p.name]
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", p.tree, p.client, number(m["xfloor"]), number(m["allocs/skill"]), number(m["B/skill"]))
	}
	tw.Flush()
}

func figure(f figures, r row) string {
	v, ok := f.worst(r)
	if !ok {
		return "not measured"
	}
	return strings.TrimSpace(number(v) + " " + r.unit)
}

func bar(r row) string {
	switch {
	case r.bar < 0:
		return "-"
	case r.better > 0:
		return fmt.Sprintf("<= %s, better %s", number(r.bar), number(r.better))
	}
	return "<= " + number(r.bar)
}

func verdict(f figures, r row) string {
	v, ok := f.worst(r)
	switch {
	case !ok || r.bar < 0:
		return "-"
	case r.better > 0 && v <= r.better:
		return "met, and better"
	case v <= r.bar:
		return "met"
	}
	return "MISSED"
}

// number writes three digits that count, and no exponent.
func number(v float64) string {
	digits := 2
	switch {
	case v == float64(int64(v)):
		digits = 0
	case v >= 100:
		digits = 0
	case v >= 10:
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}
