package wsbridge

import "sync"

// pending holds the requests in flight on one connection. One mutex guards it:
// each request settles once, and all of them settle when the connection ends.
type pending struct {
	mu    sync.Mutex
	calls map[string]*pendingCall
	ended error // why the connection ended; set once
}

// pendingCall is one request that waits for its response.
type pendingCall struct {
	settled  chan outcome        // buffered, so that settling never blocks
	progress chan progressParams // buffered; nil when nobody asked for progress
	release  func()              // called once, when the call is no longer under way
}

// outcome settles a request.
type outcome struct {
	answer answerEvent
	err    error
}

// maxReports is the number of progress reports that may wait for a slow agent, or
// for their time; the oldest are dropped.
const maxReports = 1

// add registers a call, or returns why the connection ended. release is called
// when the call settles or is forgotten; the caller keeps it when add fails.
func (p *pending) add(id string, wantsProgress bool, release func()) (*pendingCall, error) {
	call := &pendingCall{settled: make(chan outcome, 1), release: release}
	if wantsProgress {
		call.progress = make(chan progressParams, maxReports)
	}
	p.mu.Lock()
	if p.ended != nil {
		p.mu.Unlock()
		return nil, p.ended
	}
	if p.calls == nil {
		p.calls = make(map[string]*pendingCall)
	}
	// A peer that reconnects sends its calls again before its former connection
	// has ended; the former call then only waits for that end.
	former := p.calls[id]
	p.calls[id] = call
	p.mu.Unlock()
	if former != nil {
		former.release()
	}
	return call, nil
}

// settle gives a call its outcome and reports whether one was waiting for it.
func (p *pending) settle(id string, o outcome) bool {
	p.mu.Lock()
	call := p.calls[id]
	delete(p.calls, id)
	p.mu.Unlock()
	if call == nil {
		return false
	}
	call.release()
	call.settled <- o
	return true
}

// forget removes a call that nobody waits for any more, unless a later call with
// the same id has replaced it.
func (p *pending) forget(id string, call *pendingCall) {
	p.mu.Lock()
	found := p.calls[id] == call
	if found {
		delete(p.calls, id)
	}
	p.mu.Unlock()
	if found {
		call.release()
	}
}

// report passes progress to a call in flight. Only the connection's reader calls it.
func (p *pending) report(params progressParams) {
	p.mu.Lock()
	call := p.calls[params.ProgressToken]
	p.mu.Unlock()
	if call == nil || call.progress == nil {
		return
	}
	for {
		select {
		case call.progress <- params:
			return
		default:
		}
		select {
		case <-call.progress: // drop the oldest
		default:
		}
	}
}

// end settles every call with err, and all later ones at once. The first reason stays.
func (p *pending) end(err error) {
	p.mu.Lock()
	if p.ended != nil {
		p.mu.Unlock()
		return
	}
	p.ended = err
	calls := p.calls
	p.calls = nil
	p.mu.Unlock()
	for _, call := range calls {
		call.release()
		call.settled <- outcome{err: err}
	}
}
