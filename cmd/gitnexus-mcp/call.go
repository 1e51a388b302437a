package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/term"

	"github.com/gitnexus/gitnexus-mcp/client"
	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/sanitize"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// The exit codes of call, beside 2 for a call that is wrong.
const (
	exitTool    = 1
	exitLink    = 3
	exitTimeout = 4
)

// exitError ends the program with a code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// call calls one tool: of the server that runs here, or of any other one.
func (p program) call(ctx context.Context, s settings) error {
	words, command, separated := cutAt(s.args, "--")
	if s.list && !separated { // the flags end with the first --
		words, command = nil, s.args
	}
	switch {
	case !s.list && len(words) == 0:
		return &usageError{errors.New("call: which tool? call --list lists them")}
	case s.list && len(words) > 0:
		return &usageError{errors.New("call: --list takes no tool")}
	case s.server != "" && len(command) > 0:
		return &usageError{errors.New("call: want --server or a command after --, not both")}
	}
	for _, word := range words[min(1, len(words)):] {
		if strings.HasPrefix(word, "-") && word != "-" {
			return &usageError{fmt.Errorf("call: %s stands behind the tool, where its arguments are (KEY=VALUE): put it before %s", word, words[0])}
		}
	}
	c, err := p.connect(ctx, s, command)
	if err != nil {
		return err
	}
	defer c.close()
	if s.list {
		return p.listTools(c.client.Tools(), s.json)
	}
	if len(words) == 2 && words[1] == "-" { // large arguments do not fit on a command line
		from, err := io.ReadAll(p.stdin)
		if err != nil {
			return fmt.Errorf("call: the arguments on stdin: %w", err)
		}
		words[1] = string(from)
		if strings.TrimSpace(words[1]) == "" {
			return &usageError{errors.New("call: no arguments on stdin")}
		}
	}
	args, err := callArguments(words[1:], schemaOf(c.client.Tools(), words[0]))
	if err != nil {
		return &usageError{err}
	}
	result, err := c.call(ctx, words[0], args)
	if err != nil {
		if result != nil && s.json {
			return errors.Join(p.printResult(result, true), err)
		}
		return err
	}
	return p.printResult(result, s.json)
}

// caller calls the tools of one server.
type caller struct {
	client  *client.Client
	started bool   // for this call
	own     bool   // the server is a gitnexus-mcp of ours
	graph   string // that check asks about; "" for the only one
	line    *progressLine
	close   func()
}

// connect connects to the server to call: the one that runs here, s.server, or a command.
func (p program) connect(ctx context.Context, s settings, command []string) (*caller, error) {
	target, started, err := p.target(ctx, s, command)
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.DiscardHandler)
	if s.debug {
		log = slog.New(slog.NewTextHandler(p.stderr, nil))
	}
	note, closeEvents := p.noteCalls(s, log)
	if s.server == "" && len(command) == 0 {
		note = nil // our own server notes the call itself
	}
	line := &progressLine{to: p.stderr, tty: term.IsTerminal(int(p.stderr.Fd()))}
	options := client.Options{Timeout: s.callTimeout, Log: log, OnOutcome: note, Name: "gitnexus-mcp call", Version: version}
	if line.tty {
		options.OnProgress = func(done, total float64, message string) {
			line.show("", visible(fmt.Sprintf("%g of %g %s", done, total, message)))
		}
	}
	c, err := client.Connect(ctx, target, options)
	if err != nil {
		closeEvents()
		return nil, failedCall(err)
	}
	return &caller{client: c, started: started, own: s.server == "" && len(command) == 0, line: line, close: func() {
		_ = c.Close()
		closeEvents()
	}}, nil
}

// call calls a tool. It waits for a folder that is still being indexed, and for the
// page of a server that was started for the call.
func (c *caller) call(ctx context.Context, tool string, args map[string]any) (*mcp.CallToolResult, error) {
	result, err := c.client.CallTool(ctx, tool, args)
	for deadline := time.Now().Add(indexLimit); c.passes(err) && time.Now().Before(deadline); {
		c.line.show("indexing", "the folder is being indexed")
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, failedCall(err)
		}
		result, err = c.client.CallTool(ctx, tool, args)
	}
	c.line.done()
	if err != nil {
		return result, failedCall(err)
	}
	return result, nil
}

// cutAt returns what stands before and after the first separator.
func cutAt(list []string, separator string) (before, after []string, found bool) {
	if i := slices.Index(list, separator); i >= 0 {
		return list[:i], list[i+1:], true
	}
	return list, nil, false
}

