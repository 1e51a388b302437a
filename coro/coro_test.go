package coro

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestWhoCarries(t *testing.T) {
	var pool Pool
	defer pool.Close()
	var log []string
	var co *Coro
	pool.Go(func(c *Coro) {
		co = c
		log = append(log, "began")
		c.Suspend()
		log = append(log, "went on")
		c.Suspend()
		log = append(log, "ended")
	})
	log = append(log, "suspended")
	co.Resume()
	log = append(log, "suspended again")
	co.Resume()
	log = append(log, "over")
	co.Resume() // one that has returned: nothing
	want := []string{"began", "suspended", "went on", "suspended again", "ended", "over"}
	for i := range want {
		if len(log) != len(want) || log[i] != want[i] {
			t.Fatalf("%v, want %v", log, want)
		}
	}
	(*Coro)(nil).Resume()
	(*Coro)(nil).Detach()
}

func TestResumeBeforeSuspend(t *testing.T) {
	var pool Pool
	defer pool.Close()
	ended := false
	pool.Go(func(c *Coro) {
		c.Resume()
		c.Resume() // counts once
		c.Suspend()
		ended = true
	})
	if !ended {
		t.Error("the answer that came at once was missed")
	}
}

func TestDetach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pool Pool
		defer pool.Close()
		held, ended := make(chan struct{}), make(chan struct{})
		var co *Coro
		pool.Go(func(c *Coro) {
			co = c
			c.Detach()
			<-held
			c.Detach() // it has a goroutine of its own
			c.Suspend()
			c.Detach() // now it had this one
			<-held
			close(ended)
		})
		held <- struct{}{}
		synctest.Wait()
		co.Resume()
		held <- struct{}{}
		<-ended
		synctest.Wait()
	})
}

func TestStacksAreKept(t *testing.T) {
	var pool Pool
	var first *Coro
	pool.Go(func(c *Coro) { first = c })
	pool.Go(func(c *Coro) {
		if c != first {
			t.Error("a new coroutine, with one idle")
		}
		pool.Go(func(c *Coro) {
			if c == first {
				t.Error("one coroutine runs two functions")
			}
		})
	})
	// More at once than are kept; the rest end, and so do those that return late.
	var all []*Coro
	for range maxIdle + 5 {
		pool.Go(func(c *Coro) {
			all = append(all, c)
			c.Suspend()
		})
	}
	for _, c := range all[:maxIdle+3] {
		c.Resume()
	}
	if len(pool.idle) != maxIdle {
		t.Errorf("%d are kept", len(pool.idle))
	}
	pool.Close()
	all[maxIdle+3].Resume()
	all[maxIdle+4].Resume()
	if len(pool.idle) != 0 {
		t.Errorf("%d are kept by a closed pool", len(pool.idle))
	}
}

// Whoever resumes, and however often: each coroutine sees each of its answers
// once, in order, and none is lost.
func TestResumeFromEverywhere(t *testing.T) {
	const coroutines, rounds = 50, 200
	var pool Pool
	var ended sync.WaitGroup
	for i := range coroutines {
		ended.Add(1)
		pool.Go(func(c *Coro) {
			defer ended.Done()
			for round := range rounds {
				var answer atomic.Int64
				for from := range 2 {
					go func() {
						if from == 0 {
							answer.Store(int64(round + 1))
						}
						c.Resume() // the other one for no reason, and perhaps for a later function
					}()
				}
				if (i+round)%3 == 0 {
					c.Detach()
				}
				for answer.Load() == 0 {
					c.Suspend()
				}
				if answer.Load() != int64(round+1) {
					t.Error("an answer of another round")
				}
			}
		})
	}
	ended.Wait()
	pool.Close()
}
