package tools

import (
	"context"
	"time"

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
	// IndexedAt and the age are those of the graph; absent before the first.
	IndexedAt  string `json:"indexedAt,omitempty"`
	AgeSeconds *int64 `json:"ageSeconds,omitempty"`
}

// listRepos tells of the graphs, the one in front first; of one when repo names
// it. No graph at all is an answer, too, and no error: it is what was asked.
func listRepos(graphs []Codebase, repo string, now time.Time) (any, error) {
	list := repoList{Repos: []repoEntry{}}
	at := make(map[string]int)
	for i, g := range graphs {
		if known, ok := at[g.Repo]; ok {
			list.Repos[known].Pages = max(list.Repos[known].Pages, 1) + 1
			continue
		}
		at[g.Repo] = len(list.Repos)
		list.Repos = append(list.Repos, entryOf(g, i == 0, now))
	}
	if repo != "" {
		i, ok := at[repo]
		if !ok {
			unknown := &wsbridge.UnknownRepoError{Repo: repo}
			for _, known := range list.Repos {
				unknown.Known = append(unknown.Known, known.Repo)
			}
			return nil, unknown
		}
		list.Repos = list.Repos[i : i+1]
	}
	if len(list.Repos) == 0 {
		list.Advice = "No connected page holds a graph. " + capital(askToOpen("")) + "."
	}
	return list, nil
}

func entryOf(g Codebase, front bool, now time.Time) repoEntry {
	e := repoEntry{
		Repo: g.Repo, Front: front, State: g.State, Detail: g.Detail,
		Files: g.Stats.Files, Symbols: g.Stats.Symbols, Nodes: g.Stats.Nodes, Edges: g.Stats.Edges,
		Clusters: g.Stats.Communities, Processes: g.Stats.Processes,
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

// settledGraphs is Graphs, but while there are none, and only since a moment, it
// waits: a page that has just been lost, or that a new server has not met yet,
// is as good as there.
func (s *Server) settledGraphs(ctx context.Context) ([]Codebase, error) {
	s.mu.Lock()
	filled, left := s.filled, s.options.Grace-time.Since(s.emptySince)
	s.mu.Unlock()
	if filled != nil && left > 0 {
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-filled:
		case <-timer.C:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return s.Graphs(), nil
}

// noteGraphs keeps what the pages hold now. It must be called with mu held.
func (s *Server) noteGraphs(graphs []Codebase) {
	s.graphs = graphs
	switch {
	case len(graphs) == 0 && s.filled == nil:
		s.filled, s.emptySince = make(chan struct{}), time.Now()
	case len(graphs) > 0 && s.filled != nil:
		close(s.filled)
		s.filled = nil
	}
}
