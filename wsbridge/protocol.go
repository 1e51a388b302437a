package wsbridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// Subprotocol is the WebSocket subprotocol of the present dialect.
// docs/protocol.md is the specification.
const Subprotocol = "gitnexus.v2"

// Methods of gitnexus.v2, and who sends them. All are one JSON-RPC 2.0 message
// in one text frame; ids are strings. Large calls and answers travel in parts, see parts.go.
const (
	methodHello    = "bridge/hello"            // page, peer -> hub: request, first, within 5 s
	methodContext  = "bridge/context"          // page -> hub: notification, what is loaded
	methodFront    = "bridge/front"            // page -> hub: notification, the page came to the foreground
	methodAgents   = "bridge/agents"           // hub -> page, peer -> hub: notification, which agents there are
	methodAlerts   = "bridge/alerts"           // hub -> page, peer -> hub: notification, which alerts are not over
	methodPages    = "bridge/pages"            // hub -> peer: notification, which pages there are
	methodRepo     = "bridge/repo"             // hub -> page: notification, the folder has changed
	methodCall     = "tools/call"              // hub -> page, peer -> hub: request
	methodCancel   = "notifications/cancelled" // the way of the call: notification
	methodProgress = "notifications/progress"  // against the way of the call: notification
	methodTaken    = "bridge/taken"            // against the way of a message in parts: notification, how much has come
	methodHandover = "bridge/handover"         // hub -> page, peer: notification, the hub goes and has left the port
	methodPing     = "ping"                    // both ways: request, empty result
)

// methodKinds tells requests (true) from notifications.
var methodKinds = map[string]bool{
	methodHello: true, methodCall: true, methodPing: true,
	methodContext: false, methodFront: false, methodAgents: false, methodAlerts: false, methodPages: false, methodRepo: false,
	methodCancel: false, methodProgress: false, methodTaken: false, methodHandover: false,
}

// Codes of JSON-RPC errors on the bridge.
const (
	codeToolFailed     = -32000 // the tool failed, in words for the agent
	codeDenied         = -32003 // the page lacks a permission, in words for the agent
	codeMethodNotFound = -32601 // no such tool here
	codeNoPage         = -32001 // hub -> peer: no page answered; data is a peerError
)

// What is at the other end of a connection, as its hello says.
const (
	rolePage = "page"
	rolePeer = "peer"
)

// An event is one message that arrived, in either dialect: one of the types below.
type event interface{ isEvent() }

type (
	// helloEvent is the first message of a connection.
	helloEvent struct {
		id     string
		params helloParams
	}
	// contextEvent says what the page has loaded.
	contextEvent struct{ params contextParams }
	// frontEvent says that the page came to the foreground.
	frontEvent struct{}
	// callEvent is a peer's call.
	callEvent struct {
		id     string
		params callParams
	}
	// cancelEvent ends a peer's call.
	cancelEvent struct{ params cancelParams }
	// progressEvent belongs to a call under way.
	progressEvent struct{ params progressParams }
	// answerEvent settles a call: result is valid JSON, or failure is set.
	answerEvent struct {
		id     string
		result json.RawMessage
		// content is the result's structuredContent, where that is all of it and
		// known already; else nil.
		content json.RawMessage
		failure *wireError
	}
	// pingEvent wants an answer with the same id.
	pingEvent struct{ id string }
	// agentsEvent names a peer's agent, once it is known. (From the hub it is for pages.)
	agentsEvent struct{ params agentsParams }
	// alertsEvent says which alerts a peer knows of.
	alertsEvent struct{ params alertsParams }
	// repoEvent says that the folder has changed.
	repoEvent struct{}
	// handoverEvent says that the hub goes, and the port is free.
	handoverEvent struct{}
	// pagesEvent tells a peer which pages there are.
	pagesEvent struct{ params pagesParams }
	// takenEvent says how far the other side is with a message in parts.
	takenEvent struct{ params takenParams }
	// unknownEvent is a request (with an id) or a notification that this version
	// does not know.
	unknownEvent struct{ id, method string }
)

