//go:build unix

package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A symbolic link into a folder of dotfiles stays one, also before its target
// exists, and the file's mode stays.
func TestWriteFollowsLinks(t *testing.T) {
	for _, exists := range []bool{true, false} {
		home := t.TempDir()
		dotfile := filepath.Join(home, "dotfiles", "mcp.json")
		write(t, dotfile, "{}")
		if !exists {
			if err := os.Remove(dotfile); err != nil {
				t.Fatal(err)
			}
		}
		client := byID(t, "cursor")
		file := client.File(env("linux", home, nil), "")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../dotfiles/mcp.json", file); err != nil {
			t.Fatal(err)
		}
		change, err := Install(client, file, server)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := change.Write(time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(file); err != nil || to != "../dotfiles/mcp.json" {
			t.Errorf("the link leads to %q, %v", to, err)
		}
		if !strings.Contains(read(t, dotfile), server.Command) {
			t.Error("the target was not written")
		}
		if info, _ := os.Stat(dotfile); exists && info.Mode().Perm() != 0o640 {
			t.Errorf("mode %o, want 640", info.Mode().Perm())
		}
	}
}
