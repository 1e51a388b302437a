package wsbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/reconnect"
)

func TestCallIsAnswered(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		ctx, cancel := context.WithTimeout(r.Context(), 60*time.Second)
		defer cancel()
		done := r.call(ctx, newCall("id-1"))
		f := p.next(methodCall)
		var params callParams
		if err := json.Unmarshal(f.Params, &params); err != nil {
			t.Fatal(err)
		}
		if idOf(f) != "id-1" || params.Name != "search" || string(params.Arguments) != `{"query":"x"}` ||
			params.Meta.Agent != "tester" || params.Meta.DeadlineMS != 60_000 || params.Meta.ProgressToken != "" {
			t.Errorf("the page got %+v", params)
		}
		p.result("id-1", map[string]int{"hits": 3})
		if o := <-done; o.err != nil || string(o.result) != `{"hits":3}` {
			t.Errorf("got %s, %v", o.result, o.err)
		}
	})
}

func TestEveryConcurrentCallGetsItsOwnAnswer(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		// The page answers in reverse, in batches.
		var held []frame
		r.page("s1", "repo", func(p *fakePage, f frame) {
			if held = append(held, f); len(held) == 50 {
				for i := len(held) - 1; i >= 0; i-- {
					echo(p, held[i])
				}
				held = nil
			}
		})
		var waits []<-chan callOutcome
		for i := range 500 {
			c := newCall(fmt.Sprint("id-", i))
			c.Arguments = json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
			waits = append(waits, r.call(r.Context(), c))
		}
		for i, done := range waits {
			if o := <-done; o.err != nil || string(o.result) != fmt.Sprintf(`{"n":%d}`, i) {
				t.Fatalf("call %d got %s, %v", i, o.result, o.err)
			}
		}
	})
}

func TestNoPage(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		// Within the grace of the start a call waits; after it the answer is immediate.
		start := time.Now()
		o := <-r.call(r.Context(), newCall("a"))
		lost, ok := errors.AsType[*LostError](o.err)
		if !ok || !lost.NeverConnected || lost.Sent || lost.URL != "http://127.0.0.1:54319/" {
			t.Fatalf("got %#v", o.err)
		}
		if waited := time.Since(start); waited != DefaultGrace {
			t.Errorf("waited %v, want the grace of %v", waited, DefaultGrace)
		}
		start = time.Now()
		<-r.call(r.Context(), newCall("b"))
		if waited := time.Since(start); waited != 0 {
			t.Errorf("after the grace a call waited %v", waited)
		}
		<-r.call(r.Context(), newCall("b")) // tried again, it is still one failure
		if got := len(r.hub.Status().LastErrors); got != 2 {
			t.Errorf("health knows %d errors, want 2", got)
		}
	})
}

func TestCallWaitsForThePageWithinTheGrace(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		done := r.call(r.Context(), newCall("a"))
		time.Sleep(2999 * time.Millisecond)
		r.page("s1", "repo", echo)
		if o := <-done; o.err != nil {
			t.Fatal(o.err)
		}
	})
}

func TestDropWithinTheGraceIsNoError(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		c := newCall("a")
		c.ReadOnly = false
		c.Trace = new(Trace)
		done := r.call(r.Context(), c)
		p.next(methodCall)
		p.drop()
		time.Sleep(2 * time.Second)
		// The same page, known by its session, gets the same id again.
		r.page("s1", "repo", echo)
		if o := <-done; o.err != nil {
			t.Fatal(o.err)
		}
		if c.Trace.Attempt != 2 || c.Trace.WaitMS != 2000 {
			t.Errorf("trace %+v", c.Trace)
		}
	})
}

func TestOnlyReadOnlyCallsMoveToAnotherPage(t *testing.T) {
	for _, readOnly := range []bool{true, false} {
		withHub(t, Options{}, func(r *rig) {
			p := r.page("s1", "repo", nil)
			c := newCall("a")
			c.ReadOnly = readOnly
			done := r.call(r.Context(), c)
			p.next(methodCall)
			r.page("s2", "repo", echo)
			p.drop()
			o := <-done
			if _, lost := errors.AsType[*LostError](o.err); readOnly && o.err != nil || !readOnly && !lost {
				t.Errorf("read-only %v: got %s, %v", readOnly, o.result, o.err)
			}
		})
	}
}

