// Package usage is the stock [skills.Usage]: it remembers how often and how
// recently skills are used (02 §2).
//
//	store := usage.New(nil)
//	sess := reg.NewSession("main", &skills.SessionOptions{Usage: store})
//	lister := skills.NewLister(sess, &skills.ListerOptions{ByUsage: true})
//
// One Store serves all sessions of one user. [Store.Save] and [Store.Load]
// carry it from one run of the program to the next. The package has no clock,
// and reads no file and no environment: times and streams are arguments.
//
// # The score
//
// Each use counts 1 and loses half of that in every half-life, 7 days by
// default. The score is the sum over all uses, but never less than the floor,
// 0.1 by default, once a skill has been used at all. A skill never used scores
// 0. So the floor bounds the score as a whole, not each use: it keeps what was
// used long ago apart from what was never used, and a hundred uses of last
// year do not outweigh one of today. Skills at the floor are equal.
package usage
