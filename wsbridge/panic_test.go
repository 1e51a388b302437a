package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// A panic in a job of the bridge ends that job: health names it, the port stays
// held, and calls are answered.
func TestPanicEndsItsJobAlone(t *testing.T) {
	panics := func(context.Context) { panic("injected") }
	for name, opt := range map[string]Options{
		"hub job": {OnHub: panics},
		"folder watcher": {Folder: Folder{ID: "1", Name: "repo"}, OpenFolder: func(Folder) (OpenedFolder, error) {
			return OpenedFolder{Watch: func(context.Context, func()) { panic("injected") }}, nil
		}},
	} {
		withHub(t, opt, func(r *rig) {
			synctest.Wait()
			r.page("s1", "repo", echo)
			if o := <-r.call(r.Context(), newCall("a")); o.err != nil {
				t.Errorf("%s: %v", name, o.err)
			}
			r.checkPanic(name)
		})
	}
}

// A panic in any goroutine of the bridge ends that job alone, wherever it comes from.
func TestPanicInEachJob(t *testing.T) {
	for _, job := range []string{
		"hub job", "folder watcher", "opening folders", "HTTP request", "connection", "connection reader", "connection writer",
		"connection heartbeat", "answer decoder", "peer's call",
	} {
		t.Run(job, func(t *testing.T) {
			ran := guard.Inject(job)
			opt := Options{
				OnHub: func(context.Context) {},
				OpenFolder: func(Folder) (OpenedFolder, error) {
					return OpenedFolder{Watch: func(context.Context, func()) {}}, nil
				},
			}
			withFolders(t, opt, func(r *rig) {
				if resp, err := r.client.Get(r.hub.URL()); err == nil { // before what needs one
					_ = resp.Body.Close()
				}
				ill := r.page("ill", "shop", echo)
				ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
				defer cancel()
				large := newCall("large")
				large.Arguments = json.RawMessage(`{"x":"` + strings.Repeat("x", 2*wholeBytes) + `"}`)
				_ = (<-r.call(ctx, large)).err
				ill.drop()
				r.tab("well", "other", "")
				time.Sleep(2 * returnsWithin)
				peer, _ := r.agentOf(folderCalled("shop"), false)
				_, _ = peer.Call(ctx, ref(newCall("of a peer")))
				if !ran() {
					t.Fatal("there is no such job")
				}
				time.Sleep(2 * returnsWithin)
				r.page("again", "shop", echo)
				for _, n := range []*Node{r.node, peer} {
					c := newCall("a")
					if _, err := n.Call(r.Context(), &c); err != nil {
						t.Error(err)
					}
				}
				all := r.hub.Status().Panics
				if len(all) != 1 || all[0].Job != job || all[0].ID == "" || all[0].Message != "injected" || !strings.Contains(all[0].Stack, "guard.Run") {
					t.Errorf("health says %+v", all)
				}
			})
		})
	}
}

func (r *rig) checkPanic(job string) {
	r.Helper()
	all := r.hub.Status().Panics
	if len(all) != 1 || all[0].Job != job || all[0].ID == "" || all[0].Message != "injected" || !strings.Contains(all[0].Stack, "_test.go") {
		r.Errorf("health says %+v, want one in %s", all, job)
	}
}

func TestPanicInARequest(t *testing.T) {
	withHub(t, Options{App: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("injected") })}, func(r *rig) {
		resp, err := r.client.Get(fmt.Sprintf("http://127.0.0.1:%d/", testPort))
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("answered with %s", resp.Status)
		}
		r.checkPanic("HTTP request")
		r.page("s1", "repo", echo)
		if o := <-r.call(r.Context(), newCall("a")); o.err != nil {
			t.Error(o.err)
		}
	})
}

func TestPanicInAConnection(t *testing.T) {
	var armed atomic.Bool
	opt := Options{OnContext: func() {
		if armed.Swap(false) {
			panic("injected")
		}
	}}
	withHub(t, opt, func(r *rig) {
		r.page("well", "well", echo)
		ill := r.page("ill", "ill", nil)
		armed.Store(true)
		ill.send(encode("", methodFront, nil))
		<-ill.closed
		if e, _ := errors.AsType[websocket.CloseError](ill.err); e.Code != websocket.StatusInternalError || !strings.Contains(e.Reason, "internal error") {
			t.Errorf("closed with %v", ill.err)
		}
		r.checkPanic("connection reader")
		if o := <-r.call(r.Context(), named("a", "well")); o.err != nil {
			t.Error(o.err)
		}
		r.page("ill", "ill", echo)
		if o := <-r.call(r.Context(), named("b", "ill")); o.err != nil {
			t.Error(o.err)
		}
	})
}

