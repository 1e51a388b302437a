package wsbridge

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// partsSender is a page's end of answers in parts: it sends as far ahead as it may.
type partsSender struct {
	*fakePage
	mu  sync.Mutex
	out outbox
}

func newPartsSender(p *fakePage) *partsSender {
	return &partsSender{fakePage: p, out: outbox{window: partsWindow}}
}

func (s *partsSender) answer(id string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.add("", fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,"result":{"structuredContent":%s}}`, id, content))
}

// pump sends what may be sent now, and tells how many parts that were.
func (s *partsSender) pump() (n int) {
	for {
		s.mu.Lock()
		part := s.out.part(nil)
		s.mu.Unlock()
		if part == nil {
			return n
		}
		s.binary(part)
		n++
	}
}

func (s *partsSender) taken(f frame) {
	var p takenParams
	_ = json.Unmarshal(f.Params, &p)
	s.mu.Lock()
	_, err := s.out.taken(p)
	s.mu.Unlock()
	if err != nil {
		s.t.Error(err)
	}
}

func (p *fakePage) binary(data []byte) {
	_ = p.conn.Write(context.Background(), websocket.MessageBinary, data)
}

// finish sends everything.
func (s *partsSender) finish() {
	for s.pump(); len(s.out.open) > 0; s.pump() {
		s.taken(s.next(methodTaken))
	}
}

func part(number, size, offset int, data string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(number))
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	return append(binary.LittleEndian.AppendUint32(b, uint32(offset)), data...)
}

func jsonString(size int) []byte {
	return append(append([]byte{'"'}, bytes.Repeat([]byte("x"), size-2)...), '"')
}

// exchangeAs makes a call through a peer.
func (r *rig) exchangeAs(ctx context.Context, p *hubConn, id string) <-chan callOutcome {
	return r.callVia(ctx, p, newCall(id))
}

func (r *rig) callVia(ctx context.Context, p *hubConn, c Call) <-chan callOutcome {
	done := make(chan callOutcome, 1)
	c.Trace = new(Trace)
	go func() {
		result, err := r.via(p).Call(ctx, &c)
		done <- callOutcome{result: result, err: err}
	}()
	return done
}

// Large answers arrive whole, through the hub and through a peer, one after the
// other and at once.
func TestAnswersInParts(t *testing.T) {
	sizes := []int{300 << 10, 1 << 20, 5 << 20}
	withHub(t, Options{MaxMessage: 6 << 20}, func(r *rig) {
		page := newPartsSender(r.page("s1", "repo", nil))
		peer := r.peer(r.hub.opt)
		for _, together := range []bool{false, true} {
			var all []<-chan callOutcome
			for i, size := range sizes {
				own, other := fmt.Sprintf("own-%v-%d", together, i), fmt.Sprintf("peer-%v-%d", together, i)
				all = append(all, r.call(r.Context(), newCall(own)), r.exchangeAs(r.Context(), peer, other))
				synctest.Wait()
				page.answer(own, jsonString(size))
				page.answer(other, jsonString(size))
				if !together {
					page.finish()
				}
			}
			page.finish()
			for i, done := range all {
				if o := <-done; o.err != nil || !bytes.Equal(o.result, jsonString(sizes[i/2])) {
					t.Errorf("%d bytes: got %d, %v", sizes[i/2], len(o.result), o.err)
				}
			}
		}
		if n := len(r.hub.Status().Pages); n != 1 {
			t.Error("the page's link suffered")
		}
		synctest.Wait()
		for _, role := range []string{rolePage, rolePeer} {
			if l := r.conn(role); l.backlog() != 0 || len(l.inbox.open) != 0 || len(l.outbox.open) != 0 {
				t.Errorf("%s: %d bytes still count as unread, %d and %d messages as open", role, l.backlog(), len(l.inbox.open), len(l.outbox.open))
			}
		}
	})
}

// Between the parts of a large answer a small one gets through.
func TestSmallAnswersOvertakeLargeOnes(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		page := newPartsSender(r.page("s1", "repo", nil))
		large, small := r.call(r.Context(), newCall("large")), r.call(r.Context(), newCall("small"))
		synctest.Wait()
		page.answer("large", jsonString(2<<20))
		if n := page.pump(); n != partsWindow/partBytes {
			t.Errorf("%d parts went out at once", n)
		}
		page.result("small", 1)
		if o := <-small; o.err != nil {
			t.Error(o.err)
		}
		select {
		case <-large:
			t.Fatal("answered by a quarter of its answer")
		default:
		}
		page.finish()
		if o := <-large; o.err != nil || len(o.result) != 2<<20 {
			t.Errorf("got %d bytes, %v", len(o.result), o.err)
		}
	})
}

// rawPeer is a peer that does only what the test tells it.
func (r *rig) rawPeer(parts int) *fakePage {
	p := r.connectAs(rolePeer, &fakePage{})
	p.send(encode("hello", methodHello, helloParams{Role: rolePeer, Version: "t", Session: "raw", Parts: parts}))
	synctest.Wait()
	for len(p.frames) > 0 {
		<-p.frames
	}
	return p
}

func (p *fakePage) ask(id string) {
	p.send(dialectV2{}.call(ref(newCall(id)), time.Hour))
	synctest.Wait()
}

// A peer that takes its time gets a large answer at its own pace, the small one
// in between; one that takes no parts gets it whole.
func TestPeerTakesPartsAtItsPace(t *testing.T) {
	const window = 2 * partBytes
	withHub(t, Options{}, func(r *rig) {
		content := jsonString(1 << 20)
		r.page("s1", "repo", func(p *fakePage, f frame) {
			if strings.HasPrefix(idOf(f), "large") {
				p.result(idOf(f), json.RawMessage(content))
			} else {
				echo(p, f)
			}
		})
		peer := r.rawPeer(window)
		peer.ask("large-1")
		in := inbox{limit: 2 << 20}
		var whole []byte
		for have := 0; whole == nil; {
			if n := len(peer.binaries); n != 2 && have < 1<<20 {
				t.Fatalf("%d parts came after a word that %d bytes have come, want 2", n, have)
			}
			peer.ask(fmt.Sprint("small-", len(whole)))
			if f := peer.next(""); idOf(f) != "small-0" {
				t.Fatalf("got %s %s", f.Method, f.ID)
			}
			for len(peer.binaries) > 0 {
				b := <-peer.binaries
				number, done, _, err := in.take(b)
				if err != nil {
					t.Fatal(err)
				}
				have = int(binary.LittleEndian.Uint32(b[8:])) + len(b) - partHeader
				if done != nil {
					whole = done.join()
					in.finish(number)
				}
			}
			peer.send(encode("", methodTaken, takenParams{1, have}))
			synctest.Wait()
		}
		if e, err := decodeV2(whole); err != nil || !bytes.Contains(e.(answerEvent).result, content) {
			t.Errorf("got %d bytes, %v", len(whole), err)
		}

		plain := r.rawPeer(0)
		plain.ask("large-2")
		if f := plain.next(""); idOf(f) != "large-2" || !bytes.Contains(f.Result, content) {
			t.Errorf("without parts: got %d bytes for %s", len(f.Result), f.ID)
		}
	})
}

func TestBadPartsEndTheirLinkAlone(t *testing.T) {
	hello := func(p *fakePage) { p.hello("bad") }
	for name, c := range map[string]struct {
		before func(p *fakePage)
		send   func(p *fakePage)
		want   websocket.StatusCode
		peer   bool
	}{
		"before the hello":        {func(*fakePage) {}, func(p *fakePage) { p.binary(part(1, 9, 0, "{")) }, 1003, false},
		"a peer before the hello": {func(*fakePage) {}, func(p *fakePage) { p.binary(part(1, 9, 0, "{")) }, 1003, true},
		"a peer, no call": {func(p *fakePage) { p.send(encode("hello", methodHello, helloParams{Role: rolePeer, Session: "x"})) }, func(p *fakePage) {
			f := encode("", methodAgents, agentsParams{})
			p.binary(part(1, len(f), 0, string(f)))
		}, 1008, true},
		"a call of a page": {hello, func(p *fakePage) {
			f := dialectV2{}.call(ref(newCall("x")), time.Hour)
			p.binary(part(1, len(f), 0, string(f)))
		}, 1008, false},
		"short":             {hello, func(p *fakePage) { p.binary([]byte("short")) }, 1007, false},
		"empty":             {hello, func(p *fakePage) { p.binary(part(1, 9, 0, "")) }, 1007, false},
		"of nothing":        {hello, func(p *fakePage) { p.binary(part(1, 0, 0, "x")) }, 1007, false},
		"too long":          {hello, func(p *fakePage) { p.binary(part(1, 1<<20, 0, strings.Repeat("x", partBytes+1))) }, 1007, false},
		"over the limit":    {hello, func(p *fakePage) { p.binary(part(1, 2<<20, 0, "{")) }, 1009, false},
		"not the beginning": {hello, func(p *fakePage) { p.binary(part(1, 9, 3, "{")) }, 1007, false},
		"a gap":             {hello, func(p *fakePage) { p.binary(part(1, 9, 0, "{")); p.binary(part(1, 9, 2, "{")) }, 1007, false},
		"twice":             {hello, func(p *fakePage) { p.binary(part(1, 9, 0, "{")); p.binary(part(1, 9, 0, "{")) }, 1007, false},
		"another size":      {hello, func(p *fakePage) { p.binary(part(1, 9, 0, "{")); p.binary(part(1, 8, 1, "{")) }, 1007, false},
		"over its end":      {hello, func(p *fakePage) { p.binary(part(1, 9, 0, strings.Repeat("x", 10))) }, 1007, false},
		"too many at once": {hello, func(p *fakePage) {
			for i := range maxUnfinished + 1 {
				p.binary(part(i, 9, 0, "{"))
			}
		}, 1008, false},
		"no JSON":   {hello, func(p *fakePage) { p.binary(part(1, 3, 0, "{{{")) }, 1007, false},
		"no answer": {hello, func(p *fakePage) { f := encode("", methodFront, nil); p.binary(part(1, len(f), 0, string(f))) }, 1008, false},
		"a window that is no use": {func(*fakePage) {}, func(p *fakePage) {
			p.send(encode("hello", methodHello, helloParams{Role: rolePeer, Session: "x", Parts: 100}))
		}, 4001, true},
		"taken of nothing": {func(p *fakePage) {
			p.send(encode("hello", methodHello, helloParams{Role: rolePeer, Session: "x", Parts: partBytes}))
		},
			func(p *fakePage) { p.send(encode("", methodTaken, takenParams{7, 1})) }, 1008, true},
		"taken by a page": {hello, func(p *fakePage) { p.send(encode("", methodTaken, takenParams{1, 1})) }, 1008, false},
	} {
		t.Run(name, func(t *testing.T) {
			withHub(t, Options{MaxMessage: 1 << 20}, func(r *rig) {
				r.page("s1", "repo", echo)
				role := rolePage
				if c.peer {
					role = rolePeer
				}
				bad := r.connectAs(role, &fakePage{})
				c.before(bad)
				c.send(bad)
				<-bad.closed
				if got := websocket.CloseStatus(bad.err); got != c.want {
					t.Errorf("closed with %v, want %v", bad.err, c.want)
				}
				if o := <-r.call(r.Context(), newCall("a")); o.err != nil {
					t.Errorf("another page suffered: %v", o.err)
				}
			})
		})
	}
}

// What a sender may be told of its parts.
func TestTakenIsChecked(t *testing.T) {
	o := outbox{window: partsWindow}
	o.add("", make([]byte, 1<<20))
	for range 3 {
		o.part(nil)
	}
	for _, bad := range []takenParams{{2, 1}, {1, 0}, {1, -1}, {1, 3*partBytes + 1}} {
		if _, err := o.taken(bad); err == nil {
			t.Errorf("%+v was believed", bad)
		}
	}
	if _, err := o.taken(takenParams{1, partBytes}); err != nil {
		t.Error(err)
	}
	if _, err := o.taken(takenParams{1, partBytes}); err == nil {
		t.Error("no step forward was believed")
	}
}

// No more than maxUnfinished messages are begun, and they take turns.
func TestMessagesInPartsTakeTurns(t *testing.T) {
	o := outbox{window: partsWindow}
	for range maxUnfinished + 1 {
		o.add("", make([]byte, 2*partBytes))
	}
	var order []uint32
	for b := o.part(nil); b != nil; b = o.part(nil) {
		order = append(order, binary.LittleEndian.Uint32(b))
	}
	if fmt.Sprint(order) != "[1 2 3 4 1 2 3 4]" {
		t.Errorf("order %v", order)
	}
	if done, err := o.taken(takenParams{2, 2 * partBytes}); err != nil || done == nil || len(done.data) != 2*partBytes {
		t.Errorf("done %v, %v", done, err)
	}
	if b := o.part(nil); b == nil || binary.LittleEndian.Uint32(b) != 5 {
		t.Error("the fifth did not begin")
	}
}

// A peer that does not read has the hub hold no more than its limit, and each of
// its calls is still answered, with the result or with an error that says so.
func TestUnreadAnswersAreBounded(t *testing.T) {
	const size, calls = 50 << 10, 60
	withHub(t, Options{MaxMessage: 256 << 10, Heartbeat: time.Hour}, func(r *rig) {
		r.page("s1", "repo", func(p *fakePage, f frame) { p.result(idOf(f), json.RawMessage(jsonString(size))) })
		peer := r.rawPeer(partsWindow)
		reading := make(chan struct{})
		peer.stall(reading)
		for i := range calls {
			peer.send(dialectV2{}.call(ref(newCall(fmt.Sprint("c-", i))), time.Hour))
		}
		synctest.Wait()
		if n := r.conn(rolePeer).backlog(); n < 3<<18 || n > 4<<18 {
			t.Errorf("%d bytes unread", n)
		}
		if o := <-r.call(r.Context(), newCall("other")); o.err != nil {
			t.Errorf("another agent suffered: %v", o.err)
		}
		close(reading)
		results, refused := 0, 0
		for range calls {
			f := peer.next("")
			if f.Error == nil {
				results++
			} else if e, ok := errors.AsType[*ToolError](decodePeerError(f.Error)); ok && e.Retryable && strings.Contains(e.Message, "1 MB") {
				refused++
			}
		}
		if results < 4<<18/size-1 || results+refused != calls {
			t.Errorf("%d results and %d refusals for %d calls", results, refused, calls)
		}
	})
}

// conn is the hub's end of its one connection to a page, or to a peer.
func (r *rig) conn(role string) *conn {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	for s := range r.hub.sessions {
		if s.role == role {
			return s.conn
		}
	}
	r.Fatalf("no connection to a %s", role)
	return nil
}

// A side that does not read even its control frames loses its link, before they
// are many.
func TestUnreadControlFramesAreBounded(t *testing.T) {
	withHub(t, Options{Heartbeat: time.Hour}, func(r *rig) {
		r.page("s1", "repo", nil)
		peer := r.rawPeer(0)
		reading := make(chan struct{})
		defer close(reading)
		peer.stall(reading)
		ping := encode(strings.Repeat("x", 10_000), methodPing, nil)
		sent := 0
		for !r.conn(rolePeer).ended() {
			if sent > 1000 {
				t.Fatal("10 MB of answers to pings wait for a peer that does not read")
			}
			peer.send(ping)
			synctest.Wait()
			sent++
		}
		if want := "too slow to read"; r.conn(rolePeer).cause.Error() != want {
			t.Errorf("the connection ended with %v", r.conn(rolePeer).cause)
		}
		if sent < controlLimit/10_100 {
			t.Errorf("the link ended after %d pings already", sent)
		}
		if n := len(r.hub.Status().Pages); n != 1 {
			t.Error("the page suffered")
		}
	})
}

// An agent that does not read holds up no other one of the same page, and keeps
// no place there.
func TestBlockedProgressHoldsNobodyUp(t *testing.T) {
	withHub(t, Options{MaxInflight: 1}, func(r *rig) {
		page := r.page("s1", "repo", nil)
		blocked := make(chan struct{})
		var told []float64
		c := newCall("slow")
		c.Progress = func(n float64, _ *float64, _ string) {
			<-blocked
			told = append(told, n)
		}
		slow := r.call(r.Context(), c)
		page.next(methodCall)
		for i := range 100 {
			page.send(encode("", methodProgress, progressParams{"slow", float64(i), nil, ""}))
			if i == 0 {
				synctest.Wait() // the agent is told of the first, and held up there
			}
		}
		page.result("slow", 1)
		other := r.call(r.Context(), newCall("other"))
		page.next(methodCall)
		page.result("other", 1)
		if o := <-other; o.err != nil {
			t.Error(o.err)
		}
		close(blocked)
		if o := <-slow; o.err != nil {
			t.Error(o.err)
		}
		if n := len(told); n != maxReports+1 || told[0] != 0 || told[n-1] != 99 {
			t.Errorf("told of %v", told)
		}
	})
}

// A side that sends and does not read seems alive. The write that it holds up
// ends its link all the same, and holds up nobody else.
func TestSideThatOnlySendsIsCutOff(t *testing.T) {
	for name, size := range map[string]int{"a small call": 10, "a large call": 16 << 10} {
		t.Run(name, func(t *testing.T) {
			withHub(t, Options{}, func(r *rig) {
				deaf := r.page("deaf", "deaf", nil)
				r.page("well", "well", echo)
				reading := make(chan struct{})
				defer close(reading)
				deaf.stall(reading)
				deaf.send(encode("last", methodPing, nil)) // its answer is the last that is read
				synctest.Wait()
				began := time.Now()
				c := newCall("c")
				c.Repo, c.Arguments = "deaf", jsonString(size)
				ctx, cancel := context.WithTimeout(r.Context(), 60*time.Second)
				defer cancel()
				done := r.call(ctx, c)
				synctest.Wait()
				c = newCall("other")
				c.Repo = "well"
				if o := <-r.call(r.Context(), c); o.err != nil || time.Since(began) != 0 {
					t.Errorf("another page's call: %v after %v", o.err, time.Since(began))
				}
				for len(r.hub.Status().Pages) == 2 {
					if time.Since(began) > time.Minute {
						t.Fatal("the link is still there after a minute")
					}
					deaf.send(encode("", methodProgress, progressParams{"x", 1, nil, ""}))
					time.Sleep(time.Second)
				}
				if took := time.Since(began); took < writeTimeout {
					t.Errorf("ended after %v already", took)
				}
				if o := <-done; o.err == nil {
					t.Error("the call was answered")
				} else if took := time.Since(began); took > time.Minute {
					t.Errorf("the call ended after %v", took)
				}
			})
		})
	}
}

// partsPage takes calls in parts, within window bytes, and answers with the size of
// their arguments.
func (r *rig) partsPage(window int) *fakePage {
	r.Helper()
	p := r.connect(&fakePage{answer: func(p *fakePage, f frame) { p.size(f) }})
	p.send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "s1", Parts: window}))
	p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
	synctest.Wait()
	return p
}

func (p *fakePage) size(f frame) {
	var c callParams
	_ = json.Unmarshal(f.Params, &c)
	p.result(idOf(f), len(c.Arguments))
}

// takePart reads one part, says that it came, and returns the call that is whole.
func (p *fakePage) takePart(in *inbox) (whole frame, ok bool) {
	p.t.Helper()
	b := <-p.binaries
	number, m, _, err := in.take(b)
	if err != nil {
		p.t.Fatal(err)
	}
	have := int(binary.LittleEndian.Uint32(b[8:])) + len(b) - partHeader
	if m != nil {
		ok = true
		if err := json.Unmarshal(m.join(), &whole); err != nil {
			p.t.Fatal(err)
		}
		in.finish(number)
	}
	p.send(encode("", methodTaken, takenParams{number, have}))
	synctest.Wait()
	return whole, ok
}

// largeCall is a call with arguments of that size.
func largeCall(id string, size int) Call {
	c := newCall(id)
	c.Arguments = json.RawMessage(`{"query":` + string(jsonString(size-len(`{"query":}`))) + `}`)
	return c
}

// Calls of more than 10 KB come in parts to a page that takes them, of the hub's own
// agent and of a peer's, whose link they cross in parts too; small ones get through
// between. A page that takes none gets them whole.
func TestCallsInParts(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		page, in := r.partsPage(partsWindow), inbox{limit: 4 << 20}
		peer := r.peer(r.hub.opt)
		ways := map[string]func(Call) <-chan callOutcome{
			"own":  func(c Call) <-chan callOutcome { return r.call(r.Context(), c) },
			"peer": func(c Call) <-chan callOutcome { return r.callVia(r.Context(), peer, c) },
		}
		for name, call := range ways {
			for _, size := range []int{wholeCallBytes + 1, 3 << 20} {
				id := fmt.Sprint(name, size)
				done := call(largeCall(id, size))
				synctest.Wait()
				if o := <-call(newCall("small-" + id)); o.err != nil || string(o.result) != "13" {
					t.Fatalf("a small call: %s, %v", o.result, o.err)
				}
				f, whole := page.takePart(&in)
				for !whole {
					f, whole = page.takePart(&in)
				}
				page.size(f)
				if o := <-done; o.err != nil || string(o.result) != fmt.Sprint(size) || idOf(f) != id {
					t.Errorf("%d bytes as %s: got %s of %s, %v", size, name, o.result, idOf(f), o.err)
				}
			}
		}
		if n := peer.conn.outbox.numbers; n != 2 {
			t.Errorf("%d calls crossed the peer's link in parts", n)
		}
		synctest.Wait()
		for _, role := range []string{rolePage, rolePeer} {
			if l := r.conn(role); l.backlog() != 0 || len(l.inbox.open) != 0 || len(l.outbox.open) != 0 {
				t.Errorf("%s: %d bytes, %d and %d messages are left", role, l.backlog(), len(l.inbox.open), len(l.outbox.open))
			}
		}

		r.page("plain", "plain", func(p *fakePage, f frame) { p.size(f) })
		c := largeCall("plain", 1<<20)
		c.Repo = "plain"
		if o := <-r.call(r.Context(), c); o.err != nil || string(o.result) != fmt.Sprint(1<<20) {
			t.Errorf("to a page that takes no parts: %s, %v", o.result, o.err)
		}
	})
}

// The cancel of a call that is under way in parts comes behind it, and a call that
// has not begun is not sent.
func TestCancelOfACallInParts(t *testing.T) {
	withHub(t, Options{MaxInflight: 20}, func(r *rig) {
		page, in := r.partsPage(2*partBytes), inbox{limit: 4 << 20}
		ctx, cancel := context.WithCancel(r.Context())
		var all []<-chan callOutcome
		for i := range maxUnfinished + 1 {
			all = append(all, r.call(ctx, largeCall(fmt.Sprint("c-", i), 3*partBytes)))
			synctest.Wait()
		}
		cancel()
		for _, done := range all {
			if o := <-done; !errors.Is(o.err, context.Canceled) {
				t.Errorf("got %v", o.err)
			}
		}
		synctest.Wait()
		for len(page.frames) > 0 {
			if f := <-page.frames; f.Method == methodCancel {
				t.Errorf("a cancel came before its call: %s", f.Params)
			}
		}
		for range maxUnfinished {
			for {
				f, ok := page.takePart(&in)
				if !ok {
					continue
				}
				var p cancelParams
				_ = json.Unmarshal(page.next(methodCancel).Params, &p)
				if p.RequestID != idOf(f) {
					t.Errorf("the cancel of %s came behind %s", p.RequestID, idOf(f))
				}
				break
			}
		}
		if len(page.binaries) != 0 || r.conn(rolePage).backlog() != 0 {
			t.Errorf("%d parts, %d bytes are left", len(page.binaries), r.conn(rolePage).backlog())
		}
	})
}
