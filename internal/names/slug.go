package names

import "strings"

// IsSlug reports whether a remote skill may be called s (06 §3): up to 64 of
// a-z, 0-9 and "-", the first no "-".
func IsSlug(s string) bool {
	return s != "" && len(s) <= MaxLen && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
