//go:build !linux

package wsbridge

import (
	"context"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

// holder tells which program has taken a port from us on loopback. It is empty
// when the system does not tell.
func holder(port int) program {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if runtime.GOOS == "windows" {
		out, _ := exec.CommandContext(ctx, "netstat", "-ano", "-p", "TCP").Output()
		return fromNetstat(string(out), port)
	}
	out, _ := exec.CommandContext(ctx, "lsof", "-nP", "-iTCP:"+strconv.Itoa(port), "-sTCP:LISTEN", "-Fpc").Output()
	return fromLsof(string(out))
}
