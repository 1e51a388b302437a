package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// promptBudget is the largest prompt in bytes, about 6000 tokens: the tools that
// it asks share it.
const promptBudget = 24 << 10

// maxPromptArgument is the longest argument in bytes, which is that of the tools.
const maxPromptArgument = 1000

// prompt is a question that people ask often: the tools' answers to begin with,
// and what is to be done with them.
type prompt struct {
	name, title, description string
	arguments                []mcp.PromptArgument
	// gather returns the calls whose answers are in the prompt. A later one may use
	// the answers of the earlier ones.
	gather []func(args map[string]string, answers []string) (tool string, arguments map[string]any)
	task   string // with {name} for an argument
}

func call(tool string, arguments func(args map[string]string) map[string]any) func(map[string]string, []string) (string, map[string]any) {
	return func(args map[string]string, _ []string) (string, map[string]any) { return tool, arguments(args) }
}

var symbolArgument = mcp.PromptArgument{Name: "symbol", Description: "The function, class or method.", Required: true}

// unusedQuery finds what nothing in the graph calls, refers to, extends or
// implements. Tests and what frameworks call by a route are in use.
const unusedQuery = `MATCH (n) WHERE label(n) IN ['Function', 'Method', 'Class'] AND NOT n.filePath CONTAINS 'test' ` +
	`AND NOT EXISTS { MATCH (m)-[r:CodeRelation]->(n) WHERE r.type IN ['CALLS', 'REFERENCES', 'EXTENDS', 'IMPLEMENTS', 'HANDLES'] } ` +
	`RETURN label(n) AS kind, n.name AS name, n.filePath AS file, n.startLine AS line ORDER BY file, line LIMIT 100`

var prompts = []prompt{
	{
		name: "review_change", title: "Review my change", description: "What changed since the repository was loaded, what it reaches, and which tests to run.",
		gather: []func(map[string]string, []string) (string, map[string]any){
			call("diff", func(map[string]string) map[string]any { return map[string]any{} }),
			func(_ map[string]string, answers []string) (string, map[string]any) {
				files := changedFiles(answers[0])
				if len(files) == 0 {
					return "", nil
				}
				return "test_impact", map[string]any{"changedFiles": files}
			},
		},
		task: "Review this change. Say what it does, what it may break (name callers by file and line), what is missing, and which tests to run. Read the code of what you doubt before you say so. If nothing changed, say that.",
	},
	{
		name: "explain_flow", title: "Explain this flow", description: "How control gets from one symbol to another one, or through one.",
		arguments: []mcp.PromptArgument{{Name: "from", Description: "Where it begins.", Required: true}, {Name: "to", Description: "Where it ends; without it, the flows through the first one."}},
		gather: []func(map[string]string, []string) (string, map[string]any){
			call("trace_flow", func(args map[string]string) map[string]any {
				flow := map[string]any{"from": args["from"]}
				if args["to"] != "" {
					flow["to"] = args["to"]
				}
				return flow
			}),
		},
		task: "Explain this flow step by step, for someone who does not know the code: what each step does, what is passed on, where it can fail. Name files and lines.",
	},
	{
		name: "plan_rename", title: "Plan a safe rename", description: "Every place that a rename of a symbol has to change.",
		arguments: []mcp.PromptArgument{symbolArgument, {Name: "newName", Description: "Its name from then on.", Required: true}},
		gather: []func(map[string]string, []string) (string, map[string]any){
			call("impact", func(args map[string]string) map[string]any {
				return map[string]any{"target": args["symbol"], "direction": "upstream", "maxDepth": 1, "includeTests": true, "minConfidence": 0}
			}),
			call("grep", func(args map[string]string) map[string]any {
				name := args["symbol"][strings.LastIndexAny(args["symbol"], ".:#/")+1:]
				return map[string]any{"pattern": `\b` + quoteRegexp(name) + `\b`, "maxResults": 200}
			}),
		},
		task: "Plan the rename of {symbol} to {newName}: the edits by file and line, in an order in which it builds after each step; places that mention the name and are another thing; places that the graph cannot see (strings, reflection, configuration, documents). Do not edit yet.",
	},
	{
		name: "find_dead_code", title: "Find dead code", description: "What nothing in the code base seems to use.",
		gather: []func(map[string]string, []string) (string, map[string]any){
			call("cypher", func(map[string]string) map[string]any { return map[string]any{"query": unusedQuery} }),
		},
		task: "These have no caller, reference or subclass in the graph. That is no proof: entry points, exported interfaces, reflection and calls that the graph could not resolve look the same. Check the likeliest with impact and grep, and list what is surely unused, what may be, and what you left alone and why.",
	},
	{
		name: "onboard", title: "Onboard me", description: "A first look at the code base, or at one part of it.",
		arguments: []mcp.PromptArgument{{Name: "cluster", Description: "The part; without it, all of them."}},
		gather: []func(map[string]string, []string) (string, map[string]any){
			func(args map[string]string, _ []string) (string, map[string]any) {
				if args["cluster"] == "" {
					return "", nil
				}
				return "explore", map[string]any{"name": args["cluster"], "type": "cluster"}
			},
			call("context", func(map[string]string) map[string]any { return map[string]any{} }),
			call("overview", func(map[string]string) map[string]any { return map[string]any{"limit": 10} }),
		},
		task: "Introduce me to this code base: what it is for, its parts and how they work together, the three flows to know first, and where I should begin to read. Where the answers above are of one part, tell most of that. Name files.",
	},
}

