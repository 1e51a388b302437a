package wsbridge

import (
	"net"
	"net/netip"
	"runtime"
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
	if _, ok := c.(*net.TCPConn); ok && !TellsOwners(runtime.GOOS) {
		return unknownOwner
	}
	return systemOwner(c)
}

// TellsOwners reports whether a system (a GOOS) tells whose process a TCP client is. macOS
// is not asked. Where the system does not tell, a v1 page needs V1Path.
func TellsOwners(system string) bool { return system == "linux" || system == "windows" }

// addrPort is a TCP address in the form in which the system's tables are compared with it.
func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}
