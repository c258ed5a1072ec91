package main

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-12b313d8/skills"
)

// all reads every page of a list.
func all[T, U any](pages iter.Seq2[*T, error], convert func(*T) U) ([]U, error) {
	var out []U
	for v, err := range pages {
		if err != nil {
			return nil, translated(err)
		}
		out = append(out, convert(v))
	}
	return out, nil
}

// translated marks the errors that mean "there is no such thing": a source
// takes every other for a failure.
func translated(err error) error {
	var e *jsonrpc.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case jsonrpc.CodeMethodNotFound:
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	case jsonrpc.CodeInvalidParams, -32002: // the latter of servers before protocol 2026-07-28
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}

// block returns the content of one message. Roles are not told apart: all of it
// goes into one user message.
func block(c mcp.Content) skills.Block {
	switch c := c.(type) {
	case *mcp.TextContent:
		return skills.Block{Text: c.Text}
	case *mcp.ImageContent:
		return skills.Block{MIME: c.MIMEType, Data: c.Data}
	case *mcp.AudioContent:
		return skills.Block{MIME: c.MIMEType, Data: c.Data}
	case *mcp.ResourceLink:
		return skills.Block{Text: fmt.Sprintf("[resource %s: %s]", c.Name, c.URI)}
	case *mcp.EmbeddedResource:
		if c.Resource != nil && c.Resource.Blob != nil {
			return skills.Block{MIME: c.Resource.MIMEType, Data: c.Resource.Blob}
		} else if c.Resource != nil {
			return skills.Block{Text: c.Resource.Text}
		}
	}
	return skills.Block{Text: fmt.Sprintf("[content of the type %T]", c)}
}

// content is the way back: blocks as the content of a message or a result.
func content(b skills.Block) mcp.Content {
	switch {
	case b.MIME == "":
		return &mcp.TextContent{Text: b.Text}
	case len(b.MIME) > 6 && b.MIME[:6] == "image/":
		return &mcp.ImageContent{MIMEType: b.MIME, Data: b.Data}
	}
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "data:", MIMEType: b.MIME, Blob: b.Data}}
}
