package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
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

func (m *mesh) start(name string) *meshNode {
	n := &meshNode{done: make(chan struct{})}
	n.Node = NewNode(Options{Gate: Gate{Port: testPort, Token: testToken}, App: http.NotFoundHandler(), Agent: name})
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
	n.dial = func(context.Context, int) (net.Conn, error) { return m.dial(&n.process) }
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
	conn, _, err := websocket.Dial(dctx, "ws://127.0.0.1:54319/", &websocket.DialOptions{
		HTTPClient: client, Subprotocols: []string{Subprotocol, TokenSubprotocol + testToken},
	})
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

func call(n *meshNode, c Call) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		result, err := n.Call(ctx, c)
		done <- outcome{result: result, err: err}
	}()
	return done
}

// A call with side effects that was in flight when the hub was killed goes to
// the page that had it, and to no other, whichever page is back first.
func TestSideEffectsStayWithTheirPage(t *testing.T) {
	for _, comesBack := range []bool{true, false} {
		withMesh(t, func(m *mesh) {
			a := m.start("a")
			synctest.Wait()
			b := m.start("b")
			c := m.start("c")
			release := make(chan struct{})
			had := m.page("had", "repo", func() { <-release })
			time.Sleep(time.Minute)
			effect := newCall("effect")
			effect.ReadOnly = false
			done := call(b, effect)
			reading := call(c, newCall("reading"))
			synctest.Wait()
			if had.ran("effect") != 1 || had.ran("reading") != 1 {
				t.Fatal("the page has not got its calls")
			}
			if !comesBack {
				had.quit()
			}
			other := m.page("other", "repo", nil)
			synctest.Wait()
			a.kill(m)
			time.Sleep(time.Second) // in which both are back
			close(release)
			o := <-done
			if other.sent("effect") != 0 || had.ran("effect") != 1 {
				t.Errorf("it was sent to the other page %d times, and ran %d times at its own", other.sent("effect"), had.ran("effect"))
			}
			lost, isLost := errors.AsType[*LostError](o.err)
			if comesBack && o.err != nil || !comesBack && (!isLost || !lost.Sent || lost.NeverConnected) {
				t.Errorf("comes back %v: %s, %#v", comesBack, o.result, o.err)
			}
			if o := <-reading; o.err != nil {
				t.Errorf("a call that only reads: %v", o.err)
			}
			had.quit()
			other.quit()
			b.stop()
			c.stop()
		})
	}
}

// What the hub knew of its pages is not forgotten with it: which was in front,
// and which graphs there are.
func TestSuccessorKnowsThePages(t *testing.T) {
	for _, first := range []string{"one", "two"} { // to be back
		withMesh(t, func(m *mesh) {
			a := m.start("a")
			synctest.Wait()
			b := m.start("b")
			open := func(name string) *meshPage {
				return m.open(&meshPage{session: name, repo: name, redial: func() time.Duration {
					if name == first {
						return 10 * time.Millisecond
					}
					return time.Second
				}})
			}
			two := open("two")
			time.Sleep(2 * time.Second)
			one := open("one") // came last, so it is in front
			time.Sleep(time.Minute)
			ask := func(repo string) string {
				c := newCall(fmt.Sprint("ask-", time.Now().UnixNano()))
				c.Repo = repo
				o := <-call(b, c)
				if o.err != nil {
					return o.err.Error()
				}
				return string(o.result)
			}
			if got := ask(""); !strings.Contains(got, `"one"`) {
				t.Fatalf("got %s", got)
			}
			a.kill(m)
			time.Sleep(100 * time.Millisecond)
			for _, repo := range []string{"one", "two"} {
				if got := ask(repo); !strings.Contains(got, `"`+repo+`"`) {
					t.Errorf("a graph that is on its way back: %s", got)
				}
			}
			time.Sleep(time.Minute)
			if got := ask(""); !strings.Contains(got, `"one"`) {
				t.Errorf("the page that was in front is so no more: %s", got)
			}
			one.quit()
			two.quit()
			b.stop()
		})
	}
}

