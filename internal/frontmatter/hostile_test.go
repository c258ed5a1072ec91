package frontmatter

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// laugh is a header whose aliases expand to 9^levels items.
func laugh(levels int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [" + strings.Repeat("x,", 9) + "]\n")
	for i := range levels {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		b.WriteString("a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+",", 9) + "]\n")
	}
	return b.String()
}

// TestHostile has the rows fm-01 to fm-07 of the shared list of hostile
// inputs, and others like them.
func TestHostile(t *testing.T) {
	fill := func(unit string) string { return strings.Repeat(unit, (defaultMaxBytes-100)/len(unit)) }
	rows := []struct {
		name, file string
		state      State
		want       string // one of the problems, or "" for none at all
		reason     string
	}{
		{"fm-01", "---\ndescription: d\ndisable-model-invocation: true\nBody without end mark\n", Broken, "unclosed-frontmatter:1", "01 R6"},
		{"fm-02", "\uFEFF---\ndescription: with bom\ndisable-model-invocation: true\n---\nx\n", OK, "", "01 R3"},
		{"fm-03", "---\ndescription: |\n  first\n  ---\n  disable\ndisable-model-invocation: true\n---\nBody.\n", OK, "", "01 R4"},
		{"fm-04", "+++\nname = \"t\"\ndescription = \"toml\"\n+++\nx\n", None, "", "01 R6"},
		{"fm-05", "---\ndescription: d\n" + strings.Repeat("k000000: v\n", 40_000) + "---\nx\n", Broken, "frontmatter-too-large:1", "01 R1"},
		{"fm-05 small", "---\ndescription: d\n" + strings.Repeat("k000000: v\n", 4_000) + "---\nx\n", Broken, "too-many-keys:2", "01 R1"},
		{"fm-06", "---\n" + laugh(3) + "description: *a3\n---\nBody.\n", OK, "alias-limit:6:description", "01 §4: a limit costs the field"},
		{"fm-06 large", "---\n" + laugh(9) + "description: *a9\nname: x\n---\nBody.\n", OK, "alias-limit:12:description", "01 §4"},
		{"fm-07", "---\ndescription: d\nx: " + strings.Repeat("[", 9999) + "\n---\nx\n", Recovered, "invalid-yaml:3:x", "01 §4: the other field is kept"},
		{"deep and closed", "---\na: " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "\nb: " + strings.Repeat("- ", 70) + "x\n---\n", Recovered, "invalid-yaml:3:b", "01 §4"},
		{"deep block", "---\na: b\nc:\n  " + strings.Repeat("- ", 70) + "x\n---\n", OK, "nesting-limit:3:c", "01 §4: a limit costs the field"},
		{"alias of itself", "---\na: &a [*a]\nb: c\n---\n", OK, "alias-limit:2:a", "01 §4"},
		{"key of a key", "---\n? [a]\n: b\n? {c: d}\n: e\n\"\": f\nname: x\n---\n", OK, "bad-key:2", "only scalars are keys"},
		{"brackets", "---\na: b\nx: " + fill("[") + "\n---\n", Recovered, "invalid-yaml:3:x", "01 R1: linear"},
		{"dashes", "---\na: b\nx:\n  " + fill("- ") + "\n---\n", Recovered, "invalid-yaml:3:x", "01 R1: linear"},
		{"quotes", "---\na: b\nx: [" + fill(`"\", `) + "\n---\n", Recovered, "invalid-yaml:3:x", "01 R1: linear"},
		{"list in tabs", "---\na: b\nx:\n\t- y\n" + fill("\t z\n") + "---\n", Recovered, "invalid-yaml:3:x", "01 R1: linear"},
		{"no keys", "---\n" + fill("x\n") + "---\n", Broken, "not-a-mapping:2", "01 R1: linear"},
		{"markers", "---\na: b\n" + fill("...\nx\n") + "---\n", Recovered, "ignored-line:3", "01 R1: linear"},
		{"bad keys", "---\nx: {" + fill("[]: a, ") + "}\n---\n", OK, "bad-key:2", "the list of problems is bounded"},
		{"dashes that do not close", "---\n" + fill("----\n") + "---\n", Broken, "not-a-mapping:2", "01 R1: linear"},
		{"blank lines", "\n" + strings.Repeat(" \n", 1<<18) + "---\na: b\n---\n", OK, "", "01 R1: linear"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			d := parse(t, r.file)
			assert.Equal(t, r.state, d.State)
			assert.LessOrEqual(t, len(d.Problems), maxProblems)
			if r.want == "" {
				assert.Empty(t, d.Problems)
				return
			}
			assert.Contains(t, problems(d), r.want)
		})
	}
}

