//go:build !unix

package confine

const nonblock = 0
