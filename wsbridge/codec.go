package wsbridge

import (
	"encoding/json"
	"strconv"
	"time"
)

// A codec is one dialect of the bridge, as the hub speaks it to a page. A nil
// frame means that the dialect has no word for it.
type codec interface {
	decode(data []byte) (event, error)
	call(c Call, left time.Duration) []byte
	cancel(id, reason string) []byte
	agents(agents []Agent) []byte
	ask(l *link, n int) // a heartbeat, see link
	name() string
}

// codecV2 is gitnexus.v2.
type codecV2 struct{}

func (codecV2) name() string { return "v2" }

func (codecV2) decode(data []byte) (event, error) { return decodeV2(data) }

func (codecV2) call(c Call, left time.Duration) []byte {
	// The arguments are valid JSON already. What is left is written without
	// reflection, which is dear in a process that has just woken up.
	b := make([]byte, 0, 300+len(c.Arguments))
	b = appendString(append(b, `{"jsonrpc":"2.0","id":`...), c.ID)
	b = appendString(append(b, `,"method":"`+methodCall+`","params":{"name":`...), c.Tool)
	b = append(append(b, `,"arguments":`...), c.Arguments...)
	b = strconv.AppendInt(append(b, `,"_meta":{"deadlineMs":`...), left.Milliseconds(), 10) // see callMeta
	if c.Agent != "" {
		b = appendString(append(b, `,"agent":`...), c.Agent)
	}
	if c.Progress != nil {
		b = appendString(append(b, `,"progressToken":`...), c.ID)
	}
	if c.Repo != "" {
		b = appendString(append(b, `,"repo":`...), c.Repo)
	}
	if c.ReadOnly {
		b = append(b, `,"readOnly":true`...)
	}
	if c.Heavy {
		b = append(b, `,"heavy":true`...)
	}
	if c.bound != nil {
		b = append(append(b, `,"bound":`...), mustMarshal(c.bound)...)
	}
	return append(b, "}}}"...)
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return append(b, mustMarshal(s)...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// encodeAnswer gives a peer its answer. The content is valid JSON, and can be large.
func encodeAnswer(id string, content json.RawMessage, trace *Trace) []byte {
	b := make([]byte, 0, 300+len(content))
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), mustMarshal(id)...)
	b = append(append(b, `,"result":{"structuredContent":`...), content...)
	b = append(append(b, `,"_meta":`...), mustMarshal(trace)...)
	return append(b, "}}"...)
}

func (codecV2) cancel(id, reason string) []byte {
	return encode("", methodCancel, cancelParams{id, reason})
}

func (codecV2) agents(agents []Agent) []byte {
	return encode("", methodAgents, agentsParams{agents})
}

func (codecV2) ask(l *link, n int) { askV2(l, n) }

// structured takes the structured content out of a v2 result; a v1 result is
// the content itself.
func structured(c codec, e answerEvent) (json.RawMessage, error) {
	if _, v1 := c.(codecV1); v1 {
		return e.result, nil
	}
	if e.content != nil {
		return e.content, nil
	}
	var r struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(e.result, &r); err != nil {
		return nil, malformed("a result is not an object: %v", err)
	}
	if len(r.StructuredContent) == 0 {
		return nil, malformed("a result has no structuredContent")
	}
	return r.StructuredContent, nil
}
