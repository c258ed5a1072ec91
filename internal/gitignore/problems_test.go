package gitignore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProblems(t *testing.T) {
	type problem struct {
		index int
		code  string
	}
	for _, row := range []struct {
		reason   string
		patterns []string
		opts     Options
		want     []problem
	}{
		{
			reason:   "A6: a good list has none",
			patterns: []string{"src/**/*.{ts,tsx}", "!**/gen/**", "[a-z]*", "app/(auth)/[id]/**", `\[x`, "[{(]"},
		},
		{
			reason:   "A6: bad patterns are named, in order",
			patterns: []string{"a", "[abc", `foo\`, "[[:nope:]]", strings.Repeat("a", maxPatternBytes+1)},
			want: []problem{
				{1, CodeBadPattern}, {2, CodeBadPattern}, {3, CodeBadPattern}, {4, CodeBadPattern},
			},
		},
		{
			reason:   "A6: one problem for a pattern, however many of its expansions are bad",
			patterns: []string{"[a{b,c,d}"},
			want:     []problem{{0, CodeBadPattern}},
		},
		{
			reason:   "A5, fm-10: eighteen groups of two are over the budget",
			patterns: []string{"{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}{o,p}{q,r}{s,t}{u,v}{w,x}{y,z}{0,1}{2,3}{4,5}{6,7}{8,9}"},
			want:     []problem{{0, CodeBraceBudget}},
		},
		{
			reason:   "A5: the budget is for the whole list",
			patterns: []string{strings.Repeat("{a,b}", 9), "x", strings.Repeat("{c,d}", 9), "{e,f}"},
			want:     []problem{{2, CodeBraceBudget}},
		},
		{
			reason:   "A5: the budget counts bytes too",
			patterns: []string{strings.Repeat("x", 5000) + strings.Repeat("{a,b}", 9) + strings.Repeat("{aaaa,bbbb}", 1)},
			want:     []problem{{0, CodeBraceBudget}, {0, CodeBadPattern}},
		},
		{
			reason:   "A5: braces nested beyond reason are over the budget",
			patterns: []string{strings.Repeat("{a,", maxBraceDepth+1) + strings.Repeat("}", maxBraceDepth+1)},
			want:     []problem{{0, CodeBraceBudget}},
		},
		{
			reason:   "A4: patterns that no path can match are pointed out",
			patterns: []string{"./src/**", "/", "a//b", "#x", "b/..", "x"},
			want: []problem{
				{0, CodeNeverMatches}, {1, CodeNeverMatches}, {2, CodeNeverMatches}, {3, CodeNeverMatches}, {4, CodeNeverMatches},
			},
		},
		{
			reason:   "A4: unless another expansion can",
			patterns: []string{"{.,src}/a", "{,a}"},
		},
		{
			reason:   "A4: blank patterns are dropped in silence",
			patterns: []string{"", "  ", "\r"},
		},
		{
			reason:   "A4: so is a list of negated patterns only",
			patterns: []string{"!a", "!b"},
			want:     []problem{{0, CodeNeverMatches}},
		},
		{
			reason:   "A5, A7, fm-11: unbalanced brackets work, but the author should know",
			patterns: []string{"src/(broken", "a)", "{a,b", "c}", `\(ok`, `\{ok`},
			want: []problem{
				{0, CodeUnbalanced}, {1, CodeUnbalanced}, {2, CodeUnbalanced}, {3, CodeUnbalanced},
			},
		},
		{
			reason:   "plain gitignore knows no braces",
			patterns: []string{"{a,b"},
			opts:     Options{LiteralBraces: true},
		},
	} {
		t.Run(row.reason, func(t *testing.T) {
			require.NotEmpty(t, row.reason, "a row needs a reason")
			var got []problem
			for _, p := range Compile(row.patterns, row.opts).Problems() {
				got = append(got, problem{p.Index, p.Code})
				assert.Equal(t, row.patterns[p.Index], p.Pattern)
				assert.NotEmpty(t, p.Msg)
				assert.LessOrEqual(t, len(p.Msg), 150)
			}
			assert.Equal(t, row.want, got)
		})
	}
}
