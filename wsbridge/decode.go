package wsbridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

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
	case methodFolders:
		return foldersEvent{}, nil
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
