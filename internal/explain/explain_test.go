package explain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills/internal/explain"
)

func TestString(t *testing.T) {
	r := explain.Report{
		Name: "pdf", Why: "by its name",
		Winner:     &explain.Candidate{Name: "office:pdf", Origin: "plugin", Rank: 7, Path: "/p/SKILL.md"},
		Others:     []*explain.Candidate{{Name: "pdf", Origin: "bundled", Rank: 6, Source: "bundled"}},
		Hidden:     map[string][]string{"model": {"a", "b"}, "path": {"a", "b"}, "nested": {"a"}, "host": {"c"}},
		Limits:     []string{"it is not trusted"},
		Activation: "found in web/", Listing: "full", Notes: []string{"warning: x"},
	}
	assert.Equal(t, `office:pdf: plugin skill at /p/SKILL.md, found by its name
  shadowed: bundled skill of rank 6 at bundled
  hidden from the host: c
  hidden from the model: a; b
  hidden from the nested: a
  it is not trusted
  activation: found in web/
  listing: full
  warning: x
`, r.String(), "path is the model too, and says no more than it")
	none := explain.Report{Name: "x", Listing: "not sent"}
	assert.Equal(t, "x: not found\n", none.String())
}

func TestJSON(t *testing.T) {
	b, err := json.Marshal(&explain.Report{Name: "x", Others: []*explain.Candidate{}, Limits: []string{}, Issues: []string{}, Notes: []string{"text"}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"name":"x","winner":null,"why":"","others":[],"hidden":null,"limits":[],"activation":"","listing":"","issues":[]}`, string(b), "every field is there")
}
