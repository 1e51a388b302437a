package browser

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func candidates() []string {
	var list []string
	for _, program := range []string{
		`Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`, `Chromium\Application\chrome.exe`,
	} {
		for _, root := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if dir := os.Getenv(root); dir != "" {
				list = append(list, filepath.Join(dir, program))
			}
		}
	}
	return list
}

func opener(file string) (string, []string) {
	return "rundll32", []string{"url.dll,FileProtocolHandler", file}
}

// tie does nothing: Windows passes no descriptors on. A server that is killed
// there leaves its browser behind; one that ends in order does not.
func tie(*exec.Cmd, *[]string) (io.Closer, error) { return io.NopCloser(nil), nil }

// kill ends the browser and the processes it started.
func kill(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
}

func tempEnv(string) []string { return nil }
