//go:build unix

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// cacheFolder puts the user's cache into a folder of the test's own.
func cacheFolder(t *testing.T) (profiles string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home) // macOS
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(cache, "gitnexus-mcp", "browser")
}

func TestAProfileIsOnesOwnAndUsedByOne(t *testing.T) {
	all := cacheFolder(t)
	p, err := openProfile("/a")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{all, p.dir} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}
	if _, err := openProfile("/a"); err == nil {
		t.Error("two have one profile")
	}
	other, err := openProfile("/b")
	if err != nil || other.dir == p.dir {
		t.Errorf("another repository: %v, %v", other, err)
	}
	other.close()
	// What a killed browser leaves does not keep the next from starting.
	if err := os.Symlink("other-host-1", filepath.Join(p.dir, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	p.close()
	again, err := openProfile("/a")
	if err != nil || again.dir != p.dir {
		t.Fatalf("%v, %v", again, err)
	}
	defer again.close()
	if _, err := os.Lstat(filepath.Join(p.dir, "SingletonLock")); err == nil {
		t.Error("the lock of the killed browser is still there")
	}
}

func TestAProfileBehindALinkIsRefused(t *testing.T) {
	all := cacheFolder(t)
	if err := os.MkdirAll(filepath.Dir(all), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), all); err != nil {
		t.Fatal(err)
	}
	if p, err := openProfile("/a"); err == nil {
		p.close()
		t.Error("followed")
	}
}

func TestProfilesAreBounded(t *testing.T) {
	all := cacheFolder(t)
	var made []string
	for i := range maxProfiles + 3 {
		p, err := openProfile(fmt.Sprint("/", i))
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, p.dir)
		if i == 1 {
			defer p.close() // in use
		} else {
			p.close()
		}
		past := time.Now().Add(time.Duration(i-100) * time.Minute)
		if err := os.Chtimes(p.lock.Name(), past, past); err != nil {
			t.Fatal(err)
		}
	}
	// Old, though it is among the last ones.
	past := time.Now().Add(-2 * maxProfileAge)
	if err := os.Chtimes(made[9]+lockSuffix, past, past); err != nil {
		t.Fatal(err)
	}
	sweepProfiles(all)
	var left []int
	for i, dir := range made {
		if _, err := os.Stat(dir); err == nil {
			left = append(left, i)
		}
	}
	// The last eight, without the old one; and what is in use.
	if want := "[1 3 4 5 6 7 8 10]"; fmt.Sprint(left) != want {
		t.Errorf("left are %v, want %s", left, want)
	}
}

// What a page stored in its origin private file system is there at the next start.
func TestAPageFindsWhatItStored(t *testing.T) {
	needBrowser(t)
	cacheFolder(t)
	found := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<script type="module">
				const root = await navigator.storage.getDirectory();
				const had = await root.getFileHandle("graph").then(() => "kept", () => "nothing");
				const file = await (await root.getFileHandle("graph", { create: true })).createWritable();
				await file.write("x");
				await file.close();
				await fetch("/found?" + had);
			</script>`))
		case "/found":
			found <- r.URL.RawQuery
		}
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	for _, want := range []string{"nothing", "kept"} {
		p, err := Headless(t.Context(), Options{URL: server.URL, Keep: "/a"})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-found:
			if got != want {
				t.Errorf("the page found %s, want %s", got, want)
			}
		case <-p.Done():
			t.Fatal(p.Err())
		case <-time.After(time.Minute):
			t.Error("the page was not shown within a minute")
		}
		p.Stop()
	}
}

// A profile that has grown too large begins anew.
func TestALargeProfileIsEmptied(t *testing.T) {
	cacheFolder(t)
	p, err := openProfile("/a")
	if err != nil {
		t.Fatal(err)
	}
	p.close()
	large := filepath.Join(p.dir, "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxProfileSize+1); err != nil { // sparse
		t.Fatal(err)
	}
	if p, err = openProfile("/a"); err != nil {
		t.Fatal(err)
	}
	p.close()
	if _, err := os.Stat(large); err == nil {
		t.Error("it is as large as before")
	}
}