// A hub that goes does not answer for its successor.
func TestHandOverLeavesWaitingCallsToTheNextHub(t *testing.T) {
	withMesh(t, func(m *mesh) {
		a := m.start("a")
		synctest.Wait()
		b := m.start("b")
		m.page("gone", "repo", nil).quit()
		synctest.Wait()
		waits := call(b, newCall("waits")) // for a page
		synctest.Wait()
		a.stop()
		page := m.page("page", "repo", nil)
		if o := <-waits; o.err != nil {
			t.Errorf("got %v", o.err)
		}
		page.quit()
		b.stop()
	})
}

// A hub that was frozen is named, with what to do about it, and nothing has to
// be done once it goes on or dies.
func TestFrozenHub(t *testing.T) {
	for _, dies := range []bool{false, true} {
		withMesh(t, func(m *mesh) {
			a := m.start("a")
			synctest.Wait()
			b := m.start("b")
			page := m.page("page", "repo", nil)
			time.Sleep(time.Minute)
			a.process.freeze()
			began := time.Now()
			o := <-call(b, newCall("during"))
			lost, ok := errors.AsType[*LostError](o.err)
			who := fmt.Sprintf("the hub (pid %d) does not answer: it is frozen", os.Getpid())
			if !ok || !strings.Contains(lost.Reason, who) || !strings.Contains(lost.Advice, fmt.Sprintf("kill -CONT %d", os.Getpid())) {
				t.Errorf("got %#v", o.err)
			}
			if took := time.Since(began); took > 3*DefaultHeartbeat+DefaultGrace {
				t.Errorf("that took %v", took)
			}
			time.Sleep(time.Hour)
			st := b.Status()
			if st.Role != "none" || !strings.Contains(st.Trouble, who) || st.Reconnect == nil || !st.Reconnect.Connected {
				t.Errorf("health says %+v", st)
			}
			ended := time.Now()
			if dies {
				a.kill(m)
			} else {
				a.process.thaw()
			}
			synctest.Wait()
			time.Sleep(10 * time.Millisecond)
			want := map[bool]string{false: "peer", true: "hub"}[dies]
			if got := b.Status().Role; got != want {
				t.Errorf("%v after the hub's end (dies: %v) the peer is %q, want %q", time.Since(ended), dies, got, want)
			}
			time.Sleep(2 * time.Minute) // the page is back
			if o := <-call(b, newCall("after")); o.err != nil {
				t.Errorf("after it: %v", o.err)
			}
			page.quit()
			if !dies {
				a.stop()
			}
			b.stop()
		})
	}
}

// A laptop that sleeps for an hour: time passes at once, and nothing that was
// sent meanwhile has arrived.
func TestAnHourAsleep(t *testing.T) {
	withMesh(t, func(m *mesh) {
		a := m.start("a")
		synctest.Wait()
		b := m.start("b")
		page := m.page("page", "repo", nil)
		time.Sleep(time.Minute)
		all := []*meshProcess{&a.process, &b.process, &page.process}
		for _, p := range all {
			p.freeze()
		}
		time.Sleep(time.Hour)
		for _, p := range all {
			p.thaw()
		}
		time.Sleep(2 * time.Minute) // longer than the longest step of the page's schedule
		if a.Status().Role != "hub" || b.Status().Role != "peer" || len(b.Status().Pages) != 1 {
			t.Errorf("a is %q, b is %q and knows %d pages", a.Status().Role, b.Status().Role, len(b.Status().Pages))
		}
		for i, n := range []*meshNode{a, b} {
			if o := <-call(n, newCall(fmt.Sprint("awake-", i))); o.err != nil {
				t.Errorf("node %d: %v", i, o.err)
			}
		}
		page.quit()
		b.stop()
		a.stop()
	})
}

