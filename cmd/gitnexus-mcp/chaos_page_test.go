//go:build unix

package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// chaosPage is the graph app's page with a scripted engine. Its link, and its
// memory of calls, are those of web/src/bridge: link.ts, calls.ts, answers.ts.
type chaosPage struct {
	// Set once.
	w    *chaos
	name string // in the journal
	repo string
	v1   bool          // it speaks the older dialect
	kick chan struct{} // the tab is shown: try at once, or see whether the link lives

	mu     sync.Mutex
	tab    *tab // nil while it is closed
	loads  int
	hasty  int           // tries left of those after a hand-over
	step   int           // of the reconnect schedule
	hung   chan struct{} // closed when the engine works again; nil while it works
	busy   bool          // the engine refuses: it is indexing
	front  bool          // to be said with the next hello
	hubPID int           // as the last hub said
	downAt time.Time     // when the last link went; zero while there is one
}

// As in link.ts and answers.ts.
const (
	pageStable   = 10 * time.Second
	pageOpen     = 10 * time.Second
	pageHello    = 5 * time.Second
	pageProbe    = 5 * time.Second
	pageFloor    = time.Second
	wholeBytes   = 256 << 10
	partBytes    = 64 << 10
	answersKept  = 10_000
	answersBytes = 50_000_000
	answersFor   = 2 * time.Minute
)

// open loads the page into a tab.
func (p *chaosPage) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tab != nil {
		return
	}
	p.loads++
	t := &tab{
		page: p, session: fmt.Sprintf("%s-%d", p.name, p.loads),
		calls: make(map[string]*tabCall), answers: make(map[string]tabAnswer), ran: make(map[string]int),
	}
	t.ctx, t.close = context.WithCancel(context.Background())
	p.tab, p.step, p.front = t, 0, true
	t.running.Go(t.live)
}

// shut closes the tab: links, calls and memory are gone.
func (p *chaosPage) shut() {
	p.mu.Lock()
	t := p.tab
	p.tab = nil
	p.mu.Unlock()
	if t != nil {
		t.close()
		t.running.Wait()
	}
}

func (p *chaosPage) reload() {
	p.shut()
	p.open()
}

// drop cuts the link without a word, as a crash of the browser's network would.
func (p *chaosPage) drop() {
	if t := p.present(); t != nil {
		t.mu.Lock()
		l := t.link
		t.mu.Unlock()
		if l != nil {
			_ = l.conn.CloseNow()
		}
	}
}

func (p *chaosPage) present() *tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tab
}

// show brings the tab to the user's eyes.
func (p *chaosPage) show() {
	select {
	case p.kick <- struct{}{}:
	default:
	}
}

// rest makes the page one whose links have been stable for long.
func (p *chaosPage) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step = 0
}

// hang stops the engine for a while; the link's Worker goes on.
func (p *chaosPage) hang() (release func()) {
	c := make(chan struct{})
	p.mu.Lock()
	p.hung = c
	p.mu.Unlock()
	return sync.OnceFunc(func() {
		p.mu.Lock()
		if p.hung == c {
			p.hung = nil
		}
		p.mu.Unlock()
		close(c)
	})
}

func (p *chaosPage) setBusy(busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = busy
}
