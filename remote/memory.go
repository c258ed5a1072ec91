package remote

import (
	"container/list"
	"slices"
	"sync"
)

// A memory store is for catalogues without a directory.
type memory struct {
	limit int64

	mu      sync.Mutex // guards what follows
	size    int64
	order   *list.List               // of *kept, last used first
	blobs   map[string]*list.Element // by digest
	records map[string]record        // by key
}

type kept struct {
	digest string
	body   []byte
	keys   []string // records that refer to it
}

func newMemory(limit int64) *memory {
	return &memory{limit: limit, order: list.New(), blobs: make(map[string]*list.Element), records: make(map[string]record)}
}

func (m *memory) load(key string) (*record, []byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rec, ok := m.records[key]
	if !ok {
		return nil, nil, false
	}
	body, ok := m.get(rec.Digest)
	return &rec, body, ok
}

func (m *memory) blob(digest string) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.get(digest)
}

func (m *memory) get(digest string) ([]byte, bool) {
	e, ok := m.blobs[digest]
	if !ok {
		return nil, false
	}
	m.order.MoveToFront(e)
	return e.Value.(*kept).body, true
}

func (m *memory) save(key string, rec *record, body []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	digest := digestOf(body)
	if _, ok := m.get(digest); !ok {
		m.blobs[digest] = m.order.PushFront(&kept{digest: digest, body: body})
		m.size += int64(len(body))
	}
	if rec != nil {
		m.records[key] = *rec
		k := m.blobs[digest].Value.(*kept)
		if !slices.Contains(k.keys, key) {
			k.keys = append(k.keys, key)
		}
	}
	for m.size > m.limit && m.order.Len() > 1 {
		m.drop(m.order.Back())
	}
	return nil
}

// drop removes a content with the records that still refer to it.
func (m *memory) drop(e *list.Element) {
	k := m.order.Remove(e).(*kept)
	m.size -= int64(len(k.body))
	delete(m.blobs, k.digest)
	for _, key := range k.keys {
		if m.records[key].Digest == k.digest {
			delete(m.records, key)
		}
	}
}

func (m *memory) forget(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.records, key)
	return nil
}
