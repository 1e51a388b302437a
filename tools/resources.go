package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// The resources.
const (
	ContextURI = "gitnexus://codebase/context"
	HealthURI  = "gitnexus://codebase/health"
)

// Graphs returns what is loaded, the one in front first.
func (s *Server) Graphs() []Codebase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Codebase{}, s.graphs...)
}

// ContextChanged tells the server what the connected pages have loaded now,
// the one in front first; none when nothing is. It may be called as often as
// the pages report, and does not block.
//
// Both resources are always listed. The context resource's entry names what is
// loaded, so when a graph comes, goes or becomes ready the list itself has
// changed, and clients get list_changed. Subscribers of either resource get
// resources/updated for every other change too, at most once a second.
func (s *Server) ContextChanged(graphs ...Codebase) {
	s.changing.Lock()
	defer s.changing.Unlock()

	s.mu.Lock()
	changed := !slices.EqualFunc(graphs, s.graphs, func(a, b Codebase) bool { return encoded(a) == encoded(b) })
	s.noteGraphs(slices.Clone(graphs))
	sessions := slices.Collect(maps.Keys(s.sessions))
	s.mu.Unlock()

	if !changed {
		return
	}
	if list := listing(graphs); list != s.listed {
		s.listed = list
		s.listResources(graphs)
	}
	for _, session := range sessions {
		session.updated(ContextURI, HealthURI)
	}
}

func encoded(g Codebase) string {
	raw, _ := json.Marshal(g) // plain data
	return string(raw)
}

// listing is the part of what is loaded that shows in the resource list.
func listing(graphs []Codebase) string {
	if len(graphs) == 0 {
		return ""
	}
	names := make([]string, len(graphs))
	for i, g := range graphs {
		names[i] = code(g.Repo)
		if g.State != "ready" {
			names[i] += " (" + clip(g.State, 20) + ")"
		}
	}
	return strings.Join(names, ", ")
}

// listResources puts the resources into the list. It sends list_changed to
// every client that is there.
func (s *Server) listResources(graphs []Codebase) {
	loaded := listing(graphs)
	if loaded == "" {
		loaded = "nothing yet"
	}
	s.mcp.AddResources(
		server.ServerResource{
			Resource: mcp.NewResource(ContextURI, "codebase-context",
				mcp.WithResourceDescription("The loaded code base in one page: figures, languages, most connected symbols, tools. Loaded now: "+loaded+"."),
				mcp.WithMIMEType("text/markdown")),
			Handler: func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return text(ContextURI, "text/markdown", contextMarkdown(s.Graphs())), nil
			},
		},
		server.ServerResource{
			Resource: mcp.NewResource(HealthURI, "codebase-health",
				mcp.WithResourceDescription("State of the connection to the graph app: pages, graphs, circuit breaker, calls, last errors."),
				mcp.WithMIMEType("application/json")),
			Handler: func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				raw, err := json.MarshalIndent(s.Health(), "", "  ")
				if err != nil {
					return nil, err
				}
				return text(HealthURI, "application/json", string(raw)), nil
			},
		},
	)
}

// explain puts the refusal of a resources/read, which mcp-go words for
// programmers, into words that say what to do. It is a hook.
func explain(ctx context.Context, _ any, _ mcp.MCPMethod, message any, err error) {
	in, _ := ctx.Value(inflightKey{}).(*inflight)
	read, ok := message.(*mcp.ReadResourceRequest)
	if in == nil || !ok {
		return
	}
	var words string
	if e, ok := errors.AsType[*pageError](err); ok {
		words = e.words
	} else if errors.Is(err, server.ErrResourceNotFound) {
		words = fmt.Sprintf("There is no resource %q: there are %s, %s, and the pages that a large answer names as next.",
			clip(read.Params.URI, 100), ContextURI, HealthURI)
	} else {
		return
	}
	code := mcp.RESOURCE_NOT_FOUND
	if mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
		code = mcp.INVALID_PARAMS
	}
	in.failure = &mcp.JSONRPCErrorDetails{Code: code, Message: words}
}

func text(uri, mime, body string) []mcp.ResourceContents {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: mime, Text: body}}
}
