package wsbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// router gives calls to pages: it decides which page gets a call, when, and what
// the caller hears when there is none. It does no input or output of its own. All
// methods may be called concurrently.
type router struct {
	// Set once.
	opt  Options
	own  *client       // for calls that name no client
	done chan struct{} // closed by stop
	// onGraph is called when a page has come with a graph that it did not hold
	// before, or without any (""). It must not block.
	onGraph func(graph string)

	mu           sync.Mutex
	folders      map[string]*folder // by id
	foldersAdded int
	pagesReturn  time.Time // when the pages of the hub before this one should have come
	pages        map[*page]struct{}
	changed      chan struct{} // closed and replaced whenever a call could go elsewhere
	newest       int           // the rank that was given out last
	outage       outage        // the time without any page
	refused      refusedPage   // nothing since a page has come
	absent       absences
}

func newRouter(opt Options) *router {
	return &router{
		opt: opt, own: new(client), done: make(chan struct{}), onGraph: func(string) {},
		folders: make(map[string]*folder), pages: make(map[*page]struct{}), changed: make(chan struct{}), outage: newOutage(opt),
		absent: absences{ranks: make(map[string]rank), graphs: make(map[string]absence)},
	}
}

// stop ends the router: calls that wait are sent to the next upstream.
func (r *router) stop() { close(r.done) }

// Done implements upstream.
func (r *router) Done() <-chan struct{} { return r.done }

// Do implements upstream.
func (r *router) Do(ctx context.Context, c *Call) (json.RawMessage, error) {
	began, former := time.Now(), c.affinity
	w := waiting{
		client: cmp.Or(c.client, r.own), bytes: len(c.Arguments), maxCalls: r.opt.MaxQueue, maxBytes: r.opt.MaxMessage,
		resent: c.resent || c.affinity != nil,
	}
	defer w.end()
	p, slot, err := r.admit(ctx, c, &w)
	c.Trace.waited(began)
	if err != nil {
		return nil, err
	}
	began = time.Now()
	result, err := p.send(ctx, c, slot.release)
	c.Trace.answered(began, r.graphOf(p))
	if dropped, ok := errors.AsType[*droppedError](err); ok {
		again := former
		if !dropped.unsent {
			again = &affinity{Page: c.affinity.Page, Graph: c.affinity.Graph, Closed: isClosedTab(err), lostAt: time.Now()}
		}
		select {
		case <-p.gone: // closing takes a moment, and the call must not go there again
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		return nil, &resendError{affinity: again, sent: !dropped.unsent, cause: err}
	}
	return result, err
}

// admit waits for a page and for a slot at it, and pins the call to the page.
func (r *router) admit(ctx context.Context, c *Call, w *waiting) (*page, *slot, error) {
	own := newOutage(r.opt) // of the call's own page, where other pages are there
	if c.affinity != nil {
		own.begin(nil)
		if !c.affinity.lostAt.IsZero() {
			own.since = c.affinity.lostAt
		}
	}
	for {
		p, err := r.await(ctx, c, own, w)
		if err != nil {
			return nil, nil, err
		}
		graph := r.graphOf(p)
		pin := &affinity{Page: p.session, Graph: graph, Unsent: c.affinity == nil || c.affinity.Unsent}
		if c.client != nil && c.affinity == nil && !c.ReadOnly {
			return nil, nil, &resendError{affinity: pin} // see affinity
		}
		c.affinity = pin
		slot, err := p.slots.acquire(ctx, p.gone, w, c.Heavy)
		if err == errPageGone {
			own = newOutage(r.opt)
			own.begin(nil)
			continue
		}
		if err == nil {
			pin.Unsent = false
			c.Trace.sent(p, graph)
		}
		return p, slot, err
	}
}

// await finds the page for a call, waiting within the grace period while there is none.
func (r *router) await(ctx context.Context, c *Call, own outage, w *waiting) (*page, error) {
	report := waitReport{call: c, total: r.opt.Grace}
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.mu.Lock()
		if c.affinity != nil && c.affinity.Unsent && !r.takes(c.affinity.Page) {
			c.affinity = nil
		}
		p, wait, err := r.choose(c, own)
		changed := r.changed
		r.mu.Unlock()
		if p != nil || err != nil {
			return p, err
		}
		if err := w.begin(); err != nil {
			return nil, err
		}
		timer := time.NewTimer(report.until(wait))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		case <-r.done:
			timer.Stop()
			return nil, &resendError{affinity: c.affinity, cause: errStopping}
		}
		timer.Stop()
	}
}

// takes reports whether the page of a session takes calls. It must be called with mu held.
func (r *router) takes(session string) bool {
	for p := range r.pages {
		if p.ready && p.session == session {
			return true
		}
	}
	return false
}

