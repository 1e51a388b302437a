//go:build !linux

package wsbridge

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// holder says who listens on a loopback port, as " by name (pid n)"; "" when
// the system does not tell.
func holder(port int) string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if runtime.GOOS == "windows" {
		out, _ := exec.CommandContext(ctx, "netstat", "-ano", "-p", "TCP").Output()
		for line := range bytes.Lines(out) {
			f := strings.Fields(string(line))
			if len(f) == 5 && f[3] == "LISTENING" && strings.HasSuffix(f[1], ":"+strconv.Itoa(port)) {
				return fmt.Sprintf(" (pid %s)", f[4])
			}
		}
		return ""
	}
	out, _ := exec.CommandContext(ctx, "lsof", "-nP", "-iTCP:"+strconv.Itoa(port), "-sTCP:LISTEN", "-Fpc").Output()
	var pid, name string
	for line := range strings.Lines(string(out)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "p"):
			pid = line[1:]
		case strings.HasPrefix(line, "c"):
			name = line[1:]
		}
	}
	if pid == "" {
		return ""
	}
	return fmt.Sprintf(" by %s (pid %s)", name, pid)
}
