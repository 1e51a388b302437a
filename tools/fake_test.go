package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// fakeCaller is a scriptable other side. The zero value answers every call
// with its arguments.
type fakeCaller struct {
	CallFunc func(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error)

	mu    sync.Mutex
	calls []wsbridge.Call // all that came, in order
}

func (f *fakeCaller) Call(ctx context.Context, c *wsbridge.Call) (json.RawMessage, error) {
	f.mu.Lock()
	f.calls = append(f.calls, *c)
	f.mu.Unlock()
	if f.CallFunc != nil {
		return f.CallFunc(ctx, c)
	}
	return c.Arguments, nil
}

func (f *fakeCaller) Calls() []wsbridge.Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]wsbridge.Call{}, f.calls...)
}

// client is the other end of a Serve: a bare line in, a bare line out.
type client struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *io.PipeReader
	lines  chan string
	listed atomic.Int32 // how often it was told that the list of tools has changed
	served chan error
	stop   context.CancelFunc
}

// serve starts a server on two pipes, and ends it with the test.
func serve(t *testing.T, s *Server) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	gone := make(chan struct{})
	c := &client{t: t, in: inW, out: outR, lines: make(chan string, 4096), served: make(chan error, 1), stop: stop}
	go func() {
		err := s.Serve(ctx, inR, outW)
		outW.Close()
		c.served <- err
		close(gone)
	}()
	go func() {
		defer close(c.lines)
		r := bufio.NewReaderSize(outR, 1<<20)
		for {
			line, err := r.ReadString('\n')
			if strings.Contains(line, `"notifications/tools/list_changed"`) {
				c.listed.Add(1)
			} else if line != "" {
				c.lines <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		inW.Close()
		outR.Close()
		<-gone
	})
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(c.in, l+"\n"); err != nil {
			c.t.Fatalf("sending %.80s: %v", l, err)
		}
	}
}

// next returns the next line, or fails the test.
func (c *client) next() string {
	c.t.Helper()
	select {
	case l, ok := <-c.lines:
		if !ok {
			c.t.Fatal("the server has closed its output")
		}
		return l
	case <-time.After(time.Minute):
		c.t.Fatal("nothing came")
	}
	return ""
}

// nothing fails the test when a line comes within d.
func (c *client) nothing(d time.Duration) {
	c.t.Helper()
	select {
	case l, ok := <-c.lines:
		if ok {
			c.t.Fatalf("unexpected: %s", l)
		}
	case <-time.After(d):
	}
}

// wire is a message as a test reads it.
type wire struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result struct {
		IsError           bool                               `json:"isError"`
		StructuredContent json.RawMessage                    `json:"structuredContent"`
		Content           []struct{ Type, Text, URI string } `json:"content"`
		Meta              map[string]json.RawMessage         `json:"_meta"`
		Resources         []struct{ URI, Description string }
		Contents          []struct{ URI, Text, MIMEType string }
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (c *client) nextMessage() wire {
	c.t.Helper()
	return decode[wire](c.t, c.next())
}

func decode[T any](t *testing.T, s string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%v in %.300s", err, s)
	}
	return v
}

// failed decodes the envelope of an isError answer.
func (w wire) failed(t *testing.T) Envelope {
	t.Helper()
	if !w.Result.IsError || w.Error != nil {
		t.Fatalf("not an isError result: %+v", w)
	}
	if text := w.Result.Content[0].Text; text != string(w.Result.StructuredContent) {
		t.Errorf("text %s\ndiffers from structured content %s", text, w.Result.StructuredContent)
	}
	return decode[Envelope](t, string(w.Result.StructuredContent))
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}`

// initialized returns a client that has shaken hands.
func initialized(t *testing.T, s *Server) *client {
	t.Helper()
	c := serve(t, s)
	c.send(initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if m := c.nextMessage(); m.Error != nil {
		t.Fatal(m.Error.Message)
	}
	return c
}

func callLine(id, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// await polls until ok, for things that another goroutine does.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("waited in vain: " + what)
}