func TestReadOnlyCallDoesNotMoveToAnotherGraph(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		done := r.call(r.Context(), newCall("a"))
		p.next(methodCall)
		r.page("s2", "another", echo)
		p.drop()
		if o := <-done; o.err == nil {
			t.Errorf("another graph answered: %s", o.result)
		}
	})
}

func TestSchedule(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", nil).drop()
		lostAt := time.Now()
		after := func(d time.Duration) error {
			time.Sleep(time.Until(lostAt.Add(d)))
			return (<-r.call(r.Context(), newCall("x"))).err
		}
		// 500 ms, 1, 2, 4, 8, 16, 32, 60, 60, 60 s: the eighth step ends at 123.5 s.
		for _, c := range []struct{ at, retry time.Duration }{
			{3 * time.Second, 2 * time.Second},
			{10 * time.Second, 8 * time.Second},
			{123499 * time.Millisecond, 60 * time.Second},
			{243499 * time.Millisecond, 60 * time.Second},
		} {
			err := after(c.at)
			if lost, ok := errors.AsType[*LostError](err); !ok || lost.RetryAfter != c.retry || lost.NeverConnected || lost.Sent {
				t.Errorf("after %v: %#v, want retryAfter %v", c.at, err, c.retry)
			}
		}
		err := after(243500 * time.Millisecond)
		if e, ok := errors.AsType[*ExhaustedError](err); !ok || e.Attempts != 10 {
			t.Errorf("after the whole schedule: %#v", err)
		}
		// The page's return clears it.
		r.page("s1", "repo", echo)
		if o := <-r.call(r.Context(), newCall("y")); o.err != nil {
			t.Error(o.err)
		}
	})
}

func TestDeadlineReachesThePage(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		ctx, cancel := context.WithTimeout(r.Context(), 1500*time.Millisecond)
		defer cancel()
		start := time.Now()
		o := <-r.call(ctx, newCall("slow"))
		if !errors.Is(o.err, context.DeadlineExceeded) || time.Since(start) != 1500*time.Millisecond {
			t.Errorf("got %v after %v", o.err, time.Since(start))
		}
		p.next(methodCall)
		var c cancelParams
		_ = json.Unmarshal(p.next(methodCancel).Params, &c)
		if c.RequestID != "slow" {
			t.Errorf("the page was told to cancel %+v", c)
		}
		// A late answer is dropped, and the link lives on.
		p.result("slow", map[string]int{})
		p.answer = echo
		if o := <-r.call(r.Context(), newCall("next")); o.err != nil {
			t.Error(o.err)
		}
	})
}

func TestCancelReachesThePageAfterItsCall(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		ctx, cancel := context.WithCancel(r.Context())
		done := r.call(ctx, newCall("c"))
		synctest.Wait()
		cancel()
		if o := <-done; !errors.Is(o.err, context.Canceled) {
			t.Errorf("got %v", o.err)
		}
		if f := <-p.frames; f.Method != methodAgents {
			if idOf(f) != "hello" {
				t.Fatalf("unexpected %+v", f)
			}
		}
		p.next(methodCall)
		p.next(methodCancel)
	})
}

func TestToolErrors(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", func(p *fakePage, f frame) {
			p.send(encodeError(idOf(f), wireError{Code: codeToolFailed, Message: "No file x.ts.",
				Data: json.RawMessage(`{"retryable":true,"details":{"candidates":["a/x.ts"]}}`)}))
		})
		o := <-r.call(r.Context(), newCall("a"))
		e, ok := errors.AsType[*ToolError](o.err)
		if !ok || e.Message != "No file x.ts." || !e.Retryable || e.NotFound || string(e.Details) != `{"candidates":["a/x.ts"]}` {
			t.Errorf("got %#v", o.err)
		}
		if n := len(r.hub.Status().LastErrors); n != 0 {
			t.Errorf("a tool's own error is no error of the bridge, but health has %d", n)
		}
	})
}

