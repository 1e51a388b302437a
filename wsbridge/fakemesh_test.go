package wsbridge

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// mesh is a machine with one port, in memory: nodes run on it, die without a
// word, freeze and go on, while a synctest bubble's clock is exact.
type mesh struct {
	*testing.T
	mu     sync.Mutex
	holder *meshListener // who listens on the port; nil for nobody
	named  program       // what the system says of it, to all
}

// meshProcess is what can be killed or frozen as a whole. The zero value runs.
type meshProcess struct {
	mu     sync.Mutex
	conns  []*meshConn
	frozen chan struct{} // closed when it goes on; nil while it runs
	dead   bool
}

// awake returns when the process is not frozen.
func (p *meshProcess) awake() {
	p.mu.Lock()
	frozen := p.frozen
	p.mu.Unlock()
	if frozen != nil {
		<-frozen
	}
}

func (p *meshProcess) freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen == nil && !p.dead {
		p.frozen = make(chan struct{})
	}
}

func (p *meshProcess) thaw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen != nil {
		close(p.frozen)
		p.frozen = nil
	}
}

// die closes all that the process has open. What it still does reaches nobody.
func (p *meshProcess) die() {
	p.mu.Lock()
	p.dead = true
	conns := p.conns
	p.mu.Unlock()
	for _, c := range conns {
		_ = c.Conn.Close()
		_ = c.Close()
	}
	p.thaw()
}

func (p *meshProcess) own(c net.Conn) net.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	mc := &meshConn{Conn: c, process: p, more: make(chan struct{}, 1)}
	p.conns = append(p.conns, mc)
	go mc.pump()
	if p.dead {
		_ = mc.Close()
	}
	return mc
}

// meshConn is a connection of a process, with a buffer as TCP has one: who
// writes does not wait for the other side, which may be frozen.
type meshConn struct {
	net.Conn
	process *meshProcess

	mu     sync.Mutex
	queue  []byte
	closed bool
	more   chan struct{} // buffered 1
}

func (c *meshConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.process.awake()
	return n, err
}

func (c *meshConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, net.ErrClosed
	}
	c.queue = append(c.queue, b...)
	c.signal()
	return len(b), nil
}

// Close lets what was written go out, if the other side takes it.
func (c *meshConn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.signal()
	c.mu.Unlock()
	time.AfterFunc(time.Second, func() {
		c.process.awake()
		_ = c.Conn.Close()
	})
	return c.SetReadDeadline(time.Unix(1, 0))
}

func (c *meshConn) signal() {
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *meshConn) pump() {
	defer func() { _ = c.Conn.Close() }()
	for range c.more {
		c.process.awake()
		c.mu.Lock()
		data, closed := c.queue, c.closed
		c.queue = nil
		c.mu.Unlock()
		var err error
		if len(data) > 0 { // a pipe waits for a reader even of nothing
			_, err = c.Conn.Write(data)
		}
		if err != nil || closed {
			c.mu.Lock()
			c.closed = true
			c.mu.Unlock()
			return
		}
	}
}

