package line

// An editor replaces parts of a string from left to right and copies it only
// when something changes inside it: as long as out is nil, the result is a part
// of src.
type editor struct {
	src   string
	out   []byte
	start int // source before it is in out, or dropped at the front
}

// replace makes src[from:to] read text. Calls come in order and do not overlap.
func (e *editor) replace(from, to int, text string) {
	if e.src[from:to] == text {
		return
	}
	if e.out == nil && from+len(text) > e.start {
		e.out = make([]byte, 0, len(e.src)+len(text))
	}
	e.out = append(e.out, e.src[e.start:from]...)
	e.out = append(e.out, text...)
	e.start = to
}

// text returns the edited text up to src[:end].
func (e *editor) text(end int) string {
	if e.out == nil {
		return e.src[e.start:end]
	}
	return string(append(e.out, e.src[e.start:end]...))
}
