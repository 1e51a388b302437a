package wsbridge

import (
	"fmt"
	"slices"
	"testing"
)

// The election is explored whole: every interleaving of a few processes, a port,
// two pages, one call with side effects, and a bounded number of faults. The
// processes decide by election.next and binding.allows, the functions that Node
// and Hub run on; what a move meets is modelled here. TestNodesUnderFaults does
// the same to real nodes, at random.
//
// Safety, in every state:
//   - who leads holds the port, so that two hubs never answer for it;
//   - the token is given only to a process of ours that has proved itself on the
//     same connection;
//   - the call runs at most once, whichever pages and hubs there are;
//   - while processes only die or hand over, nobody waits for a step of the
//     reconnect schedule.
//
// Liveness, from every state, once faults have stopped, frozen processes go on
// and foreign programs leave: every fair run comes to a state in which one
// process is the hub, every other is its peer, every page is at the hub, and the
// call is answered; and it stays there.

const (
	maxProcesses = 4
	pages        = 2

	nobody  int8 = -1
	foreign int8 = 100 // a program that is none of ours, on the port
)

type life int8

const (
	unborn life = iota
	running
	frozen
	leaving // has handed over: it has left the port, and its links still stand
	dead
)

// How far the call is at one hub.
const (
	notHere int8 = 0
	asked   int8 = 1  // and bound to no page
	bound   int8 = 2  // + the page
	given   int8 = 10 // + the page
)

type modelProcess struct {
	life life
	e    election
	conn int8 // the process at the other end while it proves and joins
	hub  int8 // whom it follows
	call int8 // how far the call is here, when it is or was the hub
}

type world struct {
	p      [maxProcesses]modelProcess
	port   int8
	page   [pages]int8 // where each is
	faults int8        // that are left

	// The call of the last process.
	bound, askedAt int8
	knows          [pages]bool
	runs           int8
	done           bool
}

// model is what is explored.
type model struct {
	processes int8
	faults    int8
	call      bool // with the call and two pages, else with one page
	onlyDeath bool // no freezing, no foreign programs, no lost page links
}

func (m model) start() world {
	w := world{port: nobody, faults: m.faults, bound: nobody, askedAt: nobody, done: !m.call}
	for i := range w.p {
		w.p[i] = modelProcess{conn: nobody, hub: nobody}
	}
	for i := range w.page {
		w.page[i] = nobody
	}
	return w
}

func (m model) pages() int8 {
	if m.call {
		return pages
	}
	return 1
}

// step is one that the world can take.
type step struct {
	to    world
	name  string
	fault bool
}

// violation is a safety property that does not hold.
type violation string

// steps are all that can happen next.
func (m model) steps(w world) (all []step) {
	add := func(fault bool, name string, change func(*world)) {
		to := w
		change(&to)
		for i := range to.p {
			e := &to.p[i].e
			e.attempt = 0 // how long a wait is does not matter here
			if e.move == moveLead || e.move == moveFollow {
				e.immediate = 0 // every place lasts a while
			}
		}
		all = append(all, step{to, name, fault})
	}
	for i := range m.processes {
		p := w.p[i]
		tell := func(f fact) func(*world) {
			return func(w *world) { w.p[i].e = w.p[i].e.next(f, 0) }
		}
		name := func(what any) string { return fmt.Sprintf("%d %v", i, what) }
		switch p.life {
		case unborn:
			add(false, name("starts"), func(w *world) { w.p[i].life = running })
		case running:
			m.moves(w, i, func(f fact, change func(*world)) {
				add(false, name(f), func(w *world) {
					tell(f)(w)
					if change != nil {
						change(w)
					}
				})
			})
		case frozen:
			add(false, name("goes on"), func(w *world) { w.p[i].life = running })
		case leaving:
			add(false, name("exits"), func(w *world) { w.die(i) })
		}
		if w.faults > 0 && (p.life == running || p.life == frozen) {
			if i != m.processes-1 { // one has to be left
				add(true, name("is killed"), func(w *world) { w.faults--; w.die(i) })
				if p.life == running {
					add(true, name("is told to stop"), func(w *world) {
						w.faults--
						leads := p.e.move == moveLead
						tell(stopped)(w)
						if !leads {
							w.die(i)
							return
						}
						w.port, w.p[i].life = nobody, leaving
					})
				}
			}
			if p.life == running && !m.onlyDeath {
				add(true, name("freezes"), func(w *world) { w.faults--; w.p[i].life = frozen })
			}
		}
		if m.call {
			m.callSteps(w, i, func(what string, change func(*world)) { add(false, name(what), change) })
		}
	}
	for i := range m.pages() {
		at := w.page[i]
		name := func(what string) string { return fmt.Sprintf("page %d %s", i, what) }
		switch {
		case at == nobody:
			if h := w.port; h != nobody && h != foreign && w.leads(h) {
				add(false, name("connects"), func(w *world) { w.page[i] = h })
			}
		case w.p[at].life == running && w.faults > 0 && !m.onlyDeath:
			add(true, name("loses its link"), func(w *world) { w.faults--; w.page[i] = nobody })
		case w.p[at].life != running:
			add(false, name("leaves"), func(w *world) { w.page[i] = nobody })
		}
	}
	switch {
	case w.port == nobody && w.faults > 0 && !m.onlyDeath:
		add(true, "a foreign program takes the port", func(w *world) { w.faults--; w.port = foreign })
	case w.port == foreign:
		add(false, "the foreign program leaves", func(w *world) { w.port = nobody })
	}
	return all
}