type meshListener struct {
	mesh    *mesh
	process *meshProcess
	backlog chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (m *mesh) listen(p *meshProcess) (*meshListener, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.holder != nil {
		return nil, &net.OpError{Op: "listen", Err: syscall.EADDRINUSE}
	}
	m.holder = &meshListener{mesh: m, process: p, backlog: make(chan net.Conn, 1000), closed: make(chan struct{})}
	return m.holder, nil
}

func (l *meshListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.backlog:
		l.process.awake()
		return l.process.own(c), nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close frees the port, and breaks the connections that nobody has accepted.
func (l *meshListener) Close() error {
	l.once.Do(func() {
		l.mesh.mu.Lock()
		l.mesh.holder = nil
		l.mesh.mu.Unlock()
		close(l.closed)
		for {
			select {
			case c := <-l.backlog:
				_ = c.Close()
			default:
				return
			}
		}
	})
	return nil
}

func (l *meshListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: testPort}
}

func (m *mesh) dial(p *meshProcess) (net.Conn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.holder == nil {
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	here, there := net.Pipe()
	m.holder.backlog <- there
	return p.own(here), nil
}

// meshNode is a node that runs on the mesh.
type meshNode struct {
	*Node
	process meshProcess
	cancel  context.CancelFunc
	done    chan struct{}
}

func (m *mesh) start(name string) *meshNode { return m.startWith(name, func(*meshNode) {}) }

// startWith starts a node that prepare may change before it runs.
func (m *mesh) startWith(name string, prepare func(*meshNode)) *meshNode {
	n := &meshNode{done: make(chan struct{})}
	n.Node = NewNode(Options{Gate: Gate{Port: testPort, Token: testToken, Pairing: testPages}, App: http.NotFoundHandler(), Agent: name})
	var listener *meshListener
	n.listen = func(int) ([]net.Listener, error) {
		l, err := m.listen(&n.process)
		if err != nil {
			return nil, err
		}
		listener = l
		return []net.Listener{l}, nil
	}
	n.holder = func(int) program { return m.named }
	n.dial = func(context.Context, Gate) (net.Conn, error) { return m.dial(&n.process) }
	prepare(n)
	ctx, cancel := context.WithCancel(context.Background())
	n.cancel = func() {
		cancel()
		<-n.done
		if listener != nil {
			_ = listener.Close()
		}
	}
	go func() {
		defer close(n.done)
		_ = n.Run(ctx)
	}()
	return n
}

// stop ends the node as SIGTERM does.
func (n *meshNode) stop() {
	n.process.thaw()
	n.cancel()
}

// kill ends the node as SIGKILL does.
func (n *meshNode) kill(m *mesh) {
	m.mu.Lock()
	l := m.holder
	m.mu.Unlock()
	n.process.die()
	if l != nil && l.process == &n.process {
		_ = l.Close()
	}
	n.cancel()
}

// meshPage is a page that redials by the page's schedule, runs a call once, and
// answers it as often as it is sent.
type meshPage struct {
	session, repo string
	work          func()               // takes the time that a call takes; may be nil
	redial        func() time.Duration // in place of the schedule; may be nil
	process       meshProcess

	mu    sync.Mutex
	runs  map[string]int // how often each call was run
	sends map[string]int // and how often it was sent
	known map[string]chan struct{}
	quit  context.CancelFunc
	done  chan struct{}
}

func (m *mesh) page(session, repo string, work func()) *meshPage {
	return m.open(&meshPage{session: session, repo: repo, work: work})
}

func (m *mesh) open(p *meshPage) *meshPage {
	p.done, p.runs, p.sends, p.known = make(chan struct{}), map[string]int{}, map[string]int{}, map[string]chan struct{}{}
	ctx, quit := context.WithCancel(context.Background())
	p.quit = func() { quit(); <-p.done }
	go func() {
		defer close(p.done)
		step, quick := 0, 0
		for ctx.Err() == nil {
			began := time.Now()
			handedOver := p.live(ctx, m)
			if time.Since(began) >= 10*time.Second {
				step = 0
			}
			wait := reconnect.Backoff{}.Delay(step)
			if handedOver {
				quick = 6
			}
			if quick > 0 {
				wait = reconnect.Backoff{Base: 10 * time.Millisecond}.Delay(6 - quick)
				quick--
			} else {
				step++
			}
			if p.redial != nil {
				wait = p.redial()
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
		}
	}()
	return p
}

func (p *meshPage) live(ctx context.Context, m *mesh) (handedOver bool) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) { return m.dial(&p.process) }}}
	dctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	protocols, err := proveAs(dctx, client, testPort, rolePage)
	if err != nil {
		return false
	}
	conn, _, err := websocket.Dial(dctx, "ws://127.0.0.1:54319/", &websocket.DialOptions{HTTPClient: client, Subprotocols: protocols})
	if err != nil {
		return false
	}
	defer func() { _ = conn.CloseNow() }()
	send := func(frame []byte) { _ = conn.Write(context.Background(), websocket.MessageText, frame) }
	send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "t", Session: p.session}))
	send(encode("", methodContext, contextParams{&GraphContext{Repo: p.repo, State: "ready"}}))
	silent := time.AfterFunc(40*time.Second, func() { _ = conn.CloseNow() })
	defer silent.Stop()
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return false
		}
		silent.Reset(40 * time.Second)
		var f frame
		_ = json.Unmarshal(data, &f)
		switch f.Method {
		case methodPing:
			send(encodeResult(idOf(f), struct{}{}))
		case methodHandover:
			return true
		case methodCall:
			go func() {
				p.run(idOf(f))
				send(encodeResult(idOf(f), map[string]any{"structuredContent": map[string]string{"page": p.session, "call": idOf(f)}}))
			}()
		}
	}
}

// run runs a call, or waits for the run of the same id.
func (p *meshPage) run(id string) {
	p.mu.Lock()
	p.sends[id]++
	done, known := p.known[id]
	if !known {
		done = make(chan struct{})
		p.known[id] = done
		p.runs[id]++
	}
	p.mu.Unlock()
	if known {
		<-done
		return
	}
	if p.work != nil {
		p.work()
	}
	close(done)
}

func (p *meshPage) ran(id string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runs[id]
}

func (p *meshPage) sent(id string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sends[id]
}

func withMesh(t *testing.T, test func(m *mesh)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(&mesh{T: t}) })
}

// roles are how many of the nodes are what.
func roles(nodes []*meshNode) map[string]int {
	count := map[string]int{}
	for _, n := range nodes {
		count[n.Status().Role]++
	}
	return count
}

func call(n *meshNode, c Call) <-chan callOutcome {
	done := make(chan callOutcome, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		result, err := n.Call(ctx, &c)
		done <- callOutcome{result: result, err: err}
	}()
	return done
}
