package osshell

import (
	"context"
	"os"
	"time"
)

// lingering is how long what a shell leaves running may go on printing.
const lingering = 100 * time.Millisecond

// A reader takes in the output of a command while it runs.
type reader struct {
	pipe *os.File
	out  *capture      // nobody else touches it until done is closed
	done chan struct{} // closed after the last write to out
}

func startReader(pipe *os.File, out *capture) *reader {
	r := &reader{pipe: pipe, out: out, done: make(chan struct{})}
	go r.read()
	return r
}

func (r *reader) read() {
	defer close(r.done)
	defer r.pipe.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := r.pipe.Read(buf)
		r.out.write(buf[:n])
		if err != nil {
			break
		}
	}
	drain(r.pipe, r.out, buf)
}

// linger waits until everybody has closed the output, or no longer cares to.
func (r *reader) linger(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// stop ends the reading, with what is in the pipe now. A process that escaped
// may still hold the other end.
func (r *reader) stop() {
	if r.pipe.SetReadDeadline(time.Now()) != nil { // closed already, or a system without deadlines
		select {
		case <-r.done:
		case <-time.After(lingering):
			r.pipe.Close()
		}
	}
	<-r.done
}
