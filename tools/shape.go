package tools

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
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

// The values of Options.Tools.
const (
	// AllTools lists every tool.
	AllTools = "all"
	// LeanTools lists the five that do most, for agents whose context is dear.
	LeanTools = "lean"
)

// The forms of Options.Answers, in which an agent gets an answer that is a JSON
// object.
const (
	// TextAnswers are text content. Every client shows its model text, also the
	// ones that show nothing but structured content where there is some.
	TextAnswers = "text"
	// StructuredAnswers are structured content alone, for programs.
	StructuredAnswers = "structured"
)

// shape makes the answer of what a page sent: plain text of a JSON string, and
// of any other JSON an object in the form that the options say.
func (c *toolCall) shape(content json.RawMessage) (*mcp.CallToolResult, error) {
	if text, ok := textOf(content); ok {
		return c.shapeText(text), nil
	}
	content, err := tidy(c.tool, content)
	if err != nil {
		return nil, err
	}
	content = sanitize.JSON(sanitize.Tokens(content))
	next := ""
	// As a string also where it is structured content: resources give it as text.
	if room := c.room(); room > 0 && quotedBytes(content, 1) > room {
		if c.tool.ForApp { // it draws whole answers
			return nil, &wsbridge.ToolError{Message: "This is larger than one message may be. Open it in the app."}
		}
		c.fullBytes = len(content)
		var t truncated
		t, c.notKept = truncate(c.tool, content, room, &c.server.results)
		if content, err = marshal(t); err != nil {
			return nil, err
		}
		next = t.Next
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{}}
	if c.server.options.Answers == StructuredAnswers || c.tool.ForApp {
		result.StructuredContent = content
	} else {
		result.Content = append(result.Content, mcp.TextContent{Type: "text", Text: string(content)})
	}
	return c.linked(result, next), nil
}

// shapeText makes the answer of a text. Text from a repository could read like
// words of ours, so it stands between marks that no repository knows; JSON has
// the ends of its strings for that.
func (c *toolCall) shapeText(text string) *mcp.CallToolResult {
	text = sanitize.Text(string(sanitize.Tokens([]byte(text))))
	note, next := "", ""
	if room := c.room(); room > 0 && quotedBytes(text, 1)+markBytes > room {
		c.fullBytes = len(text)
		text, note, next, c.notKept = truncateText(c.tool, text, room-markBytes, &c.server.results)
	}
	text = marked(c.server.mark, text) + note
	return c.linked(&mcp.CallToolResult{Content: []mcp.Content{mcp.TextContent{Type: "text", Text: text}}}, next)
}

// newMark returns a mark for texts from repositories.
func newMark() string { return strings.ToLower(rand.Text()[:4]) }

// marked puts text from a repository between marks.
func marked(mark, text string) string { return "<<" + mark + "\n" + text + "\n" + mark + ">>" }

// markBytes is what that adds to a message.
var markBytes = quotedBytes(marked(newMark(), ""), 1)

// linked adds the way to the rest of an answer, for a client that understands it.
func (c *toolCall) linked(result *mcp.CallToolResult, next string) *mcp.CallToolResult {
	if next != "" && c.links {
		result.Content = append(result.Content, mcp.NewResourceLink(next, "rest of the answer to "+c.tool.Name, "Its second page; each page names the next one.", "text/plain"))
	}
	return result
}

// textOf returns the text that a JSON string stands for; false for other JSON and
// for what is none.
func textOf(content json.RawMessage) (string, bool) {
	content = bytes.TrimSpace(content)
	if len(content) == 0 || content[0] != '"' || !json.Valid(content) {
		return "", false
	}
	text, ok := plainString(content)
	return strings.ToValidUTF8(text, "\ufffd"), ok
}

