package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/seed-12b313d8/skills"
	"github.com/seed-12b313d8/skills/mcpskills"
)

const (
	reviewDoc = "---\nname: review\ndescription: Reviews\narguments: [file, focus]\nmetadata: {n: 1, list: [a, {b: c}]}\n---\nRead $file for $focus.\n"
	plainDoc  = "---\nname: plain\ndescription: Plain\n---\nText: $ARGUMENTS\n"
	userDoc   = "---\nname: secret\ndescription: Secret\ndisable-model-invocation: true\n---\nSecret.\n"
	modelDoc  = "---\nname: hidden\ndescription: Hidden\nuser-invocable: false\n---\nHidden.\n"
	forkDoc   = "---\nname: forked\ndescription: Forked\ncontext: fork\n---\nFork this.\n"
)

func served(t *testing.T) (*project, *skills.Registry, *connection) {
	t.Helper()
	p := newProject(t, map[string]string{"review": reviewDoc, "plain": plainDoc, "secret": userDoc, "hidden": modelDoc, "forked": forkDoc, "nameless": "No frontmatter.\n"})
	reg := openEmpty(t)
	return p, reg, dial(t, reg, "far", inMemory(t, p.Server))
}

func TestServedPrompts(t *testing.T) {
	_, reg, conn := served(t)
	assert.Equal(t, []string{
		"far:forked", "far:hidden", "far:plain", "far:review",
		"mcp__far__forked", "mcp__far__nameless", "mcp__far__plain", "mcp__far__review", "mcp__far__secret",
	}, names(reg), "users get prompts, models get files")
	tests := []struct{ name, args, want string }{
		{"mcp__far__review", `"my file's" x y`, "Read my file's for x y.\n"},
		{"mcp__far__review", "", "Read  for .\n"},
		{"mcp__far__plain", "a  'b c'", "Text: a b c\n"},
		{"mcp__far__secret", "", "Secret.\n"},
		{"mcp__far__forked", "", "Fork this.\n"},
		{"far:review", "a b", "Read a for b.\n"},
		{"far:hidden", "", "Hidden.\n"},
	}
	inv := skills.NewInvoker(reg.NewSession("s", nil), nil)
	for _, tt := range tests {
		out, err := inv.Invoke(within(t), skills.Call{Name: tt.name, Args: tt.args, Caller: skills.CallerHost})
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, skills.Text(out.(*skills.Inline).Content), tt.name)
	}
	res, err := conn.ClientSession.GetPrompt(within(t), &mcp.GetPromptParams{Name: "review", Arguments: map[string]string{"focus": "it's $0"}})
	require.NoError(t, err)
	assert.Equal(t, "Read  for it's $0.\n", res.Messages[0].Content.(*mcp.TextContent).Text, "values are data, in their places")
}

func TestServedTool(t *testing.T) {
	p, _, conn := served(t)
	call := func(in map[string]any) (string, bool) {
		res, err := conn.CallTool(within(t), &mcp.CallToolParams{Name: "Skill", Arguments: in})
		require.NoError(t, err)
		return res.Content[0].(*mcp.TextContent).Text, res.IsError
	}
	tests := []struct {
		in     map[string]any
		want   string
		failed bool
	}{
		{map[string]any{"skill": "plain", "args": "a  b"}, "Text: a  b\n", false},
		{map[string]any{"skill": "hidden"}, "Hidden.\n", false},
		{map[string]any{"skill": "secret"}, "may not be run this way", true},
		{map[string]any{"skill": "nothing"}, `There is no skill named "nothing"`, true},
		{map[string]any{}, "The call was not understood", true},
	}
	for _, tt := range tests {
		got, failed := call(tt.in)
		assert.Contains(t, got, tt.want)
		assert.Equal(t, tt.failed, failed, "%v", tt.in)
		assert.NotContains(t, got, p.dir, "no path of this machine")
	}
	told := conn.InitializeResult().Instructions
	assert.Contains(t, told, "- plain: Plain")
	assert.NotContains(t, told, "secret")
	assert.NotContains(t, told, "system-reminder", "that is the client's own tag")
}

