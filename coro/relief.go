package coro

import (
	"sync/atomic"
	"time"
)

// patience is how long a loop may be held up before another goroutine takes it
// over; at most it is twice that.
const patience = 10 * time.Millisecond

// Relief has another goroutine go on with a loop that is held up: one that reads
// messages, say, and carries what they set going, and should read the next one
// whatever becomes of that. It looks every now and then, since most of what is
// carried takes less time than setting a timer for it.
type Relief struct {
	goOn     func()
	timer    *time.Timer
	watching atomic.Bool // the timer runs
	begun    atomic.Int64
	seen     int64                       // begun, when the timer fired last
	loop     atomic.Pointer[atomic.Bool] // whether the present one is aside
}

// NewRelief returns the relief of a loop, which goOn goes on with. It is called
// in a goroutine of its own, after Aside was, and before that has returned false.
func NewRelief(goOn func()) *Relief {
	r := &Relief{goOn: goOn}
	r.loop.Store(new(atomic.Bool))
	r.timer = time.AfterFunc(time.Hour, r.look)
	r.timer.Stop()
	return r
}

// Aside does work that may hold up the loop, which calls it. False means that
// another goroutine runs the loop now, and the caller has to leave it.
func (r *Relief) Aside(work func()) bool {
	loop := r.loop.Load()
	r.begun.Add(1)
	loop.Store(true)
	if r.watching.CompareAndSwap(false, true) {
		r.timer.Reset(patience)
	}
	work()
	return loop.CompareAndSwap(true, false)
}

func (r *Relief) look() {
	n, loop := r.begun.Load(), r.loop.Load()
	if n == r.seen { // as at the last look
		if loop.CompareAndSwap(true, false) {
			r.loop.Store(new(atomic.Bool))
			go r.goOn()
		} else if r.watching.Store(false); r.begun.Load() == n || !r.watching.CompareAndSwap(false, true) {
			return
		}
	}
	r.seen = n
	r.timer.Reset(patience)
}
