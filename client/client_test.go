package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/gitnexus/gitnexus-mcp/resilience"
)

// testServer is an MCP server behind a proxy that can answer instead of it.
type testServer struct {
	url   string
	calls atomic.Int32 // that the tool ran
	// proxy answers a tool call, or returns false to pass it on.
	proxy atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
	// The tool "wait" says that it waits, and ends when goOn is closed.
	waiting, goOn chan struct{}
}

func newServer(t *testing.T) *testServer {
	t.Helper()
	s := &testServer{waiting: make(chan struct{}, 10), goOn: make(chan struct{})}
	tools := server.NewMCPServer("test", "1")
	answer := func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.calls.Add(1)
		return mcp.NewToolResultText("hello " + r.GetString("name", "nobody")), nil
	}
	tools.AddTool(mcp.NewTool("greet", mcp.WithReadOnlyHintAnnotation(true)), answer)
	tools.AddTool(mcp.NewTool("send"), answer)
	wait := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.waiting <- struct{}{}
		<-s.goOn
		return mcp.NewToolResultText("waited"), nil
	}
	tools.AddTool(mcp.NewTool("wait"), wait)
	tools.AddTool(mcp.NewTool("wait_again", mcp.WithIdempotentHintAnnotation(true)), wait)
	tools.AddTool(mcp.NewTool("broken"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("no such file"), nil
	})
	tools.AddTool(mcp.NewTool("lost"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := mcp.NewToolResultStructured(map[string]any{"error": true, "code": "CONNECTION_LOST", "message": "no page", "retryable": true, "retryAfter": 2}, "no page")
		r.IsError = true
		return r, nil
	})
	handler := server.NewStreamableHTTPServer(tools)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if proxy := s.proxy.Load(); proxy != nil && bytes.Contains(body, []byte(`"tools/call"`)) && (*proxy)(w, r) {
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	s.url = web.URL
	return s
}

// script makes the proxy answer calls with the given statuses, one after
// another. Status 0 passes the call on, 1 resets the connection after the call
// was processed, 2 answers garbage.
func (s *testServer) script(statuses ...int) {
	var mu sync.Mutex
	proxy := func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		status := 0
		if len(statuses) > 0 {
			status, statuses = statuses[0], statuses[1:]
		}
		mu.Unlock()
		switch status {
		case 0:
			return false
		case 1:
			s.calls.Add(1)
			panic(http.ErrAbortHandler)
		case 2:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "<html>hello</html>")
		default:
			w.Header().Set("Retry-After", "0")
			http.Error(w, "no", status)
		}
		return true
	}
	s.proxy.Store(&proxy)
}

func connect(t *testing.T, target Target, o Options) *Client {
	t.Helper()
	c, err := Connect(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return c
}

func TestACall(t *testing.T) {
	s := newServer(t)
	c := connect(t, URL(s.url, nil), Options{})
	result, err := c.CallTool(t.Context(), "greet", map[string]any{"name": "Ada"})
	if err != nil || result.Content[0].(mcp.TextContent).Text != "hello Ada" {
		t.Errorf("%+v, %v", result, err)
	}
	if len(c.Tools()) != 6 {
		t.Errorf("%d tools", len(c.Tools()))
	}
}

// A fault that one call meets is no fault of those that run beside it, which may
// be ones that must not be repeated.
func TestALostCallLeavesTheOthersAlone(t *testing.T) {
	s := newServer(t)
	s.script(0, 1) // the first call is passed on, the second one is reset
	c := connect(t, URL(s.url, nil), Options{Base: time.Millisecond})
	waits := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "wait", nil)
		waits <- err
	}()
	<-s.waiting
	if _, err := c.CallTool(t.Context(), "send", nil); err == nil {
		t.Error("the reset call succeeded")
	}
	if _, err := c.CallTool(t.Context(), "greet", nil); err != nil { // on a connection of its own
		t.Error(err)
	}
	close(s.goOn)
	if err := <-waits; err != nil {
		t.Errorf("the call beside it: %v", err)
	}
}