func TestProgress(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", func(p *fakePage, f frame) {
			var c callParams
			_ = json.Unmarshal(f.Params, &c)
			total := 10.0
			p.send(encode("", methodProgress, progressParams{c.Meta.ProgressToken, 4, &total, "walking"}))
			p.send(encode("", methodProgress, progressParams{"of another call", 5, nil, ""}))
			echo(p, f)
		})
		var got []string
		c := newCall("a")
		c.Progress = func(progress float64, total *float64, message string) {
			got = append(got, fmt.Sprintf("%v/%v %s", progress, *total, message))
		}
		<-r.call(r.Context(), c)
		if fmt.Sprint(got) != "[4/10 walking]" {
			t.Errorf("progress %v", got)
		}
	})
}

func TestHeartbeat(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		// A page that answers stays for an hour; one that is frozen goes after
		// two heartbeats without an answer, asked at 15 s and 30 s, so at 45 s.
		alive := r.page("s1", "repo", echo)
		connected := time.Now()
		frozen := r.connect(&fakePage{mute: true})
		frozen.hello("s2")
		<-frozen.closed
		if lived := time.Since(connected); lived != 45*time.Second {
			t.Errorf("the frozen page's link lived %v, want 45 s", lived)
		}
		if !strings.Contains(frozen.err.Error(), "heartbeats") {
			t.Errorf("closed with %v", frozen.err)
		}
		time.Sleep(time.Hour)
		select {
		case <-alive.closed:
			t.Errorf("the living page's link ended: %v", alive.err)
		default:
		}
	})
}

func TestV1HeartbeatIsAWebSocketPing(t *testing.T) {
	withHub(t, Options{Gate: Gate{AllowOrigins: []string{"http://localhost:5173"}}}, func(r *rig) {
		conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
		if err != nil {
			t.Fatal(err)
		}
		p := r.start(&fakePage{}, conn) // its reader answers pings
		time.Sleep(10 * time.Minute)
		select {
		case <-p.closed:
			t.Fatalf("ended: %v", p.err)
		default:
		}
	})
}

func TestNoHello(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		start := time.Now()
		p := r.connect(&fakePage{})
		<-p.closed
		if e, _ := errors.AsType[websocket.CloseError](p.err); e.Code != statusNoHello || time.Since(start) != 5*time.Second {
			t.Errorf("closed with %v after %v", p.err, time.Since(start))
		}
	})
}

func TestBadFramesEndTheirLinkAlone(t *testing.T) {
	hello := string(encode("hello", methodHello, helloParams{Role: rolePage, Version: "t", Session: "bad"}))
	for name, c := range map[string]struct {
		frames []string
		kind   websocket.MessageType
		status websocket.StatusCode
	}{
		"no JSON":             {[]string{hello, `{`}, websocket.MessageText, 1007},
		"no JSON-RPC":         {[]string{hello, `{"id":"a"}`}, websocket.MessageText, 1007},
		"number as id":        {[]string{hello, `{"jsonrpc":"2.0","id":1,"result":{}}`}, websocket.MessageText, 1007},
		"result and error":    {[]string{hello, `{"jsonrpc":"2.0","id":"1","result":{},"error":{"code":1,"message":""}}`}, websocket.MessageText, 1007},
		"call from a page":    {[]string{hello, `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{}}`}, websocket.MessageText, 1008},
		"not hello first":     {[]string{`{"jsonrpc":"2.0","method":"bridge/front"}`}, websocket.MessageText, 1008},
		"answer before hello": {[]string{`{"jsonrpc":"2.0","id":"other","result":{"structuredContent":{}}}`}, websocket.MessageText, 1008},
		"second hello":        {[]string{hello, hello}, websocket.MessageText, 1008},
		"unknown role":        {[]string{strings.Replace(hello, `"page"`, `"king"`, 1)}, websocket.MessageText, 4001},
		"no session":          {[]string{strings.Replace(hello, `"bad"`, `""`, 1)}, websocket.MessageText, 4001},
		"binary":              {[]string{hello}, websocket.MessageBinary, 1003},
		"too large":           {[]string{hello, `"` + strings.Repeat("x", 2<<20) + `"`}, websocket.MessageText, 1009},
	} {
		t.Run(name, func(t *testing.T) {
			withHub(t, Options{MaxMessage: 1 << 20}, func(r *rig) {
				good := r.page("good", "repo", nil)
				done := r.call(r.Context(), newCall("other"))
				good.next(methodCall)
				bad := r.connect(&fakePage{})
				for _, f := range c.frames {
					_ = bad.conn.Write(r.Context(), c.kind, []byte(f))
				}
				<-bad.closed
				if e, _ := errors.AsType[websocket.CloseError](bad.err); e.Code != c.status {
					t.Errorf("closed with %v, want %d", bad.err, c.status)
				}
				good.result("other", map[string]int{"ok": 1})
				if o := <-done; o.err != nil {
					t.Errorf("the other link suffered: %v", o.err)
				}
			})
		})
	}
}

