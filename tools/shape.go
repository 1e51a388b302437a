package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// shape makes an answer of a tool's structured content: the same JSON as text
// and as structured content. Content of more than budget bytes (0: no limit)
// is replaced by its head. It fails on content that is not JSON.
func shape(tool *Tool, content json.RawMessage, budget int) (*mcp.CallToolResult, error) {
	content = bytes.TrimSpace(content)
	if bytes.IndexByte(content, '\n') >= 0 || bytes.IndexByte(content, '\r') >= 0 { // only between tokens: it must fit on a line
		var b bytes.Buffer
		if json.Compact(&b, content) == nil {
			content = b.Bytes()
		}
	}
	if !utf8.Valid(content) { // legal JSON to a parser of ours, not to an agent's
		content = bytes.ToValidUTF8(content, []byte("\ufffd"))
	}
	if !json.Valid(content) {
		return nil, fmt.Errorf("the page's answer to %s is not JSON: %.60q", tool.Name, content)
	}
	if content[0] != '{' {
		// Structured content has to be an object; pages of the older dialect
		// may answer with anything.
		content = append(append([]byte(`{"result":`), content...), '}')
	}
	if budget > 0 && len(content) > budget {
		var err error
		if content, err = marshal(cutToFit(tool, content, budget)); err != nil {
			return nil, err
		}
	}
	return answer(content, false), nil
}

// answer is one JSON object as text and as structured content.
func answer(content json.RawMessage, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.TextContent{Type: "text", Text: string(content)}},
		StructuredContent: content,
		IsError:           isError,
	}
}

// truncated stands in for an answer that is larger than the budget.
type truncated struct {
	Truncated  bool   `json:"truncated"`
	FullBytes  int    `json:"fullBytes"`
	ShownBytes int    `json:"shownBytes"`
	Advice     string `json:"advice"`
	// Head is the beginning of the full answer's JSON.
	Head string `json:"head"`
}

// cutToFit returns a stand-in whose JSON is at most budget bytes long, unless
// the budget does not even hold the stand-in without a head.
func cutToFit(tool *Tool, full json.RawMessage, budget int) truncated {
	t := truncated{
		Truncated: true, FullBytes: len(full), ShownBytes: len(full),
		Advice: fmt.Sprintf("The answer is larger than the %d bytes that one answer may have; head is its beginning. Ask for less: %s.", budget, tool.Narrower),
	}
	frame, err := marshal(t)
	if err != nil {
		return t
	}
	t.Head = head(full, budget-len(frame))
	t.ShownBytes = len(t.Head)
	return t
}

// head returns the longest beginning of s, ended at a character's boundary,
// that takes at most room bytes inside a JSON string.
func head(s []byte, room int) string {
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRune(s[end:])
		cost := size
		switch r { // JSON has no bare control characters to escape
		case '"', '\\':
			cost = 2
		case '\u2028', '\u2029':
			cost = 6
		}
		if room -= cost; room < 0 {
			break
		}
		end += size
	}
	return string(s[:end])
}