// moves are the ways in which the move that process i makes can end.
func (m model) moves(w world, i int8, ends func(f fact, change func(*world))) {
	p := w.p[i]
	hangUp := func(w *world) { w.p[i].conn = nobody }
	switch p.e.move {
	case moveListen:
		if w.port != nobody {
			ends(portTaken, nil)
			return
		}
		ends(portOurs, func(w *world) { w.port = i })
	case moveProve:
		switch {
		case p.conn == nobody && w.port == nobody:
			ends(holderGone, nil)
		case p.conn == nobody && w.port == foreign:
			ends(holderForeign, nil)
			ends(holderSilent, nil)
		case p.conn == nobody && w.leads(w.port):
			ends(holderProved, func(w *world) { w.p[i].conn = w.port })
		case p.conn == nobody: // a frozen process takes connections
			ends(holderSilent, nil)
		}
	case moveJoin:
		switch {
		case p.conn == nobody:
			panic(violation("the token is given to a holder of the port that has proved nothing"))
		case w.leads(p.conn):
			ends(hubJoined, func(w *world) { w.p[i].hub = p.conn; hangUp(w) })
		case w.p[p.conn].life == frozen:
			ends(holderSilent, hangUp)
		default:
			ends(holderGone, hangUp)
		}
	case moveFollow:
		leave := func(w *world) {
			w.p[i].hub = nobody
			if i == m.processes-1 {
				w.askedAt = nobody
			}
		}
		if p.hub == nobody {
			panic(violation("a hub is followed that has been left"))
		}
		switch w.p[p.hub].life {
		case frozen:
			ends(hubFrozen, leave)
		case leaving, dead:
			ends(hubGone, leave)
		}
	case moveWait:
		ends(waited, nil)
	}
}

// callSteps are what process i can do for the call. Its owner is the last one.
func (m model) callSteps(w world, i int8, add func(what string, change func(*world))) {
	owner := m.processes - 1
	o, p := w.p[owner], w.p[i]
	if w.done || p.life != running && p.life != leaving {
		return
	}
	binds := func(page int8) *affinity {
		if page == nobody {
			return nil
		}
		return &affinity{Page: fmt.Sprint("page ", page), Graph: "graph"}
	}
	send := func(w *world) int8 {
		if w.bound == nobody {
			return asked
		}
		return bound + w.bound
	}
	// What is sent to a process that is frozen reaches it later.
	follows := (o.life == running || o.life == frozen) && o.e.move == moveFollow && o.hub == i
	if i == owner && p.life == running {
		switch {
		case p.e.move == moveLead && p.call == notHere:
			add("takes its call", func(w *world) { w.p[i].call = send(w) })
		case p.e.move == moveFollow && w.askedAt != p.hub && w.p[p.hub].life != dead:
			add("sends its call", func(w *world) { w.p[p.hub].call, w.askedAt = send(w), p.hub })
		}
	}
	switch {
	case p.call == notHere:
	case p.call >= given:
		page := p.call - given
		if w.page[page] != i {
			add("loses the call's page", func(w *world) {
				if i == owner {
					w.p[i].call = bound + page
					return
				}
				w.p[i].call = notHere
				if follows { // asks its peer for the call again
					w.bound, w.askedAt = page, nobody
				}
			})
			return
		}
		add("is answered", func(w *world) {
			w.p[i].call = notHere
			w.done = i == owner || follows
		})
	default:
		var b *affinity
		if p.call >= bound {
			b = binds(p.call - bound)
		}
		for page := range m.pages() {
			if w.page[page] != i || !b.allows(false, binds(page).Page, "graph") {
				continue
			}
			if b == nil && i != owner {
				add(fmt.Sprintf("names page %d", page), func(w *world) {
					w.p[i].call = notHere
					if follows {
						w.bound, w.askedAt = page, nobody
					}
				})
				continue
			}
			add(fmt.Sprintf("gives the call to page %d", page), func(w *world) {
				w.p[i].call = given + page
				if i == owner {
					w.bound = page
				}
				if !w.knows[page] {
					w.knows[page] = true
					w.runs++
				}
			})
		}
	}
}

