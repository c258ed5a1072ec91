package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/internal/testkit"
)

// ownCodes are the warnings of this package.
func ownCodes() []string {
	return []string{
		string(codeBareArgument), string(codeCommentCut), string(codeGluedCommand), string(codeHiddenUnicode), string(codeListingCap),
		string(codePathsEmpty), string(codePathsNever), string(codePathsFromRoot), string(codeProgramArgument), string(codeTooManyCommands), string(codeFieldIgnored), string(codeBadName),
	}
}

func TestDocumentReportsWhatTheLoaderDoes(t *testing.T) {
	doc := []byte("---\nname: Other\neffort: 9000\ndescription: Use for X: then Y\n---\nBody.\n")
	_, loader := skills.Parse(doc, skills.ParseOptions{Name: "x", Path: "x/SKILL.md"})
	require.NotEmpty(t, loader)
	assert.ElementsMatch(t, loader, Document(doc, "x/SKILL.md", nil))
	assert.Empty(t, Document([]byte("---\ndescription: d\n---\nBody.\n"), "x/SKILL.md", nil), "nothing to mend")

	without := Document(doc, "", nil)
	assert.Equal(t, len(loader)-1, len(without), "without a folder no name differs from it")
	assert.Equal(t, findings{"bad-name:0"}, only(Document([]byte("---\ndescription: d\n---\n"), "a\u200bb/SKILL.md", nil), "bad-name"), "N2: a folder that is no name")
}

func TestBareArgument(t *testing.T) {
	at := func(n int) findings { return findings{fmt.Sprintf("bare-argument:%d", n)} }
	for _, tt := range []struct {
		reason, header, body, in string
		want                     findings
	}{
		{"I01: a bare position", "", "Fix $1.", "", at(4)},
		{"I01: decimals", "", "a\nIt costs $1.42B.", "amount", at(5)},
		{"I01: thousands", "", "It costs $1,200.", "amount", at(4)},
		{"I01: a unit", "", "It costs $5M.", "amount", at(4)},
		{"I01: awk in a fence", "", "```sh\nawk '{print $2}'\n```", "awk", at(5)},
		{"a fence of tildes in a list", "", "- x\n  ~~~\n  $0\n  ~~~\n", "awk", at(6)},
		{"behind a fence it is text again", "", "```\nx\n```\nFix $1 now", "none", at(7)},
		{"in a command", "", "!`git show $1`", "", at(4)},
		{"one a line is enough", "", "$1 $2 $3\n$4", "", findings{"bare-argument:4", "bare-argument:5"}},
		{"declared arguments", "arguments: target", "Fix $1.", "", nil},
		{"a declared hint, in any spelling", "argumentHint: <n>", "Fix $0.", "", nil},
		{"an empty hint declares nothing", "argument-hint:", "Fix $0.", "", at(5)},
		{"$ARGUMENTS shows that there are arguments", "", "Fix $0 of $ARGUMENTS.", "", nil},
		{"so does $ARGUMENTS[N]", "", "Fix $0 of $ARGUMENTS[1].", "", nil},
		{"an escaped position is text", "", `It costs \$5.00.`, "", nil},
		{"names and braces are none", "", "$HOME ${1} $x $", "", nil},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			header := strings.Trim("description: d\n"+tt.header, "\n")
			issues := document(t, testkit.SkillText(tt.body, header), Options{})
			assert.Equal(t, append(findings{}, tt.want...), only(issues, ownCodes()...))
			if tt.in != "" {
				assert.Contains(t, issues[0].Msg, tt.in)
			}
		})
	}
	assert.Equal(t, at(1), only(Document([]byte("Outline $0."), "c.md", &Options{Command: true}), ownCodes()...), "commands too")
}

func TestListingCap(t *testing.T) {
	long := func(n int) string { return "description: " + strings.Repeat("d", n) }
	for _, tt := range []struct {
		reason, header string
		cap            int
		want           findings
	}{
		{"02 §2: 250 characters fit", long(250), 0, findings{}},
		{"02 §2: 251 do not", long(251), 0, findings{"listing-cap:2"}},
		{"characters, not bytes", "description: " + strings.Repeat("技", 250), 0, findings{}},
		{"the cap is an option", long(11), 10, findings{"listing-cap:2"}},
		{"and can be larger", long(1000), 1536, findings{}},
		{"when-to-use is joined by a hyphen and blanks", "description: aaaaa\nwhen_to_use: bb", 9, findings{"listing-cap:2"}},
		{"which fits", "description: aaaaa\nwhen_to_use: bb", 10, findings{}},
		{"line breaks fold to blanks", "description: |\n  aaaaa\n\n\n  bbb\n", 9, findings{}},
		{"when-to-use alone", "when_to_use: " + strings.Repeat("w", 300), 0, findings{"listing-cap:2"}},
		{"what the model never sees is not cut", long(300) + "\ndisable-model-invocation: true", 0, findings{}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			issues := document(t, testkit.SkillText("B.\n", tt.header), Options{EntryCap: tt.cap})
			assert.Equal(t, tt.want, only(issues, ownCodes()...))
		})
	}
	issues := document(t, strings.Repeat("prose ", 60)+"\n", Options{})
	assert.Contains(t, only(issues, "listing-cap"), "listing-cap:0", "the description may come from the body")
}

