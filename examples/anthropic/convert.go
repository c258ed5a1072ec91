package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/seed-12b313d8/skills"
)

// toolParam returns the API's form of a tool of package skills.
func toolParam(t skills.ToolSpec) anthropic.ToolUnionParam {
	return anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
		Name:        t.Name,
		Description: anthropic.String(t.Description),
		InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.InputSchema),
	}}
}

// content returns blocks for a user message.
func content(blocks []skills.Block) []anthropic.ContentBlockParamUnion {
	var out []anthropic.ContentBlockParamUnion
	for _, b := range blocks {
		switch {
		case strings.HasPrefix(b.MIME, "image/"):
			out = append(out, anthropic.NewImageBlockBase64(b.MIME, base64.StdEncoding.EncodeToString(b.Data)))
		default:
			out = append(out, anthropic.NewTextBlock(textOrNote(b)))
		}
	}
	return out
}

// toolResult returns blocks, or what err tells the model, as a tool's result.
func toolResult(id string, blocks []skills.Block, err error) anthropic.ContentBlockParamUnion {
	if err != nil {
		return anthropic.NewToolResultBlock(id, forModel(err), true)
	}
	r := &anthropic.ToolResultBlockParam{ToolUseID: id}
	for _, b := range content(blocks) {
		r.Content = append(r.Content, anthropic.ToolResultBlockParamContentUnion{OfText: b.OfText, OfImage: b.OfImage})
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: r}
}

// textOrNote returns the text of a block, or says what is left out.
func textOrNote(b skills.Block) string {
	if b.MIME == "" {
		return b.Text
	}
	return fmt.Sprintf("[%s, %d bytes, left out]", b.MIME, len(b.Data))
}

// forModel keeps causes and paths of the library's errors from the model.
func forModel(err error) string {
	if refused, ok := errors.AsType[*skills.Error](err); ok {
		return refused.ForModel()
	}
	return err.Error()
}

// textOf returns the text of the model's answer.
func textOf(m *anthropic.Message) string {
	var out []string
	for _, b := range m.Content {
		if t, ok := b.AsAny().(anthropic.TextBlock); ok {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, "\n")
}

// fileOf is the Paths of tools whose input has a file_path.
func fileOf(input json.RawMessage) []string {
	var in struct {
		Path string `json:"file_path"`
	}
	if json.Unmarshal(input, &in) != nil || in.Path == "" {
		return nil
	}
	return []string{in.Path}
}
