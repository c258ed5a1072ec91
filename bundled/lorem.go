package bundled

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/seed-12b313d8/skills"
)

const (
	maxLorem     = 500_000 // words or tokens of filler (05 §3)
	defaultLorem = 1_000
)

// loremPrompt makes filler: a block that says what it is, and the filler itself
// in a block of its own (05 §3).
func loremPrompt(t text, _ Host) prompt {
	return func(_ context.Context, p skills.PromptContext) ([]skills.Block, error) {
		n, tokens, err := parseLorem(p.Args)
		if err != nil {
			return one(t.fill("usage", map[string]string{"problem": err.Error()}))
		}
		slots := map[string]string{"count": strconv.Itoa(min(n, maxLorem)), "unit": "words", "note": ""}
		if tokens {
			slots["unit"] = "tokens"
			slots["note"] = " A token is counted as one short word or one mark; a tokeniser may differ by some per cent."
		}
		if n > maxLorem {
			slots["note"] += " More was asked for; " + strconv.Itoa(maxLorem) + " is the most there is."
		}
		head, err := t.fill("", slots)
		if err != nil {
			return nil, err
		}
		return []skills.Block{{Text: head}, {Text: filler(min(n, maxLorem), tokens)}}, nil
	}
}

// parseLorem reads "[count] [words|tokens]". A count may have thousands
// separators and a k or m behind it. Of a count above maxLorem, n is any number
// above maxLorem.
func parseLorem(args string) (n int, tokens bool, err error) {
	fields := strings.Fields(strings.ToLower(args))
	if len(fields) > 2 {
		return 0, false, errors.New("it takes a count and a unit, no more")
	}
	n = defaultLorem
	if len(fields) > 0 {
		switch fields[len(fields)-1] {
		case "token", "tokens", "tok":
			tokens, fields = true, fields[:len(fields)-1]
		case "word", "words":
			fields = fields[:len(fields)-1]
		}
	}
	switch len(fields) {
	case 0:
		return n, tokens, nil
	case 1:
		n, err = parseCount(fields[0])
		return n, tokens, err
	}
	return 0, false, errors.New("the unit is neither words nor tokens")
}

func parseCount(s string) (int, error) {
	digits, factor := s, 1
	switch {
	case strings.HasSuffix(s, "k"):
		digits, factor = s[:len(s)-1], 1_000
	case strings.HasSuffix(s, "m"):
		digits, factor = s[:len(s)-1], 1_000_000
	}
	digits = strings.NewReplacer(",", "", "_", "").Replace(digits)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, errors.New("the count is no whole number")
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxLorem { // more digits than an int holds, too
		return maxLorem + 1, nil
	}
	if n == 0 {
		return 0, errors.New("the count is zero")
	}
	return min(n, maxLorem/factor+1) * factor, nil // which fits an int of 32 bits
}

// filler returns exactly n words, or words and marks that are n together. It is
// the same text at every call.
func filler(n int, tokens bool) string {
	words := latin()
	if tokens {
		words = plain()
	}
	random := rand.New(rand.NewPCG(1, 2)) // a fixed seed: tests compare texts
	var b strings.Builder
	b.Grow(n * 8)
	for sentence := 1; n > 0; sentence++ {
		n -= writeSentence(&b, random, words, n, tokens)
		if n > 0 {
			b.WriteByte(" \n"[boolToInt(sentence%6 == 0)])
		}
	}
	return b.String()
}

// writeSentence writes a sentence of at most n units and returns how many it
// has. Only tokens count the full stop.
func writeSentence(b *strings.Builder, random *rand.Rand, words []string, n int, tokens bool) int {
	stop := boolToInt(tokens)
	count := min(6+random.IntN(10), max(1, n-stop))
	for i := range count {
		w := words[random.IntN(len(words))]
		switch {
		case i == 0:
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		default:
			b.WriteString(" " + w)
		}
	}
	if count+stop > n {
		return count // the last token leaves no room for a full stop
	}
	b.WriteByte('.')
	return count + stop
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// latin are the words that fill pages.
func latin() []string {
	return strings.Fields(`lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor
		incididunt ut labore et dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco
		laboris nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse
		cillum fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia
		deserunt mollit anim id est laborum`)
}

// plain are words so common that tokenisers have one token for each.
func plain() []string {
	return strings.Fields(`the of and to in is that it for was on are with they be at one have this from by
		hot but some what there we can out other were all your when up use how said an each she which do
		their time if will way about many then them would like so these her long make thing see him two has
		look more day could go come did my sound no most number who over know water than call first people
		may down side been now find any new work part take get place made live where after back little only
		round man year came show every good give our under name very through just form much great think say
		help low line turn cause mean before move right boy old too same tell does set three want air well
		also play small end put home read hand large add even land here must big high such follow act why
		ask men change went light kind off need house try us again point world near build self earth`)
}
