//go:build !(darwin || dragonfly || freebsd || netbsd || openbsd)

package fswatch

const (
	perEntry          = false
	defaultMaxWatches = 16_384
)
