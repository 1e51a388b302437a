//go:build unix

package main

import (
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// faultProxy passes connections on to a server, and does to them on the way
// what networks, sleeping machines and pulled cables do. All of its methods may
// be called concurrently.
type faultProxy struct {
	// Set once.
	listener net.Listener
	target   string
	// socket, when set, returns the Unix socket of a port: the proxy has its port's,
	// and passes what comes there on to the server's.
	socket func(port int) string
	// rewrite, when set, changes what passes, in place.
	rewrite func(p *faultProxy, c *pair, way int, data []byte)
	// patient: a client waits while the server does not take connections.
	patient bool

	sockets net.Listener // of socket
	passed  atomic.Int64 // connections over socket
	running sync.WaitGroup
	mu      sync.Mutex
	random  *rand.Rand
	weather weather
	changed chan struct{} // closed and replaced when the weather changes
	pairs   map[*pair]struct{}
}

// weather is what happens to bytes. Its zero value is fair.
type weather struct {
	delay  time.Duration // of each piece, at most
	rate   int           // bytes a second; 0 for no limit
	slice  bool          // pieces of a few bytes
	refuse bool          // new connections are reset
	stall  [2]bool       // nothing passes: up, to the server, and down
	damage [2]int        // pieces of which one bit is to be changed, up and down
}

// pair is a client's connection and ours to the server.
type pair struct {
	ends    [2]net.Conn // client, server
	gone    chan struct{}
	once    sync.Once
	strand  atomic.Bool // nothing passes any more, not even an end
	damaged atomic.Bool
	nonce   atomic.Pointer[string] // of rewrite
}

// start begins to take connections. Target has to be set.
func (p *faultProxy) start(tb testing.TB, seed uint64) *faultProxy {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p.listener, p.random = l, rand.New(rand.NewPCG(seed, 0))
	p.changed, p.pairs = make(chan struct{}), make(map[*pair]struct{})
	p.running.Go(func() { p.accept(l, "tcp4", p.target) })
	if p.socket != nil {
		server, _ := net.ResolveTCPAddr("tcp4", p.target)
		if p.sockets, err = net.Listen("unix", p.socket(l.Addr().(*net.TCPAddr).Port)); err != nil {
			tb.Fatal(err)
		}
		p.running.Go(func() { p.accept(p.sockets, "unix", p.socket(server.Port)) })
	}
	return p
}

func (p *faultProxy) addr() string { return p.listener.Addr().String() }

func (p *faultProxy) close() {
	_ = p.listener.Close()
	if p.sockets != nil {
		_ = p.sockets.Close()
	}
	p.cut(false)
	p.running.Wait()
}

// set changes the weather.
func (p *faultProxy) set(change func(*weather)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.weather)
	close(p.changed)
	p.changed = make(chan struct{})
}

// clear makes the weather fair, and cuts what was stranded or damaged before.
func (p *faultProxy) clear() {
	p.set(func(w *weather) { *w = weather{} })
	for _, c := range p.open() {
		if c.strand.Load() || c.damaged.Load() {
			c.end(false)
		}
	}
}

// cut ends every connection, with a reset or in order.
func (p *faultProxy) cut(reset bool) {
	for _, c := range p.open() {
		c.end(reset)
	}
}

// strand leaves every connection half-open: each side believes in it, and hears
// nothing more. New ones are not concerned.
func (p *faultProxy) strand() {
	for _, c := range p.open() {
		c.strand.Store(true)
	}
	p.set(func(*weather) {})
}

func (p *faultProxy) open() []*pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]*pair, 0, len(p.pairs))
	for c := range p.pairs {
		list = append(list, c)
	}
	return list
}

func (p *faultProxy) accept(l net.Listener, network, target string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		refuse := p.weather.refuse
		p.mu.Unlock()
		c := &pair{gone: make(chan struct{})}
		c.ends[0] = client
		server, err := net.Dial(network, target)
		for tries := 0; err != nil && p.patient && tries < 100; tries++ {
			time.Sleep(20 * time.Millisecond)
			server, err = net.Dial(network, target)
		}
		if err != nil || refuse {
			reset(client)
			if err == nil {
				_ = server.Close()
			}
			continue
		}
		if network == "unix" {
			p.passed.Add(1)
		}
		c.ends[1] = server
		p.mu.Lock()
		p.pairs[c] = struct{}{}
		p.mu.Unlock()
		p.running.Go(func() {
			var both sync.WaitGroup
			both.Go(func() { p.pass(c, 0) })
			both.Go(func() { p.pass(c, 1) })
			both.Wait()
			p.mu.Lock()
			delete(p.pairs, c)
			p.mu.Unlock()
		})
	}
}

func (c *pair) end(hard bool) {
	c.once.Do(func() {
		close(c.gone)
		for _, conn := range c.ends {
			if hard {
				reset(conn)
			}
			_ = conn.Close()
		}
	})
}

// reset closes a connection without order. A Unix socket does so when something is unread.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// pass copies from one end of a pair to the other: up, from the client, is 0.
func (p *faultProxy) pass(c *pair, way int) {
	from, to := c.ends[way], c.ends[1-way]
	buf := make([]byte, 16<<10)
	for {
		n, err := from.Read(buf)
		data := buf[:n]
		if p.rewrite != nil {
			p.rewrite(p, c, way, data)
		}
		if len(data) > 0 && !p.deliver(c, way, to, data) {
			c.end(false)
			return
		}
		if err != nil {
			if c.strand.Load() {
				<-c.gone
			}
			c.end(false)
			return
		}
	}
}

// deliver writes data as the weather has it; false when the pair has ended.
func (p *faultProxy) deliver(c *pair, way int, to net.Conn, data []byte) bool {
	for len(data) > 0 {
		p.mu.Lock()
		w, changed, r := p.weather, p.changed, p.random
		if w.stall[way] || c.strand.Load() {
			p.mu.Unlock()
			select {
			case <-changed:
			case <-c.gone:
				return false
			}
			continue
		}
		piece := data
		if w.slice {
			piece = data[:min(len(data), 1+r.IntN(64))]
		}
		if w.rate > 0 {
			piece = piece[:min(len(piece), max(w.rate/50, 1))]
		}
		wait := time.Duration(0)
		if w.delay > 0 {
			wait = time.Duration(r.Int64N(int64(w.delay)))
		}
		if w.rate > 0 {
			wait += time.Duration(len(piece)) * time.Second / time.Duration(w.rate)
		}
		if w.damage[way] > 0 {
			p.weather.damage[way]--
			piece[r.IntN(len(piece))] ^= 1 << r.IntN(8)
			c.damaged.Store(true)
		}
		p.mu.Unlock()
		if wait > 0 {
			timer := time.NewTimer(wait)
			select {
			case <-timer.C:
			case <-c.gone:
				timer.Stop()
				return false
			}
		}
		if _, err := to.Write(piece); err != nil {
			return false
		}
		data = data[len(piece):]
	}
	return true
}
