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

// A script stands for the model: an http.Handler of the Messages API that gives
// its replies in order and remembers what was asked.
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
	Model        string
	OutputConfig struct{ Effort string } `json:"output_config"`
	System       []block
	Messages     []struct {
		Role    string
		Content []block
	}
	Tools []struct {
		Name        string
		Description string
		InputSchema json.RawMessage `json:"input_schema"`
	}
}

// A block is one of content, of the kinds that occur here.
type block struct {
	Type, Text string
	Name       string
	Input      json.RawMessage
	ToolUseID  string `json:"tool_use_id"`
	Content    []block
	IsError    bool `json:"is_error"`
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/messages" {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.seen)
	s.seen = append(s.seen, q)
	if n >= len(s.replies) {
		http.Error(w, `{"error": {"type": "invalid_request_error", "message": "the script has ended"}}`, http.StatusBadRequest)
		return
	}
	content := map[string]any{"type": "text", "text": s.replies[n].text}
	if a := s.replies[n]; a.tool != "" {
		content = map[string]any{"type": "tool_use", "id": fmt.Sprint("call-", n), "name": a.tool, "input": json.RawMessage(a.input)}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "message", "role": "assistant", "model": q.Model, "content": []any{content},
	})
}

// requests returns what was asked so far.
func (s *script) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// print shows each request by what is new in it, and its reply. Paths in dir
// are printed as seen from there.
func (s *script) print(out io.Writer, dir string) {
	local := strings.NewReplacer(dir+string(filepath.Separator), "")
	for i, q := range s.requests() {
		fmt.Fprintf(out, "== request %d to %s, effort %q, %d messages; the last:\n\n", i+1, q.Model, q.OutputConfig.Effort, len(q.Messages))
		for _, b := range q.Messages[len(q.Messages)-1].Content {
			fmt.Fprintf(out, "%s: %s\n", b.Type, local.Replace(strings.TrimSpace(b.text())))
		}
		if a := s.replies[i]; a.tool != "" {
			fmt.Fprintf(out, "\nmodel calls %s %s\n\n", a.tool, a.input)
		} else {
			fmt.Fprintf(out, "\nmodel: %s\n\n", a.text)
		}
	}
}

// text returns the text of a block or of what is in it.
func (b block) text() string {
	out := b.Text
	for _, c := range b.Content {
		out += c.Text
	}
	return out
}
