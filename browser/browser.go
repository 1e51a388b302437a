// Package browser finds a browser on this machine, opens pages in the user's
// own browser, and supervises a headless one, which ends with this process.
package browser

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNotFound says that no browser that can run without a window is installed.
var ErrNotFound = errors.New("no Chromium, Chrome or Edge found on this machine: install one, or open the app in any browser yourself")

// Find returns the path of a Chromium, Chrome or Edge, or ErrNotFound.
func Find() (string, error) {
	for _, name := range candidates() {
		if filepath.IsAbs(name) {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				return name, nil
			}
		} else if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNotFound
}