// A balancer without a server behind it takes a connection and closes it at once.
func TestAServerThatClosesAtOnceIsALostConnection(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	_, err = Connect(t.Context(), URL("http://"+l.Addr().String(), nil), Options{Base: time.Millisecond})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeLink || e.Attempts != 3 || !e.Retryable {
		t.Errorf("%#v", err)
	}
}

// Close ends calls that wait, and says why.
func TestCloseEndsCallsThatWait(t *testing.T) {
	for _, tool := range []string{"wait", "wait_again"} {
		s := newServer(t)
		c := connect(t, URL(s.url, nil), Options{})
		waits := make(chan error, 1)
		go func() {
			_, err := c.CallTool(t.Context(), tool, nil)
			waits <- err
		}()
		<-s.waiting
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if e, ok := errors.AsType[*Error](<-waits); !ok || e.Code != CodeLink || e.Attempts != 1 {
			t.Errorf("%s: %+v", tool, e)
		}
		close(s.goOn)
	}
}

func TestWhatIsTriedAgain(t *testing.T) {
	for _, c := range []struct {
		tool     string
		statuses []int
		attempts int
		code     string
		ran      int32
	}{
		{"greet", []int{429, 503}, 3, "", 1},
		{"send", []int{429, 503}, 3, "", 1}, // refused: surely not processed
		{"send", []int{408}, 2, "", 1},
		{"greet", []int{502, 504}, 3, "", 1},
		{"greet", []int{1}, 2, "", 2},
		{"send", []int{1}, 1, CodeLink, 1},
		{"send", []int{502}, 1, CodeLink, 0},
		{"send", []int{504}, 1, CodeTimeout, 0},
		{"greet", []int{503, 503, 503}, 3, CodeOverloaded, 0},
		{"greet", []int{429, 429, 429}, 3, CodeOverloaded, 0},
		{"greet", []int{400}, 1, CodeInternal, 0},
		{"greet", []int{401}, 1, CodePermission, 0},
		{"greet", []int{403}, 1, CodePermission, 0},
		{"greet", []int{422}, 1, CodeValidation, 0},
		{"greet", []int{500}, 1, CodeInternal, 0},
		{"greet", []int{2}, 1, CodeInternal, 0},
		{"broken", nil, 1, CodeTool, 0},
		{"lost", nil, 1, "CONNECTION_LOST", 0},
		{"unknown", nil, 1, CodeValidation, 0},
	} {
		t.Run(fmt.Sprint(c.tool, c.statuses), func(t *testing.T) {
			s := newServer(t)
			s.script(c.statuses...)
			var outcome Outcome
			var retries strings.Builder
			cl := connect(t, URL(s.url, nil), Options{
				Base: time.Millisecond, OnOutcome: func(o Outcome) { outcome = o }, Log: slog.New(slog.NewTextHandler(&retries, nil)),
			})
			_, err := cl.CallTool(t.Context(), c.tool, nil)
			e, failed := errors.AsType[*Error](err)
			if failed != (c.code != "") || failed && (e.Code != c.code || e.Attempts != c.attempts || e.Tool != c.tool || e.Server != s.url || e.Cause == nil) {
				t.Fatalf("%+v", err)
			}
			if outcome.Attempts != c.attempts || outcome.Err != e || s.calls.Load() != c.ran {
				t.Errorf("outcome %+v; the tool ran %d times", outcome, s.calls.Load())
			}
			if n := strings.Count(retries.String(), "trying again"); n != c.attempts-1 || n > 0 && !strings.Contains(retries.String(), "attempt=1") {
				t.Errorf("log: %s", retries.String())
			}
		})
	}
}

