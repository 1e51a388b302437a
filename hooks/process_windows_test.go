package hooks

import (
	"os"
	"testing"
	"time"
)

func waitUntilGone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		p, err := os.FindProcess(pid)
		if err != nil {
			return
		}
		_ = p.Release()
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}
