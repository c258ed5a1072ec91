package main

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/seed-12b313d8/skills/bench/internal/corpus"
)

// An entry is one skill to find, with the queries that should find it.
type entry struct {
	names   []string
	text    string
	body    string
	queries []string
}

// entriesOf returns the skills of c without what the queries are taken from.
func entriesOf(ctx context.Context, c *corpus.Corpus, from string) ([]entry, error) {
	entries := make([]entry, len(c.Docs))
	for i, d := range c.Docs {
		s := d.Skill
		e := entry{text: strings.TrimSpace(s.Description + "\n" + s.WhenToUse), body: d.Rest, queries: d.Queries}
		e.names = append(append(e.names, s.Name), s.Aliases...)
		if s.DisplayName != "" {
			e.names = append(e.names, s.DisplayName)
		}
		if from == fromDescription {
			body, err := s.Body(ctx)
			if err != nil {
				return nil, err
			}
			e.body = body
			e.text, e.queries = takeOut(e.text)
		}
		entries[i] = e
	}
	return entries, nil
}

// minQuery is the length of the shortest query in characters.
const minQuery = 12

// Neither is ever changed.
var (
	sentence = regexp.MustCompile(`(?s).*?(?:[.!?]\s+|[。！？]|\n|$)`)
	whenUsed = regexp.MustCompile(`(?i)^(use|invoke|apply|activate|call|load|run|trigger)\b|` +
		`\b(used?|invoked?|activated?|triggers?)\b.*\b(when|whenever|if|for|after|before|to|on)\b|^when\b|^当|时使用|用于`)
)

// takeOut splits a description into the sentences that say when to use the
// skill and the rest. There are no queries if nothing would be left.
func takeOut(text string) (rest string, queries []string) {
	var b strings.Builder
	for _, s := range sentence.FindAllString(text, -1) {
		if t := strings.TrimSpace(s); utf8.RuneCountInString(t) >= minQuery && whenUsed.MatchString(t) {
			queries = append(queries, t)
			continue
		}
		b.WriteString(s)
	}
	if rest = strings.TrimSpace(b.String()); rest == "" {
		return text, nil
	}
	return rest, queries
}
