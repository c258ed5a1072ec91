package skills

import "fmt"

// guarded runs a function of the host, called what, and turns a panic in it
// into an error (07 B11).
func guarded[T any](what string, f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			var none T
			v, err = none, fmt.Errorf("%s panicked: %v", what, p)
		}
	}()
	return f()
}
