package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Rounds of calls by two agents, with all that may happen to a call, and in each
// round a page and a peer that come, lose their links and come back: afterwards
// goroutines and memory are what they were. GITNEXUS_SOAK_ROUNDS makes it longer.
func TestNothingPilesUp(t *testing.T) {
	const calls, warm = 100, 10
	rounds := 30
	if s := os.Getenv("GITNEXUS_SOAK_ROUNDS"); s != "" {
		var err error
		if rounds, err = strconv.Atoi(s); err != nil || rounds <= warm {
			t.Fatalf("GITNEXUS_SOAK_ROUNDS: want a number over %d, got %q", warm, s)
		}
	}
	withHub(t, Options{MaxInflight: 16, MaxMessage: 1 << 20}, func(r *rig) {
		var total, links int
		round := func(n int) {
			var parts *partsSender
			large := jsonString(wholeBytes + n%1000)
			answer := func(p *fakePage, f frame) {
				var params callParams
				_ = json.Unmarshal(f.Params, &params)
				id := idOf(f)
				if params.Meta.ProgressToken != "" {
					p.send(encode("", methodProgress, progressParams{id, 1, nil, "half"}))
				}
				switch {
				case strings.HasSuffix(id, "-lost"): // with the link
				case strings.HasSuffix(id, "-large"):
					parts.answer(id, large)
					parts.pump()
				default:
					p.result(id, id)
				}
			}
			connect := func() *fakePage {
				p := r.connect(&fakePage{answer: answer})
				parts = newPartsSender(p)
				p.onTaken = func(f frame) { parts.taken(f); parts.pump() }
				p.hello("s1")
				p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "repo", State: "ready"}}))
				synctest.Wait()
				links++
				return p
			}
			page := connect()
			ctx, drop := context.WithCancel(r.Context())
			h, err := proveHolder(ctx, r.hub.opt.Gate, r.dialPort)
			if err != nil {
				t.Fatal(err)
			}
			peer, err := joinHub(ctx, ctx, r.hub.opt, "peer", h, func(*hubConn, pagesParams) {})
			if err != nil {
				t.Fatal(err)
			}
			links++
			var all sync.WaitGroup
			for i := range calls {
				id := fmt.Sprintf("%d-%d", n, i)
				switch i % 25 {
				case 7:
					id += "-large"
				case 11:
					id += "-lost"
				}
				c := newCall(id)
				c.Heavy, c.Trace = i%3 == 0, new(Trace)
				if i%5 == 0 {
					c.Progress = func(float64, *float64, string) {}
				}
				total++
				all.Go(func() {
					ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
					defer cancel()
					if i%10 == 3 {
						time.AfterFunc(time.Duration(i)*time.Microsecond, cancel)
					}
					var result json.RawMessage
					var err error
					if i%2 == 0 {
						result, err = r.node.Call(ctx, &c)
					} else {
						result, err = r.via(peer).Call(ctx, &c)
					}
					switch {
					case i%10 == 3 && errors.Is(err, context.Canceled):
					case err != nil:
						t.Errorf("%s: %v", id, err)
					case !strings.HasSuffix(id, "-large") && string(result) != strconv.Quote(id) && !strings.HasSuffix(id, "-lost"):
						t.Errorf("%s got %s", id, result)
					}
				})
			}
			synctest.Wait()
			page.drop() // what is left is sent again to the page that comes back
			answer = echo
			page = connect()
			all.Wait()
			drop()
			<-peer.closed
			page.drop()
			time.Sleep(time.Hour) // timers that were stopped are forgotten as time goes by
		}
		// use is what is there between two rounds.
		use := func() (goroutines int, heap uint64) {
			synctest.Wait()
			runtime.GC()
			runtime.GC() // what was in pools
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return runtime.NumGoroutine(), m.HeapAlloc
		}
		for n := range warm {
			round(n)
		}
		before, heapBefore := use()
		for n := warm; n < rounds; n++ {
			round(n)
		}
		after, heapAfter := use()
		t.Logf("%d calls, %d links: goroutines %d and %d, heap %d and %d KB",
			total, links, before, after, heapBefore>>10, heapAfter>>10)
		if after != before {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines more\n%s", after-before, stacks[:runtime.Stack(stacks, true)])
		}
		if heapAfter > heapBefore+512<<10 {
			t.Errorf("the heap grew by %d KB", (heapAfter-heapBefore)>>10)
		}
		if n := len(r.hub.sessions); n != 0 || r.hub.router.own.waiting != 0 || r.hub.router.own.bytes != 0 {
			t.Errorf("%d links are left, and %d calls count as waiting", n, r.hub.router.own.waiting)
		}
	})
}