// A program that takes connections and says nothing keeps the port from us, and
// nothing else.
func TestMuteProgramOnThePort(t *testing.T) {
	withMesh(t, func(m *mesh) {
		foreign, err := m.listen(new(meshProcess))
		if err != nil {
			t.Fatal(err)
		}
		m.named = program{"sshd", 77}
		n := m.start("n")
		time.Sleep(10 * time.Second)
		o := <-call(n, newCall("a"))
		lost, ok := errors.AsType[*LostError](o.err)
		if !ok || !strings.Contains(lost.Reason, "by sshd (pid 77)") || !strings.Contains(lost.Reason, "does not answer") || !strings.Contains(lost.Advice, "--port") {
			t.Errorf("got %#v", o.err)
		}
		time.Sleep(time.Hour)
		_ = foreign.Close()
		synctest.Wait()
		if got := n.Status().Role; got != "hub" {
			t.Errorf("the port is free, and the role is %q", got)
		}
		n.stop()
	})
}

// The nodes follow the election that election_test.go explores, whatever happens
// to them: random faults, and then peace, in which all find their places and
// every call its one answer.
func TestNodesUnderFaults(t *testing.T) {
	for seed := range uint64(20) {
		withMesh(t, func(m *mesh) {
			random := rand.New(rand.NewPCG(seed, 1))
			var nodes []*meshNode
			for i := range 2 + random.IntN(3) {
				nodes = append(nodes, m.start(fmt.Sprint("n", i)))
			}
			page := m.page("page", "repo", func() { time.Sleep(50 * time.Millisecond) })
			var answers []<-chan outcome
			var foreign *meshListener
			for i := range 40 {
				n := nodes[random.IntN(len(nodes))]
				c := newCall(fmt.Sprint("call-", i))
				c.ReadOnly = random.IntN(2) == 0
				answers = append(answers, call(n, c))
				switch victim := random.IntN(len(nodes)); random.IntN(8) {
				case 0, 1:
					if len(nodes) > 2 {
						nodes[victim].kill(m)
						nodes = append(nodes[:victim], nodes[victim+1:]...)
					}
				case 2:
					if len(nodes) > 2 {
						nodes[victim].stop()
						nodes = append(nodes[:victim], nodes[victim+1:]...)
					}
				case 3, 4:
					nodes = append(nodes, m.start(fmt.Sprint("late", i)))
				case 5:
					nodes[victim].process.freeze()
				case 6:
					nodes[victim].process.thaw()
				case 7:
					if foreign == nil {
						if l, err := m.listen(new(meshProcess)); err == nil {
							foreign = l
						}
					} else {
						_ = foreign.Close()
						foreign = nil
					}
				}
				time.Sleep(time.Duration(random.ExpFloat64() * float64(time.Second)))
				if r := roles(nodes); r["hub"] > 1 {
					t.Fatalf("seed %d: roles %v", seed, r)
				}
			}
			if foreign != nil {
				_ = foreign.Close()
			}
			for _, n := range nodes {
				n.process.thaw()
			}
			time.Sleep(5 * time.Minute)
			if r := roles(nodes); r["hub"] != 1 || r["peer"] != len(nodes)-1 {
				for _, n := range nodes {
					st := n.Status()
					t.Logf("%v: %s %s %+v", st.Agents, st.Role, st.Trouble, st.Reconnect)
				}
				t.Fatalf("seed %d: after five quiet minutes the roles are %v", seed, r)
			}
			for i, n := range nodes {
				o := <-call(n, newCall(fmt.Sprint("last-", i)))
				if o.err != nil || !strings.Contains(string(o.result), fmt.Sprintf(`"last-%d"`, i)) {
					t.Errorf("seed %d: node %d: %s, %v", seed, i, o.result, o.err)
				}
			}
			for i, answer := range answers {
				select {
				case o := <-answer:
					if o.err == nil && !strings.Contains(string(o.result), fmt.Sprintf(`"call-%d"`, i)) {
						t.Errorf("seed %d: call %d got the answer %s", seed, i, o.result)
					}
				default:
					t.Errorf("seed %d: call %d has no answer", seed, i)
				}
				if runs := page.ran(fmt.Sprint("call-", i)); runs > 1 {
					t.Errorf("seed %d: call %d ran %d times", seed, i, runs)
				}
			}
			page.quit()
			for _, n := range nodes {
				n.stop()
			}
		})
		if t.Failed() {
			return
		}
	}
}
