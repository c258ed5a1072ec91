package skills

import (
	"fmt"
	"sync"
)

// fileKeys names what is extracted of each skill that is not on disk. Another
// value of a skill may hold other files, so it has a key of its own; what was
// extracted for the one before stays until the registry is closed, since
// conversations were told where it is.
type fileKeys struct {
	mu   sync.Mutex // guards keys
	keys map[*Skill]string
}

func (k *fileKeys) of(s *Skill) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, ok := k.keys[s]
	if !ok {
		if k.keys == nil {
			k.keys = make(map[*Skill]string) // which holds the skills, so that no address is used twice
		}
		key = fmt.Sprintf("%s-%d", s.qualified(), len(k.keys)+1)
		k.keys[s] = key
	}
	return key
}
