package browser

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
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
func tie(*exec.Cmd) (io.Closer, error) { return io.NopCloser(nil), nil }

func tempEnv(string) []string { return nil }

// lockFile opens a file, made if need be, that no other process can open until
// it is closed.
func lockFile(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), name), nil
}

func (p *profile) pass(*exec.Cmd) {}

// isPrivate has nothing to do: the user's cache folder is closed to others.
func isPrivate(string, os.FileInfo) error { return nil }
