package header_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/header"
)

func TestClone(t *testing.T) {
	deep := map[string]any{"x": []any{map[string]any{"y": "z"}, 1}, "none": map[string]any(nil)}
	c := header.Clone(deep)
	assert.Equal(t, deep, c)
	c["x"].([]any)[0].(map[string]any)["y"] = "changed"
	c["x"].([]any)[1] = 2
	assert.Equal(t, []any{map[string]any{"y": "z"}, 1}, deep["x"])
	assert.Nil(t, header.Clone(nil))
}
