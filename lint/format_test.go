package lint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/testkit"
)

// The rules of the open format, row by row: what the reference validator
// accepts passes, what it refuses is one error.
func TestFormat(t *testing.T) {
	valid := "name: x\ndescription: Does x"
	for _, tt := range []struct {
		reason, header string
		want           findings
	}{
		{"a valid skill", valid, nil},
		{"all fields", valid + "\nlicense: MIT\ncompatibility: Needs git\nallowed-tools: Bash(git:*) Bash(jq:*) Read\nmetadata:\n  author: me\n  version: \"1.0\"", nil},

		{"name is required", "description: d", findings{"format-name:0"}},
		{"name blank", "name:\ndescription: d", findings{"format-name:2"}},
		{"name of blanks", "name: '  '\ndescription: d", findings{"format-name:2"}},
		{"name null is the text null", "name: null\ndescription: d", findings{"format-folder:2"}},
		{"name on is the text on", "name: on\ndescription: d", findings{"format-folder:2"}},
		{"name is a list", "name: [x]\ndescription: d", findings{"format-name:2"}},
		{"name is a map", "name: {a: x}\ndescription: d", findings{"format-name:2"}},
		{"only the key itself counts", "Name: x\ndescription: d", findings{"format-name:0", "format-unknown-key:2"}},

		{"description is required", "name: x", findings{"format-description:0"}},
		{"description blank", "name: x\ndescription:", findings{"format-description:3"}},
		{"description null is the text null", "name: x\ndescription: null", nil},
		{"description of blanks", "name: x\ndescription: \"  \\n \"", findings{"format-description:3"}},
		{"description is a list", "name: x\ndescription: [a, b]", findings{"format-description:3"}},
		{"description of 1,024 characters", "name: x\ndescription: " + strings.Repeat("技", 1024), nil},
		{"description of 1,025 characters", "name: x\ndescription: " + strings.Repeat("d", 1025), findings{"format-description:3"}},
		{"its length is that of the untrimmed text", "name: x\ndescription: \" " + strings.Repeat("d", 1024) + "\"", findings{"format-description:3"}},
		{"also where a block scalar adds a line end", "name: x\ndescription: |\n  " + strings.Repeat("d", 1024), findings{"format-description:3"}},
		{"and not where it strips it", "name: x\ndescription: |-\n  " + strings.Repeat("d", 1024), nil},

		{"compatibility of 500 characters", valid + "\ncompatibility: " + strings.Repeat("é", 500), nil},
		{"compatibility of 501 characters", valid + "\ncompatibility: " + strings.Repeat("c", 501), findings{"format-compatibility:4"}},
		{"an empty compatibility passes in the reference", valid + "\ncompatibility: ''", nil},
		{"compatibility without a value is empty", valid + "\ncompatibility:", nil},
		{"compatibility is a list", valid + "\ncompatibility: [git]", findings{"format-compatibility:4"}},

		{"metadata scalars stay text, whatever they look like", valid + "\nmetadata:\n  version: 1.0\n  public: yes\n  empty:", nil},
		{"metadata in braces", valid + "\nmetadata: {author: me}", nil},
		{"metadata is a text", valid + "\nmetadata: text", findings{"format-metadata:4"}},
		{"metadata is a list", valid + "\nmetadata: [a]", findings{"format-metadata:4"}},
		{"metadata is empty", valid + "\nmetadata:", findings{"format-metadata:4"}},
		{"metadata holds a list and a map", valid + "\nmetadata:\n  a: [b]\n  c:\n    d: e", findings{"format-metadata:5", "format-metadata:6"}},
		{"a metadata child called name is not the name", valid + "\nmetadata:\n  name: Other", nil},

		{"allowed-tools: one rule", valid + "\nallowed-tools: Read", nil},
		{"allowed-tools: commas in brackets and quotes belong to a rule", valid + "\nallowed-tools: Bash(a, b) Bash(\"c, d\") mcp__x[1,2]", nil},
		{"allowed-tools: a bracket in quotes closes nothing", valid + "\nallowed-tools: Bash(echo \")\", b) Read", nil},
		{"allowed-tools: an apostrophe quotes nothing", valid + "\nallowed-tools: don't(a, b) Read", nil},
		{"allowed-tools: commas between rules", valid + "\nallowed-tools: Read, Grep", findings{"format-allowed-tools:4"}},
		{"allowed-tools: a list", valid + "\nallowed-tools: [Read, Grep]", findings{"format-allowed-tools:4"}},
		{"allowed-tools: a block list", valid + "\nallowed-tools:\n  - Read", findings{"format-allowed-tools:4"}},
		{"allowed-tools without a value", valid + "\nallowed-tools:", nil},

		{"license is free", valid + "\nlicense: true", nil},
		{"unknown keys, each one", valid + "\nversion: 1\nargument-hint: '[x]'", findings{"format-unknown-key:4", "format-unknown-key:5"}},
		{"another spelling is unknown", valid + "\nallowed_tools: Read", findings{"format-unknown-key:4"}},

		{"not valid YAML", "name: x\ndescription: A: b", findings{"format-frontmatter:3"}},
		{"a key twice", "name: x\nname: x\ndescription: d", findings{"format-frontmatter:3"}},
		{"a list is no mapping", "- name", findings{"format-frontmatter:2"}},
		{"a text is no mapping", "just a text", findings{"format-frontmatter:2"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			text := testkit.SkillText("Body.\n", tt.header)
			assert.ElementsMatch(t, tt.want, only(document(t, text, Options{Strict: true}), "format-"))
			assert.Empty(t, only(document(t, text, Options{}), "format-"), "only when asked for")
		})
	}
}

