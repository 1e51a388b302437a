package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/gitnexus/gitnexus-mcp/guard"
)

func TestSync(t *testing.T) {
	dir := folder(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n", "c.png": "\x00", "gone.go": "package gone\n"})
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]string{}
	if files, end := update(t, r, has); len(files) != 3 || len(has) != 3 || len(end.Removed) != 0 {
		t.Fatalf("a page that has nothing got %v, %+v", files, end)
	}
	if files, end := update(t, r, has); len(files) != 0 || len(end.Removed) != 0 || len(end.Skipped) != 1 {
		t.Errorf("a page that has all got %v, %+v", files, end)
	}
	edit(t, dir, "a.go", "package A\n") // as long as before, and within the clock's tick
	edit(t, dir, "new/d.go", "package d\n")
	edit(t, dir, "b.go", "\x00")
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	files, end := update(t, r, has)
	if !maps.Equal(files, map[string]string{"a.go": "package A\n", "new/d.go": "package d\n"}) {
		t.Errorf("sent %v", files)
	}
	if !slices.Equal(end.Removed, []string{"b.go", "gone.go"}) || len(end.Skipped) != 2 {
		t.Errorf("%+v", end)
	}
	// What a page has from another folder of the same content counts.
	other, err := Open(folder(t, map[string]string{"a.go": "package A\n"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if files, end := update(t, other, has); len(files) != 0 || !slices.Equal(end.Removed, []string{"new/d.go"}) {
		t.Errorf("sent %v, removed %v", files, end.Removed)
	}
}

func edit(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// follower is a page that keeps up with a watched folder.
type follower struct {
	t       *testing.T
	dir     string
	repo    *Repo
	has     map[string]string
	changed chan struct{}
	told    int
}

func follow(t *testing.T, files map[string]string, log *slog.Logger, notifier func() (*fsnotify.Watcher, error)) *follower {
	return followWithin(t, files, log, notifier, math.MaxInt)
}

func followWithin(t *testing.T, files map[string]string, log *slog.Logger, notifier func() (*fsnotify.Watcher, error), budget int) *follower {
	f := &follower{t: t, dir: folder(t, files), has: map[string]string{}, changed: make(chan struct{}, 1000)}
	var err error
	if f.repo, err = Open(f.dir, Options{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.repo.watchWith(ctx, log, func() { f.changed <- struct{}{} }, notifier, budget)
	}()
	t.Cleanup(func() { cancel(); <-done })
	for { // Watch may not run yet, and then the folder is listed without it
		update(t, f.repo, f.has)
		f.repo.watch.mu.Lock()
		asked := f.repo.watch.asked
		f.repo.watch.mu.Unlock()
		if asked {
			return f
		}
	}
}

// becomes waits until the page has exactly these files.
func (f *follower) becomes(want ...string) {
	f.t.Helper()
	slices.Sort(want)
	timeout := time.After(20 * time.Second)
	for {
		update(f.t, f.repo, f.has)
		got := slices.Sorted(maps.Keys(f.has))
		if slices.Equal(got, want) {
			return
		}
		select {
		case <-f.changed:
			f.told++
		case <-timeout:
			f.t.Fatalf("the page has %q, want %q", got, want)
		}
	}
}

// sees waits until the page was sent a file with this content.
func (f *follower) sees(name, content string) {
	f.t.Helper()
	timeout := time.After(20 * time.Second)
	for {
		if files, _ := update(f.t, f.repo, f.has); files[name] == content {
			return
		}
		select {
		case <-f.changed:
		case <-timeout:
			f.t.Fatalf("%s did not become %q", name, content)
		}
	}
}

func (f *follower) rename(from, to string) {
	f.t.Helper()
	if err := os.Rename(filepath.Join(f.dir, from), filepath.Join(f.dir, to)); err != nil {
		f.t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	f := follow(t, map[string]string{
		"a.go": "1", "sub/b.go": "1", "sub/deep/c.go": "1", "out/x.js": "1", ".gitignore": "/out/\n*.log\n",
	}, slog.New(slog.DiscardHandler), fsnotify.NewWatcher)
	base := []string{".gitignore", "a.go", "sub/b.go", "sub/deep/c.go"}
	f.becomes(base...)

	edit(t, f.dir, "a.go", "2")
	f.sees("a.go", "2")
	// As editors save: a file beside it, then a rename over it.
	edit(t, f.dir, "a.go~", "3")
	f.rename("a.go~", "a.go")
	f.sees("a.go", "3")
	f.becomes(base...)

	edit(t, f.dir, "new/er/d.go", "1") // directories that come with their files
	f.becomes(append(base, "new/er/d.go")...)
	edit(t, f.dir, "new/er/e.go", "1")
	f.becomes(append(base, "new/er/d.go", "new/er/e.go")...)

	// A moved directory is watched under its new name, and what takes its old name, too.
	f.rename("new", "sub/moved")
	f.becomes(append(base, "sub/moved/er/d.go", "sub/moved/er/e.go")...)
	edit(t, f.dir, "sub/moved/er/d.go", "2")
	f.sees("sub/moved/er/d.go", "2")
	edit(t, f.dir, "new/er/f.go", "1")
	f.becomes(append(base, "sub/moved/er/d.go", "sub/moved/er/e.go", "new/er/f.go")...)
	f.rename("new", "swap")
	f.rename("sub/moved", "new")
	f.becomes(append(base, "swap/er/f.go", "new/er/d.go", "new/er/e.go")...)
	edit(t, f.dir, "new/er/e.go", "2")
	f.sees("new/er/e.go", "2")

	for _, name := range []string{"new", "swap"} {
		if err := os.RemoveAll(filepath.Join(f.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f.becomes(base...)

	// What is ignored may change, both ways.
	edit(t, f.dir, ".gitignore", "/sub/deep/\n")
	f.becomes(".gitignore", "a.go", "sub/b.go", "out/x.js")
	edit(t, f.dir, "out/x.js", "2")
	f.sees("out/x.js", "2")
}

// What is hidden makes no work: neither events nor requests.
func TestWatchIgnoresWhatIsHidden(t *testing.T) {
	f := follow(t, map[string]string{"a.go": "1", "out/x.js": "1", ".gitignore": "/out/\n*.log\n", "node_modules/m/i.js": "1"},
		slog.New(slog.DiscardHandler), fsnotify.NewWatcher)
	for i := range 20 {
		edit(t, f.dir, "out/x.js", fmt.Sprint(i))
		edit(t, f.dir, "debug.log", fmt.Sprint(i))
		edit(t, f.dir, "node_modules/m/i.js", fmt.Sprint(i))
	}
	edit(t, f.dir, "b.go", "1")
	f.becomes(".gitignore", "a.go", "b.go")
	if f.told != 1 {
		t.Errorf("told %d times of one change", f.told)
	}
}

func TestWatchSwitchOfBranches(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal("this test needs git")
	}
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("pkg%d/f%d.go", i%30, i)] = "package one\n"
	}
	f := follow(t, files, slog.New(slog.DiscardHandler), fsnotify.NewWatcher)
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(git, append([]string{"-C", f.dir, "-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.autocrlf=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	run("init", "-q", "-b", "one")
	run("add", "-A")
	run("commit", "-qm", "one")
	run("checkout", "-qb", "two")
	for i := range 150 {
		if err := os.Remove(filepath.Join(f.dir, fmt.Sprintf("pkg%d/f%d.go", i%30, i))); err != nil {
			t.Fatal(err)
		}
		edit(t, f.dir, fmt.Sprintf("other/%d/g.go", i), "package two\n")
	}
	run("add", "-A")
	run("commit", "-qm", "two")
	two := listed(t, f.dir)
	f.becomes(two...)
	run("checkout", "-q", "one")
	f.becomes(slices.Collect(maps.Keys(files))...)
	run("checkout", "-q", "two")
	f.becomes(two...)
}

func listed(t *testing.T, dir string) []string {
	t.Helper()
	r, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.list()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list.files {
		names = append(names, f.Path)
	}
	return names
}

// Where the system refuses, the folder is polled, and the log says so once.
func TestPolling(t *testing.T) {
	var log strings.Builder
	asked := 0
	f := follow(t, map[string]string{"a.go": "1"}, slog.New(slog.NewTextHandler(&log, nil)), func() (*fsnotify.Watcher, error) {
		asked++
		return nil, errors.New("too many open files")
	})
	for i := range 2 {
		edit(t, f.dir, fmt.Sprintf("b%d.go", i), "1")
		f.becomes(append([]string{"a.go"}, []string{"b0.go", "b1.go"}[:i+1]...)...)
	}
	if n := strings.Count(log.String(), "level=WARN"); n != 1 || !strings.Contains(log.String(), "cannot watch") || asked != 1 {
		t.Errorf("asked %d times, log:\n%s", asked, log.String())
	}
}

// Where watching opens files, it stops short of the budget, at the start and
// when files are added, and begins again when there are fewer.
func TestWatchKeepsItsBudget(t *testing.T) {
	var log lockedLog
	asked := 0
	notifier := func() (*fsnotify.Watcher, error) {
		asked++
		return fsnotify.NewWatcher()
	}
	// The root, sub and three files: five.
	f := followWithin(t, map[string]string{"a.go": "1", "sub/b.go": "1", "sub/.gitignore": "x.log"}, slog.New(slog.NewTextHandler(&log, nil)), notifier, 6)
	edit(t, f.dir, "c.go", "1") // within the budget
	f.becomes("a.go", "sub/.gitignore", "sub/b.go", "c.go")
	if log.String() != "" {
		t.Errorf("within the budget the log says:\n%s", log.String())
	}
	edit(t, f.dir, "d.go", "1")
	f.becomes("a.go", "sub/.gitignore", "sub/b.go", "c.go", "d.go")
	edit(t, f.dir, "sub/e.go", "1") // polled
	f.becomes("a.go", "sub/.gitignore", "sub/b.go", "c.go", "d.go", "sub/e.go")
	if said := log.String(); strings.Count(said, "level=WARN") != 1 || !strings.Contains(said, "more than 6 files open") {
		t.Errorf("log:\n%s", said)
	}
	if asked != 1 {
		t.Errorf("the system was asked %d times to watch", asked)
	}
	// A folder that is too large from the start is never watched as a whole.
	large := map[string]string{}
	for i := range 50 {
		large[fmt.Sprintf("p%d/a.go", i)] = "1"
	}
	var events *fsnotify.Watcher
	followWithin(t, large, slog.New(slog.DiscardHandler), func() (*fsnotify.Watcher, error) {
		w, err := fsnotify.NewWatcher()
		events = w
		return w, err
	}, 60)
	if n := len(events.WatchList()); n != 0 { // closed
		t.Errorf("%d directories are still watched", n)
	}
}

// A panic ends the watching, and requests are answered without it.
func TestAPanicEndsTheWatchingAlone(t *testing.T) {
	r, err := Open(folder(t, map[string]string{"a.go": "1"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var log lockedLog
	recorder := &guard.Recorder{Log: slog.New(slog.NewTextHandler(&log, nil))}
	inside := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		guard.Run("watcher", recorder.Report, func() {
			r.watchWith(t.Context(), recorder.Log, func() {}, func() (*fsnotify.Watcher, error) {
				close(inside)
				panic("injected")
			}, math.MaxInt)
		})
	}()
	for { // until one of the requests has met the watcher
		if files, _ := update(t, r, map[string]string{}); len(files) != 1 {
			t.Fatalf("sent %v", files)
		}
		select {
		case <-inside:
			<-done
			if !strings.Contains(log.String(), "injected") {
				t.Errorf("log:\n%s", log.String())
			}
			return
		default:
		}
	}
}

// lockedLog is a log that is read while it is written.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A queue that ran over loses events: everything is read again.
func TestOverflow(t *testing.T) {
	var inner *fsnotify.Watcher
	f := follow(t, map[string]string{"sub/a.go": "1"}, slog.New(slog.DiscardHandler), func() (*fsnotify.Watcher, error) {
		w, err := fsnotify.NewWatcher()
		if err != nil {
			return nil, err
		}
		inner = w
		return w, nil
	})
	if err := inner.Remove(filepath.Join(f.repo.root, "sub")); err != nil { // its events are lost from here on
		t.Fatal(err)
	}
	edit(t, f.dir, "sub/b.go", "1")
	inner.Errors <- fsnotify.ErrEventOverflow
	f.becomes("sub/a.go", "sub/b.go")
	edit(t, f.dir, "sub/c.go", "1")
	f.becomes("sub/a.go", "sub/b.go", "sub/c.go")
}

// The folder itself may go away and come back.
func TestFolderGone(t *testing.T) {
	var log strings.Builder
	f := follow(t, map[string]string{"a.go": "1"}, slog.New(slog.NewTextHandler(&log, nil)), fsnotify.NewWatcher)
	away := f.dir + "-away"
	if err := os.Rename(f.dir, away); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(away) })
	edit(t, f.dir, "b.go", "1")
	f.becomes("b.go")
}

func TestBrokenRequest(t *testing.T) {
	r, err := Open(folder(t, map[string]string{"a.go": "1"}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := post(r, `{"have":[`)
	body, _ := io.ReadAll(w.Body)
	if w.Code != 400 || !strings.Contains(string(body), "docs/protocol.md") {
		t.Errorf("%d %s", w.Code, body)
	}
}
