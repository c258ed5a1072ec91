package main

import (
	"embed"
	"strings"
)

// topicFiles has a file for each command: what it is for, one example with
// what it prints, more examples, and the flags that matter most. The tests run
// the first and read the rest.
//
//go:embed help/*.txt
var topicFiles embed.FS

// A topic is what the help of one command says.
type topic struct {
	text  string   // for people
	flags []string // those that matter most
}

// topicOf returns the help of a command.
func topicOf(name string) (topic, error) {
	file, err := topicFiles.ReadFile("help/" + name + ".txt")
	if err != nil {
		return topic{}, err
	}
	text, flags, _ := strings.Cut(string(file), "\nFlags: ")
	return topic{text, strings.Fields(flags)}, nil
}
