package wsbridge

import (
	"errors"
	"syscall"
)

// Windows' own numbers, which no other system uses.
const (
	wsaEACCES     = syscall.Errno(10013)
	wsaEADDRINUSE = syscall.Errno(10048)
)

// isAddressInUse reports whether somebody may hold the port. On Windows,
// WSAEACCES comes for a port that its holder wants to itself, and for one that
// Windows has reserved.
func isAddressInUse(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaEADDRINUSE) || errors.Is(err, wsaEACCES)
}

// isReserved reports whether Windows may have reserved the port. It is certain
// once nobody listens there.
func isReserved(err error) bool { return errors.Is(err, wsaEACCES) }