func TestWhatAnErrorTells(t *testing.T) {
	s := newServer(t)
	c := connect(t, URL(s.url, nil), Options{Base: time.Millisecond})
	result, err := c.CallTool(t.Context(), "lost", nil)
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.Retryable || e.RetryAfter != 2*time.Second || e.Cause.Error() != "no page" || !result.IsError {
		t.Errorf("%+v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = c.CallTool(ctx, "greet", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if e, ok = errors.AsType[*Error](err); !ok || e.Code != CodeCancelled || e.Retryable {
		t.Errorf("%+v", err)
	}
}

func TestALateAnswerIsATimeoutOfOneAttempt(t *testing.T) {
	s := newServer(t)
	var slow atomic.Int32
	proxy := func(_ http.ResponseWriter, r *http.Request) bool {
		if slow.Add(1) == 1 {
			<-r.Context().Done()
			return true
		}
		return false
	}
	s.proxy.Store(&proxy)
	c := connect(t, URL(s.url, nil), Options{Timeout: 300 * time.Millisecond, Base: time.Millisecond})
	if _, err := c.CallTool(t.Context(), "greet", nil); err != nil || slow.Load() != 2 {
		t.Errorf("%v after %d attempts", err, slow.Load())
	}
	slow.Store(0)
	if e, ok := errors.AsType[*Error](second(c.CallTool(t.Context(), "send", nil))); !ok || e.Code != CodeTimeout || e.Attempts != 1 || !e.Retryable {
		t.Errorf("%+v", e)
	}
}

// When the time is up, the response's body fails too, and mcp-go may see that
// before it sees its context: it is a timeout all the same.
func TestABodyThatEndsWithTheTimeIsATimeout(t *testing.T) {
	mcpgo, err := transport.NewStreamableHTTP("http://127.0.0.1:1/mcp", transport.WithHTTPLogger(slog.New(slog.DiscardHandler)), transport.WithHTTPBasicClient(&http.Client{
		Transport: statuses{roundTrip(func(r *http.Request) (*http.Response, error) {
			body := readFunc(func([]byte) (int, error) {
				<-r.Context().Value(inTimeKey{}).(context.Context).Done()
				return 0, context.DeadlineExceeded
			})
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)}, nil
		})},
	}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	request := transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(1), Method: string(mcp.MethodToolsCall)}
	_, err = streamable{mcpgo}.SendRequest(late{context.WithValue(ctx, inTimeKey{}, ctx)}, request)
	if got := code(t.Context(), err); got != CodeTimeout || !resilience.Classify(err).Passing {
		t.Errorf("%s: %v", got, err)
	}
}

type inTimeKey struct{}

// late is a context that those who wait for it never hear the end of.
type late struct{ context.Context }

func (late) Done() <-chan struct{} { return make(chan struct{}) }

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

func TestConnectingIsTriedAgain(t *testing.T) {
	start := time.Now()
	_, err := Connect(t.Context(), URL("http://127.0.0.1:1/mcp", nil), Options{Base: time.Millisecond})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeLink || e.Attempts != 3 || !e.Retryable || e.Tool != "" {
		t.Errorf("%+v after %v", err, time.Since(start))
	}
	_, err = Connect(t.Context(), Command(io.Discard, "no-such-program-anywhere"), Options{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeLink || e.Attempts != 1 || e.Retryable {
		t.Errorf("%+v", err)
	}
}

func TestATransportOfOnesOwn(t *testing.T) {
	tools := server.NewMCPServer("test", "1")
	tools.AddTool(mcp.NewTool("greet"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("hello"), nil
	})
	c := connect(t, Transport("here", func() (transport.Interface, error) { return transport.NewInProcessTransport(tools), nil }), Options{})
	if _, err := c.CallTool(t.Context(), "greet", nil); err != nil {
		t.Error(err)
	}
}

func TestCloseMayBeCalledAgain(t *testing.T) {
	s := newServer(t)
	c := connect(t, URL(s.url, nil), Options{})
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if e, ok := errors.AsType[*Error](second(c.CallTool(t.Context(), "greet", nil))); !ok || e.Code != CodeLink || e.Attempts != 1 {
		t.Errorf("%+v", e)
	}
}

func TestRetryAfter(t *testing.T) {
	if d := retryAfter(time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)); d < 80*time.Second || d > 90*time.Second {
		t.Error(d)
	}
	for header, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second, "-1": 0, "soon": 0, "Mon, 02 Jan 2006 15:04:05 GMT": 0} {
		if d := retryAfter(header); d != want {
			t.Errorf("%q: %v", header, d)
		}
	}
}

func second[T any](_ T, err error) error { return err }
