package wsbridge

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

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
			var answers []<-chan callOutcome
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
