// Package peers measures how long other Go clients of the Agent Skills format
// take for the tree of skills that this module is measured with, beside this
// module and the floor, in one run:
//
//	go test -run '^$' -bench . -benchtime 20x
//
// It is a module of its own, so that nobody who uses this one has to download
// the others. What each client reads and keeps is different, and the rows say
// so; TestClients proves that all of them find the same skills.
package peers
