package template

import (
	"cmp"
	"slices"
	"strings"
)

// maxName is the longest name that is looked for, in bytes. It bounds the
// work at each $ of a body, whatever is declared.
const maxName = 256

// A nameSet holds declared names in the order of their bytes. Names that
// begin a text are then found next to where the text itself would stand, and
// the time for it does not grow with the number of names.
type nameSet []declared

type declared struct {
	name    string
	index   int // position in Options.Names
	shorter int // position in the set of the longest name that begins name; or -1
}

func newNameSet(names []string) nameSet {
	if len(names) == 0 {
		return nil
	}
	set := make(nameSet, 0, len(names))
	for i, name := range names {
		if len(name) <= maxName && strings.Trim(name, "0123456789") != "" {
			set = append(set, declared{name: name, index: i})
		}
	}
	slices.SortFunc(set, func(a, b declared) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.index, b.index))
	})
	set = slices.CompactFunc(set, func(a, b declared) bool { return a.name == b.name })
	for i := range set {
		set[i].shorter = set.beginning(i-1, set[i].name)
	}
	return set
}

// beginning returns the position of the longest name that begins text, given
// the position of the last name that does not sort behind text; or -1.
func (s nameSet) beginning(i int, text string) int {
	for i >= 0 && !strings.HasPrefix(text, s[i].name) {
		i = s[i].shorter
	}
	return i
}

// longest returns the size and the position in Options.Names of the longest
// name that text begins with as a whole word, or a size of 0.
func (s nameSet) longest(text string) (size, index int) {
	if len(s) == 0 {
		return 0, 0
	}
	head := text[:min(len(text), maxName)]
	i, found := slices.BinarySearchFunc(s, head, func(d declared, head string) int {
		return strings.Compare(d.name, head)
	})
	if !found {
		i--
	}
	for i = s.beginning(i, head); i >= 0; i = s[i].shorter {
		if n := len(s[i].name); !continuesWord(text[n:]) {
			return n, s[i].index
		}
	}
	return 0, 0
}
