package extract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/seed-12b313d8/skills/internal/extract"
)

func TestKeys(t *testing.T) {
	var k extract.Keys[*int]
	a, b := new(int), new(int)
	assert.Equal(t, "x-1", k.Of(a, "x"))
	assert.Equal(t, "x-2", k.Of(b, "x"), "another value of the name")
	assert.Equal(t, "x-1", k.Of(a, "x"))
}
