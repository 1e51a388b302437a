package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// The resources.
const (
	ContextURI = "gitnexus://codebase/context"
	HealthURI  = "gitnexus://codebase/health"
	EventsURI  = "gitnexus://events/recent"
)

// Graphs returns what is loaded, the one in front first.
func (s *Server) Graphs() []wsbridge.GraphContext {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]wsbridge.GraphContext{}, s.graphs...)
}

// ContextChanged tells the server what the connected pages have loaded now,
// the foreground one first; none when nothing is. It may be called as often as
// the pages report, and does not block.
//
// Both resources are always listed. The context resource's entry names what is
// loaded, so when a graph comes, goes or becomes ready the list itself has
// changed, and clients get list_changed. Subscribers of either resource get
// resources/updated for every other change too. Each of these notifications is
// sent at most once a second.
func (s *Server) ContextChanged(graphs ...wsbridge.GraphContext) {
	s.changing.Lock()
	defer s.changing.Unlock()

	s.mu.Lock()
	changed := !slices.EqualFunc(graphs, s.graphs, func(a, b wsbridge.GraphContext) bool { return encoded(a) == encoded(b) })
	s.noteGraphs(slices.Clone(graphs))
	clients := slices.Collect(maps.Keys(s.clients))
	s.mu.Unlock()

	if !changed {
		return
	}
	s.relistResources(listing(graphs))
	for _, client := range clients {
		client.updated(ContextURI, HealthURI)
	}
}

// relistResources puts what is loaded into the resource list, at most every
// updateEvery. It must be called with changing held.
func (s *Server) relistResources(loaded string) {
	if loaded == s.listed || s.relist != nil {
		return
	}
	if wait := updateEvery - time.Since(s.listedAt); wait > 0 {
		s.relist = time.AfterFunc(wait, func() {
			s.guarded("resource list", func() {
				s.changing.Lock()
				defer s.changing.Unlock()
				s.relist = nil
				s.relistResources(listing(s.Graphs()))
			})
		})
		return
	}
	s.listed, s.listedAt = loaded, time.Now()
	s.listResources(loaded)
	if several := s.hasSeveral(); several != s.several {
		s.several = several
		s.mcp.SendNotificationToAllClients(mcp.MethodNotificationToolsListChanged, nil)
	}
}

// hasSeveral tells whether pages hold more than one graph.
func (s *Server) hasSeveral() bool {
	graphs := s.Graphs()
	return slices.ContainsFunc(graphs, func(g wsbridge.GraphContext) bool { return g.Repo != graphs[0].Repo })
}

func encoded(g wsbridge.GraphContext) string {
	raw, _ := json.Marshal(g) // plain data
	return string(raw)
}

// maxListed bounds the graphs that the resource list names.
const maxListed = 10

// listing is the part of what is loaded that shows in the resource list.
func listing(graphs []wsbridge.GraphContext) string {
	if len(graphs) == 0 {
		return ""
	}
	var names []string
	for _, g := range graphs[:min(len(graphs), maxListed)] {
		name := code(clip(g.Repo, 100))
		if g.State != "ready" {
			name += " (" + clip(g.State, 20) + ")"
		}
		names = append(names, name)
	}
	list := strings.Join(names, ", ")
	if n := len(graphs) - maxListed; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// listResources puts the resources into the list. It sends list_changed to
// every client that is there.
func (s *Server) listResources(loaded string) {
	if loaded == "" {
		loaded = "nothing yet"
		if s.Repo() != "" {
			loaded += "; " + code(s.Repo()) + " is to be loaded"
		}
	}
	resources := []server.ServerResource{
		{
			Resource: mcp.NewResource(ContextURI, "codebase-context",
				mcp.WithResourceDescription("The loaded code base in one page: figures, languages, most connected symbols, tools. Loaded now: "+loaded+"."),
				mcp.WithMIMEType("text/markdown")),
			Handler: func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				page := contextMarkdown(s.graphsToTell())
				if room := s.options.room(); room > 0 && quotedBytes(page, 1) > room {
					page = page[:fit(page, room-len("…"), 1)] + "…"
				}
				return text(ContextURI, "text/markdown", page), nil
			},
		},
		{
			Resource: mcp.NewResource(HealthURI, "codebase-health",
				mcp.WithResourceDescription("State of the connection to the graph app: pages, graphs, circuit breaker, calls, last errors."),
				mcp.WithMIMEType("application/json")),
			Handler: func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				raw, err := s.Health().encode(s.options.room())
				if err != nil {
					return nil, err
				}
				return text(HealthURI, "application/json", string(raw)), nil
			},
		},
	}
	if s.options.Recent != nil {
		resources = append(resources, server.ServerResource{
			Resource: mcp.NewResource(EventsURI, "recent-events",
				mcp.WithResourceDescription("What happened lately, in all gitnexus-mcp processes of the user: failed and successful calls, links, breakers, alerts."),
				mcp.WithMIMEType("application/json")),
			Handler: func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				for n := recentEvents; ; n /= 2 {
					raw, err := s.options.Recent(ctx, n)
					if err != nil {
						return nil, err
					}
					if room := s.options.room(); room == 0 || quotedBytes(raw, 1) <= room || n <= 1 {
						return text(EventsURI, "application/json", string(raw)), nil
					}
				}
			},
		})
	}
	s.mcp.AddResources(resources...)
}

// recentEvents is how many events the events resource shows, as far as they fit
// into one answer.
const recentEvents = 50

func text(uri, mime, body string) []mcp.ResourceContents {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: mime, Text: body}}
}
