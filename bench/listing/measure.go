package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/bench/internal/corpus"
	"github.com/seed-12b313d8/skills/bench/internal/rank"
)

// additions is how many skills are added to each set, one at a time.
const additions = 5

// A mode is one way of listing skills.
type mode struct {
	name string
	opts skills.ListerOptions
	bare bool // no descriptions, whatever the budget
}

func modes(budget int) []mode {
	return []mode{
		{name: "full descriptions", opts: skills.ListerOptions{Budget: math.MaxInt32, EntryCap: math.MaxInt32}},
		{name: "entry cap only", opts: skills.ListerOptions{Budget: math.MaxInt32}},
		{name: "equal share", opts: skills.ListerOptions{Budget: budget, EqualShare: true}},
		{name: "default", opts: skills.ListerOptions{Budget: budget}},
		{name: "level step 8", opts: skills.ListerOptions{Budget: budget, LevelStep: 8}},
		{name: "drop shared", opts: skills.ListerOptions{Budget: budget, DropShared: true}},
		{name: "names only", opts: skills.ListerOptions{Budget: budget}, bare: true},
	}
}

// A row is what one mode does to sets of one size.
type row struct {
	Size    int          `json:"size"`
	Mode    string       `json:"mode"`
	Tiers   []string     `json:"tiers,omitempty"` // those that occurred
	Used    float64      `json:"used"`            // characters of a listing
	Text    float64      `json:"text"`            // characters of a line besides its name
	BM25    rank.Finding `json:"bm25"`            // shares of 1
	Trigram rank.Finding `json:"trigram"`         // shares of 1
	Changed float64      `json:"changed"`         // share of the lines, when one skill is added
	Queries float64      `json:"queries_per_set"` // queries to the skills of one set
}

// A result is everything measured, with what it was measured on.
type result struct {
	Files   int    `json:"files"`   // skill files in the folder
	Skills  int    `json:"skills"`  // those a model is told of
	Asked   int    `json:"asked"`   // those that have queries
	Queries int    `json:"queries"` // all of them
	Budget  int    `json:"budget"`
	Seed    uint64 `json:"seed"`
	Samples int    `json:"samples"`
	Rows    []row  `json:"rows"`
}

func measure(ctx context.Context, c *corpus.Corpus, cfg config) (*result, error) {
	r := &result{Files: c.Files, Skills: len(c.Docs), Budget: cfg.budget, Seed: cfg.seed, Samples: cfg.samples}
	r.Queries, r.Asked = c.Queries()
	var sizes []int
	for _, n := range cfg.sizes {
		if n = min(n, len(c.Docs)); !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	for _, n := range sizes {
		rows, err := measureSize(ctx, c, cfg, n)
		if err != nil {
			return nil, err
		}
		r.Rows = append(r.Rows, rows...)
	}
	return r, nil
}

// measureSize gives the rows of one size, each the mean over all sets. All
// modes see the same sets.
func measureSize(ctx context.Context, c *corpus.Corpus, cfg config, size int) ([]row, error) {
	all := modes(cfg.budget)
	rows := make([]row, len(all))
	queries := 0
	for sample := range cfg.samples {
		rnd := rand.New(rand.NewPCG(cfg.seed, uint64(size)<<32|uint64(sample)))
		var set []corpus.Document
		for _, i := range rnd.Perm(len(c.Docs))[:size] {
			set = append(set, c.Docs[i])
			queries += len(c.Docs[i].Queries)
		}
		if err := measureSet(ctx, rows, all, set); err != nil {
			return nil, err
		}
	}
	n := float64(cfg.samples)
	for i := range rows {
		r := &rows[i]
		r.Size, r.Mode, r.Queries = size, all[i].name, float64(queries)/n
		r.BM25, r.Trigram = r.BM25.Mean(queries), r.Trigram.Mean(queries)
		r.Used, r.Text, r.Changed = rank.Round(r.Used/n), rank.Round(r.Text/n), rank.Round(r.Changed/n)
	}
	return rows, nil
}

// measureSet adds the figures of one set to the sums in rows.
func measureSet(ctx context.Context, rows []row, all []mode, set []corpus.Document) error {
	reg, err := corpus.Open(ctx, set)
	if err != nil {
		return err
	}
	defer reg.Close()
	for i, m := range all {
		l, err := list(reg, m, "")
		if err != nil {
			return err
		}
		r := &rows[i]
		r.Used += float64(l.report.Used)
		r.Text += l.meanText()
		if !m.bare && !slices.Contains(r.Tiers, l.report.Tier) {
			r.Tiers = append(r.Tiers, l.report.Tier)
		}
		l.ask(set, rank.BM25(l.lines), &r.BM25)
		l.ask(set, rank.Trigrams(l.lines), &r.Trigram)
		added := set[:min(additions, len(set)-1)]
		for _, d := range added {
			before, err := list(reg, m, d.Skill.Name)
			if err != nil {
				return err
			}
			r.Changed += before.changed(l) / float64(len(added))
		}
	}
	return nil
}

// A listing is one rendered listing, by lines.
type listing struct {
	report skills.Report
	lines  []string       // without "- " and newline
	at     map[string]int // line of a skill
}

// list renders the skills of reg, but for one, to a new session.
func list(reg *skills.Registry, m mode, without string) (*listing, error) {
	p := skills.Policy{Overrides: make(map[string]skills.Visibility)}
	for s := range reg.Snapshot().All() {
		if m.bare {
			p.Overrides[s.Name] = skills.VisibleNameOnly
		}
	}
	if without != "" {
		p.Overrides[without] = skills.VisibleOff
	}
	opts := m.opts
	opts.Header, opts.Wrap = "skills", [2]string{"\n", "\n"}
	n := skills.NewLister(reg.NewSession("", &skills.SessionOptions{Policy: p}), &opts).Next()

	l := &listing{report: n.Report, at: make(map[string]int)}
	for text := range strings.Lines(n.Text) {
		if text, ok := strings.CutPrefix(text, "- "); ok {
			l.lines = append(l.lines, strings.TrimSuffix(text, "\n"))
		}
	}
	for i, e := range n.Report.Entries {
		l.at[e.Name] = i
		if i >= len(l.lines) || !strings.HasPrefix(l.lines[i], e.Name) {
			return nil, fmt.Errorf("%s: line %d of the listing is not that of %q", m.name, i+1, e.Name)
		}
	}
	return l, nil
}

// meanText returns the mean length of what follows the names.
func (l *listing) meanText() float64 {
	sum := 0
	for _, e := range l.report.Entries {
		sum += e.Chars
	}
	return float64(sum) / float64(len(l.lines))
}

// ask puts the queries of all skills of a set.
func (l *listing) ask(set []corpus.Document, score rank.Scorer, f *rank.Finding) {
	for _, d := range set {
		for _, q := range d.Queries {
			f.Add(score(q), l.at[d.Skill.Name])
		}
	}
}

// changed returns the share of lines that are others in the next listing.
func (l *listing) changed(next *listing) float64 {
	n := 0
	for name, i := range l.at {
		if l.lines[i] != next.lines[next.at[name]] {
			n++
		}
	}
	return float64(n) / float64(len(l.lines))
}
