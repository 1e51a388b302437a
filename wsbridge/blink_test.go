package wsbridge

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// says answers with a word of its own, so that a test knows which page it was.
func says(word string) func(*fakePage, frame) {
	return func(p *fakePage, f frame) { p.result(idOf(f), word) }
}

func (r *rig) answer(c Call, want string) {
	r.Helper()
	o := <-r.call(r.Context(), c)
	if o.err != nil || string(o.result) != `"`+want+`"` {
		r.Errorf("%s was answered with %s, %v; want %s", c.ID, o.result, o.err, want)
	}
}

func named(id, repo string) Call {
	c := newCall(id)
	c.Repo = repo
	return c
}

// Two tabs with two graphs: a blip of the one in front sends nobody's question to
// the other, and a blip of the other one does not bring it to the front.
func TestBlipChangesNoPagesPlace(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		back := r.page("b", "back", says("back"))
		front := r.page("f", "front", says("front"))
		r.answer(newCall("1"), "front")

		back.drop()
		r.page("b", "back", says("back"))
		r.answer(newCall("2"), "front")
		r.answer(named("3", "back"), "back")

		front.drop()
		began := time.Now()
		unnamed, byName := r.call(r.Context(), newCall("4")), r.call(r.Context(), named("5", "front"))
		r.answer(named("6", "back"), "back")
		time.Sleep(2 * time.Second)
		front = r.page("f", "front", says("front"))
		for _, done := range []<-chan outcome{unnamed, byName} {
			if o := <-done; o.err != nil || string(o.result) != `"front"` || time.Since(began) != 2*time.Second {
				r.Errorf("%s, %v after %v", o.result, o.err, time.Since(began))
			}
		}

		// A new tab of the same graph will do as well.
		front.drop()
		front = r.page("f2", "front", says("front 2"))
		r.answer(newCall("7"), "front 2")

		// One that stays away loses its place for the time.
		front.drop()
		unnamed, byName = r.call(r.Context(), newCall("8")), r.call(r.Context(), named("9", "front"))
		time.Sleep(DefaultGrace - time.Millisecond)
		synctest.Wait()
		select {
		case o := <-unnamed:
			r.Fatalf("answered within the grace: %s, %v", o.result, o.err)
		default:
		}
		if o := <-unnamed; o.err != nil || string(o.result) != `"back"` {
			r.Errorf("after the grace: %s, %v", o.result, o.err)
		}
		if o := <-byName; !isLost(o.err) {
			r.Errorf("after the grace: %v", o.err)
		}
		r.answer(newCall("10"), "back")

		// Nobody waits for a tab that was closed.
		front = r.page("f3", "front", says("front"))
		began = time.Now()
		_ = front.conn.Close(websocket.StatusGoingAway, "")
		synctest.Wait()
		r.answer(newCall("11"), "back")
		if took := time.Since(began); took > 0 {
			r.Errorf("waited %v", took)
		}
	})
}

func isLost(err error) bool {
	_, ok := errors.AsType[*LostError](err)
	return ok
}

// The next hub knows from its time as a peer which page was in front.
func TestNextHubKeepsThePagesInTheirPlaces(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		r.hub.succeed([]PageStatus{
			{Session: "f", Context: &GraphContext{Repo: "front"}}, {Session: "b", Context: &GraphContext{Repo: "back"}},
		}, time.Now())
		// The one behind is back first, as it may.
		r.page("b", "back", says("back"))
		unnamed, byName := r.call(r.Context(), newCall("1")), r.call(r.Context(), named("2", "front"))
		effect := newCall("3")
		effect.ReadOnly = false
		effects := r.call(r.Context(), effect)
		time.Sleep(500 * time.Millisecond)
		r.page("f", "front", says("front"))
		for _, done := range []<-chan outcome{unnamed, byName, effects} {
			if o := <-done; o.err != nil || string(o.result) != `"front"` {
				r.Errorf("%s, %v", o.result, o.err)
			}
		}
		// A tab that is opened now comes to the front.
		r.page("n", "new", says("new"))
		r.answer(newCall("4"), "new")
	})
}
