package remote

import (
	"fmt"
	"testing"
)

// 25,000 entries with name and description (07 §1).
func BenchmarkIndex(b *testing.B) {
	words := []string{"release", "notes", "deploy", "service", "review", "table", "audio", "chart", "test", "index", "cache", "mail"}
	var list []string
	for n := range 25_000 {
		list = append(list, entryJSON(fmt.Sprintf("%s-%d", words[n%len(words)], n),
			fmt.Sprintf("Does %s and %s of case %d. Use it when a %s has to be made.", words[n/7%12], words[n/11%12], n, words[n/13%12]), "x.md", ""))
	}
	doc, p := []byte(indexJSON(list...)), testPlaces(b, "https://example.com", Options{})
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			newIndex(doc, p, nil)
		}
	})
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			ix, _ := newIndex(doc, p, nil)
			ix.search()
		}
	})
	ix, _ := newIndex(doc, p, nil)
	ix.search()
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			ix.find("review the release notes of a service", 10)
		}
	})
}
