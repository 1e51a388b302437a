//go:build unix

package client

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestACommandThatMayNotBeRunIsAPermission(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Connect(t.Context(), Command(io.Discard, file), Options{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodePermission || e.Retryable || e.Attempts != 1 {
		t.Errorf("%#v", err)
	}
}
