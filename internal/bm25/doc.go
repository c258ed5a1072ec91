// Package bm25 ranks documents that have names, a description and a body by the
// words they share with a query (06 §4).
//
// The formula is BM25 over weighted counts: a word counts 3 when a name has it,
// 2 for each time the text has it and 1 for each time the body does. The length
// of a document is the sum of its counts.
//
//	score = Σ idf · tf·(k1+1) / (tf + k1·(1 − b + b·length/mean length))
//	idf   = ln(1 + (n − df + ½) / (df + ½))      k1 = 1.2   b = 0.75
//
// A word that the query repeats counts again. Words are looked for without letter
// case, accents composed; parts of identifiers are words too, English plurals are
// as their singulars, and scripts without blanks give pairs of neighbours.
//
// An [Index] is built from another one by looking at new documents only. What
// it holds depends on the documents alone and not on how it came about: terms
// that none has any more are gone.
package bm25
