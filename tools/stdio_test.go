package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

func TestCallReachesCaller(t *testing.T) {
	caller := &fakeCaller{}
	c := initialized(t, NewServer(Options{Caller: caller}))
	c.send(callLine(`"a"`, "search", `{"query":"x","repo":"web","debug":null}`))
	m := c.nextMessage()
	const want = `{"query":"x","limit":10,"groupByProcess":true}`
	if string(m.ID) != `"a"` || m.Result.IsError || m.Result.StructuredContent != nil || m.Result.Content[0].Text != want {
		t.Errorf("got %+v", m)
	}
	got := caller.Calls()[0]
	if got.Tool != "search" || got.Agent != "tester" || got.Repo != "web" || !got.ReadOnly || len(got.ID) < 26 || got.Progress != nil {
		t.Errorf("got %+v", got)
	}
}

// A slow call holds nothing up: 256 of them, a ping, a quick one.
func TestManyCallsAtOnce(t *testing.T) {
	release := make(chan struct{})
	caller := &fakeCaller{CallFunc: func(_ context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool == "cypher" {
			<-release
		}
		return json.RawMessage(`{}`), nil
	}}
	c := initialized(t, NewServer(Options{Caller: caller}))
	const n = 256
	for i := range n {
		c.send(callLine(fmt.Sprint(i+10), "cypher", `{"query":"RETURN 1"}`))
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := c.nextMessage(); string(m.ID) != "1" {
		t.Errorf("got %+v", m)
	}
	c.send(callLine("2", "grep", `{"pattern":"x"}`))
	if m := c.nextMessage(); string(m.ID) != "2" {
		t.Errorf("got %+v", m)
	}
	close(release)
	seen := map[string]bool{}
	for range n {
		seen[string(c.nextMessage().ID)] = true
	}
	if len(seen) != n {
		t.Errorf("%d of %d answered", len(seen), n)
	}
}

func TestOverloaded(t *testing.T) {
	caller := &fakeCaller{CallFunc: func(ctx context.Context, _ *wsbridge.Call) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	c := initialized(t, NewServer(Options{Caller: caller, MaxCalls: 2}))
	c.send(callLine("1", "overview", `{}`), callLine("2", "overview", `{}`), callLine("3", "overview", `{}`))
	m := c.nextMessage()
	e := m.failed(t)
	if string(m.ID) != "3" || e.Code != CodeOverloaded || !e.Retryable || e.RetryAfter != 1 || !strings.HasPrefix(e.Message, "overview was not started") {
		t.Errorf("got %s %+v", m.ID, e)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	await(t, "a free place", func() bool {
		c.send(callLine("4", "nosuch", `{}`))
		return c.nextMessage().failed(t).Code == CodeToolNotFound
	})
}

// A cancel right behind its request is not lost, ends the call and its answer.
func TestCancelRightBehind(t *testing.T) {
	var cancelled atomic.Int32
	caller := &fakeCaller{CallFunc: func(ctx context.Context, _ *wsbridge.Call) (json.RawMessage, error) {
		select {
		case <-ctx.Done():
			cancelled.Add(1)
			return nil, ctx.Err()
		case <-time.After(20 * time.Second):
			return json.RawMessage(`{}`), nil
		}
	}}
	s := NewServer(Options{Caller: caller})
	c := initialized(t, s)
	const n = 200
	for i := range n {
		id := fmt.Sprintf(`"c%d"`, i)
		cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"changed my mind"}}`
		if _, err := io.WriteString(c.in, callLine(id, "overview", `{}`)+"\n"+cancel+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "all calls to end", func() bool { return s.Health().Calls.InFlight == 0 && s.Health().Calls.Total == n })
	if int(cancelled.Load()) != len(caller.Calls()) {
		t.Errorf("%d calls, %d cancelled", len(caller.Calls()), cancelled.Load())
	}
	c.nothing(20 * time.Millisecond)
	if h := s.Health(); h.Calls.Failed != 0 || len(h.LastErrors) != 0 {
		t.Errorf("cancelled calls were counted as failures: %+v", h)
	}
}

// A client that uses an id again, against the rules, still gets an answer for
// each request, and its cancel goes to the later one.
func TestReusedID(t *testing.T) {
	release := make(chan struct{})
	caller := &fakeCaller{CallFunc: func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool == "context" {
			<-release
			return json.RawMessage(`{}`), nil
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	s := NewServer(Options{Caller: caller})
	c := initialized(t, s)
	c.send(callLine("1", "context", `{}`), callLine("1", "overview", `{}`))
	await(t, "both calls", func() bool { return len(caller.Calls()) == 2 })
	close(release)
	if m := c.nextMessage(); string(m.ID) != "1" || m.Result.IsError {
		t.Errorf("got %+v", m)
	}
	await(t, "the first call's end", func() bool { return s.Health().Calls.InFlight == 1 })
	c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`) // by its answer the first call is forgotten, or about to be
	c.next()
	time.Sleep(5 * time.Millisecond)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	await(t, "the second call's end", func() bool { return s.Health().Calls.InFlight == 0 })
}

func TestBadLines(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{}}))
	long := strings.Repeat("x", maxLineBytes)
	for _, test := range []struct{ line, want string }{
		{`{"jsonrpc":`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The line is not valid JSON"}}`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Batches are not supported: send one message a line"}}`},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The line is not a JSON-RPC message"}}`},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"The message is not JSON-RPC 2.0"}}`},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The id is neither a string nor a number"}}`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The id is neither a string nor a number"}}`},
		{`{"id":"` + long + `"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The message is longer than 32 MiB"}}`},
		{`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"search","arguments":{"id":7,"query":"` + long + `"}},"id":9007199254740993}`,
			`{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32600,"message":"The message is longer than 32 MiB"}}`},
		{" \t", ""},
		{`{"jsonrpc":"2.0","id":5,"result":{}}`, ""},
		{`{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, ""},
		{`{"jsonrpc":"2.0","method":"notifications/unheard/of"}`, ""},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}` + "\r", `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`},
	} {
		c.send(test.line)
		if test.want != "" {
			if got := c.next(); got != test.want {
				t.Errorf("%.60s\ngot  %s\nwant %s", test.line, got, test.want)
			}
		}
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m := c.nextMessage(); string(m.ID) != "1" || m.Error != nil {
		t.Errorf("got %+v", m)
	}
}

