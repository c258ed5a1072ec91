package frontmatter

import (
	"math"
	"strings"
)

// A Mode says what [Value.Any] makes of plain scalars.
type Mode uint8

const (
	// AsText keeps every scalar as its text: 1.10 is "1.10", yes is "yes".
	// Only what is not there at all is nil.
	AsText Mode = iota
	// AsJSON reads plain scalars as YAML does, into the types that JSON has:
	// nil, bool, int, float64, string. Quoted scalars, dates and numbers that
	// JSON cannot write stay text.
	AsJSON
)

// Any returns v as plain Go values: string, the types named at m, []any and
// map[string]any. Of keys given twice, the last one counts. The result shares
// nothing with v but strings.
func (v Value) Any(m Mode) any {
	switch v.Kind {
	case List:
		list := make([]any, len(v.Items))
		for i, item := range v.Items {
			list[i] = item.Any(m)
		}
		return list
	case Map:
		object := make(map[string]any, len(v.Fields))
		for _, f := range v.Fields {
			object[f.Key] = f.Value.Any(m)
		}
		return object
	case Null:
		if m == AsJSON || v.Text == "" {
			return nil
		}
	case Scalar:
		if m == AsJSON && !v.Quoted {
			return jsonValue(v.Text)
		}
	}
	return v.Text
}

// jsonValue returns what YAML takes a plain scalar for, if JSON has it.
func jsonValue(text string) any {
	// Anything else starts neither a boolean, a null nor a number.
	if text == "" || strings.IndexByte("+-.0123456789tTfFnN~", text[0]) < 0 {
		return text
	}
	switch v := plainValue(text).(type) {
	case nil, bool, int:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
	return text
}