// target is the server to call, and whether it was started for this call.
func (p program) target(ctx context.Context, s settings, command []string) (_ client.Target, started bool, err error) {
	stderr := io.Discard
	if s.debug {
		stderr = io.Writer(p.stderr)
	}
	switch {
	case s.server != "":
		return client.URL(s.server, nil), false, nil
	case len(command) > 0:
		return client.Command(p.stderr, command[0], command[1:]...), false, nil
	}
	// A server of our own reaches the page through the one that runs, as a peer.
	exe, err := os.Executable()
	if err != nil {
		return client.Target{}, false, err
	}
	// The pages of a truncated answer would end with that server: there is no limit.
	args := []string{"serve", "--port", strconv.Itoa(s.port), "--agent", "gitnexus-mcp call", "--events", s.events, "--max-result", "0"}
	// Who gives the command may ask about everything.
	args = append(args, "--share")
	if s.repo != "" {
		args = append(args, "--repo", s.repo)
	}
	gate, err := s.gate()
	if err != nil {
		return client.Target{}, false, err
	}
	if missing := wsbridge.CheckHub(ctx, gate); missing != nil {
		if s.repo == "" {
			return client.Target{}, false, &exitError{exitLink, fmt.Errorf("%w; or give --repo DIR, and call starts one with a browser without a window", missing)}
		}
		fmt.Fprintf(p.stderr, "No server runs on port %d: starting one with a browser without a window for %s.\n", s.port, s.repo)
		args = append(args, "--browser", "headless", "--grace", (s.callTimeout / 2).String())
		started = true
	}
	return client.Command(stderr, exe, args...).Named("gitnexus-mcp"), started, nil
}

// noteCalls returns what notes a call in the event log.
func (p program) noteCalls(s settings, log *slog.Logger) (note func(client.Outcome), end func()) {
	file, err := s.eventFile()
	if err != nil || file == "" {
		return func(client.Outcome) {}, func() {}
	}
	l := newEventLog(events.Options{File: file, Session: newSession()})
	return func(o client.Outcome) {
			e := events.Event{Category: events.Client, Type: o.Server, Tool: o.Tool, Attempts: o.Attempts, Duration: o.Duration}
			if o.Err != nil {
				e.Code, e.Message = o.Err.Code, o.Err.Cause.Error()
			}
			l.Add(e)
		}, func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := l.Close(ctx); err != nil {
				log.Debug("the call was not noted", "reason", err)
			}
		}
}

// schemaOf returns the types of a tool's arguments, as far as they are known.
func schemaOf(tools []mcp.Tool, name string) map[string]string {
	types := map[string]string{}
	for _, t := range tools {
		if t.Name != name {
			continue
		}
		for field, property := range t.InputSchema.Properties {
			if p, ok := property.(map[string]any); ok {
				types[field], _ = p["type"].(string)
			}
		}
	}
	return types
}

// callArguments reads one JSON object, or words of the form key=value. A value is
// JSON, or a text: always where the tool wants one.
func callArguments(words []string, types map[string]string) (map[string]any, error) {
	args := map[string]any{}
	if len(words) == 1 && strings.HasPrefix(strings.TrimSpace(words[0]), "{") {
		if err := json.Unmarshal([]byte(words[0]), &args); err != nil {
			return nil, fmt.Errorf("call: the arguments are no JSON object: %w", err)
		}
		return args, nil
	}
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("call: want key=value or one JSON object, got %q", word)
		}
		var v any = value
		if types[key] != "string" {
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				v = value
			}
		}
		args[key] = v
	}
	return args, nil
}

// passes reports whether an error is that of a folder which is being indexed, or of a
// page that is being opened.
func (c *caller) passes(err error) bool {
	e, ok := errors.AsType[*client.Error](err)
	return ok && e.Retryable && (c.started || c.own && e.Code == client.CodeTool)
}

// failedCall is the error with the exit code of its kind.
func failedCall(err error) error {
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return err
	}
	switch e.Code {
	case client.CodeValidation, client.CodeNotFound, "CYPHER_FORBIDDEN":
		return &exitError{2, err}
	case client.CodeTimeout:
		return &exitError{exitTimeout, err}
	case client.CodeLink, client.CodeOverloaded, client.CodePermission, "CIRCUIT_OPEN", "RETRY_EXHAUSTED":
		return &exitError{exitLink, err}
	}
	return &exitError{exitTool, err}
}

func (p program) listTools(tools []mcp.Tool, asJSON bool) error {
	if asJSON {
		return p.printJSON(tools)
	}
	for _, t := range tools {
		first, _, _ := strings.Cut(t.Description, "\n")
		if _, err := fmt.Fprintf(p.stdout, "%-24s %s\n", visible(t.Name), visible(first)); err != nil {
			return err
		}
	}
	return nil
}

// printResult prints the texts of a result, and as JSON what is no text.
func (p program) printResult(result *mcp.CallToolResult, asJSON bool) error {
	if asJSON {
		return p.printJSON(result)
	}
	if len(result.Content) == 0 && result.StructuredContent != nil {
		return p.printJSON(result.StructuredContent)
	}
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			if _, err := fmt.Fprintln(p.stdout, text.Text); err != nil {
				return err
			}
		} else if err := p.printJSON(content); err != nil {
			return err
		}
	}
	return nil
}

func (p program) printJSON(v any) error {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s\n", sanitize.JSON(out))
	return err
}
