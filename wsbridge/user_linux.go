package wsbridge

import (
	"bufio"
	"encoding/hex"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// sameUser reports whether the process at the other end of a TCP connection on
// this machine runs as our user. It is false when the system does not tell, as
// for a process in another network namespace.
func sameUser(client, server netip.AddrPort) bool {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		uid := ""
		for lines := bufio.NewScanner(f); uid == "" && lines.Scan(); {
			// The client's own socket: its local address is what we see as remote.
			fields := strings.Fields(lines.Text())
			if len(fields) > 9 && tableAddr(fields[1]) == client && tableAddr(fields[2]) == server {
				uid = fields[7]
			}
		}
		_ = f.Close()
		if uid != "" {
			return uid == strconv.Itoa(os.Getuid())
		}
	}
	return false
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
