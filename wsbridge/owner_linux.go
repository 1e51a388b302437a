package wsbridge

import (
	"bufio"
	"encoding/hex"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// peerUID returns the user of the process at the other end of a connection, as far
// as the system tells: not of one in another network namespace, nor of one that has
// closed its end.
func peerUID(c net.Conn) (uid int, ok bool) {
	switch c := c.(type) {
	case *net.UnixConn:
		raw, err := c.SyscallConn()
		if err != nil {
			return 0, false
		}
		var cred *unix.Ucred
		failed := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
		if failed != nil || err != nil {
			return 0, false
		}
		return int(cred.Uid), true
	case *net.TCPConn:
		return tableUID(addrPort(c.RemoteAddr()), addrPort(c.LocalAddr()))
	}
	return 0, false
}

// tableUID finds the client's socket in /proc/net/tcp and tcp6, whose columns proc(5)
// describes. A socket that no process has any more is there as root's, without an inode.
func tableUID(client, server netip.AddrPort) (uid int, ok bool) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(f); !ok && lines.Scan(); {
			// Its local address is what we see as remote.
			fields := strings.Fields(lines.Text())
			if len(fields) > 9 && fields[9] != "0" && tableAddr(fields[1]) == client && tableAddr(fields[2]) == server {
				uid, err = strconv.Atoi(fields[7])
				ok = err == nil
			}
		}
		_ = f.Close()
		if ok {
			return uid, true
		}
	}
	return 0, false
}

// tableAddr reads an address of the tables, such as "0100007F:D42F"; invalid
// when it is none. Addresses are there as words of 32 bits in the machine's
// order, which is little-endian wherever we run.
func tableAddr(text string) netip.AddrPort {
	host, p, _ := strings.Cut(text, ":")
	port, err := strconv.ParseUint(p, 16, 16)
	b, hexErr := hex.DecodeString(host)
	if err != nil || hexErr != nil || len(b)%4 != 0 {
		return netip.AddrPort{}
	}
	for word := range slices.Chunk(b, 4) {
		slices.Reverse(word)
	}
	addr, _ := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(addr.Unmap(), uint16(port))
}
