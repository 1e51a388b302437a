package tools

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// messageBytes is the most that a message has besides what the agent reads in it:
// the members of JSON-RPC with an id of up to 100 bytes, what the server says of
// itself, with its icon, and a resource's address or the link to the rest of an answer.
const messageBytes = 1600

// MinResult is the least that MaxResult should be, so that every error fits.
const MinResult = 8 << 10

// debugBytes is what an answer leaves for debug information.
const debugBytes = 6 << 10

// room is how many bytes what an agent reads may take in a message; 0 for no limit.
func (o Options) room() int {
	if o.MaxResult <= 0 {
		return 0
	}
	return max(1, o.MaxResult-messageBytes)
}

// room is what the answer may take.
func (c *toolCall) room() int {
	room := c.server.options.room()
	if room > 0 && c.debug {
		room = max(1, room-debugBytes)
	}
	return room
}

// attach puts into an answer's _meta what is not the answer itself, where both take at
// most room bytes; 0 for no limit.
func attach(r *mcp.CallToolResult, key string, value any, room int) {
	raw, err := json.Marshal(value) // with the escapes for HTML, which _meta is written with
	if err != nil || room > 0 && sentBytes(r)+len(raw) > room {
		return
	}
	if r.Meta == nil {
		r.Meta = &mcp.Meta{AdditionalFields: map[string]any{}}
	}
	r.Meta.AdditionalFields[key] = value
}

// sentBytes is what an answer takes in a message, without its _meta.
func sentBytes(r *mcp.CallToolResult) int {
	n := 0
	for _, content := range r.Content {
		if text, ok := content.(mcp.TextContent); ok {
			n += quotedBytes(text.Text, 1)
		}
	}
	structured, _ := r.StructuredContent.(json.RawMessage)
	return n + len(structured)
}

// quotedBytes is how many bytes a text takes in a message: as it is, as a JSON
// string, which is one quoting, or as a string of JSON that is a string itself,
// which is two.
func quotedBytes[T string | ~[]byte](text T, quotings int) int {
	n := 0
	for i := 0; i < len(text); {
		bytes, size := runeBytes(text[i:], quotings)
		n, i = n+bytes, i+size
	}
	return n
}

// fit is how much of a text, up to the end of a character, takes at most room bytes
// when it is quoted so often.
func fit[T string | ~[]byte](text T, room, quotings int) (end int) {
	for end < len(text) {
		bytes, size := runeBytes(text[end:], quotings)
		if room -= bytes; room < 0 {
			break
		}
		end += size
	}
	return end
}

// runeBytes is what the first character of a text takes, as appendString quotes it,
// and its size.
func runeBytes[T string | ~[]byte](text T, quotings int) (bytes, size int) {
	r, size := rune(text[0]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRuneInString(string(text[:min(len(text), utf8.UTFMax)]))
	}
	switch {
	case quotings == 0:
		return size, size
	case r == '"' || r == '\\':
		return 1 << quotings, size
	case r == '\n' || r == '\t' || r == '\r' || r == '\b' || r == '\f':
		return 1 + quotings, size
	case r < ' ' || r == '\u2028' || r == '\u2029' || r == utf8.RuneError && size == 1:
		return 5 + quotings, size
	}
	return size, size
}
