// Package guard calls functions of the host so that a panic in one takes nothing
// else down (07 B11).
package guard

import (
	"context"
	"fmt"
	"log/slog"
)

// Call runs a function of the host, called what, and turns a panic in it into an
// error.
func Call[T any](what string, f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			var none T
			v, err = none, fmt.Errorf("%s panicked: %v", what, p)
		}
	}()
	return f()
}

// A Log tells the host's logger. It is safe for concurrent use if that is.
type Log struct{ logger *slog.Logger }

// NewLog returns the Log of a logger; nil discards what is told.
func NewLog(l *slog.Logger) Log {
	if l == nil {
		l = slog.New(slog.DiscardHandler)
	}
	return Log{l}
}

// Tell logs one message. A panic in the logger is lost.
func (l Log) Tell(level slog.Level, msg string, args ...any) {
	defer func() { _ = recover() }()
	l.logger.Log(context.Background(), level, msg, args...)
}

// Contain runs a callback of the host, called what, and logs a panic in it.
func (l Log) Contain(what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			l.Tell(slog.LevelError, "a callback of the host panicked", "callback", what, "panic", p)
		}
	}()
	f()
}
