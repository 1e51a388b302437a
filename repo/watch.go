package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Times of a watch.
const (
	// settle is how long the folder has to be quiet before it is looked at, and
	// patience how long that is put off while it is not.
	settle   = 20 * time.Millisecond
	patience = 200 * time.Millisecond
	// pollEvery is the time between two readings where the system does not tell
	// of changes, and auditEvery where it does: some file systems say that they
	// tell and do not.
	pollEvery  = 2 * time.Second
	auditEvery = time.Minute
	// readingShare bounds what reading a huge folder costs: a fiftieth of the time.
	readingShare = 50
)

// watch is what Watch shares with requests.
type watch struct {
	mu      sync.Mutex
	running bool
	wanted  chan struct{} // closed by the first request
	asked   bool
	ready   chan struct{} // closed when latest is there
	ended   chan struct{} // closed when Watch returns
	read    bool          // latest is there
	latest  listing
}

// Watch calls changed after each change of the folder until ctx ends. The
// folder is read and watched from the first request for it on. What .gitignore
// hides is not watched. Where the system cannot watch, or would hold too many
// files open for it, the log says so and the folder is read every few seconds
// instead. Only one Watch may run at a time. Requests are answered without it,
// too: a panic in Watch, recovered by the caller, costs only the news of changes.
func (r *Repo) Watch(ctx context.Context, log *slog.Logger, changed func()) {
	r.watchWith(ctx, log, changed, fsnotify.NewWatcher, descriptorBudget())
}

func (r *Repo) watchWith(ctx context.Context, log *slog.Logger, changed func(), notifier func() (*fsnotify.Watcher, error), budget int) {
	w := &r.watch
	w.mu.Lock()
	w.running, w.asked, w.read = true, false, false
	w.wanted, w.ready, w.ended = make(chan struct{}), make(chan struct{}), make(chan struct{})
	wanted, ended := w.wanted, w.ended
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.running = false
		w.mu.Unlock()
		close(ended)
	}()
	select {
	case <-ctx.Done():
	case <-wanted:
		(&watcher{repo: r, log: log, changed: changed, notifier: notifier, budget: budget}).run(ctx)
	}
}

// listing is the folder's files as they are now, or were when the watch last looked.
func (r *Repo) listing(ctx context.Context) (listing, error) {
	w := &r.watch
	w.mu.Lock()
	if !w.running {
		w.mu.Unlock()
		return r.list()
	}
	if !w.asked {
		w.asked = true
		close(w.wanted)
	}
	ready, ended := w.ready, w.ended
	w.mu.Unlock()
	select {
	case <-ready:
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.latest, nil
	case <-ended:
		return r.list()
	case <-ctx.Done():
		return listing{}, ctx.Err()
	}
}

// watcher is one run of Watch. All of it belongs to one goroutine.
type watcher struct {
	repo    *Repo
	log     *slog.Logger
	changed func()

	notifier func() (*fsnotify.Watcher, error)
	// budget is how many files watching may hold open; math.MaxInt where it
	// opens none.
	budget int

	tree   *tree
	events *fsnotify.Watcher // nil while the folder is polled
	open   int               // files that events holds open, where budget counts them
	took   time.Duration     // the last reading of the whole folder
	said   string            // the last complaint, which is not repeated
	// refused is why the system does not watch, and watchAgain when it is asked again.
	refused    error
	watchAgain time.Time

	// What may have changed since the last look.
	dirty map[string]bool // directories
	all   bool
	first time.Time // of these changes
}

func (w *watcher) run(ctx context.Context) {
	defer w.release()
	w.readAll()
	timer := time.NewTimer(w.pause())
	for {
		var events chan fsnotify.Event
		var failures chan error
		if w.events != nil {
			events, failures = w.events.Events, w.events.Errors
		}
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			if w.note(e) {
				timer.Reset(w.wait())
			}
		case err := <-failures:
			// Mostly the system's queue that ran over: nobody knows what was lost.
			w.log.Debug("watching the folder", "err", err)
			w.all = true
			timer.Reset(w.wait())
		case <-timer.C:
			w.look()
			timer.Reset(w.pause())
		}
	}
}

