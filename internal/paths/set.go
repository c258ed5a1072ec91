package paths

import (
	"os"
	"strings"
)

// A Set holds real paths of files. Whether two spellings that differ in letter
// case are one file depends on the file system, so it asks that (01 §7.1). It
// never looks at inodes of paths that differ otherwise.
type Set map[uint64][]string

// Add adds path and reports whether its file was in the set already. An empty
// path is in no set.
func (s Set) Add(path string) (had bool) {
	if path == "" {
		return false
	}
	key := foldedHash(path)
	for _, other := range s[key] {
		if other == path || strings.EqualFold(other, path) && sameFile(other, path) {
			return true
		}
	}
	s[key] = append(s[key], path)
	return false
}

// foldedHash is FNV-1a over path with ASCII letters in lower case.
func foldedHash(path string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(path) {
		c := path[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c >= 0x80:
			continue // other letters may fold to another length
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
