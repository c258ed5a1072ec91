package bundled

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-12b313d8/skills/internal/line"
)

const (
	maxTail      = 64 << 10 // bytes read from the end of a log
	maxTailLines = 200
	maxLogLine   = 400 // characters
	maxGroups    = 12  // of errors, and of warnings
)

// A logTail is the end of a log.
type logTail struct {
	size  int64
	lines []string // what was read, without escapes and control characters
	cut   bool     // there is more before the lines shown
}

// shown returns the lines that go into the text.
func (t logTail) shown() []string { return t.lines[max(0, len(t.lines)-maxTailLines):] }

// readTail reads the end of a regular file. It does not follow a link, which
// whoever writes to the log's folder could point anywhere, and does not wait
// for a pipe (01 R1).
func readTail(path string) (logTail, error) {
	if !filepath.IsAbs(path) {
		return logTail{}, errors.New("its path is not absolute")
	}
	before, err := os.Lstat(path)
	if err != nil {
		return logTail{}, cause(err)
	}
	if !before.Mode().IsRegular() {
		return logTail{}, errors.New("it is not a regular file")
	}
	f, err := openLog(path)
	if err != nil {
		return logTail{}, cause(err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return logTail{}, cause(err)
	}
	if !os.SameFile(before, fi) {
		return logTail{}, errors.New("it was replaced while it was opened")
	}
	start := max(0, fi.Size()-maxTail)
	data, err := io.ReadAll(io.NewSectionReader(f, start, maxTail))
	if err != nil {
		return logTail{}, cause(err)
	}
	t := logTail{size: fi.Size(), lines: logLines(string(data), start > 0)}
	t.cut = start > 0 || len(t.lines) > maxTailLines
	return t, nil
}

// cause drops the path, which the text has named already.
func cause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

var (
	escapeSequence = regexp.MustCompile("\x1b(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])")
	// secret matches what a log should not hold and often does.
	secret = regexp.MustCompile(`(?i)\b(authorization|x-api-key|api[_-]?key|access[_-]?token|auth[_-]?token|password|secret)(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;]+`)
)

// logLines splits what was read into lines that are safe to show. The first
// one is dropped if it may be the rest of a longer line.
func logLines(s string, partial bool) []string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if partial {
		_, s, _ = strings.Cut(s, "\n")
	}
	s = escapeSequence.ReplaceAllString(s, "")
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.Map(func(r rune) rune {
			if r != '\t' && !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, l)
		if strings.TrimSpace(l) == "" {
			continue
		}
		out = append(out, line.Cut(secret.ReplaceAllString(l, "$1$2[hidden]"), maxLogLine))
	}
	return out
}

var (
	warningLine = regexp.MustCompile(`(?i)(\bwarn(ing)?s?\b|\bdeprecated\b)`)
	errorLine   = regexp.MustCompile(`(?i)(\b(error|fatal|panic|exception|critical|traceback|segfault|failed|failure|refused|denied|timed out)\b|\w(Error|Exception)\b)`)
	// labelled finds the level where the logger wrote it, which beats words of
	// the message: "[WARN] retry after error" is a warning.
	labelled = regexp.MustCompile(`(?i)(?:^[\s\d:.,/+\-TZ|()\[\]]*|\blevel["']?\s*[=:]\s*["']?)(trace|debug|info|notice|warn|warning|error|fatal|panic|critical)\b`)
	varying  = regexp.MustCompile(`(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b[0-9a-f]{12,}\b|[0-9]+(?:[.:,T-][0-9]+)*(?:ms|s|z)?`)
)

// level returns "error", "warning" or "".
func level(l string) string {
	if m := labelled.FindStringSubmatch(l); m != nil {
		switch strings.ToLower(m[1]) {
		case "warn", "warning":
			return "warning"
		case "error", "fatal", "panic", "critical":
			return "error"
		}
		return ""
	}
	switch {
	case errorLine.MatchString(l):
		return "error"
	case warningLine.MatchString(l):
		return "warning"
	}
	return ""
}

// A group is lines that differ only in numbers and identifiers.
type group struct {
	count, last int
	sample      string
}

// digest groups the errors and warnings of a log, the most frequent first.
func digest(lines []string) string {
	groups := map[string]map[string]*group{"error": {}, "warning": {}}
	for i, l := range lines {
		kind := level(l)
		if kind == "" {
			continue
		}
		shape := varying.ReplaceAllString(strings.TrimSpace(l), "#")
		g := groups[kind][shape]
		if g == nil {
			g = &group{}
			groups[kind][shape] = g
		}
		g.count, g.last, g.sample = g.count+1, i, strings.TrimSpace(l)
	}
	var b strings.Builder
	for _, kind := range []string{"error", "warning"} {
		writeGroups(&b, kind, groups[kind])
	}
	return strings.TrimSpace(b.String())
}

func writeGroups(b *strings.Builder, kind string, groups map[string]*group) {
	var all []*group
	total := 0
	for _, g := range groups {
		all = append(all, g)
		total += g.count
	}
	if total == 0 {
		fmt.Fprintf(b, "There are no %ss.\n\n", kind)
		return
	}
	slices.SortFunc(all, func(x, y *group) int { return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(y.last, x.last)) })
	fmt.Fprintf(b, "Lines that look like %ss: %d, in %d groups. How often, and the latest of each group:\n\n", kind, total, len(all))
	var shown []string
	for _, g := range all[:min(maxGroups, len(all))] {
		shown = append(shown, fmt.Sprintf("%5d  %s", g.count, g.sample))
	}
	if more := len(all) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("       and %d groups more", more))
	}
	b.WriteString(fence(strings.Join(shown, "\n")) + "\n\n")
}
