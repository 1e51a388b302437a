package wsbridge

import "time"

// election decides what a process does next to find its place on the bridge: to
// be the hub, or a peer of the hub. It is a pure state machine: Node makes each
// move, tells next what came of it, and makes the move that next returns.
//
// Listening is the election. The system gives the port to one process and, when
// that one is gone, to the next that asks, so two are never the hub. A process
// sends its token (moveJoin) only to a holder of the port that has just proved
// that it knows the token, on the connection on which it has proved it.
// election_test.go explores what follows from that.
type election struct {
	move      move // the one that is being made
	immediate int  // tries at once since the last wait, or since it last had a place for a while
	attempt   int  // steps of the reconnect schedule that are used up
}

// A move is what a process can do.
type move string

const (
	moveListen move = ""       // ask the system for the port
	moveLead   move = "lead"   // be the hub
	moveProve  move = "prove"  // ask the holder of the port for a proof that it is a hub of ours
	moveJoin   move = "join"   // give it the token and say hello
	moveFollow move = "follow" // be its peer
	moveWait   move = "wait"   // for a step of the schedule
	moveStop   move = "stop"   // nothing any more
)

// A fact is what came of a move.
type fact string

const (
	portOurs   fact = "port ours"   // listen: this process holds the port now
	portTaken  fact = "port taken"  // listen: another process holds it
	portDenied fact = "port denied" // listen: the system does not give it, for another reason

	holderProved  fact = "holder proved"  // prove: it is a hub with our token
	holderForeign fact = "holder foreign" // prove, join: it is none, or will not have us
	holderSilent  fact = "holder silent"  // prove, join: it takes connections and does not answer, for a long time
	holderGone    fact = "holder gone"    // prove, join: nobody is there any more
	hubJoined     fact = "hub joined"     // join: it has answered our hello

	hubGone    fact = "hub gone"    // follow: the link broke, or the hub says that it goes
	hubFrozen  fact = "hub frozen"  // follow: heartbeats went unanswered
	hubRefused fact = "hub refused" // follow: one side could not accept what the other sent
	hubFailed  fact = "hub failed"  // lead: this process lost the port

	waited  fact = "waited"  // wait: the time is over
	stopped fact = "stopped" // any: the process ends
)

const (
	// maxImmediate bounds the tries at once after a hub has gone. Several processes
	// may be killed one after the other, each just when it has become the hub; a
	// hub that takes us in and drops us, again and again, is not worth more.
	maxImmediate = 16
	// steadyAfter is how long a place has to last to count as one.
	steadyAfter = time.Second
	// stableAfter is how long it has to last to reset the schedule.
	stableAfter = 10 * time.Second
)

// next is the whole of the machine. lived is how long the place lasted that has
// just ended, as hub or peer; else 0.
func (e election) next(f fact, lived time.Duration) election {
	if lived >= steadyAfter {
		e.immediate = 0
	}
	if lived >= stableAfter {
		e.attempt = 0
	}
	switch f {
	case portOurs:
		e.move = moveLead
	case portTaken:
		e.move = moveProve
	case holderProved:
		e.move = moveJoin
	case hubJoined:
		e.move = moveFollow
	case holderGone, hubGone:
		// The port is there for the taking, and every peer knows it.
		e.move = moveListen
		if e.immediate++; e.immediate > maxImmediate {
			e.move = moveWait
		}
	case holderSilent, hubFrozen:
		// That took longer than a wait, and to ask again is to wait: whether the
		// holder goes on or dies, the next proof ends at once.
		e.move = moveListen
	case portDenied, holderForeign, hubRefused, hubFailed:
		e.move = moveWait
	case waited:
		e.move = moveListen
		e.immediate = 0
		e.attempt++
	case stopped:
		e.move = moveStop
	}
	return e
}
