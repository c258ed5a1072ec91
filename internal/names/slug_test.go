package names_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/names"
)

func TestIsSlug(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "0-9": true, "a--b-": true, strings.Repeat("a", 64): true,
		"": false, "-a": false, "A": false, "a_b": false, "a b": false, "ä": false, "a/b": false, strings.Repeat("a", 65): false,
	} {
		assert.Equal(t, want, names.IsSlug(s), "06 §3: %q", s)
	}
}
