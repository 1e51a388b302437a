package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/term"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// demo starts a server as an agent does, asks it about a folder, stops the
// browser, and starts it again. It fails unless all of that works.
func (p program) demo(ctx context.Context, s settings) error {
	if s.browser == "none" {
		return &usageError{errors.New("demo: --browser has to be headless or open")}
	}
	if s.repo == "" {
		s.repo = "."
	}
	if _, err := browser.Find(); s.browser == "headless" && err != nil {
		return err
	}
	gate, err := privateGate()
	if err != nil {
		return err
	}
	defer func() { _ = gate.Pairing.Clear() }()
	d := &demonstration{program: p, settings: s, gate: gate}
	if err := d.start(ctx); err != nil {
		return err
	}
	err = d.run(ctx)
	d.stop()
	if err != nil {
		return fmt.Errorf("%w\nThe server's log:\n%s", err, d.log.Bytes())
	}
	return nil
}

// demonstration is one run of the demo.
type demonstration struct {
	program
	settings settings
	gate     wsbridge.Gate
	mcp      *client.Client
	page     *browser.Process
	log      bytes.Buffer // what the server says on stderr; read once drained is closed
	drained  chan struct{}
}

// start runs the server as a child, and says hello as an MCP client does.
func (d *demonstration) start(ctx context.Context) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	env := []string{
		fmt.Sprintf("GITNEXUS_PORT=%d", d.gate.Port), "GITNEXUS_TOKEN=" + d.gate.Token, "GITNEXUS_REPO=" + d.settings.repo,
		"GITNEXUS_BROWSER=none", "NO_COLOR=1",
	}
	began := time.Now()
	d.mcp, err = client.NewStdioMCPClient(exe, env, "serve")
	if err != nil {
		return fmt.Errorf("cannot start the server: %w", err)
	}
	d.drained = make(chan struct{})
	go func() {
		defer close(d.drained)
		if stderr, ok := client.GetStderr(d.mcp); ok {
			_, _ = io.Copy(&d.log, stderr)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "gitnexus-demo", Version: version}
	info, err := d.mcp.Initialize(ctx, hello)
	if err != nil {
		d.stop()
		return fmt.Errorf("the server did not answer: %w", err)
	}
	d.say("Started %s %s as an MCP server in %s; the app is at %s", info.ServerInfo.Name, info.ServerInfo.Version, since(began), d.gate.URL())
	return nil
}

func (d *demonstration) stop() {
	if d.page != nil {
		d.page.Stop()
	}
	_ = d.mcp.Close()
	<-d.drained
}

func (d *demonstration) run(ctx context.Context) error {
	if err := d.showPage(ctx); err != nil {
		return err
	}
	hot, err := d.hotspot(ctx)
	if err != nil {
		return err
	}
	for _, q := range []question{
		{"What is loaded here?", "context", map[string]any{"focus": "stats"}},
		{fmt.Sprintf("Where is %q?", hot.Name), "search", map[string]any{"query": hot.Name, "limit": 5}},
		{fmt.Sprintf("What breaks if I change %q?", hot.Name), "impact", map[string]any{"target": hot.ID, "direction": "upstream", "maxDepth": 2}},
		{"Which functions are called from the most places?", "cypher", map[string]any{"query": "MATCH (caller)-[r:CodeRelation]->(callee) WHERE r.type = 'CALLS' " +
			"RETURN callee.name AS name, callee.filePath AS file, count(caller) AS callers ORDER BY callers DESC, name LIMIT 5"}},
	} {
		if _, err := d.ask(ctx, q, ""); err != nil {
			return err
		}
	}
	if d.page == nil {
		d.say("\nThis is your own browser, so the part where it goes away is yours: close the tab and ask your agent.")
		return nil
	}
	d.say("\n-- The browser is stopped now.")
	d.page.Stop()
	d.page = nil
	q := question{"What is loaded here?", "context", map[string]any{"focus": "stats"}}
	if _, err := d.ask(ctx, q, "CONNECTION_LOST"); err != nil {
		return err
	}
	d.say("\n-- And started again.")
	if err := d.showPage(ctx); err != nil {
		return err
	}
	if _, err := d.ask(ctx, q, ""); err != nil {
		return err
	}
	d.say("\nAll of it worked.")
	return nil
}