// quoteRegexp makes text a regular expression that matches it, in the dialect of
// the page.
func quoteRegexp(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`\.+*?()|[]{}^$/`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// changedFiles are the files that an answer of diff names.
func changedFiles(answer string) []string {
	var diff struct {
		Files struct {
			Items []struct{ File string }
		}
	}
	if json.Unmarshal([]byte(answer), &diff) != nil {
		return nil
	}
	var files []string
	for _, f := range diff.Files.Items {
		files = append(files, f.File)
	}
	return files
}

func (s *Server) addPrompts() {
	for i := range prompts {
		p := &prompts[i]
		repo := mcp.PromptArgument{Name: "repo", Description: "Which graph, where several are open."}
		s.mcp.AddPrompt(mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Icons: icons, Arguments: append(p.arguments[:len(p.arguments):len(p.arguments)], repo)},
			func(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return s.getPrompt(ctx, p, r.Params.Arguments)
			})
	}
}

func (s *Server) getPrompt(ctx context.Context, p *prompt, args map[string]string) (*mcp.GetPromptResult, error) {
	task := p.task
	for _, a := range p.arguments {
		if a.Required && strings.TrimSpace(args[a.Name]) == "" {
			return nil, &argumentError{fmt.Sprintf("The prompt %s needs the argument %s: %s", p.name, a.Name, a.Description)}
		}
		if n := len(args[a.Name]); n > maxPromptArgument {
			return nil, &argumentError{fmt.Sprintf("The argument %s of the prompt %s has %d bytes, more than %d.", a.Name, p.name, n, maxPromptArgument)}
		}
		task = strings.ReplaceAll(task, "{"+a.Name+"}", args[a.Name])
	}
	budget := promptBudget
	if room := s.options.room(); room > 0 {
		budget = min(budget, room/2) // a quotation mark takes two bytes of a message
	}
	var answers []string
	text := strings.Builder{}
	for i, gather := range p.gather {
		tool, arguments := gather(args, answers)
		if tool == "" {
			continue
		}
		if args["repo"] != "" {
			arguments["repo"] = args["repo"]
		}
		answer, err := s.ask(ctx, tool, arguments)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
		shown, _ := marshal(arguments)
		room := (budget - len(task) - text.Len()) / (len(p.gather) - i)
		fmt.Fprintf(&text, "%s %s answers:\n\n%s\n\n", tool, clip(string(shown), 300), shorten(s.mark, answer, room-400))
	}
	return &mcp.GetPromptResult{Description: p.description, Messages: []mcp.PromptMessage{
		{Role: mcp.RoleUser, Content: mcp.NewTextContent(text.String() + task)},
	}}, nil
}

// argumentError says which argument a prompt lacks.
type argumentError struct{ words string }

func (e *argumentError) Error() string { return e.words }

// shorten cuts an answer behind a line, or an element, and says so. The mark that
// ends text from a repository stays.
func shorten(mark, answer string, room int) string {
	if len(answer) <= room {
		return answer
	}
	if text, ok := strings.CutPrefix(answer, "<<"+mark+"\n"); ok {
		end := cutText(text, max(room, 16), max(room, 16), 0)[0]
		return marked(mark, text[:end]) + fmt.Sprintf("\n[The first %d of %d bytes: call the tool for the rest.]", end, len(text))
	}
	end := cutText(answer, max(room, 16), max(room, 16), 0)[0]
	if strings.HasPrefix(answer, "{") {
		end = cut([]byte(answer), max(room, 16), max(room, 16), 0)[0]
	}
	return answer[:end] + fmt.Sprintf("\n[The first %d of %d bytes: call the tool for the rest.]", end, len(answer))
}

// ask calls a tool for the client of a request that is no tool call, on the same
// way as a tool call, and returns its answer as text.
func (s *Server) ask(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	client, ok := server.ClientSessionFromContext(ctx).(*Client)
	if !ok {
		return "", errors.New("no client asks")
	}
	raw, err := marshal(arguments)
	if err != nil {
		return "", err
	}
	result, logged := s.CallTool(ctx, client, tool, raw, nil)
	logged()
	if content, ok := result.StructuredContent.(json.RawMessage); ok && !result.IsError {
		return string(content), nil
	}
	said := ""
	if len(result.Content) > 0 {
		if content, ok := result.Content[0].(mcp.TextContent); ok {
			said = content.Text
		}
	}
	if !result.IsError {
		return said, nil
	}
	var e Envelope
	if json.Unmarshal([]byte(said), &e) != nil {
		return "", errors.New(said)
	}
	return "", fmt.Errorf("%s: %s %s", e.Code, e.Message, e.Suggestion)
}