// A newer version may send what this one does not know: its connection stays.
func TestUnknownMethodsAreNoFault(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		page := r.page("s1", "repo", echo)
		page.send(encode("", "bridge/later", map[string]int{"x": 1}))
		page.send(encode("q", "bridge/asks", map[string]int{"x": 1}))
		page.next("") // the hello's answer
		if f := page.next(""); idOf(f) != "q" || f.Error == nil || f.Error.Code != codeMethodNotFound {
			t.Errorf("answered with %+v", f)
		}
		if o := <-r.call(r.Context(), newCall("a")); o.err != nil {
			t.Errorf("the connection suffered: %v", o.err)
		}
	})
}

func TestAPageAnswersOnlyItsOwnCalls(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		thief := r.page("thief", "repo", nil)
		owner := r.page("owner", "repo", nil)
		done := r.call(r.Context(), newCall("a"))
		owner.next(methodCall)
		thief.result("a", "stolen")
		synctest.Wait()
		owner.result("a", "mine")
		if o := <-done; string(o.result) != `"mine"` {
			t.Errorf("got %s, %v", o.result, o.err)
		}
	})
}

func TestRouting(t *testing.T) {
	named := func(name string) func(*fakePage, frame) {
		return func(p *fakePage, f frame) { p.result(idOf(f), name) }
	}
	withHub(t, Options{}, func(r *rig) {
		a := r.page("a", "alpha", named("a"))
		r.page("b", "beta", named("b"))
		empty := r.connect(&fakePage{answer: named("empty")})
		empty.hello("e")
		empty.send(encode("", methodContext, contextParams{}))
		synctest.Wait()
		ask := func(repo string) string {
			c := newCall("x")
			c.Repo = repo
			o := <-r.call(r.Context(), c)
			if o.err != nil {
				return o.err.Error()
			}
			return string(o.result)
		}
		if got := ask(""); got != `"b"` {
			t.Errorf("the page that came last and holds a graph gets the call; got %s", got)
		}
		a.send(encode("", methodFront, nil))
		synctest.Wait()
		if got := ask(""); got != `"a"` {
			t.Errorf("the page in front gets the call; got %s", got)
		}
		if got := ask("beta"); got != `"b"` {
			t.Errorf("a call goes to the graph it names; got %s", got)
		}
		if got, want := ask("gamma"), `no connected page holds "gamma"; known: alpha, beta`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if pages := r.hub.Status().Pages; len(pages) != 3 || pages[0].Session != "a" || pages[2].Session != "e" {
			t.Errorf("health says %+v", pages)
		}
	})
}

func TestANewLinkOfTheSamePageReplacesTheOld(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		half := r.page("s1", "repo", nil) // half-open: it will never answer
		c := newCall("a")
		c.ReadOnly = false
		done := r.call(r.Context(), c)
		half.next(methodCall)
		r.page("s1", "repo", echo)
		if o := <-done; o.err != nil {
			t.Error(o.err)
		}
		<-half.closed
		if n := len(r.hub.Status().Pages); n != 1 {
			t.Errorf("%d pages, want 1", n)
		}
	})
}

func TestPagesAreToldThatTheFolderChanged(t *testing.T) {
	var change func()
	ended := false
	watch := func(ctx context.Context, changed func()) {
		change = changed
		<-ctx.Done()
		ended = true
	}
	opt := serving(Options{}, nil)
	opt.OpenFolder = func(Folder) (OpenedFolder, error) { return OpenedFolder{Watch: watch}, nil }
	withHub(t, opt, func(r *rig) {
		other := r.page("other", "repo", nil) // one that did not ask, and may not know the word
		p := r.connect(&fakePage{})
		p.send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "s", Follows: true}))
		synctest.Wait()
		for range 2 {
			change()
			if f := p.next(methodRepo); len(f.ID) != 0 || len(f.Params) != 0 {
				t.Errorf("%+v", f)
			}
		}
		synctest.Wait()
		for len(other.frames) > 0 {
			if f := <-other.frames; f.Method == methodRepo {
				t.Error("a page that did not ask was told")
			}
		}
		if r.stop(); !ended {
			t.Error("the hub has stopped, the watch has not")
		}
	})
}

