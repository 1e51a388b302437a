//go:build unix

package wsbridge

import (
	"errors"
	"syscall"
)

func isAddressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// isReserved is for Windows.
func isReserved(error) bool { return false }
