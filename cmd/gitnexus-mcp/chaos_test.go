//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestChaos lets agents call all tools, through real gitnexus-mcp processes and
// a scripted page, while processes are killed and stopped, the page is dropped,
// reloaded and hung, and links are cut, stalled and damaged. docs/reliability.md
// says what it holds the program to.
//
// GITNEXUS_CHAOS is how long (12s), GITNEXUS_CHAOS_SEED the beginning of all
// chance, GITNEXUS_CHAOS_AGENTS how many agents (4). A failure prints the seed;
// with it, the same faults come in the same order. GITNEXUS_CHAOS_ROUND begins
// at that round.
func TestChaos(t *testing.T) {
	w := newChaos(t)
	goroutines := runtime.NumGoroutine()
	w.run()
	w.checkLeaks(goroutines)
	w.report()
}

const (
	chaosRepo   = "alpha"
	chaosOrigin = "http://chaos.example" // of the page that speaks the older dialect
)

// chaos is one run.
type chaos struct {
	*testing.T
	// Set once.
	length   time.Duration
	seed     uint64
	from     int // the first round
	pace     time.Duration
	dir, tmp string // of logs; of the processes
	port     int
	seats    []*seat
	page     *chaosPage // the page; others come and go
	pageWay  *faultProxy
	peerWay  *faultProxy // between the witness and the hub
	began    time.Time
	stop     context.Context // ends with the run
	finish   context.CancelFunc

	background sync.WaitGroup

	// Counts.
	joined, remembered, cancels, started int // guarded by mu
	exits                                durations
	goroutines                           [3]int                // of a new process, of the witness, of the last hub
	recovery                             map[string]*durations // by fault

	mu           sync.Mutex
	procs        map[*agentProc]struct{}
	answers      map[string]int // by outcome
	faults       map[string]int // by kind
	damagedUntil time.Time
	rough        span // errors are allowed; to is zero while it lasts
	broken       bool // a failure ends the run
	journal      []string
	stories      map[string][]string // by nonce, of the calls told of last
	told         []string            // the nonces in stories, the oldest first
	failures     []failure
	samples      []sample // by sampleAll
	late         int      // gentle rounds in which the page itself was too late
}

type failure struct {
	nonce, message string
}

// sample is the figures of a process that lives through the run.
type sample struct {
	who, name      string
	at             time.Duration
	rss            int // KB
	files, threads int
	answers        int // of the whole run until then
}

// durations are the measured times of one thing.
type durations struct {
	mu   sync.Mutex
	list []time.Duration
}

func (d *durations) add(v time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = append(d.list, v)
}

func (d *durations) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.list) == 0 {
		return "none"
	}
	slices.Sort(d.list)
	n := len(d.list)
	ms := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	return fmt.Sprintf("%4d: median %v, p99 %v, max %v", n, ms(d.list[n/2]), ms(d.list[(n*99)/100]), ms(d.list[n-1]))
}

func newChaos(t *testing.T) *chaos {
	w := &chaos{
		T: t, length: 12 * time.Second, seed: 1, pace: 40 * time.Millisecond, dir: t.TempDir(), port: freePort(t), began: time.Now(),
		procs: make(map[*agentProc]struct{}), answers: make(map[string]int), faults: make(map[string]int),
		recovery: make(map[string]*durations), stories: make(map[string][]string),
	}
	agents := 4
	number := func(name string, to *int) {
		if v := os.Getenv(name); v != "" {
			n, err := strconv.Atoi(v)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			*to = n
		}
	}
	if v := os.Getenv("GITNEXUS_CHAOS"); v != "" {
		var err error
		if w.length, err = time.ParseDuration(v); err != nil {
			t.Fatalf("GITNEXUS_CHAOS: %v", err)
		}
		w.seed = uint64(time.Now().UnixNano() % 1_000_000)
	}
	seed := int(w.seed)
	number("GITNEXUS_CHAOS_SEED", &seed)
	number("GITNEXUS_CHAOS_AGENTS", &agents)
	number("GITNEXUS_CHAOS_ROUND", &w.from)
	w.seed = uint64(seed)
	w.tmp = filepath.Join(w.dir, "tmp")
	if err := os.Mkdir(w.tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	w.stop, w.finish = context.WithCancel(context.Background())
	w.pageWay = (&faultProxy{target: w.hubHost()}).start(t, w.seed)
	w.peerWay = (&faultProxy{target: w.hubHost(), socket: socketOf(t), rewrite: disguise, patient: true}).start(t, w.seed+1)
	w.page = w.newPage("page", chaosRepo)
	_, peerPort, _ := net.SplitHostPort(w.peerWay.addr())
	for i := range agents {
		s := &seat{w: w, number: i, port: w.port}
		if i == 0 { // the witness: it outlives all, and meets the hub over a link with faults
			s.pinned = true
			s.port, _ = strconv.Atoi(peerPort)
		}
		w.seats = append(w.seats, s)
	}
	return w
}

func (w *chaos) newPage(name, repo string) *chaosPage {
	return &chaosPage{w: w, name: name, repo: repo, kick: make(chan struct{}, 1)}
}

func (w *chaos) hubHost() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(w.port)) }