func (helloEvent) isEvent()    {}
func (contextEvent) isEvent()  {}
func (frontEvent) isEvent()    {}
func (callEvent) isEvent()     {}
func (cancelEvent) isEvent()   {}
func (progressEvent) isEvent() {}
func (answerEvent) isEvent()   {}
func (pingEvent) isEvent()     {}
func (agentsEvent) isEvent()   {}
func (alertsEvent) isEvent()   {}
func (repoEvent) isEvent()     {}
func (handoverEvent) isEvent() {}
func (pagesEvent) isEvent()    {}
func (takenEvent) isEvent()    {}
func (unknownEvent) isEvent()  {}

type helloParams struct {
	Role    string `json:"role"`
	Version string `json:"version"`
	Session string `json:"session"`
	// Of a page: it wants to know when the folder changes.
	Follows bool `json:"follows,omitempty"`
	// Of a page: it wants to know which alerts there are.
	Alerts bool `json:"alerts,omitempty"`
	// Of a page: its tab was reloaded, and no hub has heard of it yet.
	Reloaded bool `json:"reloaded,omitempty"`
	// Of a peer: the agent's name and the process that it started.
	Agent string `json:"agent,omitempty"`
	PID   int    `json:"pid,omitempty"`
	// Of a peer: the largest message that it takes, in bytes; 0 when it does not say.
	MaxMessage int64 `json:"maxMessage,omitempty"`
	// The bytes of a large message (an answer to a peer, a call to a page) that it takes
	// ahead of its word that it has them; 0 when it takes no parts.
	Parts int `json:"parts,omitempty"`
}

// helloResult is the hub's answer. Of its fields, Repo and Key are for pages.
type helloResult struct {
	Version     string `json:"version"`
	PID         int    `json:"pid"`
	HeartbeatMS int64  `json:"heartbeatMs"`
	Repo        string `json:"repo"`
	// Key opens the HTTP endpoints as long as this connection lives.
	Key string `json:"key,omitempty"`
	// Parts is what the hub takes of a page's large answer, or a peer's large call,
	// ahead of its word.
	Parts int `json:"parts"`
	// Backoff is the schedule by which pages dial again.
	Backoff reconnect.Backoff `json:"backoff"`
}

type contextParams struct {
	Context *GraphContext `json:"context"`
}

type callParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Meta      callMeta        `json:"_meta"`
}

type callMeta struct {
	Agent         string `json:"agent,omitempty"`
	DeadlineMS    int64  `json:"deadlineMs"`
	ProgressToken string `json:"progressToken,omitempty"`
	// For the hub, from a peer: which graph, and whether the call may be given to
	// another page, and whether it may take long. A page need not look at them.
	Repo     string `json:"repo,omitempty"`
	ReadOnly bool   `json:"readOnly,omitempty"`
	Heavy    bool   `json:"heavy,omitempty"`
	// Affinity says which pages may get the call, when one may have it already.
	Affinity *affinity `json:"bound,omitempty"`
}

type cancelParams struct {
	RequestID string `json:"requestId"`
	Reason    string `json:"reason,omitempty"`
}

type progressParams struct {
	ProgressToken string   `json:"progressToken"`
	Progress      float64  `json:"progress"`
	Total         *float64 `json:"total,omitempty"`
	Message       string   `json:"message,omitempty"`
}

type agentsParams struct {
	Agents []Agent `json:"agents"`
}

type alertsParams struct {
	Alerts []Alert `json:"alerts"`
}

// takenParams are how many bytes of a message in parts have come, in all.
type takenParams struct {
	Message uint32 `json:"message"`
	Bytes   int    `json:"bytes"`
}

type pagesParams struct {
	Pages []PageStatus `json:"pages"`
	// Reconnect says how the wait for a page goes at this moment; nil while one is there.
	Reconnect *ReconnectStatus `json:"reconnect,omitempty"`
}

// Agent is one connected agent, as the page shows it.
type Agent struct {
	Name string `json:"name"`
	// PID is the process that the agent started.
	PID int `json:"pid"`
}

