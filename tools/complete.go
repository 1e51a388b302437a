package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// The templates of what the graph holds.
const (
	symbolURI, symbolTemplate = "gitnexus://symbol/", "gitnexus://symbol/{name}"
	fileURI, fileTemplate     = "gitnexus://file/", "gitnexus://file/{+path}"

	clusterURI, clusterTemplate = "gitnexus://cluster/", "gitnexus://cluster/{name}"
)

const (
	maxCompletions = 100 // what the protocol allows
	// completeWithin is the time after which nobody waits for completions: the user
	// has typed on.
	completeWithin = 2 * time.Second
)

// completer completes the arguments of prompts and resource templates.
type completer struct{ server *Server }

// CompletePromptArgument implements server.PromptCompletionProvider.
func (c completer) CompletePromptArgument(ctx context.Context, _ string, argument mcp.CompleteArgument, others mcp.CompleteContext) (*mcp.Completion, error) {
	kind := map[string]string{"symbol": "symbol", "from": "symbol", "to": "symbol", "cluster": "cluster", "repo": "repo"}[argument.Name]
	return c.complete(ctx, kind, argument.Value, others), nil
}

// CompleteResourceArgument implements server.ResourceCompletionProvider.
func (c completer) CompleteResourceArgument(ctx context.Context, template string, argument mcp.CompleteArgument, others mcp.CompleteContext) (*mcp.Completion, error) {
	kind := map[string]string{symbolTemplate: "symbol", fileTemplate: "file", clusterTemplate: "cluster"}[template]
	return c.complete(ctx, kind, argument.Value, others), nil
}

// complete returns the names of a kind that the text may mean. Nothing to complete
// with is no error: a client asks at each key.
func (c completer) complete(ctx context.Context, kind, typed string, others mcp.CompleteContext) *mcp.Completion {
	var answer struct {
		Values []string
		Total  int
	}
	switch kind {
	case "":
	case "repo":
		for _, g := range c.server.Graphs() {
			if strings.Contains(strings.ToLower(g.Repo), strings.ToLower(typed)) {
				answer.Values = append(answer.Values, g.Repo)
			}
		}
		answer.Values = slices.Compact(slices.Sorted(slices.Values(answer.Values)))
		answer.Total = len(answer.Values)
	default:
		content, err := c.server.complete(ctx, kind, typed, others.Arguments["repo"])
		if err != nil || json.Unmarshal(content, &answer) != nil {
			break
		}
		for i, value := range answer.Values {
			answer.Values[i] = sanitize.Text(value)
		}
	}
	values := []string{} // never null
	room := c.server.options.room()
	left := room
	for _, value := range answer.Values[:min(len(answer.Values), maxCompletions)] {
		if left -= quotedBytes(value, 1) + len(`"",`); room > 0 && left < 0 {
			break
		}
		values = append(values, value)
	}
	return &mcp.Completion{Values: values, Total: answer.Total, HasMore: answer.Total > len(values)}
}

// complete asks the page. It is no tool call: there is one for each key, and none
// is worth a line in the log or in the app.
func (s *Server) complete(ctx context.Context, kind, typed, repo string) (json.RawMessage, error) {
	client, ok := server.ClientSessionFromContext(ctx).(*Client)
	if !ok || len(s.Graphs()) == 0 {
		return nil, errors.New("no graph is loaded") // and no grace period: the next key asks again
	}
	arguments, err := marshal(map[string]any{"kind": kind, "typed": clip(typed, 200), "limit": maxCompletions})
	if err != nil {
		return nil, err
	}
	// Cancelled, not late: a page that is slow to complete is not a page that fails.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer time.AfterFunc(completeWithin, cancel).Stop()
	return s.options.Caller.Call(ctx, &wsbridge.Call{
		ID: newCallID(), Tool: "complete", Agent: client.Name(), Repo: repo, Folder: client.worksIn(), Arguments: arguments, Trace: new(wsbridge.Trace), ReadOnly: true, Idempotent: true,
	})
}

// maxAddress is the longest address of a symbol, file or cluster: an answer repeats it.
const maxAddress = 500

// addTemplates declares symbols and files as resources.
func (s *Server) addTemplates() {
	for _, t := range []struct{ uri, template, name, title, description, tool, argument string }{
		{symbolURI, symbolTemplate, "symbol", "Symbol", "A symbol: its code, callers, callees, tests and risk.", "deep_dive", "name"},
		{fileURI, fileTemplate, "file", "File", "A file of the code base with its line numbers.", "read", "filePath"},
		{clusterURI, clusterTemplate, "cluster", "Cluster", "A cluster: its members, neighbours and entry points.", "explore", "name"},
	} {
		s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(t.template, t.name, mcp.WithTemplateTitle(t.title), mcp.WithTemplateDescription(t.description), mcp.WithTemplateMIMEType("text/plain")),
			func(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				if len(r.Params.URI) > maxAddress {
					return nil, &pageError{fmt.Sprintf("The address has %d bytes, more than %d: call %s instead.", len(r.Params.URI), maxAddress, t.tool)}
				}
				value, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, t.uri))
				if err != nil {
					return nil, &pageError{"The address " + clip(r.Params.URI, 100) + " is not escaped well: " + err.Error()}
				}
				arguments := map[string]any{t.argument: value}
				if t.uri == clusterURI {
					arguments["type"] = "cluster"
				}
				answer, err := s.ask(ctx, t.tool, arguments)
				if err != nil {
					return nil, &pageError{err.Error()}
				}
				return text(r.Params.URI, "text/plain", answer), nil
			})
	}
}
