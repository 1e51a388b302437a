package wsbridge

import (
	"encoding/json"
	"time"
)

// dialectV1 is the dialect of an older web app: JSON objects, told apart by
// their members. docs/protocol.md lists them.
type dialectV1 struct{}

func (dialectV1) name() string { return "v1" }

// frameV1 is any message of a v1 page. Its ids are the hub's own strings; a
// context message may bring an id of any type, which means nothing.
type frameV1 struct {
	ID     json.RawMessage `json:"id"`
	Type   string          `json:"type"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

type contextV1 struct {
	ProjectName string `json:"projectName"`
	Stats       struct {
		FileCount      int `json:"fileCount"`
		FunctionCount  int `json:"functionCount"`
		ClassCount     int `json:"classCount"`
		InterfaceCount int `json:"interfaceCount"`
		MethodCount    int `json:"methodCount"`
	} `json:"stats"`
	Hotspots []struct {
		Name        string `json:"name"`
		Type        string `json:"type"`
		FilePath    string `json:"filePath"`
		Connections int    `json:"connections"`
	} `json:"hotspots"`
}

func (dialectV1) content(e answerEvent) (json.RawMessage, error) { return e.result, nil }

func (dialectV1) decode(data []byte) (event, error) {
	var f frameV1
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, malformed("not a message: %v", err)
	}
	if f.Type == "context" {
		if len(data) > maxContextV1 {
			return nil, crossed("a context of %d KB", len(data)>>10)
		}
		var c contextV1
		if err := json.Unmarshal(f.Params, &c); err != nil {
			return nil, malformed("context: %v", err)
		}
		return contextEvent{contextParams{Context: c.graph()}}, nil
	}
	if f.Type != "" {
		return nil, forbidden("unknown message type %q", clip(f.Type, 40))
	}
	var id string
	if err := json.Unmarshal(f.ID, &id); err != nil || id == "" {
		return nil, malformed("an answer without the call's id")
	}
	switch {
	case f.Error != nil:
		return answerEvent{id: id, failure: &wireError{Code: codeToolFailed, Message: f.Error.Message}}, nil
	case f.Result != nil:
		return answerEvent{id: id, result: f.Result}, nil
	}
	return nil, malformed("an answer with neither a result nor an error")
}

func (c contextV1) graph() *GraphContext {
	s := c.Stats
	g := &GraphContext{Repo: c.ProjectName, State: "ready", Unproven: true, Stats: GraphStats{
		Files: s.FileCount, Functions: s.FunctionCount, Classes: s.ClassCount,
		Interfaces: s.InterfaceCount, Methods: s.MethodCount,
		Symbols: s.FunctionCount + s.ClassCount + s.InterfaceCount + s.MethodCount,
	}, IndexedAt: time.Now().UnixMilli()}
	for _, h := range c.Hotspots {
		g.Hotspots = append(g.Hotspots, Hotspot{Name: h.Name, Kind: h.Type, File: h.FilePath, Connections: h.Connections})
	}
	return g
}

func (dialectV1) call(c *Call, _ time.Duration) []byte {
	return mustMarshal(struct {
		ID        string          `json:"id"`
		Method    string          `json:"method"`
		Params    json.RawMessage `json:"params"`
		AgentName string          `json:"agentName"`
	}{c.ID, c.Tool, c.Arguments, c.Agent})
}

func (dialectV1) cancel(id, _ string) []byte {
	return mustMarshal(struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}{"cancel", id})
}

// agents names the first agent: v1 knows of one only.
func (dialectV1) agents(agents []Agent, _ int) []byte {
	if len(agents) == 0 {
		return nil
	}
	return mustMarshal(struct {
		Type      string `json:"type"`
		AgentName string `json:"agentName"`
	}{"agent_info", agents[0].Name})
}

func (dialectV1) ping(c *conn, n int) { pingV1(c, n) }