// The last line counts without a newline, and what is in flight at the end of
// input gets its result when it comes soon enough, an error when it does not.
func TestEndOfInput(t *testing.T) {
	for _, test := range []struct {
		name  string
		takes time.Duration
		code  Code
		ends  time.Duration
	}{
		{"at once", 0, "", 0},
		{"soon", finishWithin / 2, "", finishWithin / 2},
		{"late", time.Hour, CodeConnectionLost, finishWithin},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller := &fakeCaller{CallFunc: func(ctx context.Context, _ *wsbridge.Call) (json.RawMessage, error) {
					select {
					case <-time.After(test.takes):
						return json.RawMessage(`{}`), nil
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}}
				start := time.Now()
				c := serve(t, NewServer(Options{Caller: caller, Timeouts: timeouts(2*time.Hour, 2*time.Hour)}))
				c.send(initialize)
				c.next()
				if _, err := io.WriteString(c.in, callLine("1", "overview", `{}`)); err != nil {
					t.Fatal(err)
				}
				c.in.Close()
				m := c.nextMessage()
				if test.code == "" && m.Result.IsError || test.code != "" && m.failed(t).Code != test.code {
					t.Errorf("got %+v", m)
				}
				if err := <-c.served; err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != test.ends {
					t.Errorf("ended after %v, want %v", took, test.ends)
				}
			})
		})
	}
}

