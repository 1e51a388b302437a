package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

// family starts n processes on one port and waits until one is the hub and the
// others are its peers. The hub comes first.
func family(tb testing.TB, port, n int) []*server {
	tb.Helper()
	var all []*server
	for range n {
		all = append(all, joinFamily(tb, port))
	}
	return sorted(tb, all)
}

func joinFamily(tb testing.TB, port int, settings ...string) *server {
	tb.Helper()
	s := startServer(tb, "main", append(settings, fmt.Sprintf("GITNEXUS_PORT=%d", port))...)
	s.port = port
	s.initialize()
	return s
}

// sorted waits until one process is the hub and all others are its peers, and
// returns the hub first.
func sorted(tb testing.TB, all []*server) []*server {
	tb.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		hubs, peers := []*server{}, []*server{}
		for _, s := range all {
			switch h := s.bridge(); {
			case h.Role == "hub":
				hubs = append(hubs, s)
			case h.Role == "peer":
				peers = append(peers, s)
			}
		}
		if len(hubs) == 1 && len(peers) == len(all)-1 {
			return append(hubs, peers...)
		}
		if time.Now().After(end) {
			tb.Fatalf("%d hubs and %d peers of %d processes after 20 s", len(hubs), len(peers), len(all))
		}
	}
}

// bridgeHealth is what the health resource says of the bridge.
type bridgeHealth struct {
	Role, Trouble string
	HubPID        int
	Pages         []struct{ Session string }
	Reconnect     *struct{ Step, Of, NextMS int }
}

func (s *server) bridge() bridgeHealth {
	s.tb.Helper()
	var r struct {
		Contents []struct{ Text string }
	}
	var h struct{ Bridge bridgeHealth }
	m := s.request("resources/read", map[string]any{"uri": "gitnexus://codebase/health"})
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Contents) != 1 {
		s.tb.Fatalf("health: %s", m.Result)
	}
	if err := json.Unmarshal([]byte(r.Contents[0].Text), &h); err != nil {
		s.tb.Fatal(err)
	}
	return h.Bridge
}

// kill ends processes the hard way.
func kill(victims ...*server) {
	for _, s := range victims {
		_ = s.cmd.Process.Kill()
	}
	for _, s := range victims {
		<-s.exited
	}
}

// loyalPage is a scripted page that redials as our page does, and remembers its
// answers. It answers a call with its own arguments, once answer, where set,
// returns.
type loyalPage struct {
	port    int
	session string
	answer  func(id string)

	mu       sync.Mutex
	step     int       // of the schedule
	handover int       // tries that are left of those after a hand-over
	back     time.Time // when it introduced itself last
	sends    map[string]int
	answers  map[string]chan string // by call; filled once
}

func startLoyalPage(tb testing.TB, p *loyalPage) *loyalPage {
	p.sends, p.answers = make(map[string]int), make(map[string]chan string)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			p.live(ctx, &running)
			select {
			case <-time.After(p.wait()):
			case <-ctx.Done():
			}
		}
	})
	tb.Cleanup(func() { cancel(); running.Wait() })
	return p
}

// wait is the page's schedule.
func (p *loyalPage) wait() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.handover > 0 {
		p.handover--
		return reconnect.Backoff{Base: 10 * time.Millisecond}.Delay(5 - p.handover)
	}
	p.step++
	return reconnect.Backoff{}.Delay(p.step - 1)
}

// live is one link from its dial to its end.
func (p *loyalPage) live(ctx context.Context, running *sync.WaitGroup) {
	protocols, err := ownProtocols(ctx, p.port, "page")
	if err != nil {
		return
	}
	conn, _, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/", p.port), &websocket.DialOptions{Subprotocols: protocols})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(-1)
	link := &page{conn: conn}
	link.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"page","version":"t","session":%q}}`, p.session))
	p.mu.Lock()
	p.back = time.Now()
	p.mu.Unlock()
	link.send(`{"jsonrpc":"2.0","method":"bridge/context","params":{"context":{"repo":"scripted","state":"ready","stats":{"files":2},"indexedAt":1}}}`)
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var m message
		_ = json.Unmarshal(data, &m)
		switch {
		case string(m.ID) == `"hello"`:
			p.mu.Lock()
			p.handover = 0
			p.mu.Unlock()
		case m.Method == "ping":
			link.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID))
		case m.Method == "tools/call":
			running.Go(func() { p.call(ctx, link, m) })
		case m.Method == "bridge/handover":
			p.mu.Lock()
			p.handover = 6
			p.mu.Unlock()
			return
		}
	}
}

// call runs a call once, and answers it as often as it is sent.
func (p *loyalPage) call(ctx context.Context, link *page, m message) {
	id := string(m.ID)
	p.mu.Lock()
	p.sends[id]++
	answer, known := p.answers[id]
	if !known {
		answer = make(chan string, 1)
		p.answers[id] = answer
	}
	p.mu.Unlock()
	if !known {
		if p.answer != nil {
			p.answer(id)
		}
		answer <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":%s}}`, id, arguments(m))
	}
	select {
	case frame := <-answer:
		answer <- frame
		link.send(frame)
	case <-ctx.Done():
	}
}

