package rule

import (
	"path"
	"strings"
)

// maxLeads is how many words that only lead to a command are looked behind.
// What has more is hiding something, and cannot make the search long.
const maxLeads = 32

// MatchesCommand reports whether r is about the tool that runs command, and
// matches it or, since it is meant to stop things, any command in it: what
// stands behind a separator, a keyword, an assignment or a program that runs
// another, with or without a path. What stands behind more than 32 of these
// counts as matched. The time it takes grows with the length of the command.
func (r Rule) MatchesCommand(tool, command string) bool {
	if r.kind == none || r.tool == Tool || !ToolCovers(r.tool, tool) {
		return false
	}
	if r.kind == all || r.arg == "*" {
		return true
	}
	p := parsePattern(r.arg)
	if p.anywhere(command) {
		return true
	}
	// As the shell has it; where the backslash is itself behind one, or in
	// quotes, the line does end, so this comes second.
	joined := strings.ReplaceAll(command, "\\\n", "")
	return len(joined) != len(command) && p.anywhere(joined)
}

// A pattern is what a rule says of commands.
type pattern struct {
	text  string // in small letters if it is a glob
	match func(pattern string, l line) bool
}

// parsePattern reads "prefix:*", "words *", or words in which * stands for
// anything and letter case does not count.
func parsePattern(arg string) pattern {
	if p, ok := strings.CutSuffix(arg, ":*"); ok {
		return pattern{p, func(p string, l line) bool { return strings.HasPrefix(l.text, p) }}
	}
	if p, ok := strings.CutSuffix(arg, " *"); ok {
		return pattern{p, func(p string, l line) bool {
			rest, ok := strings.CutPrefix(l.text, p)
			return ok && (rest == "" || rest[0] == ' ')
		}}
	}
	return pattern{strings.ToLower(arg), func(p string, l line) bool { return covers(p, l.lower) }}
}

// anywhere reports whether a command in the text matches.
func (p pattern) anywhere(text string) bool {
	for part := range strings.FieldsFuncSeq(text, separates) {
		if p.behindLeads(newLine(part)) {
			return true
		}
	}
	return p.behindLeads(newLine(text))
}

// behindLeads reports whether the line matches, or what it leads to.
func (p pattern) behindLeads(l line) bool {
	for range maxLeads + 1 {
		if l.text == "" {
			return false
		}
		word, _, _ := strings.Cut(l.text, " ")
		if p.match(p.text, l) {
			return true
		}
		name := base(word)
		if name != word && p.match(p.text, l.named(name)) {
			return true
		}
		if !leads(word) && !leads(name) {
			return false
		}
		l = l.next()
	}
	return l.text != ""
}

// A line is words with one blank between two, as they are and in small letters.
type line struct{ text, lower string }

func newLine(s string) line {
	s = strings.Join(strings.Fields(s), " ")
	return line{s, strings.ToLower(s)}
}

// next returns l without its first word.
func (l line) next() line {
	_, text, _ := strings.Cut(l.text, " ")
	_, lower, _ := strings.Cut(l.lower, " ")
	return line{text, lower}
}

// named returns l with another first word.
func (l line) named(word string) line {
	rest := l.next()
	if rest.text == "" {
		return newLine(word)
	}
	return line{word + " " + rest.text, strings.ToLower(word) + " " + rest.lower}
}

// base returns the word without the path and quotes of a program's name.
func base(word string) string {
	name := word
	for _, mark := range []string{`\`, `'`, `"`} {
		name = strings.ReplaceAll(name, mark, "") // a Replacer costs more to make than this
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	return name
}

func separates(c rune) bool { return strings.ContainsRune(";&|\n\r(){}`$!", c) }

// leads reports whether a command may follow the word: a keyword, a program
// that runs another, an option or number of one, or an assignment.
func leads(word string) bool {
	switch path.Base(word) {
	case "then", "do", "else", "elif", "if", "while", "until", "time", "in",
		"sudo", "doas", "command", "builtin", "exec", "env", "nice", "nohup", "timeout", "xargs", "setsid", "stdbuf", "eval":
		return true
	}
	name, _, assigns := strings.Cut(word, "=")
	return assigns && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == "" ||
		strings.HasPrefix(word, "-") || strings.Trim(word, "0123456789smhd.") == ""
}
