package frontmatter

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines joins lines.
func lines(l ...string) string { return strings.Join(l, "\n") }

func TestValidHeaders(t *testing.T) {
	rows := []struct{ name, header, want, reason string }{
		{"scalars", lines("name: 3000", "b: on", "c: 2026-01-02", "d: 1.10", "e: 0x1F", "f: yes"), "name=3000 | b=on | c=2026-01-02 | d=1.10 | e=0x1F | f=yes", "01 §3, B06: source text as written"},
		{"booleans", lines(`a: "true"`, "b: 1", "c: Yes", "d: off"), `a="true" | b=1 | c=Yes | d=off`, "01 §3, B08: for the caller to read"},
		{"null", lines("a:", "b: ~", "c: null", "d: # c", `e: ""`), `a=~ | b=~~ | c=~null | d=~ | e=""`, "01 §3; peers 2a: empty name"},
		{"block scalars", lines("a: >-", "  one", "  two", "b: |", "  one", "  two"), `a="one two" | b="one\ntwo\n"`, "01 §3, B02"},
		{"chomping", lines("a: |-", "  x", "", "b: |+", "  x", "", "c: >", "  x", "", "d: >+", "  x", "", "e: |2", "   x"), `a="x" | b="x\n\n" | c="x\n" | d="x\n\n" | e=" x\n"`, "peers 2a: clip, strip, keep"},
		{"empty block scalar", lines("a: |", "b: c"), `a="" | b=c`, "peers B 2.1"},
		{"wrapped", lines("description:", "  one", "  two", "name: z"), "description=one two | name=z", "01 §3, B03"},
		{"wrapped behind the key", lines("a: one", "  two", "", "  three"), "a=one two\nthree", "01 §3, B03; peers 2a: indented continuation line"},
		{"wrapped quotes", lines(`a: "one`, `  two\"`, `  three"`, "b: 'x", "", "  y'"), `a="one two\" three" | b="x\ny"`, "01 §3, B03"},
		{"long", "a: " + strings.Repeat("d", 1025), "a=" + strings.Repeat("d", 1025), "B17: length is no load matter"},
		{"comment", lines("# x", "a: b # c", "d: e#f"), "a=b | d=e#f", "01 §2"},
		{"address", "a: https://x.y/z?a=b&c#d", "a=https://x.y/z?a=b&c#d", "01 §2"},
		{"lists", lines("a: [x, 'y, z', \"w\"]", "b:", "- x", "- y", "c:", "  - Bash(git *)", "d: []"), `a=[x, "y, z", "w"] | b=-(x, y) | c=-(Bash(git *)) | d=[]`, "peers B 2.1: implicit block list"},
		{"list of all kinds", "a: [123, true, null, \"  \", {b: c}]", `a=[123, true, ~null, "  ", {b=c}]`, "peers 2a: for the caller to read"},
		{"maps", lines("metadata:", "  name: x", "  n:", "    a: 1", "name: y"), "metadata=:(name=x | n=:(a=1)) | name=y", "peers 2a: a child does not override the top level"},
		{"hooks", lines("hooks:", "  PreToolUse:", "    - matcher: Bash", "      once: true"), "hooks=:(PreToolUse=-(:(matcher=Bash | once=true)))", "K09: unknown keys survive"},
		{"flow over lines", lines("metadata:", "  {", `    "a": { "b": ["c"] },`, "  }"), `metadata={a={b=["c"]}}`, "01 §2: left to YAML"},
		{"duplicates", lines("a: 1", "b: 2", "a: 3"), "a=1 | b=2 | a=3", "01 §4: the caller decides"},
		{"quoted keys", lines(`"a": b`, "'c d': e"), "a=b | c d=e", "01 §2"},
		{"blanks in keys", "when to use: x", "when to use=x", "01 §2"},
		{"spellings", lines("when_to_use: a", "whenToUse: b", "when-to-use: c"), "when_to_use=a | whenToUse=b | when-to-use=c", "B14: the caller folds"},
		{"indented header", lines("  a: b", "  c: d"), "a=b | c=d", "peers 2a: indented keys"},
		{"header in braces", "{a: b, c: [d]}", "a=b | c=[d]", "01 §4: one mapping"},
		{"tagged", lines("a: !!str 1", "b: !x y", "c: !!null x"), `a="1" | b=y | c=~x`, "01 §3: text whatever the tag"},
		{"alias", lines("a: &x [1, {b: c}]", "d: *x", "&k e: f", "g: {*k : 1}"), "a=[1, {b=c}] | d=[1, {b=c}] | e=f | g={e=1}", "aliases are resolved"},
		{"merge", lines("a: &x {b: 1, c: 2}", "d: &y {c: 3, e: 4}", "f:", "  <<: [*x, *y]", "  b: 0", "<<: *x"), "a={b=1 | c=2} | d={c=3 | e=4} | f=:(b=0 | c=2 | e=4) | b=1 | c=2", "own keys win, then the first map"},
		{"no merge", lines("<<: x", "a: {<<: [1]}"), "<<=x | a={<<=[1]}", "<< is a key where nothing can be merged"},
		{"surrogates", `a: "\uD83D\uDE80 \\uD83D"`, `a="🚀 \\uD83D"`, "01 §4, 1"},
		{"no surrogates", `a: \uD83D\uDE80`, `a=\uD83D\uDE80`, "01 §4, 1: no escape outside of quotes"},
		{"line separators", "a: x\u2028b y\u0085z\u2029\ne: f", "a=x\u2028b y\u0085z\u2029 | e=f", "text, not line ends: no field hides in a line"},
		{"mark", "a: \uFEFFx\nb: y\n\uFEFFc: z", "a=\uFEFFx | b=y | \uFEFFc=z", "A01: a later mark is data"},
		{"unicode", lines("name: 残量", "d: é “x” 😀"), "name=残量 | d=é “x” 😀", "N2: never changed"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			d := parseHeader(t, r.header)
			assert.Equal(t, r.want, dump(d.Fields))
			assert.Equal(t, OK, d.State)
			assert.Empty(t, d.Problems)
		})
	}
}

