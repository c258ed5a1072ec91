//go:build unix && (!linux || android)

package readfile

// openNoLinks opens name, no part of which may be a link.
func openNoLinks(dir int, name string) (int, error) {
	return walkNoLinks(dir, name)
}
