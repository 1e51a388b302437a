package wsbridge

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// crossedBy runs attack on a page's link and returns why the hub ended it. Another
// page's calls and peers do not suffer.
func crossedBy(t *testing.T, opt Options, attack func(r *rig, p *fakePage)) (reason string) {
	t.Helper()
	var causes []string
	opt.OnTransition = func(tr Transition) {
		if tr.Kind == "page_disconnected" && tr.Session == "bad" {
			causes = append(causes, tr.Cause)
		}
	}
	withHub(t, opt, func(r *rig) {
		r.page("good", "repo", echo)
		peer := r.rawPeer(0)
		bad := r.page("bad", "other", nil)
		attack(r, bad)
		<-bad.closed
		synctest.Wait()
		c := newCall("a")
		c.Repo = "repo"
		if o := <-r.call(r.Context(), c); o.err != nil {
			t.Errorf("another page suffered: %v", o.err)
		}
		select {
		case <-peer.closed:
			t.Errorf("the peer suffered: %v", peer.err)
		default:
		}
		ended := r.hub.Status().Ended
		if len(ended) != 1 || ended[0].Session != "bad" || ended[0].Role != rolePage || len(causes) != 1 || causes[0] != ended[0].Reason {
			t.Fatalf("health has %+v, the event log %q", ended, causes)
		}
		reason = ended[0].Reason
		if held := r.hub.memory.held.Load(); held != 0 {
			t.Errorf("%d bytes are still counted", held)
		}
	})
	return reason
}

func TestBoundsOfAPage(t *testing.T) {
	if got := crossedBy(t, Options{}, func(_ *rig, p *fakePage) {
		for i := range 1000 {
			p.send(encode("", methodContext, contextParams{&GraphContext{Repo: fmt.Sprint(i), State: "ready"}}))
		}
	}); got != "more than 20 messages a second about itself" {
		t.Errorf("a flood of contexts: %s", got)
	}
	if got := crossedBy(t, Options{}, func(_ *rig, p *fakePage) {
		p.send(encode("", methodContext, contextParams{&GraphContext{Repo: strings.Repeat("x", 6<<20), State: "ready"}}))
	}); got != "a message of 6144 KB that is no answer" {
		t.Errorf("a huge context: %s", got)
	}
	if got := crossedBy(t, Options{MaxMessage: 1 << 20}, func(_ *rig, p *fakePage) {
		for message := range maxUnfinished {
			for at := 0; at < 1<<20-partBytes; at += partBytes {
				p.binary(part(message, 1<<20, at, strings.Repeat("x", partBytes)))
			}
		}
	}); got != "more than 2 MB of unfinished messages over one link" {
		t.Errorf("unfinished messages: %s", got)
	}
}

// A page that changes as often as ours does when it indexes stays.
func TestBusyPageStays(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", echo)
		for range 3000 {
			p.send(encode("", methodContext, contextParams{&GraphContext{Repo: "repo", State: "indexing"}}))
			time.Sleep(time.Second / noticeRate)
		}
		if n := len(r.hub.Status().Pages); n != 1 {
			t.Error("the page is gone")
		}
	})
}

// Many links together hold no more than the hub's own bound.
func TestUnfinishedMessagesOfAllLinksAreBounded(t *testing.T) {
	withHub(t, Options{MaxMessage: 1 << 20}, func(r *rig) {
		r.page("good", "repo", echo)
		var pages []*fakePage
		for i := range 6 {
			p := r.page(fmt.Sprint("bad-", i), "other", nil)
			pages = append(pages, p)
			for at := 0; at < 1<<20-partBytes; at += partBytes {
				p.binary(part(1, 1<<20, at, strings.Repeat("x", partBytes)))
			}
			synctest.Wait()
			if held := r.hub.memory.held.Load(); held > hubMessages<<20 {
				t.Fatalf("%d bytes are held", held)
			}
		}
		if ended := r.hub.Status().Ended; len(ended) != 3 || ended[0].Reason != "more than 3 MB of unfinished messages in the hub" {
			t.Errorf("ended %+v", ended)
		}
		c := newCall("a")
		c.Repo = "repo"
		if o := <-r.call(r.Context(), c); o.err != nil {
			t.Error(o.err)
		}
		for _, p := range pages {
			p.drop()
		}
		if held := r.hub.memory.held.Load(); held != 0 {
			t.Errorf("%d bytes are still counted", held)
		}
	})
}

