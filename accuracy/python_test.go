package main

import (
	"os/exec"
	"testing"
)

// TestPythonScripts runs the tests that the scripts in Python have.
func TestPythonScripts(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	for _, dir := range []string{"python/signatures", "python/pytest_plugins", "python/tests"} {
		if out, err := exec.CommandContext(t.Context(), python, "-B", "-m", "unittest", "discover", "-s", dir).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
	}
}
