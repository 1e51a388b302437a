package wsbridge

import (
	"encoding/json"

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
	methodFolders  = "bridge/folders"          // hub -> page: notification, which folders there are and which of them to open
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
	methodContext: false, methodFront: false, methodAgents: false, methodAlerts: false, methodPages: false, methodRepo: false, methodFolders: false,
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
	// foldersEvent says which folders there are.
	foldersEvent struct{}
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
func (foldersEvent) isEvent()  {}
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
	// Of a page: it can open further folders, see methodFolders.
	Opens bool `json:"opens,omitempty"`
	// Of a page: the folder that it opened because of methodFolders, which is all that
	// it loads.
	Background string `json:"background,omitempty"`
	// Of a page: another page in the same tab of the browser is in front of it.
	Behind bool `json:"behind,omitempty"`
	// Loads is set by pages alone: "nothing" for a page that waits until the user chooses
	// what to load, "" for one that loads the hub's folder by itself.
	Loads string `json:"loads,omitempty"`
	// Of a peer: the folder that it was started with.
	Folder Folder `json:"folder,omitzero"`
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
	// StorageKey encrypts what a page keeps in its browser's storage.
	StorageKey string `json:"storageKey,omitempty"`
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
	Repo string `json:"repo,omitempty"`
	// Folder says that the call asks about the peer's own folder, whose id it is.
	Folder   string `json:"folder,omitempty"`
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
	// Unproven is the number of pages that have proved nothing, see GraphContext.Unproven.
	// A peer says nothing of them.
	Unproven int `json:"unproven,omitempty"`
}

type alertsParams struct {
	Alerts []Alert `json:"alerts"`
}

// foldersParams are all folders that a process was started with.
type foldersParams struct {
	Folders []openOrder `json:"folders"`
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
	// Folder is the id of the folder that the graph follows; "" for what the user
	// picked, or of a page that does not say.
	Folder string `json:"folder,omitempty"`
	// State is "indexing", "ready" or "error".
	State string     `json:"state"`
	Stats GraphStats `json:"stats"`
	// Languages are the languages found, most files first.
	Languages []LanguageCount `json:"languages,omitempty"`
	// Hotspots are the best connected symbols, best first.
	Hotspots []Hotspot `json:"hotspots,omitempty"`
	// SecretFiles is how many files were left out since their names say that they hold secrets.
	SecretFiles int `json:"secretFiles,omitempty"`
	// Unproven is true where the page has proved nothing: an older app, see Gate.AdmitV1.
	Unproven bool `json:"unproven,omitempty"`
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