func TestCommentCut(t *testing.T) {
	at := func(n int) findings { return findings{fmt.Sprintf("comment-cut:%d", n)} }
	for _, tt := range []struct {
		reason, header string
		want           findings
	}{
		{"a number behind a hash", "description: Fix issue #12 quickly", at(2)},
		{"a heading in prose", "description: Split at # headings", at(2)},
		{"a tab before it", "description: Split at\t#x", at(2)},
		{"an argument hint", "argument-hint: <issue #12>", at(2)},
		{"nothing is left", "argument-hint: #12", at(2)},
		{"on the last of several lines", "description:\n  one\n  two #3", at(4)},
		{"on the line of the key", "when-to-use: a #b\nversion: 1", at(2)},
		{"a rule of a tool", "description: d\nallowed-tools: Bash(git log #x)", at(3)},
		{"an item of a list", "description: d\npaths:\n  - a\n  - b #c", at(5)},
		{"a value of a map", "description: d\nmetadata:\n  channel: dev #ops", at(4)},
		{"in what is left of broken YAML", "description: Fix #12\nargument-hint: [a] [b]", at(2)},
		{"once, however many aliases lead there", "description: d\nx: &l\n  - a #b\ny: *l\nz: *l", at(4)},
		{"each field", "description: a #b\nwhen_to_use: c #d", findings{"comment-cut:2", "comment-cut:3"}},

		{"double quotes", `description: "Fix issue #12"`, findings{}},
		{"single quotes, and a comment that is one", "description: 'Fix issue' # 12", findings{}},
		{"a block scalar", "description: |\n  Fix issue #12", findings{}},
		{"no blank before it", "description: C# and F#", findings{}},
		{"a comment on a line of its own", "# comment #1\ndescription: d\n  # another #2\nversion: 1 # 2", findings{}},
		{"a comment that is meant, outside prose", "description: d\nmodel: haiku # the cheap one", findings{}},
		{"a comment above an indented value", "description: # what it does\n  It does x", findings{}},
		{"broken YAML keeps it in the value", "description: Use for X: fix #12", findings{}},
		{"brackets", "description: d\nargument-hint: [a, b] # [c]", findings{}},
		{"the body is no YAML", "description: d\n---\nFix issue #12", findings{}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			issues := document(t, testkit.SkillText("Body.\n", tt.header), Options{})
			assert.Equal(t, tt.want, only(issues, ownCodes()...))
		})
	}
}

// The value in the skill really lacks what a comment-cut issue names.
func TestCommentCutIsTrue(t *testing.T) {
	doc := []byte("---\ndescription: Fix issue #12 quickly\n---\n")
	s, _ := skills.Parse(doc, skills.ParseOptions{Name: "x"})
	assert.Equal(t, "Fix issue", s.Description)
	assert.Contains(t, Document(doc, "x/SKILL.md", nil)[0].Msg, `"#12 quickly"`)
}

func TestHiddenUnicode(t *testing.T) {
	at := func(n int) findings { return findings{fmt.Sprintf("hidden-unicode:%d", n)} }
	for _, tt := range []struct {
		reason, text string
		want         findings
	}{
		{"list-03: a tag character in the body", "---\ndescription: d\n---\na\nb\U000E0072c\n", at(5)},
		{"a bidi override in a fence", "---\ndescription: d\n---\n```\nx\u202ey\n```\n", at(5)},
		{"in a field the loader does not look at", "---\ndescription: d\nlicense: M\u200bIT\n---\n", at(3)},
		{"in a description it is told once", "---\ndescription: a\u200bb\n---\n", at(2)},
		{"a byte order mark inside", "---\ndescription: d\n---\na\n\ufeffb\n", at(5)},
		{"each line", "---\ndescription: d\n---\n\u200b\n\n\u200b\n", findings{"hidden-unicode:4", "hidden-unicode:6"}},
		{"list-05: joiners and variation selectors in emoji are honest", "---\ndescription: d\n---\n\U0001F468\u200D\U0001F469 ☃\uFE0F\n", findings{}},
		{"the byte order mark at the start is a convention", "\ufeff---\ndescription: d\n---\nb\n", findings{}},
		{"other scripts and blanks", "---\ndescription: d\n---\n残量 нет\u00a0x\u3000y\n", findings{}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			assert.Equal(t, tt.want, only(document(t, tt.text, Options{}), ownCodes()...))
		})
	}
}

