package hooks

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain is also the commands that the tests run as hooks.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "hook" {
		os.Exit(hook(os.Args[2], os.Args[3:]))
	}
	goleak.VerifyTestMain(m)
}

func hook(what string, args []string) int {
	switch what {
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "save":
		data, err := io.ReadAll(os.Stdin)
		if err != nil || os.WriteFile(args[0], data, 0o600) != nil {
			return 1
		}
	case "fail":
		fmt.Fprintln(os.Stderr, "it failed")
		return 3
	case "panic":
		panic("a hook's own")
	case "refuse":
		fmt.Fprintln(os.Stderr, "not on a Friday")
		return 2
	case "hang":
		time.Sleep(time.Hour)
	case "flood": // 64 MB
		line := strings.Repeat("x", 1<<16)
		for range 1 << 10 {
			fmt.Println(line)
		}
		return 3
	case "parent": // starts a child that holds our output open, and says its pid
		child := exec.Command(os.Args[0], "hook", "hang")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() != nil {
			return 1
		}
		fmt.Println(child.Process.Pid)
		if args[0] == "wait" {
			_ = child.Wait()
		}
	}
	return 0
}