func TestServedExtension(t *testing.T) {
	p, _, conn := served(t)
	entries, err := lister{adapter{conn.ClientSession}}.ListSkills(within(t))
	require.NoError(t, err)
	var at int
	for i, e := range entries {
		doc, err := adapter{conn.ClientSession}.ReadResource(within(t), e.URI)
		require.NoError(t, err)
		assert.Equal(t, []mcpskills.File{{URI: e.URI, Digest: mcpskills.Digest(doc), Size: int64(len(doc))}}, e.Resources.Files, "the extension: digest and size of the raw bytes")
		assert.NotContains(t, e.URI, "secret")
		if e.URI == "skill://review/SKILL.md" {
			at = i
		}
	}
	assert.Equal(t, map[string]any{
		"name": "review", "description": "Reviews", "arguments": []any{"file", "focus"},
		"metadata": map[string]any{"n": float64(1), "list": []any{"a", map[string]any{"b": "c"}}},
	}, entries[at].Frontmatter, "the extension: verbatim")

	got, err := callGet(t, p.Server, "skill://review/SKILL.md")
	require.NoError(t, err)
	assert.Equal(t, entries[at], got.Skill)
	assert.Equal(t, "complete", got.Type)
	_, err = callGet(t, p.Server, "skill://secret/SKILL.md")
	require.Error(t, err)

	var index struct{ Skills []map[string]string }
	raw, err := adapter{conn.ClientSession}.ReadResource(within(t), mcpskills.IndexURI)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &index))
	require.Len(t, index.Skills, len(entries))
	for i, e := range entries {
		assert.Equal(t, map[string]string{
			"type": "skill-md", "url": e.URI, "digest": e.Resources.Files[0].Digest,
			"name": e.Frontmatter["name"].(string), "description": e.Frontmatter["description"].(string),
		}, index.Skills[i])
	}

	// A client that knows only the drafts finds the same.
	loaded, err := mcpskills.Source("far", adapter{conn.ClientSession}, nil).Load(within(t))
	require.NoError(t, err)
	assert.True(t, slices.ContainsFunc(loaded.Skills, func(s *skills.Skill) bool { return s.Name == "far:review" && s.Description == "Reviews" }))

	// What was changed and not yet published does not pass for what was listed.
	p.write("review", reviewDoc+"More.\n")
	reg := openEmpty(t)
	_, err = reg.Register(within(t), mcpskills.Source("far", lister{adapter{conn.ClientSession}}, nil))
	require.NoError(t, err)
	_, err = skills.NewInvoker(reg.NewSession("s", nil), nil).Invoke(within(t), skills.Call{Name: "far:review"})
	require.ErrorIs(t, err, skills.CodeUnreadable)
	assert.ErrorContains(t, err, "bytes")
}

func callGet(t *testing.T, server *mcp.Server, uri string) (*getResult, error) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
	require.NoError(t, mcp.AddSendingCustomMethod[*getParams, *getResult](client, methodGet))
	session, err := client.Connect(within(t), inMemory(t, server), nil)
	require.NoError(t, err)
	defer session.Close()
	return mcp.CallCustomMethod[*getParams, *getResult](within(t), session, methodGet, &getParams{URI: uri})
}

// What changes on one side changes on the other.
func TestServedChanges(t *testing.T) {
	p, reg, _ := served(t)
	changes := make(chan skills.Change, 100)
	defer reg.Subscribe(func(c skills.Change) { changes <- c })()
	p.write("fresh", "---\nname: fresh\ndescription: Fresh\n---\nFresh.\n")
	require.NoError(t, os.RemoveAll(filepath.Join(p.dir, ".claude/skills/plain")))
	_, err := p.reg.Reload(within(t))
	require.NoError(t, err)
	awaitNames(t, reg, changes, func(list []string) bool {
		return slices.Contains(list, "mcp__far__fresh") && slices.Contains(list, "far:fresh") &&
			!slices.Contains(list, "mcp__far__plain") && !slices.Contains(list, "far:plain")
	})
}

func TestContentGoesBothWays(t *testing.T) {
	for _, b := range []skills.Block{{Text: "text"}, {}, {MIME: "image/png", Data: []byte{1}}, {MIME: "application/pdf", Data: []byte{2}}} {
		assert.Equal(t, b, block(content(b)))
	}
	assert.Equal(t, skills.Block{MIME: "audio/wav", Data: []byte{3}}, block(&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte{3}}))
	assert.Equal(t, skills.Block{Text: "[content of the type <nil>]"}, block(nil))
	assert.Equal(t, skills.Block{Text: "[content of the type *mcp.EmbeddedResource]"}, block(&mcp.EmbeddedResource{}))
}