// foregroundGrace bounds the wait of a call that names no graph for the page that
// was in the foreground, while another graph could answer. A page that reloads or
// reconnects is back within the first step of the reconnect schedule, 500 ms.
const foregroundGrace = 900 * time.Millisecond

// choose returns the page for a call, or how long to wait for one (more than 0),
// or why no page gets it. own is the outage of a call whose page dropped. It must
// be called with mu held.
func (r *router) choose(c *Call, own outage) (*page, time.Duration, error) {
	pages := r.ready()
	out := r.outage
	target := r.target(c, pages)
	returning := time.Duration(0)
	for _, p := range pages {
		var matches bool
		switch {
		case target != nil:
			matches = p.holds(target) && (!p.unproven() || !canOpen(target, pages))
		case c.Repo != "":
			matches = p.graph() == c.Repo
		default:
			matches = c.affinity != nil // else see below
		}
		if !matches || !c.affinity.allows(c.ReadOnly, p.session, p.graph()) {
			continue
		}
		if wait := r.absent.returning(p.graph()); p.unproven() && wait > 0 {
			returning = wait
			continue
		}
		return p, 0, nil
	}
	switch {
	case returning > 0:
		return nil, returning, nil
	case len(pages) == 0:
		if wait := r.arriving(); wait > max(0, out.graceLeft()) {
			return nil, wait, nil
		}
	case target != nil:
		if wait := own.graceLeft(); c.affinity != nil && wait > 0 {
			return nil, wait, nil
		}
		if wait, err := r.opening(target, pages); c.affinity == nil || c.ReadOnly || wait == 0 {
			return nil, wait, err
		}
		out = own
	case c.affinity != nil:
		out = own
		if c.affinity.Closed && c.ReadOnly && c.Repo == "" {
			// It asked for whatever was in the foreground, and that is closed.
			if wait := foregroundWait(own, pages[0]); wait > 0 {
				return nil, wait, nil
			}
			return pages[0], 0, nil
		}
	case c.Repo != "":
		away, known := r.absent.graph(c.Repo)
		if !known {
			return nil, 0, unknownRepo(c.Repo, pages)
		}
		out = away
	default:
		if wait := r.absent.foreground(pages[0]); wait > 0 {
			return nil, wait, nil
		}
		return pages[0], 0, nil
	}
	if wait := out.graceLeft(); wait > 0 {
		return nil, wait, nil
	}
	return nil, 0, r.lost(out)
}

// arriving returns how long a call still waits for a page that is connected and has
// not said yet what it holds; 0 for none. It must be called with mu held.
func (r *router) arriving() time.Duration {
	wait := time.Duration(0)
	for p := range r.pages {
		if !p.ready && !p.left() {
			wait = max(wait, r.opt.Grace-time.Since(p.since))
		}
	}
	return wait
}

// refusedPage is a page of the app that was not let in.
type refusedPage struct {
	why *DeniedError
	at  time.Time
}

// refusedFor is how long a page that was refused counts as open. It tries again,
// or says again that it is not paired, every minute.
const refusedFor = 150 * time.Second

func (p refusedPage) err() *DeniedError {
	if time.Since(p.at) > refusedFor {
		return nil
	}
	return p.why
}

// refuse notes that a page was not let in, and why.
func (r *router) refuse(why *DeniedError) {
	r.mu.Lock()
	r.refused = refusedPage{why, time.Now()}
	r.mu.Unlock()
}

// lost is the error for a call that found no page. It must be called with mu held.
func (r *router) lost(out outage) error {
	err := out.lost()
	lost, isLost := err.(*LostError)
	if denied := r.refused.err(); denied != nil && (!isLost || lost.NeverConnected) {
		return denied
	}
	if lost, ok := err.(*LostError); ok {
		if reason, advice := r.opt.NoPage(); reason != "" {
			lost.Reason += ". " + reason
			lost.Advice = advice
		}
	}
	return err
}

func unknownRepo(repo string, pages []*page) error {
	var known []string
	for _, p := range pages {
		if p.context != nil {
			known = append(known, p.context.Repo)
		}
	}
	slices.Sort(known)
	return &UnknownRepoError{Repo: repo, Known: slices.Compact(known)}
}

// Graph implements upstream.
func (r *router) Graph(c *Call) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	pages := r.ready()
	if f := r.target(c, pages); f != nil {
		return f.Name
	}
	if c.Repo != "" {
		return c.Repo
	}
	if len(pages) > 0 {
		return pages[0].graph()
	}
	return r.outage.graph
}

