package coro

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestHeldUpLoopIsRelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps, kept := make(chan func()), make(chan bool)
		var r *Relief
		loop := func() {
			for step := range steps {
				if !r.Aside(step) {
					kept <- false
					return
				}
			}
			kept <- true
		}
		r = NewRelief(loop)
		go loop()
		steps <- func() {}
		steps <- func() { time.Sleep(patience - 1) }
		steps <- func() {} // the same loop: nobody else receives

		held := make(chan struct{})
		for range 3 { // one after the other
			began := time.Now()
			steps <- func() { <-held }
			steps <- func() {}
			if took := time.Since(began); took < patience || took > 2*patience {
				t.Errorf("relieved after %v", took)
			}
		}
		for range 3 {
			held <- struct{}{}
			if <-kept {
				t.Error("a loop that was relieved goes on")
			}
		}
		// It stops looking while there is nothing, and begins again.
		time.Sleep(time.Hour)
		if r.watching.Load() {
			t.Error("it still looks")
		}
		began := time.Now()
		steps <- func() { <-held }
		steps <- func() {}
		if took := time.Since(began); took > 2*patience {
			t.Errorf("relieved after %v", took)
		}
		held <- struct{}{}
		<-kept
		close(steps)
		if !<-kept {
			t.Error("the last loop was relieved for nothing")
		}
	})
}
