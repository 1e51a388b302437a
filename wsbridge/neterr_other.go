//go:build !unix

package wsbridge

import (
	"errors"
	"syscall"
)

// isAddressInUse knows Windows' own numbers: WSAEADDRINUSE, and WSAEACCES for a
// port that its holder wants to itself.
func isAddressInUse(err error) bool {
	return errors.Is(err, syscall.Errno(10048)) || errors.Is(err, syscall.Errno(10013))
}
