package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/gitnexus/gitnexus-mcp/browser"
	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/repo"
	"github.com/gitnexus/gitnexus-mcp/resilience"
	"github.com/gitnexus/gitnexus-mcp/tools"
	"github.com/gitnexus/gitnexus-mcp/web"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// serve is the MCP server: it runs until stdin ends, which it does not read with
// --http, or a signal comes.
func (p program) serve(ctx context.Context, s settings) error {
	gate, err := s.gate()
	if err != nil {
		return err
	}
	var token atomic.Pointer[string] // the present one
	token.Store(&gate.Token)
	log, closeLog, err := newLog(s, func() string { return *token.Load() }, p.stderr)
	if err != nil {
		return &usageError{fmt.Errorf("--log-file: %w", err)}
	}
	defer closeLog()
	if gate.SocketDir == "" {
		log.Warn("peers and commands connect over TCP, by their proofs: there is no configuration folder for a socket")
	}
	opt, err := bridgeOptions(s, gate, log)
	if err != nil {
		return err
	}
	opt.RenewGate = func() (wsbridge.Gate, error) {
		gate, err := s.gate()
		if err == nil && *token.Swap(&gate.Token) != gate.Token {
			fmt.Fprint(p.stderr, v1Address(gate, runtime.GOOS)) // its secret follows from the token
		}
		return gate, err
	}
	fmt.Fprint(p.stderr, v1Address(gate, runtime.GOOS))
	if s.http {
		fmt.Fprintf(p.stderr, "MCP clients connect to http://127.0.0.1:%d%s with the header Authorization: Bearer TOKEN, where TOKEN is %s.\n",
			gate.Port, wsbridge.MCPPath, s.tokenPlace())
	}
	stdin, isFile := p.stdin.(*os.File)
	person := !s.http && isFile && term.IsTerminal(int(stdin.Fd()))
	if person {
		p.introduce(gate)
	}

	opt.Breaker = resilience.BreakerSettings{Threshold: uint32(s.breakerThreshold), Cooldown: s.breakerCooldown}
	opt.Retry = resilience.Retry{Attempts: s.retryAttempts}
	changed := make(chan struct{}, 1)
	opt.OnContext = func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	seen, err := newObserver(s, log, p.environ)
	if err != nil {
		return err
	}
	panics := seen.panics
	opt.Panics, opt.OnTransition, opt.Events = panics, seen.transition, seen
	var node *wsbridge.Node
	headless := &browser.Supervisor{
		Options:   browser.Options{Keep: profile(s.repo), Log: log, Report: panics.Report},
		Page:      func() (string, error) { return node.Gate().PairingURL("headless browser") },
		Connected: func() bool { return len(node.Status().Pages) > 0 },
	}
	opt.NoPage = func() (reason, advice string) { return noPage(headless.Trouble()) }
	opt.OnHub = func(ctx context.Context) {
		switch s.browser {
		case "open":
			address, err := node.Gate().PairingURL("open")
			if err == nil {
				err = browser.Open(ctx, address)
			}
			if err != nil {
				log.Error("cannot open the app in a browser; run gitnexus-mcp open", "err", err)
			}
		case "headless":
			headless.Run(ctx)
		}
	}
	var endpoint *tools.HTTP
	opt.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { endpoint.ServeHTTP(w, r) })
	node = wsbridge.NewNode(opt)
	seen.tell = node.SetAlerts
	seen.own = func() string {
		if s.share {
			return ""
		}
		return node.Folder().Name
	}
	// The folder that a client works in stands in for --repo.
	var roots *clientRoots
	var onRoots func([]string)
	var useRoots func([]string) (wsbridge.Folder, func())
	if s.repo == "" {
		roots = &clientRoots{told: make(chan struct{}), log: log, settings: s}
		useRoots = roots.use
		if !s.http && !person {
			onRoots = roots.open
		}
	}
	var end shutdown
	var closing sync.WaitGroup
	server := tools.NewServer(tools.Options{
		Caller: node, Version: version, Agent: s.agent, Timeouts: s.timeouts,
		Repo: opt.Folder.Name, Folder: opt.Folder.ID,
		Opening:   func() bool { return s.browser == "open" || s.browser == "headless" && headless.Trouble() == nil },
		MaxResult: s.maxResult, Answers: s.answers, Tools: s.tools, Grace: s.grace, Debug: s.debug, OnAgent: node.SetAgent, Log: log,
		Bridge: func() wsbridge.Status { return permitted(node.Status(), node.Folder(), opt.Share) }, ChatPage: web.ChatPage,
		OnRoots: onRoots, UseRoots: useRoots, Panics: panics, Before: seen.before, OnCall: seen.call, Recent: seen.resource, Alerts: seen.activeAlerts,
		OnStop: func(reason string) {
			end.begin()
			seen.ending(reason)
			if p.ending != nil {
				p.ending()
			}
			closing.Go(endpoint.Close)
		},
	})
	seen.announce = server.Alert
	if roots != nil {
		roots.node, roots.server = node, server
	}
	endpoint = server.NewHTTP()

	// The bridge outlives the server, so that calls in flight may still end.
	bridge, endBridge := context.WithCancel(context.WithoutCancel(ctx))
	var background sync.WaitGroup
	background.Go(func() { guard.Run("removing old results", panics.Report, tools.SweepResults) })
	background.Go(func() {
		if onRoots != nil {
			headless.Options.Keep = profile(roots.wait(bridge))
		}
		_ = node.Run(bridge)
	})
	background.Go(func() {
		for {
			select {
			case <-changed:
				guard.Run("telling what is loaded", panics.Report, func() {
					status := node.Status()
					seen.graphs(status)
					server.ContextChanged(graphs(permitted(status, node.Folder(), opt.Share))...)
				})
			case <-bridge.Done():
				return
			}
		}
	})
	if s.http {
		server.Wait(ctx)
	} else {
		err = server.Serve(ctx, p.stdin, p.stdout)
	}
	closing.Wait()
	endBridge()
	background.Go(func() { guard.Run("closing the event log", panics.Report, seen.end) })
	if !end.wait(background.Wait) {
		log.Warn("connections or the browser did not end in time")
	}
	server.Close()
	return err
}

