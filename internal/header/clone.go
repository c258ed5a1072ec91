package header

import (
	"maps"
	"slices"
)

// Clone returns a copy of Hooks or Extra, or of a value like them, that shares
// no map or list with it.
func Clone(m map[string]any) map[string]any {
	c := maps.Clone(m)
	for k, v := range c {
		c[k] = clone(v)
	}
	return c
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return Clone(v)
	case []any:
		c := slices.Clone(v)
		for i := range c {
			c[i] = clone(c[i])
		}
		return c
	}
	return v
}
