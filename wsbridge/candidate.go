package wsbridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

// silentLimit is how long a process waits for a holder of the port that accepts
// connections to answer. It is the longest step of the reconnect schedule: a
// frozen hub that goes on, or dies, ends the wait at once.
const silentLimit = time.Minute

// candidate makes the moves of an election, and holds what one move leaves for
// the next.
type candidate struct {
	node *Node

	listeners []net.Listener     // from moveListen to moveLead
	refused   error              // what the last moveListen got
	proven    *provenHolder      // from moveProve to moveJoin
	limit     context.Context    // of both
	unlimit   context.CancelFunc // ends what belongs to limit
	hub       *hubConn           // from moveJoin to moveFollow
	trouble   trouble            // why there is no place, as of the last move
	closing   sync.WaitGroup     // connections that have ended and say goodbye
}

func (c *candidate) release() {
	closeAll(c.listeners)
	if c.proven != nil {
		_ = c.proven.Close()
	}
	if c.unlimit != nil {
		c.unlimit()
	}
	if c.hub != nil {
		<-c.hub.closed
	}
	c.closing.Wait()
}

// make makes a move and says what came of it. It returns soon after ctx has
// ended, and then what it says does not matter.
func (c *candidate) make(ctx context.Context, e election) fact {
	n := c.node
	var err error
	switch e.move {
	case moveListen:
		n.renewGate()
		c.listeners, err = n.listen(n.opt.Gate.Port)
		c.refused = err
		switch {
		case err == nil:
			n.forgetHub()
			return portOurs
		case isAddressInUse(err):
			return portTaken
		}
		c.trouble = trouble{fmt.Sprintf("it cannot listen on port %d: %v", n.opt.Gate.Port, errno(err)), adviseOtherPort}
		return portDenied

	case moveLead:
		err = n.lead(ctx, c.listeners)
		c.listeners = nil
		c.trouble = trouble{reason: fmt.Sprintf("it lost port %d: %v", n.opt.Gate.Port, err)}
		return hubFailed

	case moveProve:
		c.limit, c.unlimit = n.limit(ctx)
		c.proven, err = proveHolder(c.limit, n.Gate(), n.dial)
		if err == nil {
			return holderProved
		}
		return c.turnedAway(err)

	case moveJoin:
		proven := c.proven
		c.proven = nil
		n.mu.Lock()
		agent, opt := n.agent, n.opt
		opt.Folder, opt.Gate = n.folder, n.Gate()
		n.mu.Unlock()
		c.hub, err = joinHub(ctx, c.limit, opt, agent, proven, n.setPages)
		if err != nil {
			_ = proven.Close()
			return c.turnedAway(err)
		}
		c.unlimit()
		return hubJoined

	case moveFollow:
		p := c.hub
		c.hub = nil
		n.join(p)
		<-p.Done()
		c.closing.Go(func() { <-p.closed })
		f, cause := p.ended()
		n.leave(p, f, cause)
		n.mu.Lock()
		c.trouble = n.trouble
		n.mu.Unlock()
		return f

	case moveWait:
		n.mu.Lock()
		wait := n.opt.Backoff.Delay(e.attempt)
		n.step, n.next = e.attempt, time.Now().Add(wait)
		n.mu.Unlock()
		n.setTrouble(c.trouble)
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		return waited
	}
	panic("wsbridge: no such move: " + string(e.move))
}

// forgetHub notes that the port was free, so that the last hub is no more.
func (n *Node) forgetHub() {
	n.mu.Lock()
	n.lastHub = 0
	n.mu.Unlock()
}

// limit bounds the wait for the holder's word, and says what the trouble is when
// it takes longer than a word does.
func (n *Node) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	timer := time.AfterFunc(n.opt.HelloTimeout, func() { n.setTrouble(n.silence()) })
	ctx, cancel := context.WithTimeout(ctx, max(silentLimit, n.opt.HelloTimeout))
	return ctx, func() {
		timer.Stop()
		cancel()
	}
}

// turnedAway ends moveProve or moveJoin without a hub.
func (c *candidate) turnedAway(err error) fact {
	c.unlimit()
	n := c.node
	e, _ := errors.AsType[*holderError](err)
	c.trouble = trouble{reason: err.Error()}
	if e.fact == holderGone {
		n.forgetHub()
		if errors.Is(err, ErrNoHub) {
			c.trouble = unusable(n.opt.Gate.Port, c.refused, err)
		}
	}
	if e.fact == holderForeign {
		c.trouble = trouble{fmt.Sprintf("port %d is taken%s: %v", n.opt.Gate.Port, n.holder(n.opt.Gate.Port), err), adviseOtherPort}
	}
	return e.fact
}

// unusable says what keeps a port from us that nobody listens on. refused is why
// the system did not give it, err why nobody could be reached there.
func unusable(port int, refused, err error) trouble {
	t := trouble{reason: fmt.Sprintf("%v; and the system does not give the port: %v", err, errno(refused)), advice: adviseOtherPort}
	if isReserved(refused) {
		t.reason = fmt.Sprintf("Windows has reserved port %d, and no program listens on it "+
			"(netsh interface ipv4 show excludedportrange protocol=tcp lists what is reserved)", port)
		t.advice = "Ask the user to give gitnexus-mcp another port (--port or GITNEXUS_PORT)."
	} else if isAddressInUse(refused) {
		t.reason = fmt.Sprintf("port %d is in use, though no program listens on it: it is the local port of some program's outgoing connection, "+
			"and free again when that ends", port)
	}
	return t
}

// silence says in words who holds the port and does not answer.
func (n *Node) silence() trouble {
	h := n.holder(n.opt.Gate.Port)
	n.mu.Lock()
	last := n.lastHub
	n.mu.Unlock()
	if h.pid == 0 {
		h.pid = last
	}
	// A process that we have never met is a hub when it runs the same program, of
	// whose name the system may tell the beginning alone.
	exe, _ := os.Executable()
	same := h.name != "" && strings.HasPrefix(filepath.Base(exe), h.name)
	if h.pid == 0 || h.pid != last && !same {
		return trouble{fmt.Sprintf("port %d is taken%s, which takes connections and does not answer: it is frozen, or no gitnexus-mcp",
			n.opt.Gate.Port, cmp.Or(h.String(), " by a program")), adviseOtherPort}
	}
	end := fmt.Sprintf("End it (kill -9 %d) or let it go on (kill -CONT %d)", h.pid, h.pid)
	if runtime.GOOS == "windows" {
		end = fmt.Sprintf("End it (taskkill /F /PID %d)", h.pid)
	}
	return trouble{fmt.Sprintf("the hub (pid %d) does not answer: it is frozen", h.pid),
		"Nothing has to be restarted. " + end + ": calls then work again by themselves."}
}

const adviseOtherPort = "Ask the user to end that program, or to give gitnexus-mcp another port (--port or GITNEXUS_PORT). " +
	"Once the port is free, calls work again by themselves."

// reset gives back all that a move left, after a panic in it.
func (c *candidate) reset(p *guard.Panic) {
	c.trouble = trouble{reason: p.Error()}
	if c.hub != nil {
		c.hub.conn.end(errStopping)
	}
	c.release()
	c.listeners, c.proven, c.limit, c.unlimit, c.hub = nil, nil, nil, nil, nil
	n := c.node
	n.mu.Lock()
	n.hub, n.peer, n.pages, n.waits = nil, nil, nil, nil
	n.alone()
	n.mu.Unlock()
}
