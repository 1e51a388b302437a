//go:build unix

package browser

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func candidates() []string {
	if runtime.GOOS == "darwin" {
		return []string{
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
			"/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
			"chromium", "google-chrome",
		}
	}
	return []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"microsoft-edge", "microsoft-edge-stable", "/snap/bin/chromium", "brave-browser",
	}
}

func opener(file string) (string, []string) {
	if runtime.GOOS == "darwin" {
		return "open", []string{file}
	}
	return "xdg-open", []string{file}
}

// tie makes the browser end when this process does, even by SIGKILL: Chromium
// with --remote-debugging-pipe reads commands from descriptor 3 and exits when
// that is closed, which the system does for us.
func tie(cmd *exec.Cmd) (io.Closer, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		_ = theirs.Close()
		_ = ours.Close()
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{theirs, answers} // 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Args = append(cmd.Args, "--remote-debugging-pipe")
	return &lifeline{ours, []*os.File{theirs, answers}}, nil
}

// lifeline holds this process's end of the pipe, and its copies of the child's
// ends, which have to be closed as well.
type lifeline struct {
	ours   *os.File
	theirs []*os.File
}

func (l *lifeline) Close() error {
	for _, f := range l.theirs {
		_ = f.Close()
	}
	return l.ours.Close()
}

// tempEnv makes Chromium keep its temporary files in dir, so that they go with
// it. On macOS the path of its socket would become too long.
func tempEnv(dir string) []string {
	if runtime.GOOS == "darwin" {
		return nil
	}
	return []string{"TMPDIR=" + dir}
}

// lockFile opens a file, made if need be, and locks it for as long as the
// result, or a copy that a child process inherited, is open. It fails at once
// when another process holds the lock.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// pass makes the browser hold the profile's lock, too: it may outlive this process by a moment.
func (p *profile) pass(cmd *exec.Cmd) {
	if p != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, p.lock)
	}
}

// isPrivate reports an error for a folder of another user; one of this user's is
// closed to others.
func isPrivate(dir string, info os.FileInfo) error {
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Geteuid() {
		return errors.New(dir + " belongs to another user")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}
