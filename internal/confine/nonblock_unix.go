//go:build unix

package confine

import "syscall"

// nonblock keeps a FIFO that was swapped in from being waited for.
const nonblock = syscall.O_NONBLOCK
