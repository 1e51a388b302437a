//go:build unix

package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// group is the command and the processes that it started.
type group struct{ cmd *exec.Cmd }

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{cmd}
}

// add has nothing to do: the command leads a process group from its start.
func (g *group) add() error { return nil }

// kill ends all of the group.
func (g *group) kill() error { return syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

func (g *group) close() {}

// checkWritable refuses a configuration that other users may change.
func checkWritable(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s: others may write to this file, and so run commands as you; run chmod 600 on it", file)
	}
	return nil
}