// settle makes the next drop the first of the schedule, as after a link of 10 s.
func (p *loyalPage) settle() {
	p.mu.Lock()
	p.step = 0
	p.mu.Unlock()
}

func (p *loyalPage) backAt() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.back
}

// sent counts how often calls were sent.
func (p *loyalPage) sent() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.sends)
}

// A hub that is told to end hands over: a peer's call in flight is answered as
// if nothing had happened, by the page that was at it.
func TestHandOver(t *testing.T) {
	for name, end := range map[string]func(s *server){
		"SIGTERM":      func(s *server) { _ = s.cmd.Process.Signal(syscall.SIGTERM) },
		"end of input": func(s *server) { _ = s.stdin.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			all := family(t, port, 3)
			release := make(chan struct{})
			page := startLoyalPage(t, &loyalPage{port: port, session: "one", answer: func(string) { <-release }})
			_, answer := all[2].callAsync("highlight", map[string]any{"nodeIds": []string{"a"}})
			waitUntil(t, "call at the page", func() bool { return len(page.sent()) == 1 })
			began := time.Now()
			end(all[0])
			<-all[0].exited
			waitUntil(t, "page at the next hub", func() bool { return page.backAt().After(began) })
			t.Logf("the page was at the next hub %v after the end of the first", page.backAt().Sub(began))
			waitUntil(t, "call sent again", func() bool {
				for _, n := range page.sent() {
					return n == 2
				}
				return false
			})
			close(release)
			if r, e := all[2].understand(all[2].await(answer)); r.IsError {
				t.Errorf("%+v", e)
			}
			if len(page.sent()) != 1 {
				t.Errorf("the call came under several ids: %v", page.sent())
			}
		})
	}
}

func waitUntil(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("no %s within 20 s", what)
		}
	}
}

// BenchmarkTakeover times the next call of a peer after the hub was killed with
// SIGKILL: in all, and from the moment that the page is back. The page redials
// after random(0, 500 ms), as ours does.
func BenchmarkTakeover(b *testing.B) {
	for _, c := range []struct{ processes, killed int }{{2, 1}, {8, 1}, {8, 7}} {
		b.Run(fmt.Sprintf("kill %d of %d", c.killed, c.processes), func(b *testing.B) {
			port := freePort(b)
			all := family(b, port, c.processes)
			page := startLoyalPage(b, &loyalPage{port: port, session: "bench"})
			call := func(s *server) {
				if r, e := s.call("search", map[string]any{"query": "x"}); r.IsError {
					b.Fatalf("%+v", e)
				}
			}
			const kills = 50
			for b.Loop() {
				var whole, afterPage []float64
				for range kills {
					all = sorted(b, all)
					call(all[len(all)-1])
					page.settle()
					began := time.Now()
					kill(all[:c.killed]...)
					all = all[c.killed:]
					call(all[len(all)-1])
					now := time.Now()
					whole = append(whole, now.Sub(began).Seconds()*1e3)
					afterPage = append(afterPage, now.Sub(page.backAt()).Seconds()*1e3)
					for range c.killed {
						all = append(all, joinFamily(b, port))
					}
				}
				slices.Sort(whole)
				slices.Sort(afterPage)
				b.ReportMetric(whole[kills/2], "ms-median")
				b.ReportMetric(whole[kills-1], "ms-worst")
				b.ReportMetric(afterPage[kills/2], "ms-after-page-median")
				b.ReportMetric(afterPage[kills-1], "ms-after-page-worst")
			}
		})
	}
}
