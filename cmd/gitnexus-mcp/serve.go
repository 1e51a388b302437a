package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/reconnect"
	"github.com/gitnexus/gitnexus-mcp/repo"
	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/web"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// serve is the MCP server: it runs until stdin ends or a signal comes.
func (p program) serve(ctx context.Context, s settings) error {
	gate, err := s.gate()
	if err != nil {
		return err
	}
	log, closeLog, err := newLog(s, gate.Token, p.stderr)
	if err != nil {
		return &usageError{fmt.Errorf("--log-file: %w", err)}
	}
	defer closeLog()
	opt, err := bridgeOptions(s, gate, log)
	if err != nil {
		return err
	}
	if f, ok := p.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.introduce(gate)
	}

	breaker := resilience.NewBreaker(resilience.BreakerSettings{
		Threshold: uint32(s.breakerThreshold), Cooldown: s.breakerCooldown,
		IsFailure: tools.CountsAgainstLink, IsIgnored: tools.SaysNothingOfLink,
		OnChange: func(from, to string) { log.Warn("circuit breaker", "from", from, "to", to) },
	})
	opt.OnPage = breaker.Reset
	changed := make(chan struct{}, 1)
	opt.OnContext = func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	opt.OnHub = func(ctx context.Context) { runBrowser(ctx, s, gate, log) }
	node := wsbridge.NewNode(opt)
	server := tools.NewServer(tools.Options{
		Caller: caller{node}, Version: version, Agent: s.agent, Timeouts: s.timeouts, Breaker: breaker,
		Retry: resilience.Retry{Attempts: s.retryAttempts}, MaxResult: s.maxResult, Grace: s.grace, Debug: s.debug, OnAgent: node.SetAgent, Log: log,
		Bridge: func() tools.Bridge { return view[tools.Bridge](node.Status()) },
	})

	// The bridge outlives the server, so that calls in flight may still end.
	bridge, endBridge := context.WithCancel(context.WithoutCancel(ctx))
	var background sync.WaitGroup
	background.Go(tools.SweepResults)
	background.Go(func() { _ = node.Run(bridge) })
	background.Go(func() {
		for {
			select {
			case <-changed:
				server.ContextChanged(graphs(node.Status())...)
			case <-bridge.Done():
				return
			}
		}
	})
	err = server.Serve(ctx, p.stdin, p.stdout)
	endBridge()
	background.Wait()
	server.Close()
	return err
}

// bridgeOptions is the part of a node's options that all commands share.
func bridgeOptions(s settings, gate wsbridge.Gate, log *slog.Logger) (wsbridge.Options, error) {
	opt := wsbridge.Options{
		Gate: gate, App: web.Handler(), Version: version, Agent: s.agent, MaxMessage: s.maxMessage,
		Grace: s.grace, MaxReconnect: s.maxReconnect,
		MaxInflight: s.maxInflight, MaxQueue: s.maxQueue, Log: log,
	}
	if s.grace == 0 {
		opt.Grace = -1
	}
	if s.repo != "" {
		r, err := repo.Open(s.repo, repo.Options{})
		if err != nil {
			return opt, &usageError{fmt.Errorf("--repo: %w", err)}
		}
		opt.RepoName, opt.Repo = r.Name(), r
		opt.WatchRepo = func(ctx context.Context, changed func()) { r.Watch(ctx, log, changed) }
	}
	return opt, nil
}

// caller gives the tools' calls to the bridge.
type caller struct{ node *wsbridge.Node }

func (c caller) Call(ctx context.Context, call tools.Call) (json.RawMessage, error) {
	var trace *wsbridge.Trace
	if call.Link != nil {
		trace = new(wsbridge.Trace)
	}
	result, err := c.node.Call(ctx, wsbridge.Call{
		ID: call.ID, Tool: call.Tool, Arguments: call.Arguments, Agent: call.Agent, Repo: call.Repo,
		ReadOnly: call.ReadOnly, Heavy: call.Heavy, Progress: call.Progress, Trace: trace, Coro: call.Coro,
	})
	if call.Link != nil {
		call.Link(trace)
	}
	return result, err
}

// graphs are what the connected pages hold, the one in front first.
func graphs(status wsbridge.Status) []tools.Codebase {
	var list []tools.Codebase
	for _, page := range status.Pages {
		if page.Context == nil {
			continue
		}
		list = append(list, view[tools.Codebase](page.Context))
	}
	return list
}

// view is what wsbridge tells, as tools sees it: both are one JSON, each
// package's own view of it.
func view[T any](of any) (v T) {
	data, err := json.Marshal(of)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil { // plain data on both sides
		panic(err)
	}
	return v
}

// runBrowser shows the app while this process is the hub.
func runBrowser(ctx context.Context, s settings, gate wsbridge.Gate, log *slog.Logger) {
	switch s.browser {
	case "open":
		if err := browser.Open(ctx, gate.PairingURL()); err != nil {
			log.Error("cannot open the app in a browser; run gitnexus-mcp open", "err", err)
		}
	case "headless":
		loop := reconnect.Loop{
			Connect: func(ctx context.Context, up func()) error {
				p, err := browser.Headless(ctx, gate.PairingURL())
				if err != nil {
					return err
				}
				up()
				log.Info("browser started", "path", p.Path, "pid", p.PID)
				<-p.Done()
				return p.Err()
			},
			OnWait: func(_ int, delay time.Duration, cause error) {
				log.Warn("no headless browser", "reason", cause, "again in", delay)
			},
		}
		_ = loop.Run(ctx, nil)
	}
}

// introduce tells a person at a terminal what this is.
func (p program) introduce(gate wsbridge.Gate) {
	exe, err := os.Executable()
	if err != nil {
		exe = "gitnexus-mcp"
	}
	config, _ := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{"gitnexus": map[string]any{"command": exe}}}, "  ", "  ")
	fmt.Fprintf(p.stderr, `gitnexus-mcp %s is an MCP server: agents start it and talk to it over stdin and stdout.

The graph app is at %s while it runs.
Run "gitnexus-mcp open" in another terminal to open it.

To use it in Claude Desktop, put this into claude_desktop_config.json:

  %s

It now waits for JSON-RPC messages. Ctrl-C ends it; "gitnexus-mcp help" lists its commands.
`, version, gate.URL(), config)
}
