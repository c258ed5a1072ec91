package main

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
)

func TestToolResult(t *testing.T) {
	hidden := &skills.Error{Issue: skills.Issue{Code: skills.CodeNotFound, Msg: "nothing", Path: "/secret"}, Err: errors.New("cause")}
	for _, test := range []struct {
		reason string
		blocks []skills.Block
		err    error
		want   string
	}{
		{"text", []skills.Block{{Text: "a"}, {Text: "b"}}, nil, `{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}`},
		{
			"an image",
			[]skills.Block{{MIME: "image/png", Data: []byte{1, 2}}},
			nil,
			`{"content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AQI="}}]}`,
		},
		{"what the API does not take", []skills.Block{{MIME: "audio/wav", Data: []byte{1, 2}}}, nil, `{"content": [{"type": "text", "text": "[audio/wav, 2 bytes, left out]"}]}`},
		{"nothing", nil, nil, `{}`},
		{"an error of a tool", nil, errors.New("no"), `{"is_error": true, "content": [{"type": "text", "text": "no"}]}`},
		{
			"one of the library says no path and no cause", nil, hidden,
			`{"is_error": true, "content": [{"type": "text", "text": ` + quote(hidden.ForModel()) + `}]}`,
		},
	} {
		var want map[string]any
		require.NoError(t, json.Unmarshal([]byte(test.want), &want))
		want["type"], want["tool_use_id"] = "tool_result", "id"
		whole, err := json.Marshal(want)
		require.NoError(t, err)
		got, err := json.Marshal(toolResult("id", test.blocks, test.err))
		require.NoError(t, err)
		assert.JSONEq(t, string(whole), string(got), test.reason)
	}
	assert.NotContains(t, hidden.ForModel(), "secret")
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
