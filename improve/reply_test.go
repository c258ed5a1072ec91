package improve

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseUpdates(t *testing.T) {
	one := []Update{{Section: "Steps", Change: "Run the linter", Reason: "asked for"}}
	const json = `{"section": "Steps", "change": "Run the linter", "reason": "asked for"}`
	for _, tt := range []struct {
		reason, reply string
		want          []Update
		err           error
	}{
		{reason: "the asked-for shape", reply: `{"updates": [` + json + `]}`, want: one},
		{reason: "06 §5 nothing found: nothing, no error", reply: `{"updates": []}`},
		{reason: "nothing found, shorter", reply: `[]`},
		{reason: "nothing found, shortest", reply: "{ }"},
		{reason: "nothing found, null", reply: " null\n"},
		{reason: "nothing found, null inside", reply: `{"updates": null}`},
		{reason: "tolerant: a code fence", reply: "```json\n{\"updates\": [" + json + "]}\n```", want: one},
		{reason: "tolerant: text around it", reply: "Here [as asked] it is:\n{\"updates\": [" + json + "]}\nThat is all (see {above}).", want: one},
		{reason: "tolerant: a bracket that is never closed", reply: "First [of all: {\"updates\": [" + json + "]}", want: one},
		{reason: "tolerant: a list", reply: "[" + json + "]", want: one},
		{reason: "tolerant: a single update", reply: json, want: one},
		{reason: "tolerant: a single update in place of the list", reply: `{"updates": ` + json + `}`, want: one},
		{reason: "tolerant: one object a line", reply: json + "\n" + strings.Replace(json, "linter", "tests", 1), want: []Update{one[0], {"Steps", "Run the tests", "asked for"}}},
		{reason: "tolerant: trailing commas", reply: `{"updates": [{"section": "Steps", "change": "Run the linter", "reason": "asked for",},],}`, want: one},
		{reason: "a comma in a text is none", reply: `[{"change": "a,] b,} c"}]`, want: []Update{{Change: "a,] b,} c"}}},
		{reason: "tolerant: unknown keys", reply: `{"confidence": 0.9, "updates": [{"id": 1, "section": "Steps", "change": "Run the linter", "reason": "asked for", "x": {}}]}`, want: one},
		{reason: "tolerant: letter case of keys", reply: `{"Updates": [{"Section": "Steps", "CHANGE": "Run the linter", "reason": "asked for"}]}`, want: one},
		{reason: "tolerant: section and reason may lack", reply: `[{"change": "x"}]`, want: []Update{{Change: "x"}}},
		{reason: "tolerant: those without a change are left out", reply: `[{"section": "x"}, ` + json + `, {"change": " "}, null]`, want: one},
		{reason: "said twice counts once", reply: "[" + json + "," + json + "]", want: one},
		{reason: "texts are one clean line", reply: `[{"section": "A\n\u202eB", "change": "x\u0000\u001b[31m\u200b y\n", "reason": "\t"}]`, want: []Update{{Section: "A B", Change: "x [31m y"}}},

		{reason: "wrong shape: prose", reply: "There is nothing to report.", err: errNoJSON},
		{reason: "wrong shape: nothing at all", reply: "", err: errNoJSON},
		{reason: "wrong shape: a text for the list", reply: `{"updates": "none"}`, err: errShape},
		{reason: "wrong shape: numbers", reply: `[1, 2]`, err: errShape},
		{reason: "wrong shape: texts", reply: `{"updates": ["run the linter"]}`, err: errShape},
		{reason: "wrong shape: a change that is no text", reply: `{"updates": [{"change": "good"}, {"change": 5}]}`, err: errShape},
		{reason: "wrong shape: no change in any", reply: `{"updates": [{"section": "x"}, {"change": "\u200b \n"}, {}]}`, err: errShape},
		{reason: "wrong shape: one without a change", reply: `{"section": "x", "change": ""}`, err: errShape},
		{reason: "wrong shape: other keys only", reply: `{"answer": []}`, err: errShape},
		{reason: "wrong shape: single quotes", reply: `{'updates': []}`, err: errShape},
		{reason: "wrong shape: null for an update", reply: `[null]`, err: errShape},
		{reason: "cut off: no part of it is taken", reply: `{"updates": [` + json + `, {"section": "St`, err: errTruncated},
		{reason: "cut off in a list", reply: `[` + json + `, `, err: errTruncated},
		{reason: "cut off in a list of one key", reply: `{`, err: errTruncated},
	} {
		got, err := parseUpdates(tt.reply)
		assert.ErrorIs(t, err, tt.err, tt.reason)
		assert.Equal(t, tt.want, got, tt.reason)
	}
}

func TestParseUpdatesBounds(t *testing.T) {
	long := strings.Repeat("many words ", 1_000)
	got, err := parseUpdates(`[{"section": "` + long + `", "change": "` + long + `", "reason": "` + long + `"}]`)
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.LessOrEqual(t, utf8.RuneCountInString(got[0].Section), maxSection)
	assert.LessOrEqual(t, utf8.RuneCountInString(got[0].Change), maxChange)
	assert.LessOrEqual(t, utf8.RuneCountInString(got[0].Reason), maxReason)
	assert.Greater(t, utf8.RuneCountInString(got[0].Change), maxChange/2)

	var many []string
	for i := range 50 {
		many = append(many, `{"change": "`+strings.Repeat("x", i+1)+`"}`)
	}
	got, err = parseUpdates("[" + strings.Join(many, ",") + "]")
	require.NoError(t, err)
	assert.Len(t, got, maxUpdates)

	_, err = parseUpdates(strings.Repeat(" ", maxReply+1))
	require.ErrorContains(t, err, "more than")
}

// However a reply is made, it takes no long time.
func TestParseUpdatesIsQuick(t *testing.T) {
	for _, unit := range []string{"[", "{", "[a", "{a", `["`, `{"`, "[]", "{}", `"`, ",", "[,", "\\", "[{", `{"updates":`, " [x\n"} {
		start := time.Now()
		_, _ = parseUpdates(strings.Repeat(unit, maxReply/len(unit)))
		if d := time.Since(start); d > 10*time.Second { // linear work takes milliseconds, quadratic work minutes
			t.Errorf("%q repeated took %v", unit, d)
		}
	}
}

func FuzzParseUpdates(f *testing.F) {
	for _, s := range []string{`{"updates": [{"change": "x"}]}`, "```\n[]\n```", `[{"change":"a",},]`, `{"a": [`, "null", `{"updates":{"change":"` + "\xff" + `"}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		list, err := parseUpdates(reply)
		if err != nil && list != nil {
			t.Fatal("updates and an error")
		}
		again, err := cleanUpdates(list)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%q is not clean: %v", list, err)
		}
		for i, u := range list {
			if u.Change == "" || strings.ContainsAny(u.Section+u.Change+u.Reason, "\n\r\x00\x1b\u202e\u200b") || !utf8.ValidString(u.Change) {
				t.Fatalf("%q", u)
			}
			if again[i] != u {
				t.Fatalf("cleaned twice: %q, %q", u, again[i])
			}
		}
		if len(list) > 0 && strings.Count(reply, `"`) < 2 {
			t.Fatalf("%q out of %q", list, reply)
		}
	})
}
