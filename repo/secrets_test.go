package repo

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// The page has the same list: secret-files.test.ts reads this file.
func TestSecretFiles(t *testing.T) {
	raw, err := os.ReadFile("testdata/secret-files.json")
	if err != nil {
		t.Fatal(err)
	}
	var names struct{ Secret, Kept []string }
	if err := json.Unmarshal(raw, &names); err != nil {
		t.Fatal(err)
	}
	for _, name := range names.Secret {
		if !holdsSecrets(name) {
			t.Errorf("%s is sent", name)
		}
	}
	for _, name := range names.Kept {
		if holdsSecrets(name) {
			t.Errorf("%s is left out", name)
		}
	}
}

func TestSecretFilesAreSkipped(t *testing.T) {
	dir := folder(t, map[string]string{".env": "KEY=1", ".env.example": "KEY=", "a/server.key": "1", "a.go": "1", ".envs/a.go": "1"})
	for include, want := range map[bool][]string{
		false: {".env.example", ".envs/a.go", "a.go"},
		true:  {".env", ".env.example", ".envs/a.go", "a.go", "a/server.key"},
	} {
		r, err := Open(dir, Options{IncludeSecrets: include})
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.list()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range l.files {
			got = append(got, f.Path)
		}
		if !slices.Equal(got, want) || len(l.skipped) != 5-len(want) {
			t.Errorf("include %v: listed %v, skipped %v", include, got, l.skipped)
		}
		for _, s := range l.skipped {
			if s.Reason != secretReason {
				t.Errorf("%s: %s", s.Path, s.Reason)
			}
		}
	}
}
