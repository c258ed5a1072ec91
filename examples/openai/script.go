package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
)

// A script stands for the model: an http.Handler of the chat completions API
// that gives its replies in order and remembers what was asked.
type script struct {
	replies []reply

	mu   sync.Mutex
	seen []request
}

// A reply is what the model says, or the tool it calls.
type reply struct {
	text        string
	tool, input string
}

// A request is what of a request to the API is worth looking at.
type request struct {
	Model    string
	Effort   string `json:"reasoning_effort"`
	Messages []message
	Tools    []struct {
		Function struct {
			Name        string
			Description string
			Parameters  json.RawMessage
		}
	}
}

// A message's content is text, or parts of which the text is kept.
type message struct {
	Role       string
	Content    content
	ToolCallID string `json:"tool_call_id"`
}

type content string

func (c *content) UnmarshalJSON(b []byte) error {
	var parts []struct{ Text string }
	if json.Unmarshal(b, &parts) != nil {
		return json.Unmarshal(b, (*string)(c))
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/chat/completions" {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.seen)
	s.seen = append(s.seen, q)
	if n >= len(s.replies) {
		http.Error(w, `{"error": {"message": "the script has ended"}}`, http.StatusBadRequest)
		return
	}
	m := map[string]any{"role": "assistant", "content": s.replies[n].text}
	if a := s.replies[n]; a.tool != "" {
		m["tool_calls"] = []any{map[string]any{
			"id": fmt.Sprint("call-", n), "type": "function", "function": map[string]string{"name": a.tool, "arguments": a.input},
		}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"object": "chat.completion", "model": q.Model, "choices": []any{map[string]any{"message": m}},
	})
}

// requests returns what was asked so far.
func (s *script) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// print shows each request by what is new since the model's last word, and its
// reply. Paths in dir are printed as seen from there.
func (s *script) print(out io.Writer, dir string) {
	local := strings.NewReplacer(dir+string(filepath.Separator), "")
	for i, q := range s.requests() {
		fmt.Fprintf(out, "== request %d to %s, effort %q, %d messages; new:\n\n", i+1, q.Model, q.Effort, len(q.Messages))
		for _, m := range q.news() {
			fmt.Fprintf(out, "%s: %s\n", m.Role, local.Replace(strings.TrimSpace(string(m.Content))))
		}
		if a := s.replies[i]; a.tool != "" {
			fmt.Fprintf(out, "\nmodel calls %s %s\n\n", a.tool, a.input)
		} else {
			fmt.Fprintf(out, "\nmodel: %s\n\n", a.text)
		}
	}
}

// news returns the messages after the model's last one, without the system's.
func (q request) news() []message {
	first := 1
	for i, m := range q.Messages {
		if m.Role == "assistant" {
			first = i + 1
		}
	}
	return q.Messages[first:]
}
