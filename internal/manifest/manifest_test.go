package manifest_test

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/manifest"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		reason, doc string
		want        manifest.Manifest
		problems    []manifest.Problem // Field, Line and a part of Msg
	}{
		{reason: "06 §1: one path", doc: `{"name":"p","skills":"./more"}`, want: manifest.Manifest{Name: "p", Skills: []string{"more"}}},
		{reason: "06 §1: several; the same twice is one", doc: `{"skills":["./a","./b/","a"]}`, want: manifest.Manifest{Skills: []string{"a", "b"}}},
		{reason: "06 §1, N08, CL032: all of these are the root", doc: `{"skills":[".","./","a/..","./a/../"]}`, want: manifest.Manifest{Skills: []string{"."}}},
		{reason: "CL032: a plain text", doc: `{"skills":"."}`, want: manifest.Manifest{Skills: []string{"."}}},
		{reason: "06 §1: commands replace", doc: `{"commands":"./c"}`, want: manifest.Manifest{Commands: []string{"c"}, ReplacesCommands: true}},
		{reason: "an empty list asks for nothing", doc: `{"commands":[],"skills":[]}`},
		{reason: "null asks for nothing", doc: `{"commands":null,"skills":null,"name":null}`},
		{reason: "fields of no concern here", doc: `{"hooks":{"a":1},"version":2}`},
		{reason: "a byte order mark", doc: "\ufeff" + `{"name":"p"}`, want: manifest.Manifest{Name: "p"}},
		{
			reason: "CL033, 06 §1: what leads out is refused, the rest is not lost", doc: "{\n\"name\":\"p\",\n\"skills\":[\"../x\",\"./a/../../x\",\"/etc\",\"C:/x\",\"a\\\\b\",\"\",7,\"./ok\"]}",
			want: manifest.Manifest{Name: "p", Skills: []string{"ok"}},
			problems: []manifest.Problem{
				{Field: "skills", Line: 3, Msg: "leads out"},
				{Field: "skills", Line: 3, Msg: "leads out"},
				{Field: "skills", Line: 3, Msg: "not relative"},
				{Field: "skills", Line: 3, Msg: "not relative"},
				{Field: "skills", Line: 3, Msg: "character"},
				{Field: "skills", Line: 3, Msg: "empty"},
				{Field: "skills", Line: 3, Msg: "no text"},
			},
		},
		{
			reason: "one wrong field leaves the others", doc: `{"name":3,"skills":{"a":1},"commands":"./c"}`,
			want:     manifest.Manifest{Commands: []string{"c"}, ReplacesCommands: true},
			problems: []manifest.Problem{{Field: "name", Line: 1, Msg: "no text"}, {Field: "skills", Line: 1, Msg: "neither"}},
		},
		{
			reason: "B2: a broken document, with its line", doc: "{\n\"name\": \"p\",\n}", problems: []manifest.Problem{{Line: 3, Msg: "invalid character"}},
		},
		{reason: "no object", doc: `[]`, problems: []manifest.Problem{{Line: 1, Msg: "no JSON object"}}},
		{reason: "null is no object", doc: `null`, problems: []manifest.Problem{{Line: 1, Msg: "no JSON object"}}},
		{reason: "an empty file", doc: "", problems: []manifest.Problem{{Line: 1, Msg: "no JSON object"}}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			got, problems := manifest.Parse([]byte(c.doc))
			assert.Equal(t, c.want, got)
			if assert.Len(t, problems, len(c.problems)) {
				for i, p := range problems {
					assert.Equal(t, c.problems[i].Field, p.Field)
					assert.Equal(t, c.problems[i].Line, p.Line)
					assert.Contains(t, p.Msg, c.problems[i].Msg)
					assert.NotEmpty(t, p.Hint)
				}
			}
		})
	}
}

func TestManyPaths(t *testing.T) {
	paths := make([]string, 1_500)
	for i := range paths {
		paths[i] = "./" + strings.Repeat("a", i+1)
	}
	doc, err := json.Marshal(map[string]any{"skills": paths})
	assert.NoError(t, err)
	m, problems := manifest.Parse(doc)
	assert.Len(t, m.Skills, 1_000)
	assert.Len(t, problems, 1)
}

// Whatever a manifest says, no path leads out of the plugin.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"skills":"./a"}`, `{"commands":["..",".","a/../.."]}`, `{"name":1}`, "{", "\ufeff{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		m, problems := manifest.Parse(doc)
		for _, p := range append(m.Skills, m.Commands...) {
			if p != path.Clean(p) || path.IsAbs(p) || p == ".." || strings.HasPrefix(p, "../") || p == "" {
				t.Fatalf("%q leads somewhere", p)
			}
		}
		if m.ReplacesCommands != (len(m.Commands) > 0) {
			t.Fatal("commands are replaced by nothing")
		}
		for _, p := range problems {
			if p.Msg == "" || p.Hint == "" || p.Line < 0 {
				t.Fatalf("%+v says too little", p)
			}
		}
	})
}