// noPage explains a headless browser that shows no page, for CONNECTION_LOST.
func noPage(t *browser.Trouble) (reason, advice string) {
	switch {
	case t == nil:
		return "", ""
	case t.Final:
		return t.Cause, "Ask the user to install Chromium, Chrome or Edge if none is there, and to start this MCP server anew; " +
			"or to run `gitnexus-mcp open`, load the repository there and keep the tab open. The server's log has the browser's own words."
	}
	return t.Cause, "Call again after retryAfter. If it stays so, ask the user to run `gitnexus-mcp open`, load the repository there and keep the tab open."
}

// v1Address says where a page of the older app connects on a system (a GOOS) that does not
// tell whose process such a page is, or what --insecure-v1 means; "" where the bare address
// does, or no such page may.
func v1Address(gate wsbridge.Gate, system string) string {
	if gate.InsecureV1 {
		return "--insecure-v1: every process of every user of this machine can connect as a page of the older app, and answer agents in its place.\n"
	}
	if len(gate.AllowOrigins) == 0 || wsbridge.TellsOwners(system) {
		return ""
	}
	return fmt.Sprintf("A page of the older app connects to ws://localhost:%d%s\n", gate.Port, gate.V1Path())
}

// bridgeOptions is the part of a node's options that all commands share.
func bridgeOptions(s settings, gate wsbridge.Gate, log *slog.Logger) (wsbridge.Options, error) {
	opt := wsbridge.Options{
		Gate: gate, App: web.Handler(), Version: version, Agent: s.agent, MaxMessage: s.maxMessage,
		Grace: s.grace, MaxReconnect: s.maxReconnect, Backoff: s.backoff,
		MaxInflight: s.maxInflight, MaxQueue: s.maxQueue, Log: log,
	}
	if s.grace == 0 {
		opt.Grace = -1
	}
	if s.repo != "" {
		r, err := repo.Open(s.repo, repo.Options{IncludeSecrets: s.includeSecrets})
		if err != nil {
			return opt, &usageError{fmt.Errorf("--repo: %w", err)}
		}
		opt.Folder = s.folder(r)
	}
	opt.Share = s.share
	opt.OpenFolder = func(f wsbridge.Folder) (wsbridge.OpenedFolder, error) {
		r, err := repo.Open(f.Path, repo.Options{IncludeSecrets: f.IncludeSecrets})
		if err == nil && r.ID() != f.ID {
			err = fmt.Errorf("%s is another folder by now", f.Path)
		}
		if err != nil {
			return wsbridge.OpenedFolder{}, err
		}
		return wsbridge.OpenedFolder{Stream: r, Watch: func(ctx context.Context, changed func()) { r.Watch(ctx, log, changed) }}, nil
	}
	return opt, nil
}

// folder is what the processes of the bridge tell each other of a folder.
func (s settings) folder(r *repo.Repo) wsbridge.Folder {
	return wsbridge.Folder{ID: r.ID(), Name: r.Name(), Path: r.Path(), IncludeSecrets: s.includeSecrets}
}

// permitted is the state of the bridge as far as an agent may see it: of the graphs
// that it may not ask, it has the pages alone. Its own comes first.
func permitted(status wsbridge.Status, own wsbridge.Folder, share bool) wsbridge.Status {
	if own.ID == "" {
		return status
	}
	isOwn := func(g *wsbridge.GraphContext) bool {
		return g != nil && (g.Folder == own.ID || g.Folder == "" && g.Repo == own.Name)
	}
	status.Pages = slices.Clone(status.Pages)
	for i, page := range status.Pages {
		if !share && !isOwn(page.Context) {
			status.Pages[i].Context = nil
		}
	}
	slices.SortStableFunc(status.Pages, func(a, b wsbridge.PageStatus) int {
		switch first, second := isOwn(a.Context), isOwn(b.Context); {
		case first && !second:
			return -1
		case second && !first:
			return 1
		}
		return 0
	})
	return status
}

// graphs are what the connected pages hold, in their order.
func graphs(status wsbridge.Status) []wsbridge.GraphContext {
	var list []wsbridge.GraphContext
	for _, page := range status.Pages {
		if page.Context == nil {
			continue
		}
		list = append(list, *page.Context)
	}
	return list
}

// profile names the headless browser's kept profile: one for each repository.
// Without one the page has nothing to find again.
func profile(repository string) string {
	if repository == "" {
		return ""
	}
	if dir, err := filepath.Abs(repository); err == nil {
		return dir
	}
	return repository
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
