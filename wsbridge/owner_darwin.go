package wsbridge

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUID returns the user of the process at the other end of a Unix socket. Of a TCP
// connection, this system does not tell without cgo.
func peerUID(c net.Conn) (uid int, ok bool) {
	socket, isSocket := c.(*net.UnixConn)
	if !isSocket {
		return 0, false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, false
	}
	var cred *unix.Xucred
	failed := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED) })
	if failed != nil || err != nil {
		return 0, false
	}
	return int(cred.Uid), true
}