// A caller that ignores its context cannot keep Serve.
func TestStubbornCallerAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		caller := &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) {
			<-release
			return json.RawMessage(`{}`), nil
		}}
		c := serve(t, NewServer(Options{Caller: caller}))
		c.send(initialize)
		c.next()
		c.send(callLine("1", "overview", `{}`))
		synctest.Wait()
		start := time.Now()
		c.stop()
		if m := c.nextMessage(); string(m.ID) != "1" || m.failed(t).Code != CodeConnectionLost {
			t.Errorf("got %+v", m)
		}
		if took := time.Since(start); took != StopsWithin-giveUpWithin {
			t.Errorf("answered after %v", took)
		}
		// The rest of the second is the program's, to close the bridge.
		if err := <-c.served; err != nil || time.Since(start) != StopsWithin-giveUpWithin {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		close(release)
	})
}

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, NewServer(Options{Caller: &fakeCaller{}}))
		c.send(initialize)
		c.next()
		start := time.Now()
		c.stop()
		if err := <-c.served; err != nil || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestBrokenOutput(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{CallFunc: func(ctx context.Context, _ *wsbridge.Call) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}}))
	c.send(callLine("1", "overview", `{}`))
	c.out.Close()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	select {
	case err := <-c.served:
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("Serve goes on")
	}
}

// A client that does not read cannot keep Serve either.
func TestClientThatDoesNotRead(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- NewServer(Options{Caller: &fakeCaller{}}).Serve(ctx, inR, outW) }()
	if _, err := io.WriteString(inW, "nonsense\n"); err != nil { // its answer finds no reader
		t.Fatal(err)
	}
	stop()
	select {
	case <-served:
	case <-time.After(5 * time.Second):
		t.Error("Serve goes on")
	}
	inW.Close()
	outR.Close()
}

// Nor can it pile up answers: what it does not read keeps the server from taking
// on more, and is all there when it does read.
func TestAnswersNotReadAreBounded(t *testing.T) {
	const limit = 8
	caller := &fakeCaller{}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- NewServer(Options{Caller: caller, MaxCalls: limit}).Serve(t.Context(), inR, outW) }()
	written := make(chan int, 100)
	go func() {
		defer close(written)
		for i := range 3 * limit {
			if _, err := io.WriteString(inW, callLine(strconv.Itoa(i), "search", `{"query":"x"}`)+"\n"); err != nil {
				return
			}
			written <- i
		}
	}()
	for range limit + 1 { // the last of them is refused, and its answer holds up the reading
		<-written
	}
	select {
	case i := <-written:
		t.Errorf("call %d was taken while the answers to %d others wait", i, limit+1)
	case <-time.After(100 * time.Millisecond):
	}
	if n := len(caller.Calls()); n > limit {
		t.Errorf("%d calls are under way", n)
	}
	answered := make(map[string]int)
	lines := bufio.NewReader(outR)
	for range 3 * limit {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		answered[string(decode[wire](t, line).ID)]++
	}
	if len(answered) != 3*limit {
		t.Errorf("%d of %d calls were answered", len(answered), 3*limit)
	}
	inW.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestInputError(t *testing.T) {
	c := initialized(t, NewServer(Options{Caller: &fakeCaller{}}))
	broken := errors.New("cable cut")
	c.in.CloseWithError(broken)
	if err := <-c.served; !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// Two clients at one server do not see each other's ids.
func TestTwoClients(t *testing.T) {
	caller := &fakeCaller{CallFunc: func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
		if c.Tool == "overview" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return json.RawMessage(`{}`), nil
	}}
	s := NewServer(Options{Caller: caller})
	a, b := initialized(t, s), initialized(t, s)
	a.send(callLine("1", "overview", `{}`))
	await(t, "the call", func() bool { return s.Health().Calls.InFlight == 1 })
	b.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, callLine("1", "context", `{}`))
	if m := b.nextMessage(); string(m.ID) != "1" || m.Result.IsError {
		t.Errorf("got %+v", m)
	}
	if n := s.Health().Calls.InFlight; n != 1 {
		t.Errorf("%d calls in flight, want 1", n)
	}
}
