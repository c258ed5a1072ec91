package extract

import (
	"fmt"
	"sync"
)

// Keys gives each value a key for [Store.Dir]. Another value may hold other
// files, so it has a key of its own. It holds the values, so that no address is
// used twice. It is safe for concurrent use; the zero Keys is empty.
type Keys[T comparable] struct {
	mu   sync.Mutex // guards keys
	keys map[T]string
}

// Of returns the key of v, which begins with name.
func (k *Keys[T]) Of(v T, name string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, ok := k.keys[v]
	if !ok {
		if k.keys == nil {
			k.keys = make(map[T]string)
		}
		key = fmt.Sprintf("%s-%d", name, len(k.keys)+1)
		k.keys[v] = key
	}
	return key
}
