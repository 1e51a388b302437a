package tools

import (
	"context"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// repoList is the answer of list_repos.
type repoList struct {
	Repos []repoEntry `json:"repos"`
	// Advice says how to come by a graph when there is none.
	Advice string `json:"advice,omitempty"`
}

type repoEntry struct {
	Repo string `json:"repo"`
	// Front marks the one that a call without repo goes to.
	Front  bool   `json:"front,omitempty"`
	State  string `json:"state"`
	Detail string `json:"detail,omitempty"`
	// Pages is how many pages hold it, when there are several: one of them answers.
	Pages     int            `json:"pages,omitempty"`
	Files     int            `json:"files"`
	Symbols   int            `json:"symbols"`
	Nodes     int            `json:"nodes"`
	Edges     int            `json:"edges"`
	Clusters  int            `json:"clusters"`
	Processes int            `json:"processes"`
	Languages map[string]int `json:"languages,omitempty"` // files in each
	// SecretFiles is how many files are left out of it, such as .env and keys.
	SecretFiles int `json:"secretFilesLeftOut,omitempty"`
	// Unproven is true where the page that holds it has proved nothing, such as an older app.
	Unproven bool `json:"unproven,omitempty"`
	// IndexedAt and the age are those of the graph; absent before the first.
	IndexedAt  string `json:"indexedAt,omitempty"`
	AgeSeconds *int64 `json:"ageSeconds,omitempty"`
}

// answerListRepos answers a call of list_repos.
func answerListRepos(ctx context.Context, c *toolCall, _ Arguments) (*mcp.CallToolResult, error) {
	graphs, err := c.server.graphsAfterGrace(ctx)
	if err != nil {
		return nil, err
	}
	list, err := listRepos(graphs, c.call.Repo, time.Now())
	if err != nil {
		return nil, err
	}
	content, err := marshal(list)
	if err != nil {
		return nil, err
	}
	return c.shape(content)
}

// listRepos lists the graphs, the foreground one first; those of one name alone when
// repo names it. What pages without a proof hold has entries of its own. An empty list is an answer, no error.
func listRepos(graphs []wsbridge.GraphContext, repo string, now time.Time) (*repoList, error) {
	list := repoList{Repos: []repoEntry{}}
	type kind struct {
		repo     string
		unproven bool
	}
	at := make(map[kind]int)
	for i, g := range graphs {
		is := kind{g.Repo, g.Unproven}
		if known, ok := at[is]; ok {
			list.Repos[known].Pages = max(list.Repos[known].Pages, 1) + 1
			continue
		}
		at[is] = len(list.Repos)
		list.Repos = append(list.Repos, entryOf(g, i == 0, now))
	}
	if repo != "" {
		unknown := &wsbridge.UnknownRepoError{Repo: repo}
		named := []repoEntry{}
		for _, known := range list.Repos {
			if known.Repo == repo {
				named = append(named, known)
			} else if !slices.Contains(unknown.Known, known.Repo) {
				unknown.Known = append(unknown.Known, known.Repo)
			}
		}
		if len(named) == 0 {
			return nil, unknown
		}
		list.Repos = named
	}
	if len(list.Repos) == 0 {
		list.Advice = "No connected page holds a graph. " + capital(askToOpen("")) + "."
	}
	return &list, nil
}

func entryOf(g wsbridge.GraphContext, foreground bool, now time.Time) repoEntry {
	e := repoEntry{
		Repo: g.Repo, Front: foreground, State: g.State, Detail: g.Detail,
		Files: g.Stats.Files, Symbols: g.Stats.Symbols, Nodes: g.Stats.Nodes, Edges: g.Stats.Edges,
		Clusters: g.Stats.Communities, Processes: g.Stats.Processes,
		SecretFiles: g.SecretFiles, Unproven: g.Unproven,
	}
	for _, l := range g.Languages {
		if e.Languages == nil {
			e.Languages = make(map[string]int)
		}
		e.Languages[l.Language] = l.Files
	}
	if g.IndexedAt > 0 {
		indexed := time.UnixMilli(g.IndexedAt)
		age := max(0, int64(now.Sub(indexed).Seconds()))
		e.IndexedAt, e.AgeSeconds = indexed.UTC().Format(time.RFC3339), &age
	}
	return e
}

// graphsAfterGrace is graphsToTell, but it waits for a first graph during the
// grace period after the start and after the last page has gone. It does not wait
// for one that is known to be loading.
func (s *Server) graphsAfterGrace(ctx context.Context) ([]wsbridge.GraphContext, error) {
	s.mu.Lock()
	filled, left := s.filled, s.options.Grace-time.Since(s.emptySince)
	s.mu.Unlock()
	if filled != nil && left > 0 && s.Repo() == "" {
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-filled:
		case <-timer.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return s.graphsToTell(), nil
}

// The states of the graph that Options.Repo names while no page holds it.
const (
	stateLoading = "loading"
	stateAbsent  = "absent"
)

// opensWithin bounds the time in which a page that this program opens may connect.
const opensWithin = 30 * time.Second

// graphsToTell is Graphs, and before them the graph that Options.Repo names while it
// is not among them.
func (s *Server) graphsToTell() []wsbridge.GraphContext {
	graphs := s.Graphs()
	if s.Repo() == "" || slices.ContainsFunc(graphs, s.isOwn) {
		return graphs
	}
	g := wsbridge.GraphContext{Repo: s.Repo(), State: stateLoading, Detail: "waiting for the graph app, which loads it by itself"}
	s.mu.Lock()
	gone := time.Since(s.emptySince)
	s.mu.Unlock()
	switch {
	case len(s.options.Bridge().Pages) > 0:
		g.Detail = "the graph app is open and begins to load it"
	case s.options.Opening() && gone < opensWithin:
		g.Detail = "the graph app is being opened and loads it by itself"
	case gone >= s.options.Grace:
		g.State, g.Detail = stateAbsent, "ask the user to open the graph app (the command gitnexus-mcp open does it), which loads it by itself, and to keep the tab open"
	}
	return append([]wsbridge.GraphContext{g}, graphs...)
}

// isOwn reports whether a graph is that of the folder that Options.Repo names.
func (s *Server) isOwn(g wsbridge.GraphContext) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return g.Folder == s.folder && g.Folder != "" || g.Folder == "" && g.Repo == s.repo
}

// noteGraphs stores what the pages hold now. It must be called with mu held.
func (s *Server) noteGraphs(graphs []wsbridge.GraphContext) {
	s.graphs = graphs
	switch {
	case len(graphs) == 0 && s.filled == nil:
		s.filled, s.emptySince = make(chan struct{}), time.Now()
	case len(graphs) > 0 && s.filled != nil:
		close(s.filled)
		s.filled = nil
	}
}
