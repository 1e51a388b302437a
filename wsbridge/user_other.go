//go:build !linux

package wsbridge

import "net/netip"

// sameUser is false: this system is not asked whose process a connection is of.
func sameUser(client, server netip.AddrPort) bool { return false }
