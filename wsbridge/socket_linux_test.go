package wsbridge

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// listenAs makes a socket as another user's process does. It changes the user of one
// thread for as long as that takes.
func listenAs(t *testing.T, uid int, path string) net.Listener {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	become := func(uid int) {
		const keep = ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, keep, uintptr(uid), keep); errno != 0 {
			t.Fatal(errno)
		}
	}
	become(uid)
	l, err := net.Listen("unix", path)
	become(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// A socket may be left from a time when the folder was open to others.
func TestASocketOfAnotherUserIsNotDialled(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make a socket as another user")
	}
	dir, err := os.MkdirTemp("", "socket") // t.TempDir is below a folder that others cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, uid := range []int{0, 65534} {
		path := filepath.Join(dir, "hub.sock")
		l := listenAs(t, uid, path)
		conn, err := dialSocket(t.Context(), path)
		if err == nil {
			_ = conn.Close()
		}
		if refused := err != nil && strings.Contains(err.Error(), "another user"); refused != (uid != 0) {
			t.Errorf("uid %d: %v", uid, err)
		}
		_ = l.Close()
	}
}
