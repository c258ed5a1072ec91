package gitignore

import "strings"

// A keyKind says where in a path a literal piece must stand.
type keyKind uint8

const (
	keyDirs  keyKind = iota // the first segments
	keyWhole                // one whole segment
	keyEnd                  // the end of a segment
	keyStart                // the start of a segment
	keyInner                // three bytes of a segment
	keyKinds
)

// The bounds of pieces. Longer ones are cut, which only makes them coarser.
const (
	maxKeyBytes   = 64
	maxKeyDirs    = 8
	maxInnerKeys  = 16
	keyInnerBytes = 3
)

// A key is a literal piece that a path must show, with letter case folded.
type key struct {
	kind keyKind
	text string
}

// rarestKey returns the piece of the rule that fewest rules share, the most
// telling kind among equals.
func (r *rule) rarestKey(m mode, shared map[key]int) (best key, ok bool) {
	r.keys(m, func(k key) {
		if !ok || shared[k] < shared[best] {
			best, ok = k, true
		}
	})
	return best, ok
}

// keys calls f with each literal piece of the rule, the most telling first.
func (r *rule) keys(m mode, f func(key)) {
	covered := 0 // segments that the folders stand for
	if dirs := r.leadingDirs(m); dirs != "" {
		covered = strings.Count(dirs, "/") + 1
		f(key{keyDirs, dirs})
	}
	for s := (segmentScanner{rule: r, lexer: r.lexer(m)}); s.next(); {
		if s.count > covered {
			s.keys(m, f)
		}
	}
}

// leadingDirs returns the whole literal segments that an anchored rule starts
// with.
func (r *rule) leadingDirs(m mode) string {
	dirs := r.prefix
	if len(dirs) < len(literalText(r.text, m)) {
		dirs = dirs[:max(0, strings.LastIndexByte(dirs, '/'))]
	}
	n := 0
	for i := range len(dirs) {
		if dirs[i] != '/' {
			continue
		}
		if n++; n == maxKeyDirs {
			dirs = dirs[:i]
			break
		}
	}
	return foldString(dirs)
}

// A segmentScanner finds the literal text of each segment.
type segmentScanner struct {
	rule  *rule
	lexer lexer
	done  bool

	count      int    // segments so far
	start, end int    // the segment
	head       int    // where its literal start ends, -1 when all is literal
	tail       int    // where its literal end starts
	inner      [2]int // its longest literal text between wildcards
}

// next moves to the next segment that is not `**`.
func (s *segmentScanner) next() bool {
	if s.done {
		return false
	}
	s.count++
	s.begin(s.lexer.pos)
	for {
		switch t := s.lexer.next(); t.kind {
		case tokLiteral:
		case tokSlash, tokEnd:
			s.end = t.start
			s.done = t.kind == tokEnd
			return true
		case tokDeepDirs:
			s.begin(t.end)
		default:
			s.wildcard(t)
		}
	}
}

func (s *segmentScanner) begin(pos int) {
	s.start, s.head, s.tail, s.inner = pos, -1, pos, [2]int{}
}

// wildcard notes the literal text that ends at t.
func (s *segmentScanner) wildcard(t token) {
	switch {
	case s.head < 0:
		s.head = t.start
	case t.start-s.tail > s.inner[1]-s.inner[0]:
		s.inner = [2]int{s.tail, t.start}
	}
	s.tail = t.end
}

func (s *segmentScanner) text(m mode, start, end int) string {
	return foldString(literalText(s.rule.text[start:end], m))
}

func (s *segmentScanner) keys(m mode, f func(key)) {
	if s.head < 0 {
		f(key{keyWhole, s.text(m, s.start, s.end)})
		return
	}
	if tail := s.text(m, s.tail, s.end); tail != "" {
		f(key{keyEnd, tail[max(0, len(tail)-maxKeyBytes):]})
	}
	if head := s.text(m, s.start, s.head); head != "" {
		f(key{keyStart, head[:min(len(head), maxKeyBytes)]})
	}
	inner := s.text(m, s.inner[0], s.inner[1])
	for n := keyInnerBytes; n <= min(len(inner), maxInnerKeys); n++ {
		f(key{keyInner, inner[n-keyInnerBytes : n]})
	}
}
