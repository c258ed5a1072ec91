package frontmatter

import (
	"strings"
	"testing"
)

// benchHeader has six plain fields, a description of about 200 characters
// among them, as most headers do.
const benchHeader = `---
name: release-notes
description: Collects merged changes since the last tag and writes release notes in the style of the project. Use it when the user asks for a changelog, for release notes or for a summary of what has changed.
when_to_use: before a release, or when asked what is new
allowed-tools: Bash(git log *), Bash(git tag *), Read
argument-hint: "[from-tag] [to-tag]"
model: inherit
---
`

// benchYAML needs a YAML parser because of its nested maps.
const benchYAML = `---
name: release-notes
description: Collects merged changes since the last tag and writes release notes in the style of the project. Use it when the user asks for a changelog, for release notes or for a summary of what has changed.
allowed-tools: [Bash(git log *), Bash(git tag *), Read]
hooks:
  PreToolUse:
    - matcher: Bash
      once: true
model: inherit
---
`

// benchBroken is not valid YAML, as every fifth unquoted hint and many a
// description are not.
const benchBroken = `---
name: release-notes
description: Collects merged changes: since the last tag
argument-hint: [from-tag] [to-tag]
allowed-tools: Bash(git log *), Bash(git tag *), Read
model: inherit
---
`

func benchParse(b *testing.B, text string) {
	b.Helper()
	body := strings.Repeat("Some prose in the body of the file.\n", 100)
	data := []byte(text + body)
	var d Document
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Parse(data, true, Limits{}, &d)
	}
	if len(d.Fields) == 0 {
		b.Fatal("no fields")
	}
}

func BenchmarkParseFlat(b *testing.B)      { benchParse(b, benchHeader) }
func BenchmarkParseYAML(b *testing.B)      { benchParse(b, benchYAML) }
func BenchmarkParseRecovered(b *testing.B) { benchParse(b, benchBroken) }

func BenchmarkDecode(b *testing.B) {
	data := []byte(benchHeader + strings.Repeat("Some prose in the body of the file.\n", 100))
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if text, _ := Decode(data, true); len(text) != len(data) {
			b.Fatal("changed")
		}
	}
}

func BenchmarkFirstParagraph(b *testing.B) {
	body := []byte("# Title\n\n<!-- note -->\n\nSome prose\nin two lines.\n\nMore.\n")
	b.ReportAllocs()
	for b.Loop() {
		if FirstParagraph(body) == "" {
			b.Fatal("nothing found")
		}
	}
}
