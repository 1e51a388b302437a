package hooks

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// group is the command and the processes that it started: a job object, which
// has them also when the command has ended.
type group struct {
	cmd *exec.Cmd
	job windows.Handle // 0 when there is none
}

func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		job = 0
	}
	return &group{cmd, job}
}

// add puts the command into the job. It is called right after the start: what the
// command has started by then is not in it.
func (g *group) add() error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(g.cmd.Process.Pid))
	if err != nil {
		return err
	}
	return errors.Join(windows.AssignProcessToJobObject(g.job, process), windows.CloseHandle(process))
}

// kill ends all of the group.
func (g *group) kill() error {
	return errors.Join(windows.TerminateJobObject(g.job, 1), g.cmd.Process.Kill())
}

func (g *group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}

// checkWritable has nothing to check: the user's configuration folder is theirs.
func checkWritable(string) error { return nil }
