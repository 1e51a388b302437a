package wsbridge

import (
	"bufio"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// holder tells which program has taken a port from us on loopback. It is empty
// when the system does not tell, as for another user's process.
func holder(port int) program {
	inode := listeningInode(port)
	if inode == "" {
		return program{}
	}
	// Descriptors of other users' processes cannot be read; Glob skips them.
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, l := range links {
		if target, err := os.Readlink(l); err == nil && target == "socket:["+inode+"]" {
			pid, _ := strconv.Atoi(strings.Split(l, "/")[2])
			name, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
			return program{strings.TrimSpace(string(name)), pid}
		}
	}
	return program{}
}

// listeningInode finds the socket in /proc/net/tcp and tcp6, whose columns
// proc(5) describes: one that listens on 127.0.0.1 or on every address.
func listeningInode(port int) string {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		const listen = "0A"
		inode := ""
		for lines := bufio.NewScanner(f); inode == "" && lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) > 9 && fields[3] == listen && coversLoopback(fields[1], port) {
				inode = fields[9]
			}
		}
		_ = f.Close()
		if inode != "" {
			return inode
		}
	}
	return ""
}

// coversLoopback tells whether a local address of the tables is one that keeps
// 127.0.0.1 and the port from us.
func coversLoopback(local string, port int) bool {
	a := tableAddr(local)
	return int(a.Port()) == port && (a.Addr().IsUnspecified() || a.Addr() == netip.AddrFrom4([4]byte{127, 0, 0, 1}))
}
