package remote

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-12b313d8/skills"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		os.Exit(child(job))
	}
	goleak.VerifyTestMain(m)
}

// patience is the timeout of tests in which nothing is slow on purpose.
const patience = 30 * time.Second

// A site is a server whose pages a test sets and counts.
type site struct {
	*httptest.Server
	done chan struct{} // closed at the end of the test, for handlers that wait

	mu    sync.Mutex // guards what follows
	pages map[string]http.HandlerFunc
	asked map[string]int
	seen  []http.Header // of all requests
}

func newSite(t testing.TB) *site    { return startSite(t, (*httptest.Server).Start) }
func newTLSSite(t testing.TB) *site { return startSite(t, (*httptest.Server).StartTLS) }

func startSite(t testing.TB, start func(*httptest.Server)) *site {
	s := &site{done: make(chan struct{}), pages: make(map[string]http.HandlerFunc), asked: make(map[string]int)}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	start(s.Server)
	t.Cleanup(func() {
		s.stop()
		close(s.done)
	})
	return s
}

// stop ends the server at once; requests are refused afterwards.
func (s *site) stop() {
	s.CloseClientConnections()
	s.Listener.Close()
	s.Config.Close()
}

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	s.seen = append(s.seen, r.Header.Clone())
	page := s.pages[r.URL.Path]
	s.mu.Unlock()
	if page == nil {
		http.NotFound(w, r)
		return
	}
	page(w, r)
}

func (s *site) handle(path string, page http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = page
}

// text sets a page that only has content.
func (s *site) text(path, content string) {
	s.handle(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content) })
}

func (s *site) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// skill publishes a SKILL.md and returns its entry.
func (s *site) skill(slug, content string) string {
	path := "/" + slug + "/SKILL.md"
	s.text(path, content)
	return entryJSON(slug, "About "+slug+".", path, content)
}

// index publishes an index of entries.
func (s *site) index(entries ...string) { s.text(wellKnown, indexJSON(entries...)) }

func entryJSON(slug, description, url, content string) string {
	b, err := json.Marshal(map[string]string{
		"name": slug, "type": "skill-md", "description": description, "url": url, "digest": "sha256:" + digestOf([]byte(content)),
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// bareEntry is of the older form, without a digest.
func bareEntry(slug string) string {
	return fmt.Sprintf(`{"name":%q,"description":"About %s.","files":["SKILL.md"]}`, slug, slug)
}

func indexJSON(entries ...string) string {
	return `{"$schema":"https://schemas.agentskills.io/discovery/0.2.0/schema.json","skills":[` + strings.Join(entries, ",") + `]}`
}

// catalog opens a catalogue of the site that may use it. It is closed at the
// end of the test.
func (s *site) catalog(t testing.TB, o Options, more ...func(*seams)) *Catalog {
	t.Helper()
	o.AllowLoopback = true
	if o.Timeout == 0 {
		o.Timeout = patience
	}
	if s.Certificate() != nil && o.RootCAs == nil {
		o.RootCAs = s.roots()
	}
	return open(t, s.URL, o, more...)
}

func open(t testing.TB, index string, o Options, more ...func(*seams)) *Catalog {
	t.Helper()
	var with seams
	for _, f := range more {
		f(&with)
	}
	c, err := newCatalog(index, &o, with)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return c
}

// A clock stands still until it is moved.
type clock struct {
	mu sync.Mutex // guards at
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) seam(s *seams) { s.now = c.now }

// slugs returns the names that a search finds.
func slugs(t testing.TB, c *Catalog, query string) []string {
	t.Helper()
	hits, err := c.Find(t.Context(), query, 1000)
	require.NoError(t, err)
	out := make([]string, len(hits))
	for i, h := range hits {
		assert.Equal(t, skills.OriginRemote, h.Origin)
		out[i] = h.Name
	}
	return out
}

// requireError checks what each error must have: a code, a URL without secrets,
// what is wrong and what to do.
func requireError(t testing.TB, err error, code skills.Code) *skills.Error {
	t.Helper()
	var e *skills.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, code, e.Code, "%v", err)
	assert.NotEmpty(t, e.Msg)
	assert.True(t, e.Hint != "" || code == skills.CodeCancelled, "no hint: %v", err)
	assert.NotContains(t, e.Msg, "://", "no URL where a model reads it")
	return e
}

func get(t testing.TB, c *Catalog, slug string) string {
	t.Helper()
	b, err := c.Get(t.Context(), slug)
	require.NoError(t, err)
	return string(b)
}