var (
	challengePattern = regexp.MustCompile(`^GET /api/challenge\?id=token&nonce=([\w-]+)`)
	proofPattern     = regexp.MustCompile(`"proof": ?"([0-9a-f]{64})"`)
	clientPattern    = regexp.MustCompile(`gitnexus\.proof\.peer\.token\.([\w-]+)\.([\w-]+)\.([0-9a-f]{64})`)
)

// disguise lets a process that was told the proxy's port meet the hub on its
// own: the gate lets in only who names the hub's port, and both sides prove that
// they know the token for the port that they were told.
func disguise(p *faultProxy, c *pair, way int, data []byte) {
	if way == 0 && bytes.HasPrefix(data, []byte("GET ")) {
		if m := challengePattern.FindSubmatch(data); m != nil {
			nonce := string(m[1])
			c.nonce.Store(&nonce)
		}
		if at := bytes.Index(data, []byte(p.addr())); at >= 0 {
			copy(data[at:], p.target) // both ports have five digits
		}
		if at := clientPattern.FindSubmatchIndex(data); at != nil {
			_, port, _ := strings.Cut(p.target, ":")
			copy(data[at[6]:at[7]], testMAC("gitnexus-mcp client", port, "peer", string(data[at[2]:at[3]]), string(data[at[4]:at[5]])))
		}
	}
	if nonce := c.nonce.Load(); way == 1 && nonce != nil {
		if at := proofPattern.FindSubmatchIndex(data); at != nil {
			_, port, _ := strings.Cut(p.addr(), ":")
			copy(data[at[2]:at[3]], testMAC("gitnexus-mcp hub", port, *nonce))
			c.nonce.Store(nil)
		}
	}
}

// chance is a source of chance that depends on the seed and the use alone.
func (w *chaos) chance(use ...uint64) *rand.Rand {
	mixed := w.seed
	for _, n := range use {
		mixed = mixed*0x9e3779b97f4a7c15 + n + 1
	}
	return rand.New(rand.NewPCG(w.seed, mixed))
}

// sparesHub: the last third of a run watches one hub for leaks.
func (w *chaos) sparesHub() bool { return time.Since(w.began) > w.length*2/3 }

func (w *chaos) over() bool { return w.stop.Err() != nil }

// sleep waits, unless the run ends first.
func (w *chaos) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.stop.Done():
	}
}

// run is the whole run.
func (w *chaos) run() {
	w.roughBegins() // until all is up
	w.page.open()
	for _, s := range w.seats {
		w.background.Go(s.occupy)
	}
	w.recover("start", 30*time.Second)
	w.roughEnds()
	for n := w.from; time.Since(w.began) < w.length && !w.over(); n++ {
		w.round(n)
	}
	w.sampleAll()
	w.finish()
}

// A planned fault of a round.
type fault struct {
	kind  *faultKind
	after time.Duration // from the round's beginning
	lasts time.Duration
	arg   uint64
}

func (f fault) String() string {
	return fmt.Sprintf("%s (after %v, for %v)", f.kind.name, f.after.Round(time.Millisecond), f.lasts.Round(time.Millisecond))
}

// plan is what happens in a round. Most have a single fault, to see what it
// costs by itself, each kind in turn; every fourth is a storm of them.
func (w *chaos) plan(n int) (faults []fault) {
	r := w.chance(1000, uint64(n))
	var kinds []*faultKind
	for i := range faultKinds {
		if k := &faultKinds[i]; w.length >= k.in {
			kinds = append(kinds, k)
		}
	}
	w.chance(1001).Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	draw := func(k *faultKind, after time.Duration) {
		lasts := k.most
		if !k.long() {
			lasts = time.Duration((0.1 + 0.9*r.Float64()) * float64(k.most))
		}
		if w.length < time.Minute {
			lasts = min(lasts, time.Second)
		}
		faults = append(faults, fault{kind: k, after: after, lasts: lasts, arg: r.Uint64()})
	}
	if n%4 < 3 {
		k := kinds[(n-n/4)%len(kinds)]
		if k.long() && r.IntN(3) > 0 {
			k = kinds[r.IntN(len(kinds))]
		}
		draw(k, 0)
		return faults
	}
	for range 5 + r.IntN(6) {
		k := kinds[r.IntN(len(kinds))]
		if !k.long() {
			draw(k, time.Duration(r.Int64N(int64(3*time.Second))))
		}
	}
	slices.SortFunc(faults, func(a, b fault) int { return cmp.Compare(a.after, b.after) })
	return faults
}

func (w *chaos) round(n int) {
	plan := w.plan(n)
	storm := len(plan) > 1
	gentle := !storm && plan[0].kind.gentle
	w.note("round %d: %v", n, plan)
	w.page.rest()
	if !gentle {
		w.roughBegins()
	}
	var running sync.WaitGroup
	for _, f := range plan {
		running.Go(func() {
			w.sleep(f.after)
			if w.over() {
				return
			}
			w.mu.Lock()
			w.faults[f.kind.name]++
			w.mu.Unlock()
			w.note("fault: %v", f)
			f.kind.run(w, f)
			w.note("fault over: %s", f.kind.name)
		})
	}
	running.Wait()
	w.pageWay.clear()
	w.peerWay.clear()
	w.page.show()
	name := "storm"
	if !storm {
		name = plan[0].kind.name
	}
	w.recover(name, w.bound(plan))
	if !gentle {
		w.roughEnds()
	}
	w.sleep(300 * time.Millisecond) // in which nothing may fail
	w.sampleAll()
}

