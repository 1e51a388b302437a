//go:build unix

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sampleAll notes the figures of the witness, and of the hub that is spared.
func (w *chaos) sampleAll() {
	if p := w.seats[0].present(); p != nil {
		w.sample("witness", p)
	}
	if w.sparesHub() {
		if p := w.hub(); p != nil {
			w.sample("hub", p)
		}
	}
}

func (w *chaos) sample(who string, p *agentProc) {
	pid := p.cmd.Process.Pid
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	status, err2 := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil || err2 != nil {
		return // no Linux, or gone
	}
	field := func(name string) int {
		_, rest, _ := bytes.Cut(status, []byte("\n"+name+":"))
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		n, _ := strconv.Atoi(strings.Fields(string(line))[0])
		return n
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	answers := 0
	for _, n := range w.answers {
		answers += n
	}
	w.samples = append(w.samples, sample{who, p.name, time.Since(w.began), field("VmRSS"), len(files), field("Threads"), answers})
}

// samplesOf are those of the first process that was sampled as who.
func (w *chaos) samplesOf(who string) (list []sample) {
	for _, s := range w.samples {
		if s.who == who && (len(list) == 0 || s.name == list[0].name) {
			list = append(list, s)
		}
	}
	return list
}

// checkLeaks ends everything, and looks for what is left.
func (w *chaos) checkLeaks(goroutines int) {
	w.checkGrowth()
	w.mu.Lock()
	broken := w.broken
	w.mu.Unlock()
	if witness := w.seats[0].present(); witness != nil && !broken {
		w.checkGoroutines(witness)
	}
	w.mu.Lock()
	left := slices.Collect(maps.Keys(w.procs))
	w.mu.Unlock()
	for _, p := range left {
		p.end("end of input")
	}
	for _, p := range left {
		select {
		case <-p.exited:
		case <-time.After(time.Second + 2*lateBy):
			_ = p.cmd.Process.Kill()
			<-p.exited
			w.fail("", "%s did not end with its input", p.name)
		}
	}
	// A killed process leaves its temporary files to the next one that starts.
	if p, err := w.start(nil, "last", w.port); err == nil {
		p.end("end of input")
		<-p.exited
	}
	if files, _ := filepath.Glob(filepath.Join(w.tmp, "*")); len(files) > 0 {
		w.fail("", "temporary files are left: %v", files)
	}
	if w.peerWay.passed.Load() == 0 {
		w.fail("", "the witness did not come over the socket")
	}
	w.page.shut()
	w.pageWay.close()
	w.peerWay.close()
	w.background.Wait()
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environments {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte("TMPDIR="+w.tmp)) {
			w.fail("", "process %s is left", filepath.Base(filepath.Dir(file)))
		}
	}
	for end := time.Now().Add(lateBy); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		w.fail("", "%d goroutines in the test, %d at the beginning", n, goroutines)
	}
}

// checkGrowth holds files, threads and memory of the processes that live long
// to what they were when a third of their samples was taken.
func (w *chaos) checkGrowth() {
	for _, who := range []string{"witness", "hub"} {
		list := w.samplesOf(who)
		if len(list) < 6 {
			continue
		}
		early, late := most(list[:len(list)/3]), most(list[len(list)*2/3:])
		if late.files > early.files+8 || late.threads > early.threads+8 || late.rss > early.rss*3/2+40<<10 {
			w.fail("", "%s (%s) has grown: %+v, then %+v", who, list[0].name, early, late)
		}
	}
}

// most is the largest of each figure.
func most(list []sample) (m sample) {
	for _, s := range list {
		m.rss, m.files, m.threads = max(m.rss, s.rss), max(m.files, s.files), max(m.threads, s.threads)
	}
	return m
}

var creatorPattern = regexp.MustCompile(`(?m)^(?:created by (\S+)|goroutine 1 \[)`)

// checkGoroutines counts the goroutines of the witness, of a process that has
// just started, and of the last hub, which has as many links as there are
// processes and pages: SIGQUIT makes Go print them.
func (w *chaos) checkGoroutines(witness *agentProc) {
	_, port, _ := strings.Cut(w.peerWay.addr(), ":")
	n, _ := strconv.Atoi(port)
	fresh, err := w.start(nil, "fresh", n)
	if err != nil {
		w.fail("", "cannot start a process: %v", err)
		return
	}
	// Through the page, so that it has joined the hub.
	c := fresh.request("tools/call", map[string]any{"name": "context", "arguments": map[string]any{}}, new(chaosCall))
	select { // await gives up at once when the run is over
	case <-c.done:
	case <-fresh.exited:
	case <-time.After(2 * lateBy):
	}
	young, old, hub := w.dump(fresh), w.dump(witness), w.dump(w.hub())
	w.goroutines = [3]int{total(young), total(old), total(hub)}
	const some = 8 // that wait for work where there was some
	if w.goroutines[0] == 0 || w.goroutines[1] > w.goroutines[0]+some {
		w.fail("", "the witness has these goroutines: %v\n and a new process these: %v", old, young)
	}
	// A link has five, and one for the request that it came by.
	if w.goroutines[2] > w.goroutines[0]+some+6*(len(w.seats)+1) {
		w.fail("", "the hub has these goroutines: %v", hub)
	}
}

