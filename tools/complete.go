package tools

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// The templates of what the graph holds.
const (
	symbolURI, symbolTemplate = "gitnexus://symbol/", "gitnexus://symbol/{name}"
	fileURI, fileTemplate     = "gitnexus://file/", "gitnexus://file/{+path}"
)

const (
	maxCompletions = 100 // what the protocol allows
	// maxFound keeps the answers of the tools that are asked below the budget of one.
	maxFound = 50
)

// completer completes the arguments of prompts and resource templates.
type completer struct{ server *Server }

// CompletePromptArgument implements server.PromptCompletionProvider.
func (c completer) CompletePromptArgument(ctx context.Context, _ string, argument mcp.CompleteArgument, others mcp.CompleteContext) (*mcp.Completion, error) {
	return c.complete(ctx, argument, others)
}

// CompleteResourceArgument implements server.ResourceCompletionProvider.
func (c completer) CompleteResourceArgument(ctx context.Context, _ string, argument mcp.CompleteArgument, others mcp.CompleteContext) (*mcp.Completion, error) {
	return c.complete(ctx, argument, others)
}

// complete goes by the argument's name, which has one meaning everywhere. Nothing
// to complete with is no error: a client asks at each key.
func (c completer) complete(ctx context.Context, argument mcp.CompleteArgument, others mcp.CompleteContext) (*mcp.Completion, error) {
	repo := others.Arguments["repo"]
	var values []string
	switch argument.Name {
	case "repo":
		for _, g := range c.server.Graphs() {
			values = append(values, g.Repo)
		}
	case "symbol", "name", "from", "to":
		values = append(c.found(ctx, argument.Value, "", repo), c.clusters(ctx, argument.Value, repo)...)
	case "path":
		values = c.found(ctx, argument.Value, "File", repo)
	}
	values = matching(values, argument.Value)
	shown := values[:min(len(values), maxCompletions)]
	return &mcp.Completion{Values: shown, Total: len(values), HasMore: len(values) > len(shown)}, nil
}

// matching are the values, each once: those that begin with the text first, then
// those that hold it, then those that are only like it.
func matching(values []string, text string) []string {
	text = strings.ToLower(text)
	rank := func(value string) int {
		switch value = strings.ToLower(value); {
		case strings.HasPrefix(value, text):
			return 0
		case strings.Contains(value, text):
			return 1
		}
		return 2
	}
	seen := make(map[string]bool)
	values = slices.DeleteFunc(values, func(value string) bool {
		again := seen[value]
		seen[value] = true
		return value == "" || again
	})
	slices.SortStableFunc(values, func(a, b string) int { return rank(a) - rank(b) })
	return values
}

// found are the names of the symbols, or the paths of the files, that search finds;
// for nothing typed yet, the most connected ones.
func (c completer) found(ctx context.Context, typed, kind, repo string) []string {
	tool, arguments := "search", map[string]any{"query": typed, "limit": maxFound, "groupByProcess": false}
	if kind != "" {
		arguments["kind"] = kind
	}
	if strings.TrimSpace(typed) == "" {
		tool, arguments = "context", map[string]any{"focus": "hotspots"}
	}
	var answer struct {
		Results, Hotspots []struct{ ID string }
	}
	if !c.decode(ctx, tool, arguments, repo, &answer) {
		return nil
	}
	var values []string
	for _, node := range append(answer.Results, answer.Hotspots...) {
		parts := strings.SplitN(node.ID, ":", 3) // Kind:file:name, or File:path
		switch {
		case kind == "File" && len(parts) > 1:
			values = append(values, parts[1])
		case kind == "" && len(parts) == 3:
			values = append(values, parts[2])
		}
	}
	return values
}

// clusters are the labels of the clusters that hold what is typed.
func (c completer) clusters(ctx context.Context, typed, repo string) []string {
	var answer struct {
		Clusters struct {
			Items [][]any // id, label and more
		}
	}
	if typed == "" || !c.decode(ctx, "overview", map[string]any{"showProcesses": false, "limit": maxFound}, repo, &answer) {
		return nil
	}
	var values []string
	for _, cluster := range answer.Clusters.Items {
		if len(cluster) < 2 {
			continue
		}
		if label, _ := cluster[1].(string); strings.Contains(strings.ToLower(label), strings.ToLower(typed)) {
			values = append(values, label)
		}
	}
	return values
}

func (c completer) decode(ctx context.Context, tool string, arguments map[string]any, repo string, answer any) bool {
	if len(c.server.Graphs()) == 0 {
		return false // and no grace period: the next key asks again
	}
	if repo != "" {
		arguments["repo"] = repo
	}
	text, err := c.server.ask(ctx, tool, arguments)
	return err == nil && json.Unmarshal([]byte(text), answer) == nil
}

// addTemplates declares symbols and files as resources.
func (s *Server) addTemplates() {
	for _, t := range []struct{ uri, template, name, title, description, tool, argument string }{
		{symbolURI, symbolTemplate, "symbol", "Symbol", "A symbol: its code, callers, callees, tests and risk.", "deep_dive", "name"},
		{fileURI, fileTemplate, "file", "File", "A file of the code base with its line numbers.", "read", "filePath"},
	} {
		s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(t.template, t.name, mcp.WithTemplateTitle(t.title), mcp.WithTemplateDescription(t.description), mcp.WithTemplateMIMEType("text/plain")),
			func(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				value, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, t.uri))
				if err != nil {
					return nil, &pageError{"The address " + clip(r.Params.URI, 100) + " is not escaped well: " + err.Error()}
				}
				answer, err := s.ask(ctx, t.tool, map[string]any{t.argument: value})
				if err != nil {
					return nil, &pageError{err.Error()}
				}
				return text(r.Params.URI, "text/plain", answer), nil
			})
	}
}
