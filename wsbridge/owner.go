package wsbridge

import (
	"net"
	"os"
)

// owner says whose process is at the other end of a connection.
type owner int

const (
	// unknownOwner: the system does not tell, or it is root's process, which can read
	// every key anyway, and passes on what others send (as WSL does).
	unknownOwner owner = iota
	ourUser
	anotherUser
)

func ownerOf(c net.Conn) owner {
	if s, ok := c.(socketConn); ok {
		c = s.Conn
	}
	uid, ok := peerUID(c)
	switch {
	case ok && uid == os.Getuid():
		return ourUser
	case !ok || uid == 0:
		return unknownOwner
	}
	return anotherUser
}