func TestManyOfOneKindAreCounted(t *testing.T) {
	issues := document(t, "---\ndescription: d\n---\n"+strings.Repeat("\u200b\n", 1000), Options{})
	require.Len(t, issues, maxRepeats)
	assert.Contains(t, issues[maxRepeats-1].Msg, "(and 990 more like it)")
	assert.NotContains(t, issues[0].Msg, "more like it")
}

func TestGluedCommand(t *testing.T) {
	at := func(n int) findings { return findings{fmt.Sprintf("glued-command:%d", n)} }
	for _, tt := range []struct {
		reason, body string
		want         findings
	}{
		{"behind a colon", "Branch:!`git branch`", at(4)},
		{"behind a full-width colon", "x\n分支：!`git branch`", at(5)},
		{"in brackets", "Branch (!`git branch`)", at(4)},
		{"in bold", "**!`git branch`**", at(4)},
		{"in a table", "| branch |!`git branch`|", at(4)},
		{"behind a blank that is none for commands", "Branch:\u3000!`git branch`", at(4)},
		{"behind a mark of a quotation", ">!`git branch`", at(4)},

		{"a command", "Branch: !`git branch`", findings{}},
		{"at the start of a line", "!`git branch`", findings{}},
		{"a fenced command", "```!\ngit branch\n```", findings{}},
		{"J01: prose about the mark", "Write `!` and then `x`, or `a!`.", findings{}},
		{"in a longer code span", "Write ``x!`cmd` `` like this.", findings{}},
		{"in a fence", "```sh\necho hi!`date`\n```", findings{}},
		{"in a Markdown fence", "```md\nx:!`date`\n```", findings{}},
		{"escaped", "Done\\!`x`", findings{}},
		{"several marks are no command", "Done!!`x`", findings{}},
		{"never closed", "Done!`x", findings{}},
		{"blank inside", "Done!` `", findings{}},
		{"a mark before other text", "Done! `x`", findings{}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			issues := document(t, testkit.SkillText(tt.body, "description: d"), Options{})
			assert.Equal(t, tt.want, only(issues, ownCodes()...))
		})
	}
}

func TestTooManyCommands(t *testing.T) {
	body := func(n int) string { return testkit.SkillText(strings.Repeat("!`id`\n", n), "description: d") }
	assert.Empty(t, document(t, body(64), Options{}), "04 §4: 64 are allowed")
	issues := document(t, body(65), Options{})
	assert.Equal(t, findings{"too-many-commands:68"}, only(issues, ownCodes()...))
	assert.Equal(t, sevError, issues[0].Severity, "the skill cannot run")
}

func TestPathsNeverMatch(t *testing.T) {
	never, empty, fine := findings{"paths-never-match:3"}, findings{"paths-empty:3"}, findings{}
	for _, tt := range []struct {
		reason, paths string
		want          findings
	}{
		{"A6: the only pattern is bad", "paths: '[abc'", never},
		{"all are bad, or can match nothing", "paths: ['[abc', ./src/*.go, '#x']", never},
		{"F10: negated patterns only", "paths: '!vendor/**'", never},
		{"negated and bad", "paths: ['!vendor/**', 'a\\']", never},
		{"F04: nothing is left of the braces", "paths: '{,}'", never},
		{"nor of nested ones", "paths: ['{ ,{,}}']", never},
		{"an empty list", "paths: []", empty},
		{"no value", "paths:", empty},
		{"blanks and commas", "paths: ' , ,'", empty},
		{"a list of blanks", "paths: ['', ' ']", empty},
		{"a map", "paths: {a: b}", empty},

		{"a pattern", "paths: src/**/*.ts", fine},
		{"one good pattern saves the list", "paths: ['[abc', '*.go']", fine},
		{"a good alternative saves the group", "paths: '*.{[a,go}'", fine},
		{"an alternative may be empty", "paths: 'a{,b}'", fine},
		{"braces without a comma are ordinary", "paths: '{}'", fine},
		{"an unbalanced brace is ordinary", "paths: '{,'", fine},
		{"negated after a positive one", "paths: ['*.ts', '!vendor/**']", fine},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			issues := document(t, testkit.SkillText("B.\n", "description: d", tt.paths), Options{})
			assert.Equal(t, tt.want, only(issues, ownCodes()...))
		})
	}
	assert.Empty(t, only(document(t, "---\npaths: []\nno end", Options{}), "paths-"), "of a degraded skill nothing is known")
}

func TestCommandFilesIgnoreFields(t *testing.T) {
	doc := []byte("---\nname: n\ndescription: d\npaths: '!x'\n---\nDo.\n")
	issues := Document(doc, "commands/a/b.md", &Options{Command: true})
	assert.Equal(t, findings{"field-ignored:2", "field-ignored:4"}, only(issues, ownCodes()...))
	wellFormed(t, issues, "commands/a/b.md")
	assert.Equal(t, "b", issues[0].Skill)
}
