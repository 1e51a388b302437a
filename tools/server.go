package tools

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// ServerName is how the server calls itself in MCP.
const ServerName = "gitnexus-mcp"

// DefaultMaxCalls is the default of Options.MaxCalls.
const DefaultMaxCalls = 1024

// Options configures a Server. The zero value works for everything but Caller.
type Options struct {
	// Caller answers the calls. Required.
	Caller Caller
	// Version is this program's. Default "dev".
	Version string
	// Agent names the agent in calls. Default: what the MCP client says it is.
	Agent string
	// Timeouts are the time limits of the classes.
	Timeouts resilience.Timeouts
	// Breaker stands before the caller. Its IsFailure should be
	// CountsAgainstLink and its IsIgnored SaysNothingOfLink. Default: one with
	// default settings.
	Breaker *resilience.Breaker
	// Grace is how long list_repos waits for a page after the start and after the
	// last one has gone. Default: not at all.
	Grace time.Duration
	// Retry says how often a call that may be repeated is tried again when the
	// page is busy, or was lost with the call and is not back within the bridge's
	// grace. Default: not at all.
	Retry resilience.Retry
	// MaxResult is the largest answer in bytes of JSON; a larger one is cut.
	// 0: no limit.
	MaxResult int
	// MaxCalls is the number of tool calls that may run at once for each
	// client; a further one gets OVERLOADED. Default 1024.
	MaxCalls int
	// Debug adds debug information to every answer.
	Debug bool
	// OnAgent is told the name that a client gives itself, each time it is a new
	// one. It must not block. Not called when Agent is set.
	OnAgent func(name string)
	// Bridge tells the health resource how the bridge is. Default: no pages.
	Bridge func() Bridge
	// Log gets one line a call. Default: none.
	Log *slog.Logger
}

// Server is the MCP server: tools and resources. It serves any number of
// clients. All methods may be called concurrently.
type Server struct {
	// Set once.
	options Options
	log     *slog.Logger
	mcp     *server.MCPServer
	started time.Time

	stats   stats
	results results

	changing sync.Mutex // held by ContextChanged
	listed   string     // what the resource list says of the graphs

	mu         sync.Mutex
	graphs     []Codebase
	emptySince time.Time     // while there are no graphs
	filled     chan struct{} // closed when there are some again; nil while there are
	sessions   map[*session]struct{}
}

// instructions are read by the agent before anything else.
const instructions = `gitnexus-mcp answers questions about the structure of a code base: who calls this, what breaks if I change that, where does this flow go. ` +
	`The graph lives in an app in the user's browser.
Start with context: it tells what is loaded. Then search finds symbols, deep_dive tells all about one and review_file about a file, impact and trace_flow follow calls further, test_impact says what a change of files reaches and which tests to run, cypher answers what no other tool does.
A node id reads Kind:file:name; line beside it is where the name stands. Name a symbol by its id, or as name, Type.method, module.name, file:name or file:line. A name that means several is answered with the candidates: call again with one of their ids.
An answer with truncated: true is the beginning of a larger one: ask for less, or read the resource that next names.
Errors have code, message, suggestion and retryable. On CONNECTION_LOST tell the user what the suggestion says: run gitnexus-mcp open, load the repository there and keep the tab open.`

// NewServer returns a server. Serve connects a client to it.
func NewServer(o Options) *Server {
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.MaxCalls <= 0 {
		o.MaxCalls = DefaultMaxCalls
	}
	if o.Breaker == nil {
		o.Breaker = resilience.NewBreaker(resilience.BreakerSettings{IsFailure: CountsAgainstLink, IsIgnored: SaysNothingOfLink})
	}
	if o.OnAgent == nil {
		o.OnAgent = func(string) {}
	}
	if o.Bridge == nil {
		o.Bridge = func() Bridge {
			return Bridge{Role: "none", Pages: []Page{}, Agents: []Agent{}, LastErrors: []BridgeError{}}
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{options: o, log: o.Log, started: time.Now(), sessions: make(map[*session]struct{})}
	hooks := new(server.Hooks)
	hooks.AddOnError(explain)
	s.noteGraphs(nil)
	s.mcp = server.NewMCPServer(ServerName, o.Version,
		server.WithHooks(hooks),
		server.WithTitle("GitNexus code graph"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(true, true),
		server.WithPaginationLimit(1000),
	)
	for i := range Table {
		s.addTool(&Table[i])
	}
	s.listResources(nil)
	s.addResults()
	return s
}

// Close removes what the server keeps of large answers. Call it when no client
// is served any more.
func (s *Server) Close() { s.results.close() }

func (s *Server) addTool(tool *Tool) {
	t := mcp.NewToolWithRawSchema(tool.Name, tool.Description(), tool.InputSchema())
	t.Title = tool.Title
	t.Annotations = mcp.ToolAnnotation{
		Title:           tool.Title, // clients before 2025-06-18 look for it here
		ReadOnlyHint:    mcp.ToBoolPtr(tool.ReadOnly),
		DestructiveHint: mcp.ToBoolPtr(false),
		IdempotentHint:  mcp.ToBoolPtr(tool.Idempotent),
		OpenWorldHint:   mcp.ToBoolPtr(false),
	}
	s.mcp.AddTool(t, func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		req, refusal := s.requestFor(ctx)
		raw, _ := r.GetRawArguments().(json.RawMessage)
		if refusal != nil {
			result, log := s.refuse(ctx, refusal.tool, raw, req, refusal.err)
			log()
			return result, nil
		}
		result, log := s.call(ctx, tool, raw, req)
		log()
		return result, nil
	})
}

func (s *Server) requestFor(ctx context.Context) (request, *refusal) {
	session, _ := server.ClientSessionFromContext(ctx).(*session)
	r := request{agent: s.agentFor(ctx, session), links: session == nil || session.knowsLinks()}
	in, _ := ctx.Value(inflightKey{}).(*inflight)
	if in == nil {
		return r, nil
	}
	if in.token != nil {
		r.progress = in.report
	}
	return r, in.refusal
}

// agentFor is the name that was set, or the one the client gave itself.
func (s *Server) agentFor(ctx context.Context, session *session) string {
	if s.options.Agent != "" {
		return s.options.Agent
	}
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.ClientInfo != nil && info.ClientInfo.Name != "" {
		return clip(info.ClientInfo.Name, 100)
	}
	if session != nil {
		if name := session.GetClientInfo().Name; name != "" {
			return clip(name, 100)
		}
	}
	return "unknown"
}
