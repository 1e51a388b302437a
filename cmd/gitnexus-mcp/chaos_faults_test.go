//go:build unix

package main

import (
	"fmt"
	"sync"
	"time"
)

// faultKind is one thing that goes wrong.
type faultKind struct {
	name string
	// gentle faults cost no agent an error when they come alone.
	gentle bool
	most   time.Duration // that it lasts
	in     time.Duration // only in runs of that length
	// run does it, and undoes it before it returns.
	run func(w *chaos, f fault)
}

// long faults always last their time, and have a round of their own.
func (k *faultKind) long() bool { return k.most > 30*time.Second }

var endings = []string{"SIGKILL", "SIGTERM", "end of input"}

var faultKinds = []faultKind{
	{name: "hub killed", gentle: true, run: func(w *chaos, f fault) { w.endHub(f, "SIGKILL") }},
	{name: "hub told to stop", gentle: true, run: func(w *chaos, f fault) { w.endHub(f, "SIGTERM") }},
	{name: "hub's agent leaves", gentle: true, run: func(w *chaos, f fault) { w.endHub(f, "end of input") }},
	{name: "all agents but one killed", gentle: true, run: func(w *chaos, f fault) {
		survivor := w.peer(f)
		if w.sparesHub() {
			survivor = w.hub()
		}
		for _, p := range w.mortal() {
			if p != survivor {
				p.end("SIGKILL")
			}
		}
	}},
	{name: "peer killed", gentle: true, run: func(w *chaos, f fault) {
		if p := w.peer(f); p != nil {
			p.end(endings[f.arg>>32%3])
		}
	}},
	// Claude Desktop starts each server twice and a third as a probe.
	{name: "servers started and killed", gentle: true, most: 1500 * time.Millisecond, run: (*chaos).churn},
	{name: "hub stopped and continued", most: 4 * time.Second, run: func(w *chaos, f fault) {
		if p := w.hub(); p != nil {
			defer p.freeze()()
			w.sleep(f.lasts)
		}
	}},
	{name: "peer stopped and continued", gentle: true, most: 4 * time.Second, run: func(w *chaos, f fault) {
		if p := w.peer(f); p != nil {
			defer p.freeze()()
			w.sleep(f.lasts)
		}
	}},
	{name: "machine asleep", most: 4 * time.Second, run: func(w *chaos, f fault) { w.freezeAll(f.lasts) }},

	{name: "page dropped", gentle: true, run: func(w *chaos, f fault) { w.page.drop() }},
	{name: "page reloaded", gentle: true, run: func(w *chaos, f fault) { w.page.reload() }},
	{name: "page away", in: time.Minute, most: 11 * time.Second, run: func(w *chaos, f fault) {
		w.page.shut()
		defer w.page.open()
		w.sleep(f.lasts)
	}},
	{name: "page hung", in: time.Minute, most: 11 * time.Second, run: func(w *chaos, f fault) {
		defer w.page.hang()()
		w.sleep(f.lasts)
	}},
	{name: "page busy", most: 2 * time.Second, run: func(w *chaos, f fault) {
		w.page.setBusy(true)
		defer w.page.setBusy(false)
		w.sleep(f.lasts)
	}},
	{name: "second page, same graph", gentle: true, most: 2 * time.Second, run: func(w *chaos, f fault) { w.secondPage(f, chaosRepo, false) }},
	{name: "second page, other graph", gentle: true, most: 2 * time.Second, run: func(w *chaos, f fault) { w.secondPage(f, "beta", false) }},
	{name: "second page, older dialect", gentle: true, most: 2 * time.Second, run: func(w *chaos, f fault) { w.secondPage(f, chaosRepo, true) }},

	{name: "page's link cut", gentle: true, run: func(w *chaos, f fault) { w.pageWay.cut(false) }},
	{name: "page's link reset", gentle: true, run: func(w *chaos, f fault) { w.pageWay.cut(true) }},
	{name: "page's link stalled", most: 4 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.pageWay, f, func(x *weather) { x.stall = [2]bool{f.arg&3 != 1, f.arg&3 != 2} })
	}},
	{name: "page's link half-open", in: time.Minute, most: 4 * time.Second, run: func(w *chaos, f fault) {
		w.pageWay.strand()
		w.sleep(f.lasts)
		w.page.show()
		w.sleep(pageProbe + time.Second)
	}},
	{name: "page's link slow to answer", gentle: true, most: 2 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.pageWay, f, func(x *weather) { x.delay = 30 * time.Millisecond })
	}},
	{name: "page's link narrow", most: 2 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.pageWay, f, func(x *weather) { x.rate = 200_000 })
	}},
	{name: "page's link in slices", gentle: true, most: 2 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.pageWay, f, func(x *weather) { x.slice = true })
	}},
	{name: "page's link refused", most: 4 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.pageWay, f, func(x *weather) {
			x.refuse = true
			go w.pageWay.cut(true)
		})
	}},
	{name: "page's link damaged", most: 2 * time.Second, run: func(w *chaos, f fault) { w.damage(w.pageWay, f) }},
	{name: "peer's link cut", gentle: true, run: func(w *chaos, f fault) { w.peerWay.cut(f.arg&1 == 1) }},
	{name: "peer's link stalled", most: 4 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.peerWay, f, func(x *weather) { x.stall = [2]bool{f.arg&3 != 1, f.arg&3 != 2} })
	}},
	{name: "peer's link slow and in slices", gentle: true, most: 2 * time.Second, run: func(w *chaos, f fault) {
		w.weather(w.peerWay, f, func(x *weather) { x.delay, x.slice = 2*time.Millisecond, true })
	}},
	{name: "peer's link damaged", most: 2 * time.Second, run: func(w *chaos, f fault) { w.damage(w.peerWay, f) }},

	{name: "agent that floods", gentle: true, run: (*chaos).flood},
	{name: "agent that does not read", gentle: true, most: 3 * time.Second, run: func(w *chaos, f fault) {
		if p := w.peer(f); p != nil {
			defer p.mute()()
			w.sleep(f.lasts)
		}
	}},

	{name: "hub frozen for long", most: 50 * time.Second, in: 10 * time.Minute, run: func(w *chaos, f fault) {
		if p := w.hub(); p != nil {
			defer p.freeze()()
			w.sleep(f.lasts)
		}
	}},
	{name: "page's link silent for long", most: 50 * time.Second, in: 10 * time.Minute, run: func(w *chaos, f fault) {
		w.weather(w.pageWay, f, func(x *weather) { x.stall = [2]bool{true, true} })
	}},
	{name: "machine asleep for long", most: 40 * time.Second, in: 10 * time.Minute, run: func(w *chaos, f fault) { w.freezeAll(f.lasts) }},
}

