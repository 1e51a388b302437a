package wsbridge

import (
	"net"
	"net/netip"
)

// owner says whose process is at the other end of a connection.
type owner int

const (
	// unknownOwner: the system does not tell, or it is a process of root or LocalSystem,
	// which can read every key anyway, and passes on what others send (as WSL does).
	unknownOwner owner = iota
	ourUser
	anotherUser
)

// ownerOf asks the system.
func ownerOf(c net.Conn) owner {
	if s, ok := c.(socketConn); ok {
		c = s.Conn
	}
	return systemOwner(c)
}

// addrPort is a TCP address in the form in which the system's tables are compared with it.
func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}
