package fit

import (
	"math"
	"strings"
	"unicode"

	"github.com/seed-12b313d8/skills/internal/line"
)

// thresholds are tried in turn: words that so many entries have, or more, go.
func thresholds() [9]int32 { return [...]int32{math.MaxInt32, 256, 128, 64, 32, 16, 8, 4, 3} }

// A word is one word of a text, outside of negated clauses.
type word struct {
	text   string
	length int32 // characters
	key    int32 // index of its count
}

// A wording is what a distinct knows of one text.
type wording struct {
	from, to int    // its words
	joint    [9]int // characters of the words below each threshold, joined; 0 for none
}

// A distinct is the shortener of DropShared (02 §2). Below level prefixFrom it
// keeps the words that fewer entries have, in their order, and drops negated
// clauses, whose words would say the opposite without their "not".
type distinct struct {
	prefixer
	words []word
	count []int32   // entries that have a word, by its key
	texts []wording // by entry
}

// newDistinct counts words over all entries, those that are never cut too.
func newDistinct(f *fitter) *distinct {
	d := &distinct{prefixer: prefixer{f.entries, f.lens}, texts: make([]wording, len(f.entries))}
	v := vocabulary{keys: make(map[string]int32)}
	negates := negators(f.opts.Negators)
	for i := range f.entries {
		w := &d.texts[i]
		w.from = len(d.words)
		d.words = v.read(d.words, f.entries[i].Text, int32(i), negates)
		w.to = len(d.words)
	}
	d.count = v.count
	for i := range d.texts {
		d.measure(&d.texts[i])
	}
	return d
}

// measure fills in w.joint. What is below a threshold is below all before it.
func (d *distinct) measure(w *wording) {
	limits := thresholds()
	for _, word := range d.words[w.from:w.to] {
		for k := 0; k < len(limits) && d.count[word.key] < limits[k]; k++ {
			if w.joint[k] > 0 {
				w.joint[k]++ // the blank
			}
			w.joint[k] += int(word.length)
		}
	}
}

func (d *distinct) charge(i, level int) int { return d.length(i, level) }

func (d *distinct) length(i, n int) int {
	if _, joint := d.choose(i, n); joint > 0 {
		return joint + 1
	}
	return d.prefixer.length(i, n)
}

func (d *distinct) text(i, n int) string {
	limit, joint := d.choose(i, n)
	if joint == 0 {
		return d.prefixer.text(i, n)
	}
	var b strings.Builder
	left := joint
	for _, w := range d.words[d.texts[i].from:d.texts[i].to] {
		if d.count[w.key] >= limit {
			continue
		}
		if b.Len() > 0 && left > 0 {
			b.WriteByte(' ')
			left--
		}
		if left -= int(w.length); left < 0 {
			break
		}
		b.WriteString(w.text)
	}
	b.WriteString("…")
	return b.String()
}

// choose returns which words to keep of text i for n characters: those that
// fewer than limit entries have, as many as make up joint characters. A joint
// of 0 means the prefix.
func (d *distinct) choose(i, n int) (limit int32, joint int) {
	if n >= prefixFrom || n >= d.lens[i] {
		return 0, 0
	}
	limits, w := thresholds(), &d.texts[i]
	for k, joint := range w.joint {
		if joint > 0 && joint+1 <= n {
			return limits[k], joint
		}
	}
	limit = limits[len(limits)-1]
	if joint = d.head(w, limit, n-1); 2*(joint+1) < n {
		return 0, 0 // one long word must not leave nearly nothing
	}
	return limit, joint
}

// head returns the characters of the first words below limit, joined, that fit
// into room.
func (d *distinct) head(w *wording, limit int32, room int) int {
	joint := 0
	for _, word := range d.words[w.from:w.to] {
		if d.count[word.key] >= limit {
			continue
		}
		next := joint + int(word.length)
		if joint > 0 {
			next++
		}
		if next > room {
			break
		}
		joint = next
	}
	return joint
}

// A vocabulary numbers words and counts the entries that have them.
type vocabulary struct {
	keys  map[string]int32
	count []int32
	last  []int32 // entry that counted last, plus one
}

// read counts the words of a text and appends those outside of negated clauses
// to words.
func (v *vocabulary) read(words []word, text string, entry int32, negates func(string) bool) []word {
	negated := false
	for s := range strings.FieldsSeq(text) {
		key := normal(s)
		w := word{s, int32(line.Len(s)), v.add(key, entry)}
		if negated = negated || negates(key); !negated {
			words = append(words, w)
		}
		if endsSentence(s) {
			negated = false
		}
	}
	return words
}

// add counts a word for an entry, once, and returns its number.
func (v *vocabulary) add(key string, entry int32) int32 {
	k, known := v.keys[key]
	if !known {
		k = int32(len(v.count))
		v.keys[key] = k
		v.count = append(v.count, 0)
		v.last = append(v.last, 0)
	}
	if v.last[k] != entry+1 {
		v.last[k] = entry + 1
		v.count[k]++
	}
	return k
}

// normal returns a word in lower case, without outer punctuation, with
// straight apostrophes.
func normal(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })
	return strings.ReplaceAll(strings.ToLower(s), "’", "'")
}

// endsSentence reports whether a sentence ends with the word s, or a
// description does: a lone hyphen joins it to the text on when to use.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’)]}*_`+"`")
	for _, end := range []string{".", "!", "?", "。", "！", "？"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return s == "-"
}

// negators returns whether a normal word begins a negated clause.
func negators(list []string) func(string) bool {
	if list == nil {
		return isEnglishNegator
	}
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return func(s string) bool { return set[s] }
}

func isEnglishNegator(s string) bool {
	switch s {
	case "not", "no", "never", "nor", "neither", "cannot", "without", "except", "excluding", "unless", "avoid":
		return true
	}
	return strings.HasSuffix(s, "n't")
}
