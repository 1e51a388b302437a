package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// The graph in the chat: a page that a host shows beside the answers of some tools,
// by the extension MCP Apps.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appMIME       = "text/html;profile=mcp-app"
	// GraphURI is the page.
	GraphURI = "ui://gitnexus/graph"
	// pictureKey is where a result's _meta has the picture.
	pictureKey = "gitnexus/picture"
)

// pictured are the tools whose answers have a picture.
var pictured = []string{"impact", "trace_flow", "overview", "explore"}

// appTools are the tools that the page in the chat calls. They are listed for
// clients that show it, and hidden from the model.
var appTools = []Tool{
	{
		Name: "graph_picture", ForApp: true,
		Title:    "Draw a part of the graph",
		Summary:  "The picture of what a tool answers, with positions.",
		Use:      "in the page that shows it.",
		Avoid:    "reading: use the tool itself.",
		Example:  `{"tool":"impact","target":"auth.ts:login","direction":"upstream"}`,
		Returns:  "nodes and edges.",
		Narrower: "a smaller maxDepth",
		Fields: []Field{
			{Name: "tool", Kind: String, Required: true, Enum: pictured, Doc: "The tool; the other arguments are its own."},
			{Name: "target", Kind: String, Min: 1, Max: 1000, Doc: "Of impact."},
			{Name: "direction", Kind: String, Enum: []string{"upstream", "downstream"}, Doc: "Of impact."},
			{Name: "maxDepth", Kind: Integer, Min: 1, Max: 20, Doc: "Of impact."},
			{Name: "includeTests", Kind: Boolean, Doc: "Of impact."},
			{Name: "minConfidence", Kind: Number, Min: 0, Max: 1, Doc: "Of impact."},
			{Name: "name", Kind: String, Min: 1, Max: 1000, Doc: "Of explore."},
			{Name: "type", Kind: String, Enum: []string{"symbol", "cluster", "process"}, Doc: "Of explore."},
			{Name: "from", Kind: String, Min: 1, Max: 1000, Doc: "Of trace_flow."},
			{Name: "to", Kind: String, Min: 1, Max: 1000, Doc: "Of trace_flow."},
			{Name: "maxSteps", Kind: Integer, Min: 1, Max: 20, Doc: "Of trace_flow."},
		},
		Class: resilience.Heavy, ReadOnly: true, Idempotent: true,
	},
	{
		Name: "graph_code", ForApp: true,
		Title:    "Code of a node",
		Summary:  "The code of one symbol or file.",
		Use:      "in the page that shows it.",
		Avoid:    "reading: use read.",
		Example:  `{"id":"Function:src/server/auth.ts:login"}`,
		Returns:  "the code and where it stands.",
		Narrower: "a symbol of the file",
		Fields: []Field{
			{Name: "id", Kind: String, Required: true, Min: 1, Max: 1000, Doc: "The node's id."},
		},
		Class: resilience.Quick, ReadOnly: true, Idempotent: true,
	},
}

// showsApps tells whether the client shows pages of servers in its chat.
func (c *Client) showsApps() bool {
	settings, _ := c.GetClientCapabilities().Extensions[appsExtension].(map[string]any)
	types, _ := settings["mimeTypes"].([]any)
	return slices.Contains(types, any(appMIME))
}

// addChatPage declares the page, when there is one.
func (s *Server) addChatPage() {
	if s.options.ChatPage == nil {
		return
	}
	s.mcp.AddResource(mcp.NewResource(GraphURI, "graph", mcp.WithMIMEType(appMIME)),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			page, err := s.options.ChatPage()
			if err != nil {
				return nil, err
			}
			// Without a content security policy of its own a page gets no network.
			return []mcp.ResourceContents{mcp.TextResourceContents{
				URI: GraphURI, MIMEType: appMIME, Text: page, Meta: map[string]any{"ui": map[string]any{"prefersBorder": true}},
			}}, nil
		})
}

// withoutChatPage takes the page out of a list of resources: it is for hosts, which
// know it from the tools, and nothing for people to choose. It is a hook.
func withoutChatPage(_ context.Context, _ any, _ *mcp.ListResourcesRequest, list *mcp.ListResourcesResult) {
	list.Resources = slices.DeleteFunc(slices.Clone(list.Resources), func(r mcp.Resource) bool { return r.URI == GraphURI })
}