func TestPanicInAPeersCall(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", echo)
		p := r.firstPage()
		send := p.send
		p.send = func(context.Context, *Call, func()) (json.RawMessage, error) { panic("injected") }
		peer := r.peer(r.hub.opt)
		c := newCall("a")
		_, err := r.via(peer).Call(r.Context(), &c)
		if e, ok := errors.AsType[*guard.Panic](err); !ok || e.ID == "" {
			t.Errorf("got %#v", err)
		}
		r.checkPanic("peer's call")
		p.send = send
		c = newCall("b")
		if _, err := r.via(peer).Call(r.Context(), &c); err != nil {
			t.Error(err)
		}
	})
}

func TestPanicInTheElection(t *testing.T) {
	withMesh(t, func(m *mesh) {
		n := m.startWith("n", func(n *meshNode) {
			listen, armed := n.listen, true
			n.listen = func(port int) ([]net.Listener, error) {
				if armed {
					armed = false
					panic("injected")
				}
				return listen(port)
			}
		})
		time.Sleep(time.Second)
		if st := n.Status(); st.Role != "hub" || len(st.Panics) != 1 || st.Panics[0].Job != "election" {
			t.Errorf("%+v", st)
		}
		n.stop()
	})
}

// The port may be in use without a listener: it is then the local port of a
// connection, and no hub. That is said, and passes with the connection.
func TestPortOfAnOutgoingConnection(t *testing.T) {
	server, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: freePort(t)}}
	conn, err := dialer.Dial("tcp4", server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n, _ := runNode(t, conn.LocalAddr().(*net.TCPAddr).Port)
	waitFor(t, "word of the connection", func() bool {
		return strings.Contains(n.Status().Trouble, "the local port of some program's outgoing connection")
	})
	if c, err := server.Accept(); err == nil {
		_ = c.(*net.TCPConn).SetLinger(0) // no TIME_WAIT
		_ = c.Close()
	}
	_ = conn.Close()
	waitFor(t, "the port", func() bool { return n.Status().Role == "hub" })
}

// Windows refuses a port that it has reserved with WSAEACCES, and so one that its
// holder wants to itself: whether anybody listens there decides which it is.
func TestPortThatWindowsRefuses(t *testing.T) {
	refused := &net.OpError{Op: "listen", Net: "tcp4", Err: os.NewSyscallError("bind", wsaEACCES)}
	withMesh(t, func(m *mesh) {
		var free atomic.Bool
		n := m.startWith("n", func(n *meshNode) {
			listen := n.listen
			n.listen = func(port int) ([]net.Listener, error) {
				if !free.Load() {
					return nil, refused
				}
				return listen(port)
			}
		})
		time.Sleep(time.Minute)
		c := newCall("a")
		_, err := n.Call(t.Context(), &c)
		lost, ok := errors.AsType[*LostError](err)
		if !ok || !strings.Contains(lost.Reason, "Windows has reserved port") || !strings.Contains(lost.Reason, "netsh") {
			t.Errorf("%v", err)
		} else if strings.Contains(lost.Advice, "end that program") {
			t.Errorf("nobody can do that: %s", lost.Advice)
		}
		free.Store(true)
		time.Sleep(2 * time.Minute)
		if st := n.Status(); st.Role != "hub" || st.Trouble != "" {
			t.Errorf("the port is free: %+v", st)
		}
		n.stop()
	})
	withMesh(t, func(m *mesh) {
		hub := m.start("hub")
		time.Sleep(time.Second)
		peer := m.startWith("peer", func(n *meshNode) {
			n.listen = func(int) ([]net.Listener, error) { return nil, refused }
		})
		time.Sleep(time.Second)
		if st := peer.Status(); st.Role != "peer" || st.Trouble != "" {
			t.Errorf("a hub has the port: %+v", st)
		}
		peer.stop()
		hub.stop()
	})
}
