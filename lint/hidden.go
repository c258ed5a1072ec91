package lint

import (
	"fmt"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/line"
)

// hidden reports invisible characters, one issue a line. The loader has looked
// at the descriptions only; where it found one, once is enough.
func (f *file) hidden() {
	known := make(map[int]bool)
	for _, i := range f.issues {
		if i.Code == codeHiddenUnicode {
			known[i.Line] = true
		}
	}
	var found repeated
	n := 0
	for text := range strings.SplitSeq(f.text, "\n") {
		n++
		r, _, ok := line.Hidden(text)
		if !ok || known[n] || !found.wants() {
			continue
		}
		found.add(skills.Issue{
			Code: codeHiddenUnicode, Line: n,
			Msg:  fmt.Sprintf("the line holds the invisible character %U, which the model reads and nobody sees", r),
			Hint: "delete it",
		})
	}
	f.reportAll(&found)
}
