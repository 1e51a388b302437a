//go:build unix

package browser

import (
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
func tie(cmd *exec.Cmd, args *[]string) (io.Closer, error) {
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
	*args = append(*args, "--remote-debugging-pipe")
	return &lifeline{ours, []*os.File{theirs, answers}}, nil
}

// lifeline is our end of the pipe, and the child's ends, of which we hold
// copies that have to be closed too.
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

// kill ends the browser and the processes it started.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// tempEnv makes Chromium keep its temporary files inside the profile, so that
// they go with it. On macOS the path of its socket would become too long.
func tempEnv(profile string) []string {
	if runtime.GOOS == "darwin" {
		return nil
	}
	return []string{"TMPDIR=" + profile}
}
