//go:build unix

package wsbridge

import (
	"net"
	"os"
)

func systemOwner(c net.Conn) owner {
	uid, ok := peerUID(c)
	switch {
	case ok && uid == os.Getuid():
		return ourUser
	case !ok || uid == 0:
		return unknownOwner
	}
	return anotherUser
}
