package wsbridge

import (
	"fmt"
	"sync"
	"testing"
)

// A peer that hears of two changes hears of the later one last: whatever it was
// told last is what is so.
func TestPeerKnowsThePagesAsTheyAre(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.page("s1", "repo", nil)
		peer := r.connectAs(rolePeer, &fakePage{})
		peer.send(encode("hello", methodHello, helloParams{Role: rolePeer, Version: "test", Session: "p"}))
		peer.next("")
		peer.next(methodPages)
		s := r.firstPage()
		var last string
		for round := range 200 {
			// As two pages' readers do it: change, then tell.
			var both sync.WaitGroup
			for side := range 2 {
				both.Go(func() {
					r.hub.router.setContext(s, &GraphContext{Repo: fmt.Sprint(round, "-", side)})
					r.hub.pagesChanged()
				})
			}
			both.Wait()
			want := r.hub.Status().Pages[0].Context.Repo
			for range 2 {
				last = string(peer.next(methodPages).Params)
			}
			if got := decodePages(t, last); got != want {
				r.Fatalf("round %d: told %s last, and it is %s", round, got, want)
			}
		}
	})
}

func decodePages(t *testing.T, params string) string {
	t.Helper()
	e, err := decodeV2([]byte(`{"jsonrpc":"2.0","method":"bridge/pages","params":` + params + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return e.(pagesEvent).params.Pages[0].Context.Repo
}
