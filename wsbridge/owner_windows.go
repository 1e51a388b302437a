package wsbridge

import (
	"encoding/binary"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/windows"
)

// systemOwner finds the client's process in the TCP table, and asks whose it is. The
// system does not tell of processes that our user may not ask about, such as services;
// those of other users are among them.
func systemOwner(c net.Conn) owner {
	if _, ok := c.(*net.TCPConn); !ok {
		return unknownOwner
	}
	pid := tablePID(addrPort(c.RemoteAddr()), addrPort(c.LocalAddr()))
	if pid == 0 {
		return unknownOwner
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return unknownOwner
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return unknownOwner
	}
	defer func() { _ = token.Close() }()
	user, err := token.GetTokenUser()
	if err != nil {
		return unknownOwner
	}
	own, err := windows.GetCurrentProcessToken().GetTokenUser()
	switch {
	case err != nil || user.User.Sid.IsWellKnown(windows.WinLocalSystemSid):
		return unknownOwner // as root's elsewhere
	case user.User.Sid.Equals(own.User.Sid):
		return ourUser
	}
	return anotherUser
}

var getExtendedTCPTable = windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetExtendedTcpTable")

// connectionsByPID asks for all connections with their processes
// (TCP_TABLE_OWNER_PID_CONNECTIONS of iprtrmib.h).
const connectionsByPID = 4

// tcpTable is where the rows of one address family have their members, in bytes
// (MIB_TCPROW_OWNER_PID and MIB_TCP6ROW_OWNER_PID of tcpmib.h).
type tcpTable struct {
	family                                                          uintptr
	row, address, localAddr, localPort, remoteAddr, remotePort, pid int
}

var tcpTables = []tcpTable{
	{family: windows.AF_INET, row: 24, address: 4, localAddr: 4, localPort: 8, remoteAddr: 12, remotePort: 16, pid: 20},
	{family: windows.AF_INET6, row: 56, address: 16, localAddr: 0, localPort: 20, remoteAddr: 24, remotePort: 44, pid: 52},
}

// tablePID finds the process of the client's socket; 0 when the system does not tell.
func tablePID(client, server netip.AddrPort) uint32 {
	for _, t := range tcpTables {
		for rows := t.read(); len(rows) >= t.row; rows = rows[t.row:] {
			// Its local address is what we see as remote.
			if t.at(rows, t.localAddr, t.localPort) == client && t.at(rows, t.remoteAddr, t.remotePort) == server {
				return binary.LittleEndian.Uint32(rows[t.pid:])
			}
		}
	}
	return 0
}

func (t tcpTable) at(row []byte, addr, port int) netip.AddrPort {
	a, _ := netip.AddrFromSlice(row[addr : addr+t.address])
	return netip.AddrPortFrom(a.Unmap(), binary.BigEndian.Uint16(row[port:]))
}

// read returns the rows of the table, nil when it cannot be had.
func (t tcpTable) read() []byte {
	if getExtendedTCPTable.Find() != nil {
		return nil
	}
	size := uint32(16 << 10)
	for range 8 { // the table may grow between two tries
		buf := make([]byte, size)
		status, _, _ := getExtendedTCPTable.Call(uintptr(unsafe.Pointer(&buf[0])), uintptr(unsafe.Pointer(&size)), 0, t.family, connectionsByPID, 0)
		switch windows.Errno(status) {
		case windows.ERROR_SUCCESS:
			rows := int(binary.LittleEndian.Uint32(buf)) * t.row
			return buf[4:min(len(buf), 4+rows)]
		case windows.ERROR_INSUFFICIENT_BUFFER:
		default:
			return nil
		}
	}
	return nil
}
