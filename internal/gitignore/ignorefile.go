package gitignore

import "strings"

// maxFileRules is how many rules of an ignore file are read. No honest file
// comes near; one that has more counts as too large.
const maxFileRules = 10_000

// parseFile reads an ignore file as git does: comments and blank lines drop
// out, a final carriage return and unescaped blanks are cut off each line, and
// so is everything from a NUL on. It returns nil when no rule is left.
func parseFile(data []byte) *program {
	p := &program{mode: octets, scope: oneEntry}
	rest, more := strings.TrimPrefix(string(data), "\uFEFF"), true
	for more && len(p.rules) < maxFileRules {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		line, _, _ = strings.Cut(line, "\x00")
		p.add(line)
	}
	if p.cut = more; len(p.rules) == 0 && !p.cut {
		return nil
	}
	return p
}

// add appends the rule of a line unless it can match nothing.
func (p *program) add(line string) {
	p.rules = append(p.rules, rule{})
	r := &p.rules[len(p.rules)-1]
	if r.parse(line, p.mode, false) != useful {
		p.rules = p.rules[:len(p.rules)-1]
	}
}
