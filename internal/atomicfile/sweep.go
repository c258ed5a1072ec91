package atomicfile

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"time"
)

// What a sweep looks at and removes at most, and how old that must be.
const (
	sweepAge   = time.Hour
	sweepNames = 4096
	sweepFiles = 64
)

// sweep removes what killed writers have left in d. Failures do not matter:
// the next one tries again.
func (d dir) sweep() {
	now, done := time.Now(), 0
	for _, name := range d.names() {
		if l, ok := parseLeftover(name); ok && now.Sub(l.made) > sweepAge && done < sweepFiles {
			done++
			d.sweepOne(name, l)
		}
	}
}

// names returns the first names in d.
func (d dir) names() (names []string) {
	_ = d.on(OpReadDir, "", func() error {
		f, err := d.root.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		names, err = f.Readdirnames(sweepNames)
		return err
	})
	return names
}

// sweepOne removes one leftover. That of a swap may be what somebody else has
// written: then it stays.
func (d dir) sweepOne(name string, l leftover) {
	f, err := d.openFile(name)
	if err != nil {
		return // not ours, then
	}
	defer f.close()
	if len(l.sums) > 0 && !f.spent(l.sums) {
		return
	}
	if closeFirst {
		f.close()
	}
	_ = d.remove(name)
}

// spent reports whether the file has one of the sums and no writer.
func (o *file) spent(sums []string) bool {
	if o.lease() != nil {
		return false
	}
	sum, err := o.sum()
	if err != nil || o.leased && !leaseHolds(o.f) {
		return false
	}
	short := shortSum(sum[:])
	return short == sums[0] || short == sums[1]
}

// A leftover is what the name of a new file says.
type leftover struct {
	made time.Time
	sums []string // of a swap: old and new
}

// parseLeftover takes the name of a new file apart.
func parseLeftover(name string) (l leftover, ok bool) {
	rest, isTemp := strings.CutPrefix(name, tempPrefix)
	parts := 2
	if !isTemp {
		if rest, ok = strings.CutPrefix(name, swapPrefix); !ok {
			return l, false
		}
		parts = 4
	}
	p := strings.Split(rest, "-")
	if len(p) != parts || len(p[parts-1]) != randomChars {
		return l, false
	}
	sec, err := strconv.ParseInt(p[0], 16, 64)
	if err != nil || sec < 0 {
		return l, false
	}
	for _, s := range p[1 : parts-1] {
		if raw, err := hex.DecodeString(s); err != nil || len(raw) != sumChars/2 {
			return l, false
		}
		l.sums = append(l.sums, s)
	}
	l.made = time.Unix(sec, 0)
	return l, true
}

// randomChars is the length of rand.Text.
const randomChars = 26

// closeFirst says that a file cannot be removed or replaced while it is open.
const closeFirst = os.PathSeparator == '\\'
