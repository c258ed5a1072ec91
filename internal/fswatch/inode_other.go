//go:build !unix

package fswatch

import "io/fs"

// inodeOf returns the zero inode, which means unknown.
func inodeOf(fs.FileInfo) inode { return inode{} }
