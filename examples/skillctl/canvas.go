package main

import (
	"io"
	"os"
	"runtime"
	"strings"
)

// A colour is the SGR number of a foreground; plain is none.
type colour string

const (
	plain  colour = ""
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
)

// A part is text of one colour.
type part struct {
	text   string
	colour colour
}

// A canvas takes text that may have colours. The text may come from files: it
// is made printable, so that the only escape sequences are the canvas's own.
type canvas struct {
	w       io.Writer
	colours bool
}

// line prints parts as one line.
func (c canvas) line(parts ...part) {
	var b strings.Builder
	for _, p := range parts {
		text := oneLine(p.text)
		if c.colours && p.colour != plain && text != "" {
			text = "\x1b[" + string(p.colour) + "m" + text + "\x1b[0m"
		}
		b.WriteString(text)
	}
	_, _ = io.WriteString(c.w, b.String()+"\n") // like all text for people
}

// showsColours reports whether w is a terminal whose user does not object to
// colours: by NO_COLOR, if that is not empty, or by TERM=dumb.
func showsColours(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	if runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" {
		return false // old consoles print escape sequences as they are
	}
	return isTerminal(w)
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
