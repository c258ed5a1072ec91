package prefix_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/prefix"
)

func TestFind(t *testing.T) {
	values := []string{"office:pdf,pdf", "commit,ci,Commit", "Deploy", "dé", ""}
	x := prefix.New(values, func(v string) []string { return strings.Split(v, ",") })
	tests := []struct {
		reason, prefix string
		want           []string
	}{
		{"a whole name", "commit", []string{"commit,ci,Commit"}},
		{"one value once", "c", []string{"commit,ci,Commit"}},
		{"any of the names", "pd", []string{"office:pdf,pdf"}},
		{"letter case apart", "dEP", []string{"Deploy"}},
		{"in the order given", "d", []string{"Deploy", "dé"}},
		{"everything", "", values},
		{"nothing", "x", nil},
		{"longer than any", "commits", nil},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, x.Find(tt.prefix), tt.reason)
	}
}

// Find finds what a look at every name finds.
func FuzzFind(f *testing.F) {
	f.Add("a b ab aB ba", "a")
	f.Add("é É e\u0301", "É")
	f.Fuzz(func(t *testing.T, names, p string) {
		values := strings.Fields(names)
		slices.Sort(values)
		values = slices.Compact(values)
		x := prefix.New(values, func(v string) []string { return []string{v, v + "/" + v} })
		var want []string
		for _, v := range values {
			if low := strings.ToLower(v); strings.HasPrefix(low+"/"+low, strings.ToLower(p)) {
				want = append(want, v)
			}
		}
		assert.Equal(t, want, x.Find(p))
	})
}
