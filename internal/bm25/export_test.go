package bm25

// Terms returns the terms of a text.
func Terms(text string) []string {
	var out []string
	l := lexer{yield: func(term []byte) { out = append(out, string(term)) }}
	l.terms(text)
	return out
}

// Dictionary returns the terms that x knows.
func (x *Index) Dictionary() []string {
	out := make([]string, len(x.terms.ends))
	for i := range out {
		out[i] = x.terms.at(i)
	}
	return out
}