// truncated stands in for an answer that is larger than the budget.
type truncated struct {
	Truncated  bool `json:"truncated"`
	FullBytes  int  `json:"fullBytes"`
	ShownBytes int  `json:"shownBytes"`
	// Pages is the number of pages of the full answer, of which the head is the
	// first, Next the resource that is the second, Call the call that reads it, and
	// File the private file that holds the answer. All are missing when the answer
	// could not be kept.
	Pages  int    `json:"pages,omitempty"`
	Next   string `json:"next,omitempty"`
	Call   string `json:"call,omitempty"`
	File   string `json:"file,omitempty"`
	Advice string `json:"advice"`
	// Head is the beginning of the full answer's JSON.
	Head string `json:"head"`
}

// truncate keeps an answer for later and returns what stands in for it. Its JSON, as
// a string, takes at most room bytes, unless they do not even hold it without a head.
// An answer that could not be kept has its head all the same; why is in notKept.
func truncate(tool *Tool, full json.RawMessage, room int, store *results) (t truncated, notKept error) {
	id := newCallID()
	t = truncated{
		Truncated: true, FullBytes: len(full), ShownBytes: len(full), Pages: len(full), Next: pageURI(id, 2), Call: pageCall(id, 2), File: fileOf(id),
		Advice: fmt.Sprintf("The answer is larger than one message may be. head is the first page of its JSON. "+
			"Ask for less: %s. Or read on: call is the second page, and so is next for resources/read; each page names the next. "+
			"file has all of it, for those who can read files of this machine. Kept for %d minutes.", tool.Narrower, int(keepFor.Minutes())),
	}
	// The second and later pages are texts.
	ends := cut(full, t.head(full, room), pageRoom(tool.Name, id, len(full), room), 1)
	if t.File, notKept = store.keep(id, tool.Name, full, ends); notKept != nil {
		t.Pages, t.Next, t.Call = 0, "", ""
		t.Advice = fmt.Sprintf("The answer is larger than one message may be. head is the beginning of its JSON; "+
			"the rest could not be kept (%s). Ask for less: %s.", reason(notKept), tool.Narrower)
		first := t.head(full, room)
		ends = cut(full[:min(first+1, len(full))], first, first+16, 0)
		t.Head, t.ShownBytes = string(full[:ends[0]]), ends[0]
		return t, notKept
	}
	t.Pages, t.Head, t.ShownBytes = len(ends), string(full[:ends[0]]), ends[0]
	return t, nil
}

// head is how many bytes of an answer, up to the end of a character, fit into the
// head of its stand-in, which is a string in it.
func (t truncated) head(full json.RawMessage, room int) int {
	frame, err := marshal(t)
	if err != nil {
		return 0
	}
	return fit(full, room-quotedBytes(frame, 1), 2)
}

// truncateText is truncate for a text: the first page, and a last line, the note,
// that says how much there is and where.
func truncateText(tool *Tool, full string, room int, store *results) (text, note, next string, notKept error) {
	id := newCallID()
	noteOf := func(pages, shown int, file string) string {
		return fmt.Sprintf("\n[Truncated: page 1 of %d, bytes 0 to %d of %d. Ask for less: %s. Or read on with %s, or resources/read of %s, or the file %s; kept for %d minutes.]",
			pages, shown, len(full), tool.Narrower, pageCall(id, 2), pageURI(id, 2), file, int(keepFor.Minutes()))
	}
	ends := cutText(full, max(0, room-quotedBytes(noteOf(len(full), len(full), fileOf(id)), 1)), pageRoom(tool.Name, id, len(full), room), 1)
	file, err := store.keep(id, tool.Name, []byte(full), ends)
	if err != nil {
		return full[:ends[0]], fmt.Sprintf("\n[Truncated: bytes 0 to %d of %d; the rest could not be kept (%s). Ask for less: %s.]",
			ends[0], len(full), reason(err), tool.Narrower), "", err
	}
	return full[:ends[0]], noteOf(len(ends), ends[0], file), pageURI(id, 2), nil
}

// reason says in words why an answer could not be kept, without the path.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return "disk: " + e.Err.Error()
	}
	return err.Error()
}
