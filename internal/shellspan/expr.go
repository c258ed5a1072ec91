package shellspan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// inArithmetic is where a shell computes.
var inArithmetic = where{quote: double, need: integer, why: "arithmetic"}

// arithmetic visits an expression. A shell evaluates what variables in it hold
// as expressions too, subscripts with command substitutions included.
func (w *walker) arithmetic(x syntax.ArithmExpr) {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		w.arithmetic(x.X)
		w.arithmetic(x.Y)
	case *syntax.UnaryArithm:
		w.arithmetic(x.X)
	case *syntax.ParenArithm:
		w.arithmetic(x.X)
	case *syntax.Word:
		if x == nil {
			return
		}
		if !w.isNumber(x) {
			w.s.want(plain, "arithmetic evaluates what variables hold")
		}
		w.word(x, inArithmetic)
	}
}

// isNumber reports whether word is made of digits and marks.
func (w *walker) isNumber(word *syntax.Word) bool {
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.Trim(p.Value, "0123456789") != "" {
				return false
			}
		case *syntax.ParamExp:
			if w.markOf(p) == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// test visits [[ … ]].
func (w *walker) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		p := where{}
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			p = where{need: integer, why: "a comparison of numbers"}
			w.s.want(plain, "[[ evaluates numbers as arithmetic")
		}
		w.operand(x.X, p)
		w.operand(x.Y, p)
	case *syntax.UnaryTest:
		p := where{}
		switch x.Op {
		case syntax.TsVarSet, syntax.TsRefVar:
			p = w.variableName(x.X)
		}
		w.operand(x.X, p)
	case *syntax.ParenTest:
		w.test(x.X)
	case *syntax.Word:
		w.word(x, where{})
	}
}

func (w *walker) operand(x syntax.TestExpr, p where) {
	if word, ok := x.(*syntax.Word); ok {
		w.word(word, p)
		return
	}
	w.test(x)
}

// variableName returns the place of x, which names a variable.
func (w *walker) variableName(x syntax.TestExpr) where {
	word, ok := x.(*syntax.Word)
	if !ok {
		return where{need: integer, why: "the name of a variable"}
	}
	start, end := span(word)
	if strings.Contains(w.src[start:end], "[") {
		w.s.want(plain, "a subscript is evaluated as arithmetic")
		return where{need: integer, why: "a subscript"}
	}
	if word.Lit() == "" {
		w.s.want(plain, "the name of a variable comes from a variable")
	}
	return where{need: identifier, why: "the name of a variable"}
}

// param visits ${…} other than a mark.
func (w *walker) param(n *syntax.ParamExp, p where) {
	if n.Excl && n.Names == 0 {
		w.s.want(plain, "${!…} takes the name of a variable from a variable")
	}
	if n.Index != nil {
		w.index(n.Index)
	}
	if n.Slice != nil {
		w.arithmetic(n.Slice.Offset)
		w.arithmetic(n.Slice.Length)
	}
	p.list = false
	if n.Repl != nil {
		w.word(n.Repl.Orig, inPattern(p))
		w.word(n.Repl.With, inPattern(p))
	}
	if n.Exp != nil {
		w.operator(n, p)
	}
}

// operator visits the word behind an operator. In one that is not named here a
// mark is not visited.
func (w *walker) operator(n *syntax.ParamExp, p where) {
	switch n.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		w.word(n.Exp.Word, p)
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		w.word(n.Exp.Word, p)
		if n.Param != nil {
			w.assigned(n.Param.Value, n.Exp.Word)
		}
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix,
		syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		w.word(n.Exp.Word, inPattern(p))
	case syntax.OtherParamOps:
		if n.Exp.Word == nil || n.Exp.Word.Lit() == "P" {
			w.s.want(integer, "${…@P} evaluates what a variable holds")
		}
	}
}

func inPattern(p where) where {
	if p.quote == double {
		p.quote = backward
	}
	return p
}

// index visits a subscript.
func (w *walker) index(x syntax.ArithmExpr) {
	if word, ok := x.(*syntax.Word); ok && word != nil {
		switch word.Lit() {
		case "@", "*":
			return
		}
	}
	w.arithmetic(x)
}
