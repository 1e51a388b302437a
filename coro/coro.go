// Package coro has coroutines: a function that has to wait is carried on by
// whoever has what it waits for.
//
// A goroutine that waits is woken, which takes some 5 µs, on another processor,
// for whose time it then competes with the one that woke it. A coroutine is
// switched to on the spot, in less than 1 µs. The code reads as that of a goroutine.
package coro

import (
	"iter"
	"sync"
	"sync/atomic"
)

// Coro is a function that runs on the goroutines that carry it, one at a time:
// first the one that called Go, then those that call Resume. Carrying lasts
// until the function suspends itself, detaches itself, or returns.
//
// Suspend and Detach are for the function alone, Resume is for anybody. All but
// Suspend do nothing on a nil Coro, which stands for a goroutine.
type Coro struct {
	// Set once.
	pool  *Pool
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	state atomic.Int32

	// Owned by the function while it runs, and else by its carrier.
	fn       func(*Coro)
	detached bool // its carrier does nothing else
	leaving  bool // it is to be carried by a goroutine of its own
	over     bool // fn has returned
}

const (
	idle int32 = iota
	running
	resumed // and so will not be suspended
	suspended
)

// Pool keeps the stacks of coroutines that have returned for the next ones: a
// stack that has to grow again takes longer than all else about a coroutine.
// The zero value works. All methods may be called concurrently.
type Pool struct {
	mu     sync.Mutex
	idle   []*Coro
	closed bool
}

// maxIdle is the number of stacks that are kept.
const maxIdle = 16

// Go runs fn until it first suspends or detaches itself, or returns. A panic
// in fn is one in whoever carries it.
func (p *Pool) Go(fn func(*Coro)) {
	c := p.take()
	c.fn, c.over, c.detached = fn, false, false
	c.state.Store(running)
	c.carry()
}

// Close ends the idle coroutines now, and the others once they have returned.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		c.stop()
	}
}

func (p *Pool) take() *Coro {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c
	}
	c := &Coro{pool: p}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for again := true; again; again = yield(struct{}{}) {
			c.fn(c)
			c.fn, c.over = nil, true
		}
	})
	return c
}

// put takes a coroutine back that has returned.
func (p *Pool) put(c *Coro) {
	p.mu.Lock()
	keep := !p.closed && len(p.idle) < maxIdle
	if keep {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		c.stop()
	}
}

func (c *Coro) carry() {
	for {
		c.next()
		switch {
		case c.over:
			c.state.Store(idle)
			c.pool.put(c)
			return
		case c.leaving:
			c.leaving = false
			go c.carry()
			return
		case c.state.CompareAndSwap(running, suspended):
			return
		}
		c.state.Store(running) // Resume was quicker
	}
}

// Suspend gives the carrier back to what it did, and returns once Resume is
// called, or has been called since the last Suspend. It may also return for no
// reason: look whether what is waited for is there, and if not, suspend again.
func (c *Coro) Suspend() {
	if c.state.CompareAndSwap(resumed, running) {
		return
	}
	c.detached = false
	c.yield(struct{}{})
}

// Resume carries a suspended function on. One that runs, or is about to suspend
// itself, goes on with its present carrier; one that has returned, not at all.
func (c *Coro) Resume() {
	if c == nil {
		return
	}
	for {
		switch c.state.Load() {
		case suspended:
			if c.state.CompareAndSwap(suspended, running) {
				c.carry()
				return
			}
		case running:
			if c.state.CompareAndSwap(running, resumed) {
				return
			}
		default:
			return
		}
	}
}

// Detach gives the carrier back to what it did, and goes on with a goroutine of
// its own, until the next Suspend. It has to come before anything that may block
// or take long.
func (c *Coro) Detach() {
	if c == nil || c.detached {
		return
	}
	c.detached, c.leaving = true, true
	c.yield(struct{}{})
}
