package wsbridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

const (
	testPort  = 54319
	testToken = "0123456789abcdef0123456789abcdef"
)

// pipeListener is a net.Listener whose connections are in memory, so that a
// synctest bubble's clock goes on.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: testPort}
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serving has a process that was started with a folder, which streams by a handler.
func serving(o Options, stream http.Handler) Options {
	o.Folder = Folder{ID: "id of repo", Name: "repo", Path: "/src/repo"}
	o.OpenFolder = func(Folder) (OpenedFolder, error) { return OpenedFolder{Stream: stream}, nil }
	return o
}

// rig is a hub that serves on a pipe.
type rig struct {
	*testing.T
	node     *Node // makes calls of the hub's own agent
	hub      *hub
	listener *pipeListener
	client   *http.Client
	stop     func()
}

// withHub runs test against a hub inside a synctest bubble.
func withHub(t *testing.T, opt Options, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		opt.Gate.Port = testPort
		opt.Gate.Token = testToken
		if opt.Gate.Pairing == (Pairing{}) {
			opt.Gate.Pairing = testPages
		}
		opt.Gate.InsecureV1 = true // a pipe is of no process
		if opt.App == nil {
			opt.App = http.NotFoundHandler()
		}
		if opt.Breaker.Threshold == 0 {
			opt.Breaker.Threshold = 1000 // these tests are about what comes before the breaker
		}
		r := &rig{T: t, node: NewNode(opt), hub: newHub(opt), listener: newPipeListener()}
		r.hub.errors, r.hub.router.onGraph = r.node.errors, r.node.breakers.reset
		r.node.hub, r.node.up = r.hub, r.hub.router
		r.client = &http.Client{Transport: &http.Transport{DialContext: r.listener.dial, DisableKeepAlives: true}}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error)
		go func() { served <- r.hub.Serve(ctx, r.listener) }()
		var once sync.Once
		r.stop = func() {
			once.Do(func() {
				cancel()
				if err := <-served; err != nil {
					t.Errorf("Serve: %v", err)
				}
				r.node.mu.Lock()
				r.node.stopped = true
				r.node.wake()
				r.node.mu.Unlock()
			})
		}
		defer r.stop()
		test(r)
	})
}

// fakePage is a scriptable page: it answers pings and hellos by itself and
// hands calls to answer, which may be nil: then they stay open.
type fakePage struct {
	t      *testing.T
	conn   *websocket.Conn
	answer func(p *fakePage, f frame)
	mute   bool // does not even answer pings
	// onTaken, when set, gets what the hub says of answers in parts.
	onTaken func(f frame)
	// onFolders, when set, gets what the hub says of folders.
	onFolders func(f frame)

	frames   chan frame  // everything that arrives but pings and parts
	binaries chan []byte // parts
	stalled  chan chan struct{}
	closed   chan struct{} // the link has ended; err says why
	err      error
}

// dialPort is a dialFunc.
func (r *rig) dialPort(ctx context.Context, _ Gate) (net.Conn, error) {
	return r.listener.dial(ctx, "", "")
}

func (r *rig) dial(subprotocols []string, header http.Header) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
	defer cancel()
	return websocket.Dial(ctx, "ws://127.0.0.1:54319/", &websocket.DialOptions{
		HTTPClient: r.client, Subprotocols: subprotocols, HTTPHeader: header,
	})
}

// connect opens a page's v2 link without saying hello.
func (r *rig) connect(p *fakePage) *fakePage { return r.connectAs(rolePage, p) }

func (r *rig) connectAs(role string, p *fakePage) *fakePage {
	r.Helper()
	return r.start(p, r.dialProven(role))
}

// dialProven opens a v2 link of the role without saying hello.
func (r *rig) dialProven(role string) *websocket.Conn {
	r.Helper()
	protocols, err := proveAs(r.Context(), r.client, testPort, role)
	if err != nil {
		r.Fatalf("challenge: %v", err)
	}
	conn, _, err := r.dial(protocols, nil)
	if err != nil {
		r.Fatalf("dial: %v", err)
	}
	return conn
}

// proveAs has the hub prove itself, and returns the subprotocols that prove to it
// that a client of the role is who it says.
func proveAs(ctx context.Context, client *http.Client, port int, role string) ([]string, error) {
	gate, nonce, who := Gate{Port: port}, rand.Text(), identityOf(role)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, gate.URL()+challengeFor(who, nonce)[1:], nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer proofAnswer
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Proof != gate.hubProof(who, nonce) {
		return nil, errors.New("the hub's proof is wrong")
	}
	return []string{Subprotocol, gate.clientProof(who, nonce, answer.Nonce)}, nil
}

