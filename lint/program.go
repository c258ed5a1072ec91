package lint

import (
	"fmt"
	"sort"
	"strings"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/shellspan"
	"github.com/seed-12b313d8/skills/internal/template"
)

// A place is where a placeholder of a command stands: the offsets of the
// command in the body and of the placeholder in the command.
type place struct{ span, at int }

// programArguments reports $N in the single-quoted program of awk and its
// like, where a shell leaves it alone but a skill puts an argument there (04
// §2). It returns the places, about which nothing else need be said.
func (f *file) programArguments(body string) map[place]bool {
	if !strings.Contains(body, "$") {
		return nil
	}
	t, err := template.Parse(body, template.Options{MaxSpans: -1})
	if err != nil {
		return nil // not without a limit
	}
	places := make(map[place]bool)
	var found repeated
	spans := t.Spans()
	for _, span := range spans[:min(len(spans), template.DefaultMaxSpans)] { // more cannot run
		programs := shellspan.QuotedPrograms(span)
		last := 0
		for _, word := range span.Inner {
			name := programAt(programs, word)
			if name == "" {
				continue
			}
			places[place{span.Offset, word.Offset}] = true
			if word.Line == last || !found.wants() {
				continue
			}
			last = word.Line
			found.add(skills.Issue{
				Code: codeProgramArgument, Line: f.bodyLine(word.Line),
				Msg:  fmt.Sprintf("%s in a program of %s stands for a word of the arguments, counted from 0, not for what %s calls so", clip(word.Text), name, name),
				Hint: fmt.Sprintf(`write \%s for the text itself, or $ARGUMENTS[%s] if an argument is meant`, clip(word.Text), clip(word.Text[1:])),
			})
		}
	}
	f.reportAll(&found)
	return places
}

// programAt returns the interpreter of the program that holds the word $N, or
// "".
func programAt(programs []shellspan.QuotedProgram, word template.Token) string {
	if word.Kind != template.Word || word.Text[1] == 'A' {
		return ""
	}
	i := sort.Search(len(programs), func(i int) bool { return word.Offset < programs[i].To })
	if i == len(programs) || word.Offset < programs[i].From {
		return ""
	}
	return programs[i].Name
}