func TestRecoveredHeaders(t *testing.T) {
	rows := []struct {
		name, header, want string
		problems           []string
		reason             string
	}{
		{"colon", lines("name: a", "description: Use for X: then Y"), "name=a | description=?Use for X: then Y", []string{"yaml-recovered:3", "invalid-yaml:3:description"}, "B01; peers 2a"},
		{"hint", lines("argument-hint: <duration: e.g. 7d, 2w>", "tags: [next,@supabase/ssr]"), "argument-hint=?<duration: e.g. 7d, 2w> | tags=?[?next, ?@supabase/ssr]", []string{"yaml-recovered:2", "invalid-yaml:2:argument-hint", "invalid-yaml:3:tags"}, "01 §4, 3; peers 2a"},
		{"block scalar beside", lines("description: |", "  AWS: ECS", "b: c: d"), `description="AWS: ECS\n" | b=?c: d`, []string{"yaml-recovered:4", "invalid-yaml:4:b"}, "01 §4, 2; peers 2a: block text unchanged"},
		{"nested colon", lines("metadata:", "  short-description: What's included: x", "name: a"), "metadata=?short-description: What's included: x | name=a", []string{"yaml-recovered:2", "invalid-yaml:2:metadata"}, "peers 2a: apostrophe kept"},
		{"glued", lines("name:x", "description: y"), "name=?x | description=y", []string{"yaml-recovered:2", "invalid-yaml:2:name"}, "peers 2a: no blank"},
		{"glued only", "name:x", "name=?x", []string{"yaml-recovered:2", "invalid-yaml:2:name"}, "peers 2a"},
		{"unclosed list", lines("name: a", "disable-model-invocation: true", "bad: [x"), "name=a | disable-model-invocation=true | bad=?[x", []string{"yaml-recovered:4", "invalid-yaml:4:bad"}, "01 §4, B09: only the bad field suffers"},
		{"two hints", lines("argument-hint: [a] [b]", "name: x"), "argument-hint=?[a] [b] | name=x", []string{"yaml-recovered:2", "invalid-yaml:2:argument-hint"}, "01 §4, 3: more than one pair"},
		{"glob", lines("paths: **/*.ts", "name: x"), "paths=?**/*.ts | name=x", []string{"yaml-recovered:2", "invalid-yaml:2:paths"}, "peers B 2.2"},
		{"at", "author: @x", "author=?@x", []string{"yaml-recovered:2", "invalid-yaml:2:author"}, "peers B 2.3"},
		{"tabs", lines("a:", "\t- x", "\t- y: z", "b: c"), "a=?-(?x, ?y: z) | b=c", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3; peers 2a: tab indent"},
		{"tab block", lines("a: |", "\tone: x", "\t  two", "b: c"), `a=?"one: x\n  two\n" | b=c`, []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3: dedented text"},
		{"folded block", lines("a: >-", "\tone", "\ttwo", "", "\tthree", "# c", "b: c"), `a=?"one two\nthree" | b=c`, []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3"},
		{"shallow block", lines("a: |", "  one", "two", "b: c"), `a=?"one\ntwo\n" | b=c`, []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3"},
		{"quotes within quotes", lines(`a: "Use "x" now"`, `b: 'it's'`, `c: "\d \"y\""`, `d: "x" y`), `a=?"Use \"x\" now" | b=?"it's" | c=?"\\d \"y\"" | d=?"x" y`, []string{"yaml-recovered:2", "invalid-yaml:2:a", "invalid-yaml:3:b", "invalid-yaml:4:c", "invalid-yaml:5:d"}, "01 §4, 3: unquoted if first and last are the same"},
		{"unclosed quote", lines(`a: "x`, "b: true"), `a=?"x | b=true`, []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 2: the next field is not swallowed"},
		{"folded lines", lines("a: x: y", "  # c", "  z", "", "  w #3", "# d", "b: c"), "a=?x: y z\nw #3 | b=c", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3: folded, comment lines left out"},
		{"column 0 goes on", lines("a: x", "y z", "b:", "- c", "- d: e: f", "g: h"), "a=?x y z | b=?-(?c, ?d: e: f) | g=h", []string{"yaml-recovered:2", "invalid-yaml:2:a", "invalid-yaml:4:b"}, "01 §4, 2"},
		{"list items", lines("a:", "  # c", `  - "x"`, "  - y: z:", "    w", "  v", "  -", "b: @"), `a=?-(?"x", ?y: z: w, ?v, ?) | b=?@`, []string{"yaml-recovered:2", "invalid-yaml:2:a", "invalid-yaml:9:b"}, "01 §4, 3: no item is lost"},
		{"brackets", lines("a: [x[1, 2], (y, z), 'p, q', it's, @]", "b: [a, (b, @]"), `a=?[?x[1, 2], ?(y, z), ?"p, q", ?it's, ?@] | b=?[?a, ?(b, ?@]`, []string{"yaml-recovered:2", "invalid-yaml:2:a", "invalid-yaml:3:b"}, "01 §4, 3: top-level commas"},
		{"brackets over lines", lines("a: [x,", "  @y]", "b: c"), "a=?[?x, ?@y] | b=c", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3"},
		{"hash in brackets", "a: [b #c, @d]", "a=?[?b #c, ?@d]", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3: not YAML, so no comment"},
		{"escape in a key", lines(`"a\n": b: c`, `"d\"": e: f`), `a\n=?b: c "d\"": e: f`, []string{"yaml-recovered:2", "invalid-yaml:2:a\\n"}, "01 §4, 2"},
		{"dash", "a: -", "a=?-", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3"},
		{"line separators", "a: x\u2028b: y\nc: d", "a=?x\u2028b: y | c=d", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "text, not line ends: no field hides in a line"},
		{"separator and private use", "a: x\u2028b: " + privateUse() + "\nc: d", "a=?x\u2028b: " + privateUse() + " | c=d", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "nothing is left to hide the separator behind"},
		{"indented keys", lines("  a: b: c", "", "  # x", "  d:", "    - e"), "a=?b: c | d=-(e)", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "peers 2a: indented keys"},
		{"one indented key", lines("  a: b", "c: d"), "a=b | c=d", []string{"yaml-recovered:3"}, "01 §4, 2; yaml.v3 silently drops the second line"},
		{"lines before", lines("", "# c", "prose", "more prose", "a: b"), "a=b", []string{"yaml-recovered:4", "ignored-line:4"}, "01 §4, 2: lines without a key"},
		{"second document", lines("a: b", "...", "x", "c: d"), "a=b | c=d", []string{"yaml-recovered:3", "ignored-line:3"}, "no field behind ... is lost"},
		{"directive", lines("%YAML 1.2", "a: b"), "a=b", []string{"yaml-recovered:2", "ignored-line:2"}, "01 §4, 2"},
		{"sentence", lines("a: b: c", "this is not at all a key: it is prose", "d: e"), "a=?b: c this is not at all a key: it is prose | d=e", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 2: prose with a colon is no key"},
		{"address line", lines("a: b: c", "https://x.y", "d: e"), "a=?b: c https://x.y | d=e", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 2: an address is no key"},
		{"quoted keys", lines(`"a": b: c`, "'d' : e", `"f" g: h`), `a=?b: c | d=?e "f" g: h`, []string{"yaml-recovered:2", "invalid-yaml:2:a", "invalid-yaml:3:d"}, "01 §4, 2"},
		{"unknown alias", lines("a: *x", "b: &y c", "d: *y"), "a=?*x | b=c | d=?*y", []string{"yaml-recovered:2", "invalid-yaml:2:a", "invalid-yaml:4:d"}, "01 §4, 3"},
		{"control", lines("a: x\x1by", "b: c"), "a=?x\x1by | b=c", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3"},
		{"lone surrogate", `a: "\uD83D"`, `a=?"\\uD83D"`, []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 3"},
		{"duplicate", lines("a: b: c", "a: d"), "a=?b: c | a=d", []string{"yaml-recovered:2", "invalid-yaml:2:a"}, "01 §4, 1: the caller decides"},
		{"nothing but a comment", lines("a: # @", "b: @"), "a=~ | b=?@", []string{"yaml-recovered:3", "invalid-yaml:3:b"}, "01 §4, 2"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			d := parseHeader(t, r.header)
			assert.Equal(t, r.want, dump(d.Fields))
			assert.Equal(t, Recovered, d.State)
			assert.Equal(t, r.problems, problems(d))
			for _, p := range d.Problems {
				assert.NotEmpty(t, p.Message)
				assert.NotEmpty(t, p.Hint)
				assert.NotRegexp(t, `line \d`, p.Message, "a line of the header, not of the file")
			}
		})
	}
}

func TestBrokenHeaders(t *testing.T) {
	long := strings.Repeat("x", defaultMaxBytes)
	rows := []struct {
		name, header string
		problem      string
		reason       string
	}{
		{"list", lines("- a: 1", "  b: 2"), "not-a-mapping:2", "01 §4, 5; peers 2a: frontmatter is a list"},
		{"text", "just some text", "not-a-mapping:2", "01 §4, 5"},
		{"quoted text", `"a: b"`, "not-a-mapping:2", "01 §4, 5"},
		{"markdown", lines("# Title", "", "- [x", "* y"), "not-a-mapping:2", "01 §4, 5: a rule taken for a fence"},
		{"large list", "- a\n" + strings.Repeat("- b\n", 100), "not-a-mapping:2", "01 §4, 5"},
		{"too large", "a: " + long, "frontmatter-too-large:1", "01 R1"},
		{"too many keys", strings.Repeat("a: b\n", 257), "too-many-keys:2", "01 R1"},
		{"too many indented keys", strings.Repeat("  a: b\n", 257), "too-many-keys:2", "01 R1"},
		{"too many keys in braces", "{" + strings.Repeat("a: b, ", 257) + "}", "too-many-keys:2", "01 R1"},
		{"too many broken keys", strings.Repeat("a: b: c\n", 257), "too-many-keys:2", "01 R1"},
		{"too many merged keys", "a: &x {" + manyKeys(300) + "}\n<<: *x", "too-many-keys:2", "01 R1"},
		{"endless merge", "a: &x\n  <<: *x\n<<: *x", "merge-key:2", "01 §4: what is merged may restrict"},
		{"unread merge", lines("a: &x {b: c}", "<<: *x", "d: e: f"), "merge-key:3", "01 §4: what is merged may restrict"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			d := parseHeader(t, r.header)
			assert.Equal(t, Broken, d.State)
			assert.Empty(t, d.Fields)
			assert.Equal(t, []string{r.problem}, problems(d))
			require.Equal(t, strings.Count(r.header, "\n")+4, d.BodyLine, "the body is known all the same")
		})
	}
}

// privateUse returns all characters that a disguise may use.
func privateUse() string {
	var b strings.Builder
	for r := '\uE000'; r < '\uE040'; r++ {
		b.WriteRune(r)
	}
	return b.String()
}

// manyKeys returns the inside of a map in braces with n keys.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k")
		b.WriteString(strings.Repeat("x", i))
		b.WriteString(": v, ")
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	rows := []struct {
		name   string
		header string
		limits Limits
		state  State
		reason string
	}{
		{"at the bytes", "a: b\n", Limits{MaxBytes: 5}, OK, "01 R1: more than the limit is too much"},
		{"over the bytes", "a: b\n", Limits{MaxBytes: 4}, Broken, "01 R1"},
		{"at the keys", "a: b\nc: d\n", Limits{MaxKeys: 2}, OK, "01 R1"},
		{"over the keys", "a: b\nc: d\n", Limits{MaxKeys: 1}, Broken, "01 R1"},
		{"at the default bytes", "a: " + strings.Repeat("x", defaultMaxBytes-4) + "\n", Limits{}, OK, "01 R1: 64 KiB"},
		{"at the default keys", strings.Repeat("a: b\n", 256), Limits{MaxBytes: -1, MaxKeys: -1}, OK, "01 R1: 256 keys"},
	}
	for _, r := range rows {
		row(t, r.name, r.reason, func(t *testing.T) {
			var d Document
			Parse([]byte("---\n"+r.header+"---\n"), true, r.limits, &d)
			assert.Equal(t, r.state, d.State, problems(&d))
		})
	}
}

func TestLines(t *testing.T) {
	d := parse(t, lines(
		"", "---", "# c", "a: b", "list:", "  - x", "  - y", "map:", "", "  k: v",
		"text: >", "  t", "wrapped:", "  w", "none:", "flow: [1,", "  2]", "again: {n: {m: 1}}", "---", "B"))
	require.Equal(t, OK, d.State)
	line := func(key string) int { return get(t, d, key).Line }
	assert.Equal(t, []int{4, 5, 8, 11, 13, 15, 16, 18}, []int{
		line("a"), line("list"), line("map"), line("text"), line("wrapped"), line("none"), line("flow"), line("again"),
	})
	list := get(t, d, "list").Value
	assert.Equal(t, []int{6, 6, 7}, []int{list.Line, list.Items[0].Line, list.Items[1].Line})
	assert.Equal(t, 10, get(t, d, "map").Value.Fields[0].Line)
	assert.Equal(t, 11, get(t, d, "text").Value.Line)
	assert.Equal(t, 14, get(t, d, "wrapped").Value.Line)
	assert.Equal(t, 15, get(t, d, "none").Value.Line)
	assert.Equal(t, 17, get(t, d, "flow").Value.Items[1].Line)
	assert.Equal(t, 18, get(t, d, "again").Value.Fields[0].Value.Fields[0].Line)
	assert.Equal(t, 20, d.BodyLine)
}

// TestNoKeyIsLost puts a field that restricts behind headers of all kinds: as
// long as it stands at column 0, nothing before it may hide it, or else a
// mistake would widen what a file may do.
func TestNoKeyIsLost(t *testing.T) {
	recovered := 0
	for _, header := range randomHeaders(10_000) {
		file := "---\n" + header + "restrict: true\n---\n"
		text, _ := Decode([]byte(file), true)
		var d Document
		Parse(text, true, Limits{}, &d)
		checkInvariants(t, text, &d)
		if d.State == Recovered && d.Body == len(text) {
			recovered++
			f := get(t, &d, "restrict")
			require.Equal(t, "true", f.Value.Text, "%q", file)
			require.False(t, f.Value.Guessed)
		}
	}
	assert.Greater(t, recovered, 2000)
}
