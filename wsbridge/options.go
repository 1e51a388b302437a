package wsbridge

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/reconnect"
	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// Defaults of Options.
const (
	DefaultMaxMessage   = 64 << 20
	DefaultHeartbeat    = 15 * time.Second
	DefaultHelloTimeout = 5 * time.Second
	DefaultGrace        = 3 * time.Second
	DefaultMaxReconnect = 10
)

// Options configures a hub or a node. The zero value of every field but Gate
// and App works.
type Options struct {
	// Gate decides who gets in. Its Port is set by whoever listens.
	Gate Gate
	// RenewGate returns the gate with the token as it is by now. It is asked before each
	// try to become the hub or a peer, and when a command says that there may be another
	// token. Default: Gate stays.
	RenewGate func() (Gate, error)
	// App serves the graph app's files. Required.
	App http.Handler
	// Folder is the folder that this process was started with: its calls go to the
	// graph of that folder. Default: none, and calls that name no graph go to the one
	// in the foreground.
	Folder Folder
	// OpenFolder reads a folder that this process or a peer was started with, while
	// this process is the hub. It may be nil: then pages open none.
	OpenFolder func(Folder) (OpenedFolder, error)
	// Share lets the calls of a process that has a Folder name other graphs.
	Share bool
	// Events answers GET /api/events, for the page to show what happened lately.
	// Without it, that answers 404.
	Events http.Handler
	// MCP answers the MCP clients that come over HTTP with the token, at MCPPath.
	// Without it, that path answers 404.
	MCP http.Handler
	// Version is this program's, for the other side to see.
	Version string
	// Agent is the name of this process's own agent. It can be set later with SetAgent.
	Agent string
	// MaxMessage is the largest message in bytes. Default 64 MiB.
	MaxMessage int64
	// Heartbeat is the time between two pings. Default 15 s.
	Heartbeat time.Duration
	// HelloTimeout bounds the wait for a connection's first message. Default 5 s.
	HelloTimeout time.Duration
	// Grace is how long a call waits for a page at the start and after a drop.
	// 0 means the default of 3 s, a negative value none.
	Grace time.Duration
	// MaxReconnect is the number of steps of the reconnect schedule after which
	// a page counts as gone for good. Default 10.
	MaxReconnect int
	// MaxInflight is the number of calls that are in flight at once at a page.
	// Default 64.
	MaxInflight int
	// MaxQueue is the number of calls of one agent that may wait for a page, or
	// for a slot at it; a further one is refused. Default 1024.
	MaxQueue int
	// Backoff is that schedule.
	Backoff reconnect.Backoff
	// Breaker configures the circuit breaker of each graph; its functions are not used.
	Breaker resilience.BreakerSettings
	// Retry says how often a call that may be repeated is tried again when the
	// page is busy, or was lost with the call. Default: not at all.
	Retry resilience.Retry
	// NoPage says in a sentence why no page comes, as far as somebody knows, and what
	// a person can do about it; an empty reason adds nothing. It is asked with the
	// router locked, so it must not call the Node. It may be nil.
	NoPage func() (reason, advice string)
	// Panics records every panic in a job of the bridge. Default: one that logs.
	Panics *guard.Recorder
	// Log gets one line a transition. Default: none.
	Log *slog.Logger
	// OnTransition is called at each change of links, role and breakers. It must not
	// block and may be nil.
	OnTransition func(Transition)
	// OnContext is called when what is loaded may have changed. It must not block
	// and may be nil.
	OnContext func()
	// OnHub runs while this process is the hub, in a goroutine of its own: its
	// context ends with the hub, which waits for it to return. It may be nil.
	OnHub func(ctx context.Context)
}

func (o Options) withDefaults() Options {
	o.MaxMessage = cmp.Or(o.MaxMessage, DefaultMaxMessage)
	o.Heartbeat = cmp.Or(o.Heartbeat, DefaultHeartbeat)
	o.HelloTimeout = cmp.Or(o.HelloTimeout, DefaultHelloTimeout)
	o.Grace = cmp.Or(o.Grace, DefaultGrace)
	o.MaxReconnect = cmp.Or(o.MaxReconnect, DefaultMaxReconnect)
	o.MaxInflight = cmp.Or(o.MaxInflight, DefaultMaxInflight)
	o.MaxQueue = cmp.Or(o.MaxQueue, DefaultMaxQueue)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Panics == nil {
		o.Panics = &guard.Recorder{Log: o.Log}
	}
	if o.NoPage == nil {
		o.NoPage = func() (string, string) { return "", "" }
	}
	if o.OpenFolder == nil {
		o.OpenFolder = func(Folder) (OpenedFolder, error) { return OpenedFolder{}, errors.New("this server opens no folders") }
	}
	if o.OnTransition == nil {
		o.OnTransition = func(Transition) {}
	}
	if o.OnContext == nil {
		o.OnContext = func() {}
	}
	return o
}
