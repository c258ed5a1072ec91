package remote_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/remote"
)

// serve is a server with one skill.
func serve() *httptest.Server {
	const text = "---\nname: release-notes\ndescription: Writes release notes.\n---\nRead the commits since the last tag.\n"
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/agent-skills/index.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{
			"$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
			"skills": [
				{"name": "release-notes", "type": "skill-md", "description": "Writes release notes.",
				 "url": "release-notes/SKILL.md", "digest": "sha256:%x"},
				{"name": "elsewhere", "type": "skill-md", "description": "Somebody else's.",
				 "url": "https://evil.example/SKILL.md"}
			]}`, sha256.Sum256([]byte(text)))
	})
	mux.HandleFunc("/.well-known/agent-skills/release-notes/SKILL.md", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, text)
	})
	return httptest.NewServer(mux)
}

func Example() {
	server := serve()
	defer server.Close()
	catalog, err := remote.New(server.URL, &remote.Options{
		AllowLoopback: true, // for this example only
		Header: func(_ context.Context, origin string) (http.Header, error) {
			return http.Header{"Authorization": {"Bearer token"}}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer catalog.Close()

	hits, err := catalog.Find(context.Background(), "notes for a release", 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range hits {
		fmt.Println(h.Name, "-", h.Description)
	}
	for _, i := range catalog.Issues() {
		fmt.Println(i.Skill, "-", i.Msg)
	}
	text, err := catalog.Get(context.Background(), "release-notes")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := skills.Parse(text, skills.ParseOptions{Name: "release-notes"})
	fmt.Println(s.Description)
	_, err = catalog.Get(context.Background(), "../../etc/passwd")
	fmt.Println(errors.Is(err, skills.CodeNotFound))
	// Output:
	// release-notes - Writes release notes.
	// elsewhere - entry 2 is left out: its URL leads to another origin
	// Writes release notes.
	// true
}

// A pin is the host's own word on what a skill must be.
func ExampleOptions_pins() {
	server := serve()
	defer server.Close()
	catalog, err := remote.New(server.URL, &remote.Options{
		AllowLoopback: true,
		Pins:          map[string]string{"release-notes": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer catalog.Close()
	_, err = catalog.Get(context.Background(), "release-notes")
	fmt.Println(errors.Is(err, remote.ErrPin))
	// Output: true
}