// A message that is sent whole and never ends is counted, too.
func TestUnfinishedFrameIsCounted(t *testing.T) {
	withHub(t, Options{MaxMessage: 1 << 20}, func(r *rig) {
		p := r.page("s1", "repo", echo)
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		w, err := p.conn.Writer(ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			if _, err := w.Write(make([]byte, 100_000)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if held := r.hub.memory.held.Load(); held < 600_000 || held > 800_000 {
			t.Errorf("%d bytes are counted of 800,000", held)
		}
		p.drop()
		if held := r.hub.memory.held.Load(); held != 0 {
			t.Errorf("%d bytes are still counted", held)
		}
	})
}

func TestContextIsCut(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.connect(&fakePage{answer: echo})
		p.hello("s1")
		g := GraphContext{Repo: strings.Repeat("é", 1000), State: "ready", Detail: strings.Repeat("d", 5000) + "\u202e"}
		for range 1000 {
			g.Hotspots = append(g.Hotspots, Hotspot{Name: "a\nb\u202e", File: strings.Repeat("f", 400)})
			g.Languages = append(g.Languages, LanguageCount{"x", 1})
		}
		p.send(encode("", methodContext, contextParams{&g}))
		synctest.Wait()
		got := r.hub.Status().Pages[0].Context
		if len(got.Repo) > maxName || !strings.HasSuffix(got.Repo, "é…") || len(got.Detail) > maxDetail ||
			len(got.Hotspots) != maxHotspots || len(got.Languages) != maxLanguages || got.Hotspots[0].Name != `a\nb\u202E` {
			t.Errorf("got %+v", got)
		}
		c := newCall("a")
		c.Repo = got.Repo
		if o := <-r.call(r.Context(), c); o.err != nil {
			t.Errorf("the cut name does not name it: %v", o.err)
		}
	})
}

// A page reports as often as it likes; an agent and a peer hear of it four times a second.
func TestProgressIsRare(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		p := r.page("s1", "repo", nil)
		var told []float64
		var longest int
		c := newCall("a")
		c.Progress = func(n float64, _ *float64, message string) {
			told = append(told, n)
			longest = max(longest, len(message))
		}
		done := r.call(r.Context(), c)
		p.next(methodCall)
		note := strings.Repeat("x", 10_000)
		for i := range 2000 {
			p.send(encode("", methodProgress, progressParams{"a", float64(i), nil, note}))
			time.Sleep(time.Millisecond)
		}
		p.result("a", 1)
		if o := <-done; o.err != nil {
			t.Error(o.err)
		}
		if len(told) > 10 || told[len(told)-1] != 1999 || longest > maxName {
			t.Errorf("told %v, up to %d bytes", told, longest)
		}
	})
}

// Upgrades that are under way count as connections.
func TestUpgradesAreCounted(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.hub.mu.Lock()
		r.hub.upgrades = maxConns
		r.hub.mu.Unlock()
		protocols, err := proveAs(r.Context(), r.client, testPort, rolePage)
		if err != nil {
			t.Fatal(err)
		}
		if _, resp, err := r.dial(protocols, nil); err == nil || resp == nil || resp.StatusCode != 503 {
			t.Errorf("got %v", err)
		}
		r.hub.mu.Lock()
		r.hub.upgrades = 0
		r.hub.mu.Unlock()
		r.page("s1", "repo", echo).drop()
		if r.hub.upgrades != 0 {
			t.Errorf("%d upgrades are left", r.hub.upgrades)
		}
	})
}