// Alert says that calls keep failing, as the page shows it.
type Alert struct {
	// Graph is the graph whose calls fail; "" when they reached none.
	Graph string `json:"graph"`
	// Code is the error's code.
	Code string `json:"code"`
	// Since is in milliseconds since the epoch.
	Since int64 `json:"since"`
	// Message says what happens, and Advice what a person can do about it.
	Message string `json:"message"`
	Advice  string `json:"advice"`
}

// wireError is the error member of a response.
type wireError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// GraphContext is what a page has loaded.
type GraphContext struct {
	// Repo is the repository's name.
	Repo string `json:"repo"`
	// State is "indexing", "ready" or "error".
	State string     `json:"state"`
	Stats GraphStats `json:"stats"`
	// Languages are the languages found, most files first.
	Languages []LanguageCount `json:"languages,omitempty"`
	// Hotspots are the best connected symbols, best first.
	Hotspots []Hotspot `json:"hotspots,omitempty"`
	// SecretFiles is how many files were left out since their names say that they hold secrets.
	SecretFiles int `json:"secretFiles,omitempty"`
	// IndexedAt is in milliseconds since the epoch; 0 before the first index.
	IndexedAt int64 `json:"indexedAt"`
	// Detail says how far indexing is, what went wrong, or what is missing of a graph that is ready.
	Detail string `json:"detail,omitempty"`
}

// GraphStats are a graph's figures.
type GraphStats struct {
	Files       int `json:"files"`
	Symbols     int `json:"symbols"`
	Functions   int `json:"functions"`
	Classes     int `json:"classes"`
	Interfaces  int `json:"interfaces"`
	Methods     int `json:"methods"`
	Nodes       int `json:"nodes"`
	Edges       int `json:"edges"`
	Communities int `json:"communities"`
	Processes   int `json:"processes"`
}

// LanguageCount is the number of files of one language.
type LanguageCount struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
}

// Hotspot is one well connected symbol.
type Hotspot struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Connections int    `json:"connections"`
}

// A frameError says why a frame cannot be understood. It ends the connection.
type frameError struct {
	// malformed: no JSON-RPC, rather than a message that its sender may not send.
	malformed bool
	reason    string
}

func (e *frameError) Error() string { return e.reason }

func malformed(format string, args ...any) error {
	return &frameError{malformed: true, reason: fmt.Sprintf(format, args...)}
}

// forbidden is a frame that its sender may not send, or not now.
func forbidden(format string, args ...any) error {
	return &frameError{reason: fmt.Sprintf(format, args...)}
}

// frame is any JSON-RPC 2.0 message.
type frame struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *wireError      `json:"error,omitempty"`
}

// decodeV2 understands one text frame of gitnexus.v2, or returns a *frameError.
// The event keeps parts of data.
func decodeV2(data []byte) (event, error) {
	if e, ok := plainAnswer(data); ok {
		return e, nil
	}
	var f frame
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, malformed("not a JSON-RPC message: %v", err)
	}
	if f.JSONRPC != "2.0" {
		return nil, malformed("not JSON-RPC 2.0")
	}
	id, hasID := "", len(f.ID) > 0
	if hasID {
		if err := json.Unmarshal(f.ID, &id); err != nil || bytes.Equal(f.ID, []byte("null")) {
			return nil, malformed("the id must be a string")
		}
	}
	if f.Method == "" {
		switch {
		case !hasID:
			return nil, malformed("neither a method nor an id")
		case (f.Error != nil) == (f.Result != nil):
			return nil, malformed("a response has either a result or an error")
		}
		return answerEvent{id: id, result: f.Result, failure: f.Error}, nil
	}
	if f.Result != nil || f.Error != nil {
		return nil, malformed("both a request and a response")
	}
	isRequest, known := methodKinds[f.Method]
	if !known {
		return unknownEvent{id, clip(f.Method, 40)}, nil
	}
	if isRequest != hasID {
		return nil, malformed("%s: a request needs an id and a notification has none", f.Method)
	}
	switch f.Method {
	case methodHello:
		p, err := decodeParams[helloParams](f)
		return helloEvent{id, p}, err
	case methodContext:
		p, err := decodeParams[contextParams](f)
		return contextEvent{p}, err
	case methodFront:
		return frontEvent{}, nil
	case methodCall:
		p, err := decodeParams[callParams](f)
		return callEvent{id, p}, err
	case methodCancel:
		p, err := decodeParams[cancelParams](f)
		return cancelEvent{p}, err
	case methodProgress:
		p, err := decodeParams[progressParams](f)
		return progressEvent{p}, err
	case methodPing:
		return pingEvent{id}, nil
	case methodAgents:
		p, err := decodeParams[agentsParams](f)
		return agentsEvent{p}, err
	case methodAlerts:
		p, err := decodeParams[alertsParams](f)
		return alertsEvent{p}, err
	case methodTaken:
		p, err := decodeParams[takenParams](f)
		return takenEvent{p}, err
	case methodHandover:
		return handoverEvent{}, nil
	case methodRepo:
		return repoEvent{}, nil
	case methodPages:
		p, err := decodeParams[pagesParams](f)
		return pagesEvent{p}, err
	}
	panic("wsbridge: a method without a case: " + f.Method)
}