// forClient puts the list of tools into the order of the table, adds repo to their
// arguments while there are several graphs, and what only some clients read.
func (s *Server) forClient(ctx context.Context, list []mcp.Tool) []mcp.Tool {
	list = slices.SortedFunc(slices.Values(list), func(a, b mcp.Tool) int {
		return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name))
	})
	if s.hasSeveral() {
		for i := range list {
			if tool, ok := Find(list[i].Name); ok {
				list[i].RawInputSchema = tool.InputSchema("repo")
			}
		}
	}
	client, ok := server.ClientSessionFromContext(ctx).(*Client)
	if !ok {
		return list
	}
	apps := s.options.ChatPage != nil && client.showsApps()
	claude := strings.HasPrefix(strings.ToLower(client.GetClientInfo().Name), "claude")
	for i := range list {
		meta := map[string]any{}
		if apps && slices.Contains(pictured, list[i].Name) {
			meta["ui"] = map[string]any{"resourceUri": GraphURI}
		}
		if claude {
			meta["anthropic/maxResultSizeChars"] = s.largestAnswer()
			meta["anthropic/searchHint"] = searchHints[list[i].Name]
		}
		if len(meta) > 0 {
			list[i].Meta = &mcp.Meta{AdditionalFields: meta}
		}
	}
	if apps {
		for i := range appTools {
			t := mcp.NewToolWithRawSchema(appTools[i].Name, appTools[i].Summary, appTools[i].InputSchema())
			t.Title = appTools[i].Title
			t.Annotations = mcp.ToolAnnotation{ReadOnlyHint: mcp.ToBoolPtr(true), OpenWorldHint: mcp.ToBoolPtr(false)}
			t.Meta = &mcp.Meta{AdditionalFields: map[string]any{"ui": map[string]any{"resourceUri": GraphURI, "visibility": []string{"app"}}}}
			list = append(list, t)
		}
	}
	return list
}

// largestAnswer is the size in characters up to which a client should show an
// answer whole: it has been cut here already.
func (s *Server) largestAnswer() int {
	if s.options.MaxResult > 0 {
		return s.options.MaxResult
	}
	return 500_000 // the most that Claude Code takes
}

// searchHints are words by which clients that load tools when they are needed find
// them, beside those of names and titles.
var searchHints = map[string]string{
	"context":      "repository summary, hotspots, languages, folder tree, graph schema",
	"search":       "find function, class, method or file by name or topic",
	"grep":         "regular expression in files, literal text",
	"read":         "source code of files, lines, symbols; outline",
	"overview":     "architecture, modules, clusters, processes",
	"cypher":       "graph query, counts, patterns, joins",
	"impact":       "callers, dependents, blast radius, rename, delete, refactor",
	"explore":      "how does it work, where is it, callers and callees with code",
	"diff":         "changed files and symbols, edits, working tree",
	"graph_action": "highlight, focus, annotate in the graph view",
	"deep_dive":    "definition, usages, references, tests of a symbol",
	"review_file":  "imports, exports, symbols and complexity of a file",
	"trace_flow":   "call path, call chain, how does control get there",
	"find_similar": "duplicates, similar code, examples to follow",
	"test_impact":  "which tests to run, risk of a change",
	"list_repos":   "loaded repositories, graphs",
	"read_result":  "next page of a truncated answer",
}

// attachPicture adds the picture of the answer, for the page in the chat. An answer
// without one is whole: the page asks for it itself, or says that there is none.
func (c *toolCall) attachPicture(ctx context.Context, result *mcp.CallToolResult) {
	if !c.apps || c.server.options.ChatPage == nil || !slices.Contains(pictured, c.tool.Name) {
		return
	}
	call := wsbridge.Call{
		ID: newCallID(), Tool: appTools[0].Name, Agent: c.call.Agent, Repo: c.call.Repo, Folder: c.call.Folder, Trace: new(wsbridge.Trace),
		ReadOnly: true, Idempotent: true, Heavy: true, Arguments: withMember(c.call.Arguments, "tool", c.tool.Name),
	}
	picture, err := c.server.options.Caller.Call(ctx, &call)
	c.watch.done("picture")
	if err == nil {
		picture, err = tidy(c.tool, picture)
	}
	if err != nil {
		c.server.log.Debug("no picture of an answer", "id", c.call.ID, "err", err)
		return
	}
	attach(result, pictureKey, map[string]any{
		"picture": json.RawMessage(sanitize.JSON(sanitize.Tokens(picture))),
		"app":     c.server.options.Bridge().URL,
	}, c.room())
}

// withMember puts a text in front of the members of a JSON object.
func withMember(object json.RawMessage, name, value string) json.RawMessage {
	added, _ := marshal(map[string]string{name: value})
	if len(object) <= len("{}") {
		return added
	}
	return slices.Concat(added[:len(added)-1], []byte{','}, object[1:])
}
