package readfile

import (
	"io"
	"math"
)

// A Head is the beginning of a file.
type Head struct {
	// Data is what was read; it lies in the caller's buffer.
	Data []byte
	// ID was taken before reading: a later change makes [Dir.Stat] differ.
	ID ID
	// Complete is true if Data is the whole file, as it was at ID.
	Complete bool
}

// readHead reads the beginning of an open file into buf. One read is enough for
// a file that keeps the size it was opened with; only a short read or a growing
// file costs more.
func readHead(r io.Reader, file info, buf []byte, limit int64) (Head, error) {
	if err := file.check(limit); err != nil {
		return Head{}, err
	}
	n, eof, err := fill(r, buf[:min(int64(len(buf)), beyond(limit))], file.id.Size)
	if err != nil {
		return Head{}, err
	}
	if int64(n) > limit {
		return Head{}, &SizeError{Size: int64(n), Limit: limit}
	}
	return Head{Data: buf[:n:n], ID: file.id, Complete: eof}, nil
}

// fill reads until buf is full, the file ends, or exactly size bytes are there. eof
// tells that the file has no more than that. Some virtual file systems say size 0
// of every file, so that even then one read is made.
func fill(r io.Reader, buf []byte, size int64) (n int, eof bool, err error) {
	for n < len(buf) {
		m, err := r.Read(buf[n:])
		n += m
		switch {
		case err == io.EOF:
			return n, true, nil
		case err != nil:
			return n, false, err
		case int64(n) == size:
			return n, true, nil
		}
	}
	return n, int64(n) == size, nil
}

// beyond returns limit+1, the number of bytes that proves a file too large.
func beyond(limit int64) int64 {
	if limit == math.MaxInt64 {
		return limit
	}
	return limit + 1
}
