package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/gitnexus/gitnexus-mcp/guard"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// A panic in a request is answered, logged and in the health, and the server goes on.
func TestPanicInARequest(t *testing.T) {
	down := true
	s := NewServer(Options{Caller: &fakeCaller{}, Bridge: func() wsbridge.Status {
		if down {
			panic("boom")
		}
		return wsbridge.Status{}
	}})
	c := initialized(t, s)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"` + HealthURI + `"}}`)
	m := c.nextMessage()
	down = false
	h := decode[Health](t, readResource(t, c, HealthURI))
	if len(h.Panics) != 1 || h.Panics[0].Job != "request resources/read" || h.Panics[0].Message != "boom" || m.Error == nil || m.Error.Code != -32603 || !strings.Contains(m.Error.Message, h.Panics[0].ID) {
		t.Errorf("got %+v, health %+v", m, h.Panics)
	}
}

// A panic in what the server does in the background ends that job alone, and the
// health shows it.
func TestPanicsInTheBackground(t *testing.T) {
	explode := func(any) { panic("boom") }
	for job, f := range map[string]func(s *Server){
		"notifications": func(s *Server) {
			c := s.newClient(nil)
			s.connect(t.Context(), c, explode)
			c.notifications <- mcp.JSONRPCNotification{}
		},
		"progress of a call": func(s *Server) {
			p := newProgress(nil, func(any) {}, s.options.Panics.Report)
			p.report(1, nil, "a")
			p.mu.Lock()
			p.notify = explode
			p.mu.Unlock()
			p.report(2, nil, "b")
		},
		"releasing a folder": func(s *Server) {
			c := s.newClient(nil)
			c.release = func() { panic("boom") }
			c.close()
		},
		"removing a kept answer": func(s *Server) {
			if _, err := s.results.keep("id", "search", []byte("x"), []int{1}); err != nil {
				t.Error(err)
			}
			s.results.mu.Lock()
			defer s.results.mu.Unlock()
			s.results.kept["id"].ends = nil // its size panics
		},
	} {
		t.Run(job, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(Options{Caller: &fakeCaller{}})
				f(s)
				time.Sleep(2 * keepFor)
				synctest.Wait()
				if panics := s.Health().Panics; len(panics) != 1 || panics[0].Job != job {
					t.Errorf("got %+v", panics)
				}
			})
		})
	}
}

// panickingReader panics once it is read a second time.
type panickingReader struct{ first io.Reader }

func (r *panickingReader) Read(p []byte) (int, error) {
	if n, err := r.first.Read(p); err == nil {
		return n, nil
	}
	panic("boom")
}

// A panic while reading ends the connection with an error, after the calls in
// flight are answered.
func TestPanicWhileReading(t *testing.T) {
	var out strings.Builder
	in := &panickingReader{strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")}
	err := NewServer(Options{Caller: &fakeCaller{}}).Serve(t.Context(), in, &out)
	if p, ok := errors.AsType[*guard.Panic](err); !ok || p.Message != "boom" || !strings.Contains(out.String(), `"id":1,"result"`) {
		t.Errorf("%v, answered %s", err, out.String())
	}
}

// A panic at the start of a job of the server ends that job alone.
func TestPanicInEachJob(t *testing.T) {
	for _, job := range []string{"call", "resource list", "resource update", "closing the MCP client", "closing the HTTP clients", "leaving the HTTP clients"} {
		t.Run(job, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(Options{Caller: &fakeCaller{}})
				http := s.NewHTTP()
				ran := guard.Inject(job)
				ill := initialized(t, s)
				ill.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"`+ContextURI+`"}}`, callLine("2", "search", `{"query":"x"}`))
				synctest.Wait()
				for _, repo := range []string{"a", "b", "c"} {
					s.ContextChanged(wsbridge.GraphContext{Repo: repo, State: "ready"})
				}
				time.Sleep(10 * updateEvery)
				_ = ill.in.Close()
				if err := <-ill.served; err != nil {
					t.Error(err)
				}
				well := serve(t, s)
				well.send(initialize, callLine("3", "search", `{"query":"x"}`))
				well.nextMessage()
				if m := well.nextMessage(); m.Error != nil || m.Result.IsError {
					t.Errorf("%+v", m)
				}
				http.Close()
				if panics := s.Health().Panics; !ran() || len(panics) != 1 || panics[0].Message != "injected" {
					t.Errorf("ran: %v; %+v", ran(), panics)
				}
				s.Close()
			})
		})
	}
}

// A session that does not end by itself makes room when there are too many.
func TestPanicAtTheEndOfAnHTTPSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}})
		h := s.NewHTTP()
		begin := func() int {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", "/mcp", strings.NewReader(initialize)))
			return w.Code
		}
		ran := guard.Inject("end of an HTTP session")
		begin()
		time.Sleep(sessionIdle + time.Minute)
		for range maxSessions {
			if code := begin(); code != 200 {
				t.Errorf("status %d", code)
			}
		}
		h.Close()
		if panics := s.Health().Panics; !ran() || len(panics) != 1 || panics[0].Message != "injected" {
			t.Errorf("ran: %v; %+v", ran(), panics)
		}
	})
}

func TestPanicWhileCallsAreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := NewServer(Options{Caller: &fakeCaller{CallFunc: func(context.Context, *wsbridge.Call) (json.RawMessage, error) {
			<-release
			return nil, nil
		}}})
		c := initialized(t, s)
		c.send(callLine("1", "overview", `{}`))
		synctest.Wait()
		ran, began := guard.Inject("giving up calls"), time.Now()
		c.stop()
		if err := <-c.served; err != nil || time.Since(began) != StopsWithin || !ran() {
			t.Errorf("%v after %v, ran: %v", err, time.Since(began), ran())
		}
		close(release)
	})
}

func TestPanicWhileAskingForRoots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}, OnRoots: func([]string) {}})
		ran := guard.Inject("asking for roots")
		c := begin(t, s, mcp.ProtocolVersion20251125, `{"roots":{}}`)
		synctest.Wait()
		c.send(callLine("9", "overview", `{}`))
		if m := c.nextMessage(); string(m.ID) != "9" || m.Result.IsError || !ran() {
			t.Errorf("ran: %v, %+v", ran(), m)
		}
	})
}