// bound is how long agents may have to wait for their next good answer.
func (w *chaos) bound(plan []fault) time.Duration {
	for _, f := range plan {
		if f.kind.long() {
			return time.Minute // two heartbeats, and the page's way back
		}
	}
	return 20 * time.Second
}

// recover waits until every seat's call succeeds, and keeps how long it took.
func (w *chaos) recover(what string, bound time.Duration) {
	w.mu.Lock()
	if w.recovery[what] == nil {
		w.recovery[what] = new(durations)
	}
	d := w.recovery[what]
	w.mu.Unlock()
	began := time.Now()
	missing := make(chan int, len(w.seats))
	for _, s := range w.seats {
		s.watch(func(took time.Duration, by *agentProc) {
			if what == "start" || by.started.Before(began) { // not one that took the seat of one that was killed
				d.add(took)
			}
			missing <- s.number
		})
	}
	timer := time.NewTimer(bound)
	defer timer.Stop()
	open := make(map[int]bool)
	for i := range w.seats {
		open[i] = true
	}
	for len(open) > 0 {
		select {
		case i := <-missing:
			delete(open, i)
		case <-w.stop.Done():
			return
		case <-timer.C:
			for i := range open {
				p := w.seats[i].present()
				name := "no process"
				if p != nil {
					name = p.name
				}
				w.fail("", "agent %d (%s) has had no good answer for %v after %s", i, name, time.Since(began).Round(time.Second), what)
			}
			return
		}
	}
}

func (w *chaos) roughBegins() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rough.from.IsZero() || !w.rough.to.IsZero() {
		w.rough = span{from: time.Now()}
	}
}

func (w *chaos) roughEnds() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rough.to = time.Now()
}

// pageWasDown: a page that comes back later than the grace, by its dice and the
// machine's load, keeps no promise that depends on it.
func (w *chaos) pageWasDown(p *chaosPage, down time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p != w.page || down < 2500*time.Millisecond {
		return
	}
	if w.rough.to.IsZero() {
		return
	}
	w.late++
	w.rough = span{from: time.Now().Add(-down), to: time.Now().Add(5 * time.Second)}
}

// damaging notes that links carry changed bytes for so long: until some time
// after, an id or an argument may be another than the one that was sent.
func (w *chaos) damaging(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.damagedUntil = time.Now().Add(d + 10*time.Second)
}

func (w *chaos) damageSeen() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Before(w.damagedUntil)
}

// hub is the process that holds the port, as the page knows it.
func (w *chaos) hub() *agentProc {
	for range 100 {
		w.page.mu.Lock()
		pid := w.page.hubPID
		w.page.mu.Unlock()
		w.mu.Lock()
		for p := range w.procs {
			if p.cmd.Process.Pid == pid {
				w.mu.Unlock()
				return p
			}
		}
		w.mu.Unlock()
		if w.over() {
			break
		}
		w.sleep(20 * time.Millisecond)
	}
	return nil
}

// mortal are the seats' processes that may be killed.
func (w *chaos) mortal() (list []*agentProc) {
	for _, s := range w.seats {
		if p := s.present(); p != nil && !s.pinned {
			list = append(list, p)
		}
	}
	return list
}

func (w *chaos) peer(f fault) *agentProc {
	hub := w.hub()
	list := w.mortal()
	list = slices.DeleteFunc(list, func(p *agentProc) bool { return p == hub })
	if len(list) == 0 {
		return nil
	}
	return list[f.arg%uint64(len(list))]
}

func (w *chaos) count(n *int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*n++
}

func clock(t time.Time) string { return t.Format("15:04:05.000") }

// note writes to the journal, which keeps the last thousands of lines.
func (w *chaos) note(format string, args ...any) {
	line := clock(time.Now()) + " " + fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.journal = append(w.journal, line)
	if len(w.journal) > 6000 {
		w.journal = append(w.journal[:0], w.journal[2000:]...)
	}
}

// tell adds to a call's story.
func (w *chaos) tell(nonce, format string, args ...any) {
	line := clock(time.Now()) + " " + fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stories[nonce] == nil {
		w.told = append(w.told, nonce)
	}
	w.stories[nonce] = append(w.stories[nonce], line)
	if len(w.told) > 4000 {
		delete(w.stories, w.told[0])
		w.told = w.told[1:]
	}
}

// fail notes a failure and ends the run. Its story is told when all logs are whole.
func (w *chaos) fail(nonce, format string, args ...any) {
	message := clock(time.Now()) + " " + fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
	if len(w.failures) < 10 {
		w.failures = append(w.failures, failure{nonce, message})
	}
	w.finish()
}
