package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// everything is the official test server from npm, which make installs.
var everything = filepath.Join("..", "web", "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")

func needEverything(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(everything); err != nil {
		t.Fatalf("%v; run npm ci in web, or make test", err)
	}
}

// children are the processes of a target, the last one last.
type children struct {
	mu   sync.Mutex
	list []*exec.Cmd
}

func (c *children) last() *os.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list[len(c.list)-1].Process
}

// overStdio is the server as a child process.
func overStdio(started *children) Target {
	return Transport("everything", func() (transport.Interface, error) {
		return transport.NewStdioWithOptions("node", nil, []string{everything},
			transport.WithCommandLogger(slog.New(slog.DiscardHandler)),
			transport.WithCommandFunc(func(ctx context.Context, program string, _, args []string) (*exec.Cmd, error) {
				cmd := exec.CommandContext(ctx, program, args...)
				started.mu.Lock()
				defer started.mu.Unlock()
				started.list = append(started.list, cmd)
				return cmd, nil
			})), nil
	})
}

// overHTTP starts the server at a port and returns it when it listens.
func overHTTP(t *testing.T, port int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("node", everything, "streamableHttp")
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(cmd) })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "listening") {
			go logIfItFails(t, lines)
			return cmd
		}
	}
	t.Fatalf("the server ended: %v", cmd.Wait())
	return nil
}

// logIfItFails keeps what a server says last, for a test that fails.
func logIfItFails(t *testing.T, lines *bufio.Scanner) {
	const most = 40
	var mu sync.Mutex
	var last []string
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if t.Failed() {
			t.Logf("the server said:\n%s", strings.Join(last, "\n"))
		}
	})
	for lines.Scan() {
		mu.Lock()
		if last = append(last, lines.Text()); len(last) > most {
			last = last[1:]
		}
		mu.Unlock()
	}
}

func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func echo(t *testing.T, c *Client, ctx context.Context) error {
	t.Helper()
	result, err := c.CallTool(ctx, "echo", map[string]any{"message": "hi"})
	if err == nil && result.Content[0].(mcp.TextContent).Text != "Echo: hi" {
		t.Errorf("%+v", result)
	}
	return err
}

func idempotent(string) bool { return true }

func TestEverythingOverStdio(t *testing.T) {
	needEverything(t)
	var started children
	progress := make(chan struct{}, 100)
	var outcomes []Outcome
	c := connect(t, overStdio(&started), Options{
		Timeout: 20 * time.Second, Base: 10 * time.Millisecond, Idempotent: func(tool string) bool { return tool == "echo" },
		OnProgress: func(float64, float64, string) { progress <- struct{}{} }, OnOutcome: func(o Outcome) { outcomes = append(outcomes, o) },
	})
	if err := echo(t, c, t.Context()); err != nil {
		t.Fatal(err)
	}
	// Killed between calls: the next one starts it again.
	_ = started.last().Kill()
	if err := echo(t, c, t.Context()); err != nil {
		t.Error(err)
	}
	// Killed in the middle of a call that may not be repeated.
	go func() {
		<-progress
		_ = started.last().Kill()
	}()
	_, err := c.CallTool(t.Context(), "trigger-long-running-operation", map[string]any{"duration": 10, "steps": 100})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeLink || e.Attempts != 1 || !e.Retryable {
		t.Errorf("%+v", err)
	}
	if err := echo(t, c, t.Context()); err != nil {
		t.Error(err)
	}
	// Wrong arguments are a matter of the tool.
	if _, err := c.CallTool(t.Context(), "get-sum", map[string]any{"a": "x"}); err == nil {
		t.Error("no error")
	} else if e, ok := errors.AsType[*Error](err); !ok || e.Attempts != 1 || e.Retryable {
		t.Errorf("%+v", err)
	}
	last := started.last()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if last.Signal(os.Interrupt) == nil {
		t.Error("the child lives on")
	}
	if len(outcomes) != 5 {
		t.Errorf("%d outcomes", len(outcomes))
	}
}

func TestEverythingOverHTTPRestarted(t *testing.T) {
	needEverything(t)
	port := freePort(t)
	first := overHTTP(t, port)
	progress := make(chan struct{}, 100)
	c := connect(t, URL(fmt.Sprintf("http://127.0.0.1:%d/mcp", port), nil), Options{
		Timeout: 20 * time.Second, Base: 500 * time.Millisecond, Attempts: 5, Idempotent: idempotent,
		OnProgress: func(float64, float64, string) { progress <- struct{}{} },
	})
	if err := echo(t, c, t.Context()); err != nil {
		t.Fatal(err)
	}
	// Restarted between calls: it does not know the session any more.
	end(first)
	next := overHTTP(t, port)
	if err := echo(t, c, t.Context()); err != nil {
		t.Error(err)
	}
	// Restarted in the middle of a call.
	restarted := make(chan struct{})
	go func() {
		defer close(restarted)
		<-progress
		end(next)
		overHTTP(t, port)
	}()
	if _, err := c.CallTool(t.Context(), "trigger-long-running-operation", map[string]any{"duration": 0.5, "steps": 5}); err != nil {
		t.Error(err)
	}
	<-restarted
}
