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

// Two tabs with two graphs: a drop of the foreground page sends no call to the
// other, and a drop of the other page does not bring it to the foreground.
func TestDropKeepsTheForegroundPage(t *testing.T) {
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
		time.Sleep(800 * time.Millisecond) // its reconnect schedule has it back within 500 ms
		front = r.page("f", "front", says("front"))
		for _, done := range []<-chan callOutcome{unnamed, byName} {
			if o := <-done; o.err != nil || string(o.result) != `"front"` || time.Since(began) != 800*time.Millisecond {
				r.Errorf("%s, %v after %v", o.result, o.err, time.Since(began))
			}
		}

		// A new tab of the same graph will do as well.
		front.drop()
		front = r.page("f2", "front", says("front 2"))
		r.answer(newCall("7"), "front 2")

		// One that stays away loses its place for the time.
		front.drop()
		began = time.Now()
		unnamed, byName = r.call(r.Context(), newCall("8")), r.call(r.Context(), named("9", "front"))
		if o := <-unnamed; o.err != nil || string(o.result) != `"back"` || time.Since(began) != foregroundGrace {
			r.Errorf("after the grace: %s, %v, %v", o.result, o.err, time.Since(began))
		}
		if o := <-byName; !isLost(o.err) {
			r.Errorf("after the grace: %v", o.err)
		}
		r.answer(newCall("10"), "back")

		// A tab that is closed may be one that reloads: it comes back as another
		// session. One that does not is waited for no longer than that takes.
		front = r.page("f3", "front", says("front"))
		_ = front.conn.Close(websocket.StatusGoingAway, "")
		synctest.Wait()
		unnamed = r.call(r.Context(), newCall("11"))
		time.Sleep(700 * time.Millisecond)
		front = r.page("f4", "front", says("reloaded"))
		if o := <-unnamed; o.err != nil || string(o.result) != `"reloaded"` {
			r.Errorf("after a reload: %s, %v", o.result, o.err)
		}
		_ = front.conn.Close(websocket.StatusGoingAway, "")
		synctest.Wait()
		began = time.Now()
		r.answer(newCall("12"), "back")
		if took := time.Since(began); took != foregroundGrace {
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
		r.hub.router.succeed([]PageStatus{
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
		for _, done := range []<-chan callOutcome{unnamed, byName, effects} {
			if o := <-done; o.err != nil || string(o.result) != `"front"` {
				r.Errorf("%s, %v", o.result, o.err)
			}
		}
		// A tab that is opened now comes to the front.
		r.page("n", "new", says("new"))
		r.answer(newCall("4"), "new")
	})
}