// note keeps what an event says, and reports whether it says anything.
func (w *watcher) note(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	rel, err := filepath.Rel(w.repo.root, e.Name)
	if err != nil {
		return false
	}
	name := filepath.ToSlash(rel)
	switch {
	case w.tree.dirs[name] != nil:
		// A directory that was known came, went or moved; the system watches it under its old name.
		if e.Op == fsnotify.Write {
			return false
		}
		w.all = true
	case w.tree.ignores(name):
		return false
	default:
		w.dirty[path.Dir(name)] = true
	}
	return true
}

// wait is the time until the next look, with changes to look at.
func (w *watcher) wait() time.Duration {
	now := time.Now()
	if w.first.IsZero() {
		w.first = now
	}
	return max(0, min(settle, patience-now.Sub(w.first)))
}

// pause is the time until the next look, without.
func (w *watcher) pause() time.Duration {
	every := auditEvery
	if w.events == nil {
		every = pollEvery
	}
	return max(every, readingShare*w.took)
}

// look reads again what may have changed.
func (w *watcher) look() {
	if w.first.IsZero() || w.all || w.events == nil {
		w.readAll()
		return
	}
	lost, err := w.tree.reread(w.dirty)
	if lost || err != nil || w.refused != nil || w.tree.entries() > w.budget {
		w.readAll()
		return
	}
	w.publish()
}

// readAll begins anew: a new tree, and what watches it. Where that cannot be
// had, the folder is polled.
func (w *watcher) readAll() {
	began := time.Now()
	w.release()
	tree := newTree(w.repo.root, w.repo.opt)
	switch {
	case w.tree != nil && w.tree.entries() > w.budget:
		w.refused = w.overBudget()
	case w.refused == nil || !began.Before(w.watchAgain):
		w.open = 1
		w.events, w.refused = w.notifier()
		w.watchAgain = began.Add(auditEvery) // asking takes from what other programs may have
		tree.enter = w.enter
	}
	err := tree.readAll()
	switch {
	case err != nil:
		w.release() // what it watches is not the folder any more
		w.say("the folder cannot be read; the graph stays as it was", err)
	case w.refused != nil:
		w.release()
		w.say("the system cannot watch the folder, so it is read every "+pollEvery.String()+" instead", w.refused)
	default:
		w.said = ""
	}
	w.took = time.Since(began)
	if err == nil || w.tree == nil {
		w.tree = tree
	}
	w.publish()
}

// enter watches a directory that is about to be read.
func (w *watcher) enter(dir string) {
	if w.refused != nil {
		return
	}
	path := filepath.Join(w.repo.root, filepath.FromSlash(dir))
	if w.budget < math.MaxInt {
		entries, _ := os.ReadDir(path) // where that fails, so does Add
		if w.open += len(entries); w.open > w.budget {
			w.refused = w.overBudget()
			return
		}
	}
	// A directory that is gone is told of by the one above it, and one that cannot be read is skipped.
	err := w.events.Add(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		w.refused = err
	}
}

func (w *watcher) overBudget() error {
	return fmt.Errorf("it would hold more than %d files open", w.budget)
}

// say logs what is wrong, once.
func (w *watcher) say(what string, err error) {
	if what != w.said {
		w.log.Warn(what, "repo", w.repo.name, "err", err)
	}
	w.said = what
}

// release ends the watching of the present tree.
func (w *watcher) release() {
	if w.events != nil {
		_ = w.events.Close()
		w.events = nil
	}
}

// publish hands out what the tree holds, and tells when it is something new.
func (w *watcher) publish() {
	w.dirty, w.all, w.first = make(map[string]bool), false, time.Time{}
	now := w.tree.listing()
	shared := &w.repo.watch
	shared.mu.Lock()
	before := shared.latest
	shared.latest = now
	first := !shared.read
	shared.read = true
	shared.mu.Unlock()
	if first {
		close(shared.ready)
		return
	}
	if !slices.EqualFunc(before.files, now.files, File.same) || !slices.Equal(before.skipped, now.skipped) {
		w.changed()
	}
}

// same tells whether two listings of a file show no change.
func (f File) same(other File) bool {
	return f.Path == other.Path && f.Size == other.Size && f.modified.Equal(other.modified)
}