// dump ends a process, and returns its goroutines by the functions that began them.
func (w *chaos) dump(p *agentProc) map[string]int {
	if p == nil {
		return nil
	}
	p.end("SIGQUIT")
	<-p.exited
	counts := make(map[string]int)
	data, _ := os.ReadFile(p.log)
	for _, m := range creatorPattern.FindAllSubmatch(data, -1) {
		counts[cmp.Or(string(m[1]), "main")]++
	}
	return counts
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// report prints the figures, and what failed with all that is known of it.
func (w *chaos) report() {
	var b strings.Builder
	calls := 0
	for _, n := range w.answers {
		calls += n
	}
	faults := 0
	for _, n := range w.faults {
		faults += n
	}
	fmt.Fprintf(&b, "seed %d: %d calls, %d faults, %d processes, %d page loads in %v\n",
		w.seed, calls, faults, w.started, w.page.loads, time.Since(w.began).Round(time.Second))
	fmt.Fprintf(&b, "%d cancelled by agents; of calls sent again the page joined %d and answered %d from memory; %d gentle rounds in which the page came too late\n",
		w.cancels, w.joined, w.remembered, w.late)
	for _, code := range slices.Sorted(maps.Keys(w.answers)) {
		fmt.Fprintf(&b, "  %7d %s\n", w.answers[code], code)
	}
	fmt.Fprintf(&b, "time until a process that was told to stop had ended: %v\n", &w.exits)
	fmt.Fprintf(&b, "faults, and the time from the end of one by itself to each agent's next good answer:\n")
	for _, name := range slices.Sorted(maps.Keys(w.faults)) {
		fmt.Fprintf(&b, "  %4d %-32s", w.faults[name], name)
		if d := w.recovery[name]; d != nil {
			fmt.Fprintf(&b, "%v", d)
		}
		b.WriteByte('\n')
	}
	for _, name := range []string{"start", "storm"} {
		if d := w.recovery[name]; d != nil {
			fmt.Fprintf(&b, "  %-37s%v\n", name, d)
		}
	}
	for _, who := range []string{"witness", "hub"} {
		list := w.samplesOf(who)
		if len(list) > 0 {
			for _, s := range []sample{list[0], list[len(list)/3], list[len(list)*2/3], list[len(list)-1]} {
				fmt.Fprintf(&b, "%s after %v and %d calls: %d KB, %d files, %d threads\n", who, s.at.Round(time.Second), s.answers, s.rss, s.files, s.threads)
			}
		}
	}
	fmt.Fprintf(&b, "goroutines of a new process %d, of the witness %d, of the last hub %d\n", w.goroutines[0], w.goroutines[1], w.goroutines[2])
	w.Log(b.String())
	if len(w.failures) == 0 {
		return
	}
	w.Errorf("failed. The same faults again: GITNEXUS_CHAOS=%v GITNEXUS_CHAOS_SEED=%d GITNEXUS_CHAOS_AGENTS=%d go test -run TestChaos ./cmd/gitnexus-mcp", w.length, w.seed, len(w.seats))
	for _, f := range w.failures {
		w.Errorf("%s\n%s", f.message, w.story(f.nonce))
	}
	w.Logf("the journal's end:\n%s", strings.Join(w.journal[max(0, len(w.journal)-150):], "\n"))
}

var callPattern = regexp.MustCompile(`call ([A-Z2-7]{26}(?:-\d+)?)`)

// story is what page and processes say of a call.
func (w *chaos) story(nonce string) string {
	if nonce == "" {
		return ""
	}
	lines := slices.Clone(w.stories[nonce])
	ids := map[string]bool{}
	for _, line := range lines {
		if m := callPattern.FindStringSubmatch(line); m != nil {
			ids[m[1]] = true
		}
	}
	logs, _ := filepath.Glob(filepath.Join(w.dir, "*.log"))
	for _, log := range logs {
		data, _ := os.ReadFile(log)
		for line := range strings.Lines(string(data)) {
			for id := range ids {
				if strings.Contains(line, id) {
					lines = append(lines, fmt.Sprintf("%.12s %s: %s", line, filepath.Base(log), strings.TrimSpace(line)))
				}
			}
		}
	}
	if len(lines) == 0 {
		return "  it never reached a page"
	}
	slices.Sort(lines)
	return "  " + strings.Join(lines, "\n  ")
}
