// Package names holds the rules for skill names (01 §6): how they are compared,
// which are refused, and which known names are near a mistyped one.
package names

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxLen is the length of a name in code points; of a qualified name, the
// length of each part.
const MaxLen = 64

// Reserved is the prefix that only remote skills may carry.
const Reserved = "_canonical_"

const reserved = "the prefix " + Reserved + " is reserved for remote skills"

// Normalize returns s in NFC, the form in which names are compared. An ASCII
// name is returned as it is.
func Normalize(s string) string { return norm.NFC.String(s) }

// FoldNFKC returns s in NFKC, the form in which the open format measures and
// compares names: ﬁ is fi, ａ is a, ² is 2. Package lint needs it; names are
// never looked up in this form.
func FoldNFKC(s string) string { return norm.NFKC.String(s) }

// Fold returns s in the form in which rules that restrict compare names: NFC,
// runs of white space as one blank, and without letter case, "ß" as "ss".
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	s = strings.Join(strings.Fields(Normalize(s)), " ")
	return strings.NewReplacer("ß", "ss").Replace(strings.Map(foldRune, s))
}

// isFolded reports whether s is ASCII that Fold leaves alone.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// foldRune returns one and the same of all runes that differ in case only.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

// CheckFolder says why a slash path cannot qualify the names of the skills
// below it; "" means that it can.
func CheckFolder(rel string) string {
	if strings.HasPrefix(rel, Reserved) {
		return reserved
	}
	for _, r := range rel {
		if why := checkRune(r); why != "" && r != '/' && r != '\\' && r != '<' && r != '>' {
			return why
		}
	}
	return ""
}

// Check says why s cannot be a name or one part of a qualified name; "" means
// that it can. It refuses what N2 refuses and nothing else.
func Check(s string) string {
	switch {
	case s == "":
		return "it is empty"
	case strings.TrimSpace(s) != s:
		return "it begins or ends with a blank"
	case strings.Contains(s, ".."):
		return `it holds ".."`
	case utf8.RuneCountInString(s) > MaxLen:
		return fmt.Sprintf("it has more than %d characters", MaxLen)
	case strings.HasPrefix(s, Reserved):
		return reserved
	}
	for _, r := range s {
		if why := checkRune(r); why != "" {
			return why
		}
	}
	return ""
}

func checkRune(r rune) string {
	switch {
	case r < utf8.RuneSelf && r > ' ' && r != '/' && r != '\\' && r != '<' && r != '>' && r != 0x7f:
		return ""
	case r == '/', r == '\\', r == '<', r == '>':
		return fmt.Sprintf("it holds %q", r)
	case r == utf8.RuneError:
		return "it is not valid UTF-8, or holds U+FFFD"
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return fmt.Sprintf("it holds the control character %U", r)
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector), r == '\u034f', r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0':
		return fmt.Sprintf("it holds the invisible character %U", r)
	}
	return ""
}

// CheckQualified is Check for every ":"-separated part of s.
func CheckQualified(s string) string {
	for part := range strings.SplitSeq(s, ":") {
		if why := Check(part); why != "" {
			return why
		}
	}
	return ""
}

// Near returns up to n of the known names nearest to s: those that differ in
// few characters or begin with s. The order is by distance, then by name.
func Near(s string, known []string, n int) []string {
	type near struct {
		name string
		dist int
	}
	s = strings.ToLower(s)
	if s == "" || utf8.RuneCountInString(s) > 2*MaxLen {
		return nil
	}
	limit := max(1, utf8.RuneCountInString(s)/3)
	var found []near
	for _, k := range known {
		low := strings.ToLower(k)
		d := Distance(s, low)
		if _, bare, ok := cutLast(low, ":"); ok {
			d = min(d, Distance(s, bare))
		}
		if strings.HasPrefix(low, s) {
			d = min(d, limit)
		}
		if d <= limit {
			found = append(found, near{k, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), strings.Compare(a.name, b.name))
	})
	var out []string
	for _, f := range found[:min(n, len(found))] {
		out = append(out, f.name)
	}
	return out
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// Distance is the number of edits that turn a into b: code points inserted,
// deleted or replaced, and neighbours swapped. It takes time in proportion to
// the product of the lengths.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