// challengeFor is the path and query of a challenge.
func challengeFor(who identity, nonce string) string {
	return challengePath + "?version=" + admissionVersion + "&role=" + who.role + "&id=" + who.id + "&nonce=" + nonce
}

func (r *rig) start(p *fakePage, conn *websocket.Conn) *fakePage {
	conn.SetReadLimit(-1)
	p.t, p.conn = r.T, conn
	p.frames, p.closed = make(chan frame, 1000), make(chan struct{})
	p.binaries, p.stalled = make(chan []byte, 1000), make(chan chan struct{}, 1)
	go p.read()
	return p
}

// page connects a page that holds a graph.
func (r *rig) page(session, repo string, answer func(p *fakePage, f frame)) *fakePage {
	r.Helper()
	p := r.connect(&fakePage{answer: answer})
	p.hello(session)
	p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: repo, State: "ready"}}))
	synctest.Wait()
	return p
}

func (p *fakePage) hello(session string) {
	p.send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: session}))
}

func (p *fakePage) send(data []byte) {
	p.t.Helper()
	if err := p.conn.Write(context.Background(), websocket.MessageText, data); err != nil {
		p.t.Logf("fake page: write: %v", err)
	}
}

func (p *fakePage) read() {
	defer close(p.closed)
	for {
		select {
		case until := <-p.stalled:
			<-until
		default:
		}
		kind, data, err := p.conn.Read(context.Background())
		if err != nil {
			p.err = err
			return
		}
		if kind == websocket.MessageBinary {
			p.binaries <- data
			continue
		}
		var f frame
		if err := json.Unmarshal(data, &f); err != nil {
			p.t.Errorf("fake page: %s: %v", data, err)
		}
		switch {
		case p.mute:
		case f.Method == methodPing:
			p.send(encodeResult(idOf(f), struct{}{}))
		case f.Method == methodTaken && p.onTaken != nil:
			p.onTaken(f)
		case f.Method == methodFolders && p.onFolders != nil:
			p.onFolders(f)
		case f.Method == methodCall && p.answer != nil:
			p.answer(p, f)
		default:
			p.frames <- f
		}
	}
}

// stall makes the page read nothing, after the next frame, until the channel is
// closed.
func (p *fakePage) stall(until chan struct{}) {
	p.stalled <- until
}

// next is the next frame of the method, which may be "" for answers.
func (p *fakePage) next(method string) frame {
	p.t.Helper()
	for {
		select {
		case f := <-p.frames:
			if f.Method == method {
				return f
			}
		case <-time.After(time.Hour):
			p.t.Fatalf("no %s within an hour", method)
		}
	}
}

func (p *fakePage) drop() {
	_ = p.conn.CloseNow()
	<-p.closed
	synctest.Wait()
}

func idOf(f frame) string {
	var id string
	_ = json.Unmarshal(f.ID, &id)
	return id
}

// echo answers a call with its own arguments.
func echo(p *fakePage, f frame) {
	var c callParams
	_ = json.Unmarshal(f.Params, &c)
	p.result(idOf(f), c.Arguments)
}

func (p *fakePage) result(id string, content any) {
	p.send(encodeResult(id, map[string]any{"structuredContent": content}))
}

// callOutcome is what came of a call.
type callOutcome struct {
	result json.RawMessage
	err    error
	trace  *Trace
}

// get asks an HTTP endpoint with a session key, and returns what it answers.
func (r *rig) get(path, key string) string {
	r.Helper()
	req, _ := http.NewRequestWithContext(r.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d%s", testPort, path), nil)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := r.client.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(resp.Body)
	return string(body)
}

// call runs a call in the background.
func (r *rig) call(ctx context.Context, c Call) <-chan callOutcome {
	done := make(chan callOutcome, 1)
	go func() {
		result, err := r.node.Call(ctx, &c)
		done <- callOutcome{result: result, err: err}
	}()
	return done
}

func newCall(id string) Call {
	return Call{ID: id, Tool: "search", Arguments: json.RawMessage(`{"query":"x"}`), Agent: "tester", ReadOnly: true}
}

func ref(c Call) *Call { return &c }

// via is a node whose upstream is the peer's connection to the hub.
func (r *rig) via(p *hubConn) *Node {
	n := NewNode(r.hub.opt)
	n.peer, n.up = p, p
	return n
}

// backlog is what waits to be written, in bytes.
func (c *conn) backlog() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queuedBytes
}

// firstPage is the page that gets calls that name no graph.
func (r *rig) firstPage() *page {
	r.hub.router.mu.Lock()
	defer r.hub.router.mu.Unlock()
	return r.hub.router.ready()[0]
}
