package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// tidy makes an answer of a tool's structured content: one JSON object on one
// line. It fails on content that is not JSON.
func tidy(tool *Tool, content json.RawMessage) (json.RawMessage, error) {
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
	return content, nil
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
	Truncated  bool `json:"truncated"`
	FullBytes  int  `json:"fullBytes"`
	ShownBytes int  `json:"shownBytes"`
	// Pages is the number of pages of the full answer, of which the head is the
	// first, and Next the resource that is the second. Both are missing when the
	// answer could not be kept.
	Pages  int    `json:"pages,omitempty"`
	Next   string `json:"next,omitempty"`
	Advice string `json:"advice"`
	// Head is the beginning of the full answer's JSON.
	Head string `json:"head"`
}

// truncate keeps an answer for later and returns what stands in for it. Its JSON
// is at most budget bytes long, unless the budget does not even hold it without a
// head. An answer that could not be kept has its head all the same; why is in
// notKept.
func truncate(tool *Tool, full json.RawMessage, budget int, store *results) (t truncated, notKept error) {
	id := newCallID()
	t = truncated{
		Truncated: true, FullBytes: len(full), ShownBytes: len(full), Pages: len(full), Next: pageURI(id, 2),
		Advice: fmt.Sprintf("The answer is larger than the %d bytes that one message may have. head is the first page of its JSON. "+
			"Ask for less: %s. Or read on with resources/read: next is the second page, which names the third; they are kept for %d minutes.", budget, tool.Narrower, int(keepFor.Minutes())),
	}
	ends := cut(full, t.room(full, budget), pageRoom(tool.Name, id, len(full), budget))
	if err := store.keep(id, tool.Name, full, ends); err != nil {
		t.Pages, t.Next = 0, ""
		t.Advice = fmt.Sprintf("The answer is larger than the %d bytes that one message may have. head is the beginning of its JSON; "+
			"the rest could not be kept (%s). Ask for less: %s.", budget, reason(err), tool.Narrower)
		first := t.room(full, budget)
		ends = cut(full[:min(first+1, len(full))], first, first+16)
		t.Head, t.ShownBytes = string(full[:ends[0]]), ends[0]
		return t, err
	}
	t.Pages, t.Head, t.ShownBytes = len(ends), string(full[:ends[0]]), ends[0]
	return t, nil
}

// room is how many bytes of an answer, up to the end of a character, fit into
// the head of its stand-in.
func (t truncated) room(full json.RawMessage, budget int) int {
	frame, err := marshal(t)
	if err != nil {
		return 0
	}
	left := budget - len(frame)
	end := 0
	for end < len(full) {
		r, size := utf8.DecodeRune(full[end:])
		cost := size
		switch r { // inside a string; JSON has no bare control characters to escape
		case '"', '\\':
			cost = 2
		case '\u2028', '\u2029':
			cost = 6
		}
		if left -= cost; left < 0 {
			break
		}
		end += size
	}
	return end
}

// link is the way to the rest of an answer, for a client that understands it.
func (t truncated) link(tool *Tool) mcp.ResourceLink {
	return mcp.NewResourceLink(t.Next, "rest of the answer to "+tool.Name,
		fmt.Sprintf("Page 2 of %d; each page names the next one.", t.Pages), "text/plain")
}

// reason says in words why an answer could not be kept, without the path.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return "disk: " + e.Err.Error()
	}
	return err.Error()
}
