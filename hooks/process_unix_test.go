//go:build unix

package hooks

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func waitUntilGone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		// A process that nobody has waited for yet is a zombie.
		stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}