// endHub ends the hub; in the last third of a run, whose hub is watched for
// leaks, a peer.
func (w *chaos) endHub(f fault, how string) {
	p := w.hub()
	if w.sparesHub() {
		p = w.peer(f)
	}
	if p != nil {
		p.end(how)
	}
}

func (w *chaos) weather(on *faultProxy, f fault, change func(*weather)) {
	on.set(change)
	w.sleep(f.lasts)
	on.set(func(x *weather) { *x = weather{} })
}

// damage changes a bit in some of the pieces that pass. What is damaged beyond
// the framing hangs until a heartbeat finds it; so the links are cut in the end.
func (w *chaos) damage(on *faultProxy, f fault) {
	w.damaging(f.lasts)
	w.weather(on, f, func(x *weather) { x.damage = [2]int{int(f.arg % 4), 1 + int(f.arg>>8%4)} })
	w.damaging(0)
	on.clear()
}

func (w *chaos) freezeAll(d time.Duration) {
	w.mu.Lock()
	var all []*agentProc
	for p := range w.procs {
		all = append(all, p)
	}
	w.mu.Unlock()
	for _, p := range all {
		defer p.freeze()()
	}
	w.sleep(d)
}

// churn starts three servers at once and ends them within moments.
func (w *chaos) churn(f fault) {
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			p, err := w.start(nil, fmt.Sprintf("probe%d.%d", f.arg%1_000_000, i), w.port)
			if err != nil {
				w.fail("", "cannot start a process: %v", err)
				return
			}
			p.request("tools/list", map[string]any{}, new(chaosCall))
			w.sleep(time.Duration((f.arg >> (8 * i) & 0xff)) * f.lasts / 256)
			p.end(endings[(f.arg>>40+uint64(i))%3])
			<-p.exited
		})
	}
	all.Wait()
}

// secondPage opens another page, in front, for a while.
func (w *chaos) secondPage(f fault, repo string, v1 bool) {
	p := w.newPage(fmt.Sprintf("%s%d", repo, f.arg%1_000_000), repo)
	p.v1 = v1
	p.open()
	w.sleep(f.lasts)
	p.shut()
}

// flood makes more calls at once than an agent may.
func (w *chaos) flood(f fault) {
	p := w.peer(f)
	if p == nil {
		return
	}
	p.mu.Lock()
	p.flood = span{from: time.Now()}
	p.mu.Unlock()
	r := w.chance(2000, f.arg)
	var calls []*chaosCall
	for range chaosInflight + 3*chaosQueue {
		calls = append(calls, p.seat.call(p, p.seat.choose(r)))
	}
	for _, c := range calls {
		p.await(c, c.limit())
	}
	p.mu.Lock()
	p.flood.to = time.Now()
	p.mu.Unlock()
}
