package wsbridge

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// holder says who listens on a loopback port, as " by name (pid n)"; "" when
// the system does not tell, as for another user's process.
func holder(port int) string {
	inode := listeningInode(port)
	if inode == "" {
		return ""
	}
	// Descriptors of other users' processes cannot be read; Glob skips them.
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, l := range links {
		if target, err := os.Readlink(l); err == nil && target == "socket:["+inode+"]" {
			pid := strings.Split(l, "/")[2]
			name, _ := os.ReadFile("/proc/" + pid + "/comm")
			return fmt.Sprintf(" by %s (pid %s)", strings.TrimSpace(string(name)), pid)
		}
	}
	return ""
}

// listeningInode finds the socket in /proc/net/tcp, whose columns proc(5) describes.
func listeningInode(port int) string {
	f, err := os.Open("/proc/net/tcp")
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	const listen = "0A"
	suffix := fmt.Sprintf(":%04X", port)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 9 && strings.HasSuffix(fields[1], suffix) && fields[3] == listen {
			return fields[9]
		}
	}
	return ""
}
