package wsbridge

import (
	"encoding/json"
	"strconv"
	"time"
)

// A dialect is one form of the bridge protocol, as the hub speaks it to a page. A
// nil frame means that the dialect has no message for it.
type dialect interface {
	name() string
	decode(data []byte) (event, error)
	// content is the structured content of an answer that is no failure.
	content(e answerEvent) (json.RawMessage, error)
	call(c *Call, left time.Duration) []byte
	cancel(id, reason string) []byte
	agents(agents []Agent, unproven int) []byte
	// ping sends the n-th heartbeat, n from 1.
	ping(c *conn, n int)
}

// dialectV2 is gitnexus.v2.
type dialectV2 struct{}

func (dialectV2) name() string { return "v2" }

func (dialectV2) decode(data []byte) (event, error) { return decodeV2(data) }

func (dialectV2) content(e answerEvent) (json.RawMessage, error) {
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

func (dialectV2) call(c *Call, left time.Duration) []byte {
	// The arguments are valid JSON already. The rest is written without
	// reflection, which is slow in a process that has just woken up.
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
	if c.folder != "" {
		b = appendString(append(b, `,"folder":`...), c.folder)
	}
	if c.ReadOnly {
		b = append(b, `,"readOnly":true`...)
	}
	if c.Heavy {
		b = append(b, `,"heavy":true`...)
	}
	if c.affinity != nil {
		b = append(append(b, `,"bound":`...), mustMarshal(c.affinity)...)
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

func (dialectV2) cancel(id, reason string) []byte {
	return encode("", methodCancel, cancelParams{id, reason})
}

func (dialectV2) agents(agents []Agent, unproven int) []byte {
	return encode("", methodAgents, agentsParams{agents, unproven})
}

func (dialectV2) ping(c *conn, n int) { pingV2(c, n) }
