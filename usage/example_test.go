package usage_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/usage"
)

// A skill keeps half of its score for a week, and never falls to the 0 of a
// skill that was never used.
func ExampleStore() {
	store := usage.New(nil)
	commit := &skills.Skill{Name: "commit", Source: "user"}
	start := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

	fmt.Println(store.Score(commit, start))
	store.Used(commit, start)
	for _, days := range []int{0, 7, 14, 365} {
		fmt.Println(days, store.Score(commit, start.AddDate(0, 0, days)))
	}
	// Output:
	// 0
	// 0 1
	// 7 0.5
	// 14 0.25
	// 365 0.1
}

// What was learned is written by one run of a program and read by the next.
func ExampleStore_Save() {
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	commit := &skills.Skill{Name: "commit", Source: "user"}
	store := usage.New(nil)
	store.Used(commit, now)

	var file bytes.Buffer
	if err := store.Save(&file); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(file.String())

	next := usage.New(nil)
	if err := next.Load(&file, now.AddDate(0, 0, 1)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(next.Score(commit, now))
	// Output:
	// {"version":1,"skills":[{"source":"user","name":"commit","weight":1,"last":"2026-01-05T09:00:00Z"}]}
	// 1
}

// The skill in use keeps its text where there is not room for all.
func ExampleNew() {
	reg, err := skills.Open(context.Background(), &skills.Options{Sources: []skills.Source{
		skills.StaticSource(skills.SourceInfo{ID: "team", Origin: skills.OriginUser},
			&skills.Skill{Name: "archive", Description: "Moves what nobody has touched for a long time out of the way"},
			&skills.Skill{Name: "publish", Description: "Builds the pages, checks their links and puts them on the server"},
		),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reg.Close()
	store := usage.New(nil)
	sess := reg.NewSession("main", &skills.SessionOptions{Usage: store})
	publish, err := sess.Lookup("publish")
	if err != nil {
		fmt.Println(err)
		return
	}
	store.Used(publish, time.Now()) // an Invoker does this

	lister := skills.NewLister(sess, &skills.ListerOptions{Budget: 120, ByUsage: true})
	for _, l := range strings.Split(lister.Next().Text, "\n") {
		if strings.HasPrefix(l, "- ") {
			fmt.Println(l)
		}
	}
	// Output:
	// - archive: Moves what nobody has touched…
	// - publish: Builds the pages, checks their links and puts them on the server
}