// ready returns the pages that take calls, the one that gets a call that names
// no graph first. It must be called with mu held.
func (r *router) ready() []*page {
	var pages []*page
	for p := range r.pages {
		if p.ready {
			pages = append(pages, p)
		}
	}
	slices.SortFunc(pages, func(a, b *page) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return pages
}

func (r *router) graphOf(p *page) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.graph()
}

// add introduces a page, which takes calls from its first setContext on. It
// replaces a page of the same session whose connection is still open, because
// nobody has noticed that it is dead.
func (r *router) add(p *page) {
	r.mu.Lock()
	var former *page
	for other := range r.pages {
		if other.session == p.session {
			former = other
		}
	}
	if former != nil && former.ready {
		former.ready = false
		r.left(former, nil)
	}
	if rank, ok := r.absent.takeRank(p.session); ok {
		p.rank = rank
	} else {
		r.newest++
		p.rank = r.newest
		if p.unproven() {
			p.rank += unprovenRank
		}
	}
	r.pages[p] = struct{}{}
	r.mu.Unlock()
	if former != nil {
		former.end(&connError{status: websocket.StatusGoingAway, reason: "the same page has a new connection"})
	}
}

// setContext notes what a page has loaded, and lets calls go to it.
func (r *router) setContext(p *page, context *GraphContext) {
	r.mu.Lock()
	fresh := !p.ready || p.graph() != (&page{context: context}).graph()
	if f := r.folders[folderOf(context)]; f != nil {
		context.Repo = f.Name // which is the folder's own, unless another folder has that
	}
	p.context, p.ready = context, true
	r.refused = refusedPage{}
	graph := p.graph()
	if !p.unproven() || r.absent.returning(graph) <= 0 {
		delete(r.absent.graphs, graph)
	}
	r.wake()
	r.mu.Unlock()
	if fresh {
		r.onGraph(graph)
	}
}

// folderOf is the folder of what a page has loaded; "" for none.
func folderOf(context *GraphContext) string {
	if context == nil {
		return ""
	}
	return context.Folder
}

// foreground notes that a page came to the foreground.
func (r *router) foreground(p *page) {
	r.mu.Lock()
	r.newest++
	p.rank, p.behind = r.newest, false
	r.mu.Unlock()
}

// remove forgets a page whose connection has ended, and why it did.
func (r *router) remove(p *page, cause error) {
	p.slots.close()
	r.mu.Lock()
	delete(r.pages, p)
	if p.ready {
		r.left(p, cause)
	}
	close(p.gone)
	r.wake()
	r.mu.Unlock()
}

// left notes that a page no longer takes calls. It must be called with mu held,
// when p is not among the ready pages any more.
func (r *router) left(p *page, cause error) {
	pages := r.ready()
	for _, f := range r.folders {
		if p.holds(f) {
			f.notBefore = time.Now().Add(returnsWithin)
		}
	}
	out := newOutage(r.opt)
	out.begin(cause)
	out.graph = p.graph()
	out.indexing = p.context != nil && p.context.State == "indexing"
	if len(pages) == 0 {
		r.outage = out
	}
	r.absent.add(p, out, pages)
}

// wake lets every waiting call look again. It must be called with mu held.
func (r *router) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// succeed tells a new router which pages its predecessor had, the foreground page
// first, and since when nobody has had them.
func (r *router) succeed(pages []PageStatus, since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(pages) > 0 {
		r.pagesReturn = time.Now().Add(returnsWithin)
	}
	for i, p := range pages {
		behind := -i // every page that is new
		if p.Dialect == (dialectV1{}).name() {
			behind += unprovenRank
		}
		r.outage.connected = true
		r.absent.ranks[p.Session] = rank{value: behind, left: since}
		if p.Context != nil && p.Context.Repo != "" {
			out := newOutage(r.opt)
			out.connected, out.since, out.graph = true, since, p.Context.Repo
			if _, nearer := r.absent.graphs[p.Context.Repo]; !nearer {
				r.absent.graphs[p.Context.Repo] = absence{outage: out, rank: behind}
			}
		}
	}
}

// status returns the pages that take calls, the foreground page first, and how
// the wait for a page goes; nil while one is there.
func (r *router) status() ([]PageStatus, *ReconnectStatus) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pages := []PageStatus{}
	for _, p := range r.ready() {
		inFlight, waiting := p.slots.counts()
		pages = append(pages, PageStatus{
			Session: p.session, Dialect: p.dialect, Since: p.since, Calls: inFlight, Waiting: waiting, Context: p.context,
		})
	}
	if len(pages) > 0 {
		return pages, nil
	}
	st := r.outage.status()
	st.Reason, _ = r.opt.NoPage()
	if denied := r.refused.err(); denied != nil {
		st.Reason = denied.Reason
	}
	return pages, st
}