func TestV1Page(t *testing.T) {
	withHub(t, Options{Agent: "claude", Gate: Gate{AllowOrigins: []string{"http://localhost:5173"}}}, func(r *rig) {
		conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
		if err != nil {
			t.Fatal(err)
		}
		write := func(s string) {
			if err := conn.Write(r.Context(), websocket.MessageText, []byte(s)); err != nil {
				t.Fatal(err)
			}
		}
		read := func() string {
			_, data, err := conn.Read(r.Context())
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		write(`{"id":"msg_1","type":"context","params":{"projectName":"old","stats":{"fileCount":3,"functionCount":4},
			"hotspots":[{"name":"main","type":"Function","filePath":"a.ts","connections":9}],"folderTree":"a.ts"}}`)
		synctest.Wait()
		if got := r.hub.Status().Pages[0].Context; got == nil || got.Repo != "old" || got.Stats.Files != 3 || got.Hotspots[0].File != "a.ts" {
			t.Fatalf("context %+v", got)
		}
		for _, c := range []struct{ answer, result, failure string }{
			{`{"id":"v","result":[1,2]}`, `[1,2]`, ""},
			{`{"id":"v","result":"text"}`, `"text"`, ""},
			{`{"id":"v","error":{"message":"no graph"}}`, "", "no graph"},
		} {
			done := r.call(r.Context(), newCall("v"))
			if got, want := read(), `{"id":"v","method":"search","params":{"query":"x"},"agentName":"tester"}`; got != want {
				t.Errorf("sent %s, want %s", got, want)
			}
			write(c.answer)
			o := <-done
			if string(o.result) != c.result || (o.err == nil) != (c.failure == "") || o.err != nil && o.err.Error() != c.failure {
				t.Errorf("got %s, %v", o.result, o.err)
			}
		}
		ctx, cancel := context.WithCancel(r.Context())
		done := r.call(ctx, newCall("w"))
		read()
		cancel()
		<-done
		if got := read(); got != `{"type":"cancel","id":"w"}` {
			t.Errorf("sent %s", got)
		}
		_ = conn.CloseNow()
	})
}

func TestLargeAnswer(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		big := strings.Repeat("x", 10<<20)
		r.page("s1", "repo", func(p *fakePage, f frame) { p.result(idOf(f), big) })
		o := <-r.call(r.Context(), newCall("a"))
		if o.err != nil || !bytes.Equal(o.result, []byte(`"`+big+`"`)) {
			t.Errorf("%d bytes, %v", len(o.result), o.err)
		}
	})
}

func TestStopFailsWhatIsInFlight(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		done := r.call(r.Context(), newCall("a"))
		p.next(methodCall)
		start := time.Now()
		r.stop()
		if took := time.Since(start); took > time.Second {
			t.Errorf("stopping took %v", took)
		}
		<-p.closed
		if e, _ := errors.AsType[websocket.CloseError](p.err); e.Code != websocket.StatusGoingAway {
			t.Errorf("closed with %v", p.err)
		}
		if o := <-done; o.err == nil {
			t.Error("a call survived its hub")
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("the call in flight was told after %v", took)
		}
	})
}

func TestHelloTellsTheReconnectSchedule(t *testing.T) {
	opt := Options{Backoff: reconnect.Backoff{Base: time.Second, Cap: 10 * time.Second, Jitter: reconnect.NoJitter}}
	withHub(t, opt, func(r *rig) {
		p := r.connect(&fakePage{})
		p.hello("s1")
		var result struct{ Backoff json.RawMessage }
		if err := json.Unmarshal(p.next("").Result, &result); err != nil || string(result.Backoff) != `{"baseMs":1000,"capMs":10000,"jitter":"none"}` {
			t.Errorf("%s, %v", result.Backoff, err)
		}
	})
}