// plainAnswer understands a good answer in the bytes that our page sends, by
// reading it once: answers are large, and each decoding reads them twice. What
// differs in the least goes the long way.
func plainAnswer(data []byte) (answerEvent, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(`{"jsonrpc":"2.0","id":"`))
	if !ok {
		return answerEvent{}, false
	}
	end := bytes.IndexAny(rest[:min(len(rest), 200)], "\"\\")
	if end < 0 || rest[end] != '"' || !utf8.Valid(rest[:end]) {
		return answerEvent{}, false
	}
	id := string(rest[:end])
	content, ok := bytes.CutPrefix(rest[end:], []byte(`","result":{"structuredContent":`))
	if !ok {
		return answerEvent{}, false
	}
	content, ok = bytes.CutSuffix(content, []byte(`}}`))
	// One valid value there makes the whole frame valid, and nothing but that value.
	if !ok || !json.Valid(content) || strings.ContainsFunc(id, func(r rune) bool { return r < ' ' }) {
		return answerEvent{}, false
	}
	result := data[len(data)-len(content)-len(`{"structuredContent":`)-2 : len(data)-1]
	return answerEvent{id: id, result: result, content: content}, true
}

// isAnswer tells a good answer by its beginning, written as plainAnswer has it.
// It may be wrong of what is none of those.
func isAnswer(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(`{"jsonrpc":"2.0","id":"`))
	end := bytes.IndexByte(rest[:min(len(rest), 200)], '"')
	return ok && end >= 0 && bytes.HasPrefix(rest[end:], []byte(`","result":`))
}

// isRefusal is isAnswer for an answer that is an error.
func isRefusal(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(`{"jsonrpc":"2.0","id":"`))
	end := bytes.IndexByte(rest[:min(len(rest), 200)], '"')
	return ok && end >= 0 && bytes.HasPrefix(rest[end:], []byte(`","error":`))
}

func decodeParams[P any](f frame) (P, error) {
	var p P
	if len(f.Params) == 0 {
		return p, malformed("%s: no params", f.Method)
	}
	if err := json.Unmarshal(f.Params, &p); err != nil {
		return p, malformed("%s: %v", f.Method, err)
	}
	return p, nil
}

// clip cuts s to at most n bytes, at a character's edge.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// encode makes a frame of gitnexus.v2. What it is given always marshals.
func encode(id, method string, params any) []byte {
	f := struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params}
	return mustMarshal(f)
}

// encodeResult answers a request.
func encodeResult(id string, result any) []byte {
	return mustMarshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      string `json:"id"`
		Result  any    `json:"result"`
	}{"2.0", id, result})
}

// encodeError refuses a request.
func encodeError(id string, failure wireError) []byte {
	return mustMarshal(struct {
		JSONRPC string    `json:"jsonrpc"`
		ID      string    `json:"id"`
		Error   wireError `json:"error"`
	}{"2.0", id, failure})
}

func mustMarshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // nobody puts a frame into HTML, and it keeps code readable in a trace
	if err := enc.Encode(v); err != nil {
		panic("wsbridge: cannot encode a frame: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
