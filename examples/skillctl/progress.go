package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// patience is how long a scan may take before a line says that it is under
// way, and how often that line counts on.
const patience = time.Second

// working shows that something takes long, on standard error and only if that
// is a terminal. Stop it before anything is printed: that erases the line.
func (a *app) working(on string) (stop func()) {
	if a.status == nil {
		return func() {}
	}
	return showProgress(a.status, on)
}

// showProgress prints nothing for a while, and then one line over and over,
// until it is stopped. It erases with blanks, as not every terminal knows
// escape sequences.
func showProgress(w io.Writer, on string) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(patience)
		defer tick.Stop()
		width := 0
		for n := 1; ; n++ {
			select {
			case <-done:
				if width > 0 {
					fmt.Fprintf(w, "\r%*s\r", width, "")
				}
				return
			case <-tick.C:
				text := fmt.Sprintf("skillctl: %s, %d s", on, n)
				width = len(text)
				fmt.Fprint(w, "\r"+text)
			}
		}
	})
	return sync.OnceFunc(func() { close(done); wg.Wait() })
}
