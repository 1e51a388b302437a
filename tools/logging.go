package tools

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// alertNotice is the data of the log message that tells an agent of an alert.
type alertNotice struct {
	// Alert is "raised" or "over".
	Alert   string `json:"alert"`
	Graph   string `json:"graph,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
	// Advice is what a person can do; absent when it is over.
	Advice string `json:"advice,omitempty"`
}

// Alert tells the clients that asked for log messages of an alert that was raised,
// as a warning, or that one is over, as a notice.
func (s *Server) Alert(a wsbridge.Alert, over bool) {
	s.mu.Lock()
	clients := slices.Collect(maps.Keys(s.clients))
	s.mu.Unlock()
	for _, c := range clients {
		c.alert(a, over)
	}
}

var _ server.SessionWithLogging = (*Client)(nil)

// SetLogLevel implements server.SessionWithLogging: what logging/setLevel asks for.
// The client hears of the alerts that are not over.
func (c *Client) SetLogLevel(level mcp.LoggingLevel) {
	c.mu.Lock()
	c.logLevel = level
	c.mu.Unlock()
	if alerts := c.server.options.Alerts; alerts != nil {
		for _, a := range alerts() {
			c.alert(a, false)
		}
	}
}

// GetLogLevel implements server.SessionWithLogging. It is "" until the client asks
// for log messages.
func (c *Client) GetLogLevel() mcp.LoggingLevel {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.logLevel
}

func (c *Client) alert(a wsbridge.Alert, over bool) {
	level, notice := mcp.LoggingLevelWarning, alertNotice{"raised", a.Graph, a.Code, a.Message, a.Advice}
	if over {
		level, notice.Alert, notice.Advice = mcp.LoggingLevelNotice, "over", ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || !level.ShouldSendTo(c.logLevel) {
		return
	}
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = string(mcp.MethodNotificationMessage)
	n.Params.AdditionalFields = map[string]any{"level": level, "logger": ServerName, "data": notice}
	select {
	case c.notifications <- n:
	default: // the client does not read
	}
}

// logLevelOf is the level that a request of the protocol of 2026-07-28 asks for; ""
// for none.
func logLevelOf(m message) mcp.LoggingLevel {
	var meta mcp.Meta
	if json.Unmarshal(m.param("_meta"), &meta) != nil {
		return ""
	}
	return meta.LogLevel()
}
