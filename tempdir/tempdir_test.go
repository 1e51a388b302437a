package tempdir

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

func TestMake(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp) // Windows
	dir, err := Make("thing")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	Sweep("thing")
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("our own folder was swept: %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
	t.Setenv("TMP", filepath.Join(temp, "missing"))
	if dir, err := Make("thing"); err == nil {
		t.Errorf("made %s", dir)
	}
	Sweep("thing") // nothing there, and nothing to say about it
}

// What a killed process leaves goes, with what is in it; all else stays.
func TestSweep(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	ended := exec.Command(os.Args[0], "-test.run", "^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead := ended.Process.Pid
	for name, stays := range map[string]bool{
		fmt.Sprintf("gitnexus-mcp-thing-%d-1", dead):         false,
		fmt.Sprintf("gitnexus-mcp-thing-%d-1", os.Getpid()):  false, // of one that had our number
		fmt.Sprintf("gitnexus-mcp-thing-%d-1", os.Getppid()): true,
		fmt.Sprintf("gitnexus-mcp-other-%d-1", dead):         true,
		fmt.Sprintf("gitnexus-mcp-thing-%d", dead):           true,
		fmt.Sprintf("another-thing-%d-1", dead):              true,
		"gitnexus-mcp-thing-x-1":                             true,
	} {
		file := filepath.Join(temp, name, "profile", "file")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(file); (err == nil) != stays {
				t.Errorf("%s: %v; should it stay: %v", name, err, stays)
			}
		}()
	}
	Sweep("thing")
}