func TestFormatFrontmatter(t *testing.T) {
	const fields = "name: x\ndescription: d\n"
	for _, tt := range []struct {
		reason, text string
		want         findings
	}{
		{"frontmatter is required", "# x\n\nBody.\n", findings{"format-frontmatter:1"}},
		{"an empty file has none", "", findings{"format-frontmatter:1"}},
		{"it must be closed", "---\n" + fields, findings{"format-frontmatter:1"}},
		{"it may be empty of a body", "---\n" + fields + "---", nil},
		{"--- in a value does not close it", "---\nname: x\ndescription: a --- b\n---\n", nil},
		{"CRLF is fine", "---\r\nname: x\r\ndescription: d\r\n---\r\nBody.\r\n", nil},
		{"it is the first thing in the file: blank line", "\n---\n" + fields + "---\n", findings{"format-frontmatter:1"}},
		{"it is the first thing in the file: byte order mark", "\ufeff---\n" + fields + "---\n", findings{"format-frontmatter:1"}},
		{"empty frontmatter lacks both fields", "---\n---\n", findings{"format-name:0", "format-description:0"}},
		{"a header over its limits", "---\n" + fields + strings.Repeat("# long\n", 10_000) + "---\n", findings{"format-frontmatter:1"}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			assert.ElementsMatch(t, tt.want, only(document(t, tt.text, Options{Strict: true}), "format-"))
		})
	}
}