func (w *world) leads(i int8) bool {
	return w.p[i].life == running && w.p[i].e.move == moveLead
}

func (w *world) die(i int8) {
	if w.port == i {
		w.port = nobody
	}
	w.p[i] = modelProcess{life: dead, conn: nobody, hub: nobody}
	for page, at := range w.page {
		if at == i {
			w.page[page] = nobody
		}
	}
}

// check returns the safety property that a state breaks.
func (m model) check(w world) violation {
	for i := range m.processes {
		switch {
		case w.p[i].e.move == moveLead && w.port != i:
			return violation(fmt.Sprintf("process %d leads without the port", i))
		case m.onlyDeath && w.p[i].e.move == moveWait:
			return violation(fmt.Sprintf("process %d waits, though the port was there for the taking", i))
		}
	}
	if w.runs > 1 {
		return violation(fmt.Sprintf("the call ran %d times", w.runs))
	}
	return ""
}

// good is the state that everything comes to.
func (m model) good(w world) bool {
	if w.port == nobody || w.port == foreign || !w.leads(w.port) || !w.done {
		return false
	}
	for i := range m.processes {
		p := w.p[i]
		if p.life != dead && i != w.port && !(p.life == running && p.e.move == moveFollow && p.hub == w.port) {
			return false
		}
	}
	for i := range m.pages() {
		if w.page[i] != w.port {
			return false
		}
	}
	return true
}

// explore visits every state, and returns how many there are and the way to the
// first one in which a property does not hold.
func (m model) explore() (states int, broken violation, way []string) {
	type visit struct {
		world world
		from  int32
		by    string
	}
	visits := []visit{{m.start(), -1, "start"}}
	index := map[world]int32{visits[0].world: 0}
	var back [][]int32 // by state: those from which it comes without a fault
	trace := func(i int32) (way []string) {
		for ; i >= 0; i = visits[i].from {
			way = append(way, visits[i].by)
		}
		slices.Reverse(way)
		return way
	}
	for i := int32(0); int(i) < len(visits); i++ {
		w := visits[i].world
		if broken := m.check(w); broken != "" {
			return len(visits), broken, trace(i)
		}
		steps, broken := m.trySteps(w)
		if broken != "" {
			return len(visits), broken, trace(i)
		}
		for _, s := range steps {
			j, known := index[s.to]
			if !known {
				j = int32(len(visits))
				index[s.to] = j
				visits = append(visits, visit{s.to, i, s.name})
			}
			for len(back) < len(visits) {
				back = append(back, nil)
			}
			if s.fault {
				continue
			}
			back[j] = append(back[j], i)
			if m.good(w) && !m.good(s.to) {
				return len(visits), violation("a good state does not last: " + s.name), trace(i)
			}
		}
	}
	// A finite world, in which every step that stays possible is taken at last,
	// comes to the good states if each state has a way there.
	comes := make([]bool, len(visits))
	var queue []int32
	for i, v := range visits {
		if m.good(v.world) {
			comes[i] = true
			queue = append(queue, int32(i))
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range back[queue[0]] {
			if !comes[i] {
				comes[i] = true
				queue = append(queue, i)
			}
		}
	}
	for i := range visits {
		if !comes[i] {
			return len(visits), "from here there is no way to a good state", trace(int32(i))
		}
	}
	return len(visits), "", nil
}

func (m model) trySteps(w world) (all []step, broken violation) {
	defer func() {
		if p := recover(); p != nil {
			broken = p.(violation)
		}
	}()
	return m.steps(w), ""
}

func TestElection(t *testing.T) {
	for _, m := range []model{
		{processes: 2, faults: 4},
		{processes: 3, faults: 3},
		{processes: 4, faults: 2},
		{processes: 4, faults: 3, onlyDeath: true},
		{processes: 2, faults: 3, call: true},
		{processes: 3, faults: 2, call: true},
	} {
		t.Run(fmt.Sprintf("%+v", m), func(t *testing.T) {
			states, broken, way := m.explore()
			if broken != "" {
				t.Fatalf("%s, after:\n%q", broken, way)
			}
			t.Logf("%d states", states)
		})
	}
}
