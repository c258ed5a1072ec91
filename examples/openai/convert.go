package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"

	"github.com/seed-12b313d8/skills"
)

// toolParam returns the API's form of a tool of package skills.
func toolParam(t skills.ToolSpec) openai.ChatCompletionToolUnionParam {
	var schema openai.FunctionParameters
	_ = json.Unmarshal(t.InputSchema, &schema) // the package's own, always an object
	return openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
		Name: t.Name, Description: openai.String(t.Description), Parameters: schema,
	})
}

// contentParts returns blocks for a user message.
func contentParts(blocks []skills.Block) []openai.ChatCompletionContentPartUnionParam {
	var out []openai.ChatCompletionContentPartUnionParam
	for _, b := range blocks {
		switch {
		case b.MIME == "":
			out = append(out, openai.TextContentPart(b.Text))
		case strings.HasPrefix(b.MIME, "image/"):
			url := "data:" + b.MIME + ";base64," + base64.StdEncoding.EncodeToString(b.Data)
			out = append(out, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: url}))
		default:
			out = append(out, openai.TextContentPart(fmt.Sprintf("[%s, %d bytes, left out]", b.MIME, len(b.Data))))
		}
	}
	return out
}

// withoutText returns the blocks that [skills.Text] leaves out.
func withoutText(blocks []skills.Block) []skills.Block {
	var out []skills.Block
	for _, b := range blocks {
		if b.MIME != "" {
			out = append(out, b)
		}
	}
	return out
}

// forModel keeps causes and paths of the library's errors from the model.
func forModel(err error) string {
	if refused, ok := errors.AsType[*skills.Error](err); ok {
		return refused.ForModel()
	}
	return "error: " + err.Error()
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
