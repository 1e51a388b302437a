package clients

import (
	"bytes"
	"strings"
)

const (
	fenceBegin = "<!-- gitnexus-mcp: begin -->"
	fenceEnd   = "<!-- gitnexus-mcp: end -->"
)

// Advice is what an agent, and a subagent that does not see what MCP servers
// say, reads of the server.
const Advice = `Before you change a function or class, ask the MCP server gitnexus what depends on it: the tool impact, or deep_dive.
To find code by what it does use search, to see who calls whom explore, and how control gets from here to there trace_flow.
After a change, test_impact names the tests to run and diff what changed. For an edit of one known line, skip all this.
Where an answer says that an edge is a guess or that the graph is out of date, read the file before you rely on it.
`

// AddInstructions says how a file such as AGENTS.md takes the block for agents.
func AddInstructions(file string) (Change, error) {
	return edit(file, func(text []byte) ([]byte, error) {
		newline := newlineOf(string(text))
		block := strings.ReplaceAll(fenceBegin+"\n"+Advice+fenceEnd+"\n", "\n", newline)
		if start, end, ok := fence(text); ok {
			return append(append(bytes.Clone(text[:start]), block...), text[end:]...), nil
		}
		if len(text) > 0 {
			block = strings.TrimRight(string(text), "\r\n") + newline + newline + block
		}
		return []byte(block), nil
	})
}

// RemoveInstructions says how a file loses that block.
func RemoveInstructions(file string) (Change, error) {
	return edit(file, func(text []byte) ([]byte, error) {
		start, end, ok := fence(text)
		if !ok {
			return text, nil
		}
		head := text[:start]
		if end == len(text) { // the empty line that AddInstructions put before it
			head = bytes.TrimSuffix(bytes.TrimSuffix(head, []byte("\n")), []byte("\r"))
		}
		return append(bytes.Clone(head), text[end:]...), nil
	})
}

// fence finds the block with its last line break.
func fence(text []byte) (start, end int, ok bool) {
	start = bytes.Index(text, []byte(fenceBegin))
	if start < 0 {
		return 0, 0, false
	}
	end = bytes.Index(text[start:], []byte(fenceEnd))
	if end < 0 {
		return 0, 0, false
	}
	end += start + len(fenceEnd)
	end += len(text[end:]) - len(bytes.TrimPrefix(bytes.TrimPrefix(text[end:], []byte("\r")), []byte("\n")))
	return start, end, true
}
