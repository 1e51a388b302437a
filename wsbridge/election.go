package wsbridge

import "time"

// election decides what a process does next to become the hub or a peer of the hub.
// It is a pure state machine: Node makes each move, tells next what came of it, and
// makes the move that next returns.
//
// Listening is the election. The system gives the port to one process and, when
// that process ends, to the next that asks, so two are never the hub at once. A
// process proves that it knows the token (moveJoin) only to a holder of the port that
// has just proved the same, and on the same connection. election_test.go explores all
// orders of moves and facts.
type election struct {
	move      move // the one that is being made
	immediate int  // tries without a wait, since the last wait or the last steady role
	attempt   int  // steps of the reconnect schedule that are used up
}

// A move is what a process can do.
type move string

const (
	moveListen move = ""       // ask the system for the port
	moveLead   move = "lead"   // be the hub
	moveProve  move = "prove"  // ask the holder of the port for a proof that it is a hub of ours
	moveJoin   move = "join"   // prove that we know its token, and say hello
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
	// maxImmediate bounds the tries without a wait after a hub has gone: each of several
	// processes may be killed just when it has become the hub. It also ends the tries at
	// a hub that accepts this process and drops it again and again.
	maxImmediate = 16
	// steadyAfter is how long a role (hub or peer) has to last to reset immediate.
	steadyAfter = time.Second
	// stableAfter is how long a role has to last to reset attempt.
	stableAfter = 10 * time.Second
)

// next returns the election with the move that follows from f, the outcome of the
// present move. lived is how long the role of hub or peer lasted that has just ended;
// 0 for other moves.
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
		// The port is free, and every peer knows it: do not wait.
		e.move = moveListen
		if e.immediate++; e.immediate > maxImmediate {
			e.move = moveWait
		}
	case holderSilent, hubFrozen:
		// That move took longer than a wait would, and the next proof waits for the
		// holder again. It ends at once when the holder goes on or dies.
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