// Names are measured as the reference does: trimmed, NFKC, code points.
func TestFormatName(t *testing.T) {
	ok, name, folder := findings{}, findings{"format-name:2"}, findings{"format-folder:2"}
	for _, tt := range []struct {
		reason, name, folder string
		want                 findings
	}{
		{"plain", "pdf-tools", "pdf-tools", ok},
		{"digits", "123", "123", ok},
		{"64 characters", strings.Repeat("a", 64), strings.Repeat("a", 64), ok},
		{"64 characters of three bytes", strings.Repeat("技", 64), strings.Repeat("技", 64), ok},
		{"65 characters", strings.Repeat("a", 65), strings.Repeat("a", 65), name},
		{"33 ligatures of two letters are 66 characters", strings.Repeat("\ufb01", 33), strings.Repeat("\ufb01", 33), name},
		{"65 characters decomposed, 64 composed", strings.Repeat("a", 63) + "e\u0301", strings.Repeat("a", 63) + "\u00e9", ok},
		{"blanks around it do not count", "' pdf '", "pdf", ok},
		{"leading hyphen", "-a", "-a", name},
		{"trailing hyphen", "a-", "a-", name},
		{"double hyphen", "a--b", "a--b", name},
		{"upper case", "MySkill", "MySkill", name},
		{"underscore", "my_skill", "my_skill", name},
		{"blank inside", "my skill", "my skill", name},
		{"dot", "skill.v2", "skill.v2", name},
		{"colon", "gke:x", "gke:x", name},
		{"Chinese", "技能", "技能", ok},
		{"Russian with a hyphen", "мой-навык", "мой-навык", ok},
		{"Russian", "навык", "навык", ok},
		{"Russian in upper case", "НАВЫК", "НАВЫК", name},
		{"decomposed against a composed folder", "re\u0301daction", "r\u00e9daction", ok},
		{"composed against a decomposed folder", "r\u00e9daction", "re\u0301daction", ok},
		{"a ligature is its letters", "\ufb01le", "file", ok},
		{"full width is plain", "\uff41\uff42\uff43", "abc", ok},
		{"a superscript is a digit", "a\u00b2", "a2", ok},
		{"dotted capital I is not in lower case", "\u0130", "\u0130", name},
		{"titlecase is not in lower case", "\u01c5", "\u01c5", name},
		{"a circled capital is a capital", "\u24b6", "\u24b6", name},
		{"a joiner is no letter", "x\u200d", "x\u200d", name},
		{"a combining mark without a composed form is no letter", "x\u0301", "x\u0301", name},
		{"digits of another script", "\u09ed", "\u09ed", ok},
		{"a number that is no digit", "\u1372", "\u1372", ok},
		{"a Roman numeral is its letters", "\u2172", "iii", ok},
		{"a fraction falls apart into digits and a slash", "\u00bd", "\u00bd", name},
		{"another folder", "pdf", "office", folder},
		{"folders differ in case", "pdf", "PDF", folder},
		{"an unknown folder is nothing to compare with", "pdf", "", ok},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			issues := Document([]byte("---\nname: "+tt.name+"\ndescription: d\n---\n"), "SKILL.md", &Options{Strict: true, Folder: tt.folder})
			assert.Equal(t, tt.want, only(issues, "format-"))
			wellFormed(t, issues, "SKILL.md")
		})
	}
	all := Document([]byte("---\nname: -A--_\ndescription: d\n---\n"), "SKILL.md", &Options{Strict: true})
	assert.Len(t, only(all, "format-name"), 4, "each fault is told")
}

func TestFormatFileName(t *testing.T) {
	text := []byte("---\nname: x\ndescription: d\n---\n")
	for _, tt := range []struct {
		reason, path string
		want         findings
	}{
		{"SKILL.md", "x/SKILL.md", findings{}},
		{"the reference accepts lower case", "x/skill.md", findings{}},
		{"and nothing else", "x/Skill.md", findings{"format-file-name:0"}},
		{"not README.md", "x/README.md", findings{"format-file-name:0"}},
		{"no path, no name", "", findings{}},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			reasoned(t, tt.reason)
			assert.Equal(t, tt.want, only(Document(text, tt.path, &Options{Strict: true}), "format-"))
		})
	}
}

// Command files are not part of the open format.
func TestFormatLeavesCommandsAlone(t *testing.T) {
	issues := Document([]byte("Do $ARGUMENTS.\n"), "commands/Do It.md", &Options{Strict: true, Command: true})
	assert.Empty(t, issues)
}