func TestHostileFieldsSurvive(t *testing.T) {
	d := parse(t, "\uFEFF---\ndescription: with bom\ndisable-model-invocation: true\n---\nx\n")
	assert.Equal(t, "description=with bom | disable-model-invocation=true", dump(d.Fields), "fm-02")
	d = parse(t, "---\ndescription: |\n  first\n  ---\n  disable\ndisable-model-invocation: true\n---\nBody.\n")
	assert.Equal(t, `description="first\n---\ndisable\n" | disable-model-invocation=true`, dump(d.Fields), "fm-03")
	d = parse(t, "---\n"+laugh(9)+"description: *a9\nname: x\n---\nBody.\n")
	assert.True(t, get(t, d, "description").Value.Lost, "fm-06: not simply absent")
	assert.Equal(t, Null, get(t, d, "description").Value.Kind)
	assert.Equal(t, "x", get(t, d, "name").Value.Text, "fm-06: a limit costs its field only")
	d = parse(t, "---\n"+laugh(9)+"hooks: {a: {b: *a9}}\n---\nBody.\n")
	assert.Equal(t, "hooks=!~", dump(d.Fields[len(d.Fields)-1:]), "half a value is worse than none")
	d = parse(t, "---\ndescription: d\nx: "+strings.Repeat("[", 9999)+"\n---\nx\n")
	assert.Contains(t, d.Problems[0].Message, "nested too deep", "fm-07: refused before YAML counts to 10,000")
	d = parse(t, "---\na: "+strings.Repeat("x", 2*defaultMaxBytes))
	assert.Equal(t, []string{"unclosed-frontmatter:1"}, problems(d), "01 R6: the size is not what is wrong")
	d = parse(t, "---\n? [a]\n: b\nc: {[]: x, y: z}\n---\n")
	assert.Equal(t, "c={y=z}", dump(d.Fields), "a bad key costs its value only")
}

// TestUndecodedText gives Parse a text that does not come from Decode.
func TestUndecodedText(t *testing.T) {
	var d Document
	Parse([]byte("---\na: \x00\nb: \xff\nc: \"d\\u0041\"\n---\n"), true, Limits{}, &d)
	assert.Equal(t, Recovered, d.State)
	assert.Equal(t, "a=?\x00 | b=?\xff | c=\"dA\"", dump(d.Fields))
}

// TestMergeIsBounded has a header that merges large maps many times over.
func TestMergeIsBounded(t *testing.T) {
	list := "&l [" + strings.Repeat("{a: b, c: d},", 1000) + "]"
	file := "---\nmaps: " + list + "\nuse: [" + strings.Repeat("{<<: *l},", 1000) + "]\nname: x\n---\n"
	d := parse(t, file)
	assert.Equal(t, []string{"alias-limit:3:use"}, problems(d))
	assert.True(t, get(t, d, "use").Value.Lost)
	assert.Less(t, d.aliased, 2*maxAliased)
}

func TestAllocations(t *testing.T) {
	var d Document
	for _, r := range []struct {
		name, text string
		most       float64
		reason     string
	}{
		{"flat", benchHeader, 1, "07 §1: the text of the header"},
		{"lists and maps", "---\na: [b, c]\nd:\n  - e\nf:\n  g: h\n---\n", 1, "07 §1: children need none"},
		{"folded", "---\na: >\n  b\n  c\n---\n", 2, "07 §1: one for each text that differs from its source"},
		{"none", "# T\n", 0, "07 §1"},
	} {
		row(t, r.name, r.reason, func(t *testing.T) {
			text := []byte(r.text)
			Parse(text, true, Limits{}, &d)
			require.NotEqual(t, Broken, d.State)
			got := testing.AllocsPerRun(100, func() { Parse(text, true, Limits{}, &d) })
			assert.LessOrEqual(t, got, r.most)
		})
	}
}

// TestStringsAreCopies overwrites the text after it was parsed, as a caller
// does that reads the next file into the same buffer.
func TestStringsAreCopies(t *testing.T) {
	for _, file := range []string{benchHeader, benchYAML, benchBroken, "---\na: b", "---\n- a\n---\n"} {
		text := []byte(file)
		d, kept := new(Document), new(Document)
		Parse(text, true, Limits{}, d)
		Parse([]byte(file), true, Limits{}, kept)
		clear(text)
		assert.Equal(t, dump(kept.Fields), dump(d.Fields))
		assert.Equal(t, kept.Problems, d.Problems)
	}
}