// showPage starts the browser and waits until the folder is indexed.
func (d *demonstration) showPage(ctx context.Context) error {
	began := time.Now()
	page, err := show(ctx, d.settings, d.gate)
	if err != nil {
		return err
	}
	d.page = page
	if page != nil {
		d.say("Started %s without a window; it loads %s", page.Path, d.settings.repo)
	}
	line := &progressLine{to: d.stderr, tty: term.IsTerminal(int(d.stderr.Fd()))}
	err = waitReady(ctx, page, line, func() (string, string, error) {
		h, err := d.health(ctx)
		if err != nil || len(h.Graphs) == 0 {
			return "starting", "waiting for the page", err
		}
		return h.Graphs[0].State, h.Graphs[0].Detail, nil
	})
	if err != nil {
		return err
	}
	d.say("The graph is ready after %s", since(began))
	return nil
}

// demoHealth is the part of the health resource that the demo looks at.
type demoHealth struct {
	Graphs []struct {
		State    string    `json:"state"`
		Detail   string    `json:"detail"`
		Hotspots []hotspot `json:"hotspots"`
	} `json:"graphs"`
}

type hotspot struct {
	ID, Name, Kind string
}

func (d *demonstration) health(ctx context.Context) (h demoHealth, err error) {
	var req mcp.ReadResourceRequest
	req.Params.URI = "gitnexus://codebase/health"
	r, err := d.mcp.ReadResource(ctx, req)
	if err != nil {
		return h, fmt.Errorf("health: %w", err)
	}
	for _, c := range r.Contents {
		if text, ok := c.(mcp.TextResourceContents); ok {
			return h, json.Unmarshal([]byte(text.Text), &h)
		}
	}
	return h, errors.New("health: no text")
}

// hotspot is the best connected function, to ask about.
func (d *demonstration) hotspot(ctx context.Context) (hotspot, error) {
	h, err := d.health(ctx)
	if err != nil {
		return hotspot{}, err
	}
	for _, graph := range h.Graphs { // none, if the page has gone since
		for _, spot := range graph.Hotspots {
			if spot.Kind == "Function" || spot.Kind == "Method" {
				return spot, nil
			}
		}
	}
	return hotspot{}, fmt.Errorf("no functions found in %s: is it a repository of Go, TypeScript, JavaScript or Python?", d.settings.repo)
}

// question is one tool call, in words too.
type question struct {
	words string
	tool  string
	args  map[string]any
}

// ask calls a tool, prints question and answer, and fails unless the answer is
// good, or the error that is wanted.
func (d *demonstration) ask(ctx context.Context, q question, wantCode string) (json.RawMessage, error) {
	d.say("\n> %s\n  %s %s", q.words, q.tool, presentArguments(q.args))
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = q.tool, q.args
	began := time.Now()
	r, err := d.mcp.CallTool(ctx, req)
	took := since(began)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.tool, err)
	}
	var answer string
	for _, c := range r.Content {
		if text, ok := c.(mcp.TextContent); ok {
			answer = text.Text
			break
		}
	}
	var envelope struct{ Code string }
	if r.IsError {
		_ = json.Unmarshal([]byte(answer), &envelope) // the code stays empty then, and is not the one wanted
	}
	d.say("%s\n  (%s, %d bytes)", present(answer), took, len(answer))
	if envelope.Code != wantCode {
		return nil, fmt.Errorf("%s: wanted %s, got %s", q.tool, orSuccess(wantCode), orSuccess(envelope.Code))
	}
	return json.RawMessage(answer), nil
}

func orSuccess(code string) string {
	if code == "" {
		return "an answer"
	}
	return code
}

func (d *demonstration) say(format string, args ...any) {
	fmt.Fprintf(d.stdout, format+"\n", args...)
}

func since(began time.Time) string {
	d := time.Since(began)
	if d < 100*time.Millisecond {
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}
