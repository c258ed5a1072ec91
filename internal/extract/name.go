package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of names, in bytes. A whole name of this length is a path that every
// supported system can open.
const (
	maxElement = 255
	maxName    = 512
)

// checkName returns an [ErrName] unless name, one element of a path, is good on
// every operating system (05 §2).
func checkName(name string) error {
	if why := fault(name); why != "" {
		return fmt.Errorf("%w: %s; rename it", ErrName, why)
	}
	return nil
}

// fault says what is wrong with one element of a path, "" if it is fine. What
// only Windows would take amiss is refused everywhere, so that a skill that
// works here works there.
func fault(name string) string {
	switch {
	case name == "":
		return "it is empty or absolute"
	case name == "." || name == "..":
		return "it leads to another folder"
	case len(name) > maxElement:
		return fmt.Sprintf("it is longer than %d bytes", maxElement)
	case !utf8.ValidString(name):
		return "it is not valid UTF-8"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "it holds a control character"
	case strings.ContainsAny(name, `/\:`):
		return `it holds one of / \ :`
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "it ends in a dot or space"
	case reserved(name):
		return "it is a device on Windows"
	case !fs.ValidPath(name) || !filepath.IsLocal(name):
		return "it is not local"
	default:
		return ""
	}
}

// reserved reports whether Windows takes name for a device, whatever follows
// the first dot.
func reserved(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	if slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, base) {
		return true
	}
	digit, ok := strings.CutPrefix(base, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && utf8.RuneCountInString(digit) == 1 && strings.Contains("0123456789¹²³", digit)
}

// maxPlain is the length up to which a key may be its own folder's name.
const maxPlain = 64

// folderName returns the name of the folder for key: the key itself if it is a
// plain lower-case word, else what it has of one, a plus sign, and a digest. Two
// keys never have the same folder, not even where case does not matter.
func folderName(key string) string {
	plain := strings.Map(plainRune, key)
	if plain == key && key != "" && len(key) <= maxPlain && !reserved(key) && !strings.HasPrefix(key, "-") {
		return key
	}
	plain = strings.Trim(plain[:min(len(plain), maxPlain)], "-")
	sum := sha256.Sum256([]byte(key))
	return plain + "+" + hex.EncodeToString(sum[:16])
}

// plainRune returns r if it may be part of a folder's name, else a hyphen.
func plainRune(r rune) rune {
	if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
		return r
	}
	return '-'
}
