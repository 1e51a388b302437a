package wsbridge

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"
)

// Folder is a folder that a process of the bridge was started with (--repo). The
// calls of its agent go to the graph of that folder. The zero value is none.
type Folder struct {
	// ID stands for the folder on this machine.
	ID string `json:"id"`
	// Name is the graph's name.
	Name string `json:"name"`
	Path string `json:"path"`
	// IncludeSecrets has the hub stream files whose names say that they hold secrets.
	IncludeSecrets bool `json:"includeSecrets,omitempty"`
}

// OpenedFolder reads a folder for pages.
type OpenedFolder struct {
	// Stream sends the folder's files.
	Stream http.Handler
	// Watch runs until its context ends, and calls changed after each change of the
	// folder. It may be nil.
	Watch func(ctx context.Context, changed func())
}

// folder is one that at least one process of the bridge was started with. All but
// the fields that are set once are guarded by the router's mu.
type folder struct {
	// Set once. Name is unlike that of every other folder.
	Folder
	opened OpenedFolder
	failed error // why the hub cannot read it
	added  int   // its place in the order of coming

	users  int       // processes
	opener *page     // that was asked to open it; nil for none
	asked  time.Time // when opener was asked
	// notBefore is when a page may be asked: one that is away may come back with it.
	notBefore time.Time
}

const (
	// opensWithin is how long a page may take to open a folder until it counts as
	// unable to.
	opensWithin = 15 * time.Second
	// returnsWithin is how long nobody is asked for a folder whose page has just gone:
	// a page that reloads or dials again is back within the first step of its
	// schedule.
	returnsWithin = time.Second
)

// useFolder counts one more process with the folder, and reports whether it is known.
func (r *router) useFolder(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.folders[id]
	if f != nil {
		f.users++
	}
	return f != nil
}

// addFolder notes a folder, which one process has; false when it was known already.
func (r *router) addFolder(f Folder, opened OpenedFolder, failed error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.folders[f.ID]; known != nil {
		known.users++
		return false
	}
	for _, name := range []string{f.Name, filepath.Base(filepath.Dir(f.Path)) + "/" + f.Name, f.Path} {
		f.Name = name
		if !slices.ContainsFunc(r.byAge(), func(other *folder) bool { return other.Name == name }) {
			break
		}
	}
	r.foldersAdded++
	r.folders[f.ID] = &folder{Folder: f, opened: opened, failed: failed, added: r.foldersAdded, users: 1, notBefore: r.pagesReturn}
	r.wake()
	return true
}

// dropFolder counts one process less, and reports whether it was the last one.
func (r *router) dropFolder(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.folders[id]
	if f == nil {
		return false
	}
	if f.users--; f.users > 0 {
		return false
	}
	delete(r.folders, id)
	return true
}

// folder returns a folder, or nil.
func (r *router) folder(id string) *folder {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folders[id]
}

// firstFolder is the folder that a page loads by itself: the one that came first,
// which is this process's own where it has one. nil for none.
func (r *router) firstFolder() *folder {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := r.byAge(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// byAge returns the folders, the oldest first. It must be called with mu held.
func (r *router) byAge() []*folder {
	var all []*folder
	for _, f := range r.folders {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *folder) int { return cmp.Compare(a.added, b.added) })
	return all
}

// openFolders decides which page opens which folder that no page holds, and returns
// when to decide again; 0 for not before something changes.
func (r *router) openFolders() (again time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pages := r.ready()
	for _, f := range r.byAge() {
		switch {
		case f.opener != nil && !f.opener.left():
			continue
		case slices.ContainsFunc(pages, func(p *page) bool { return p.holds(f) }):
			f.opener = nil
			continue
		}
		f.opener = nil
		if wait := time.Until(f.notBefore); wait > 0 {
			if again == 0 || wait < again {
				again = wait
			}
			continue
		}
		if i := slices.IndexFunc(pages, func(p *page) bool { return p.opens }); i >= 0 && f.failed == nil {
			f.opener, f.asked = pages[i], time.Now()
			r.wake()
		}
	}
	return again
}

// openOrder is one folder as a page is told of it.
type openOrder struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Open is true when the page is to open the folder, unless it has.
	Open bool `json:"open"`
}

// openOrders are what a page is told of the folders: all that are in use, so that it
// can close the others.
func (r *router) openOrders(p *page) []openOrder {
	r.mu.Lock()
	defer r.mu.Unlock()
	orders := []openOrder{}
	for _, f := range r.byAge() {
		orders = append(orders, openOrder{f.ID, f.Name, f.opener == p})
	}
	return orders
}

// target is the folder that a call asks about; nil when it asks about a graph by
// its name, or about whatever is in the foreground. It must be called with mu held.
func (r *router) target(c *Call, pages []*page) *folder {
	if f := r.folders[c.folder]; f != nil {
		return f
	}
	if c.Repo == "" || slices.ContainsFunc(pages, func(p *page) bool { return p.graph() == c.Repo }) {
		return nil
	}
	for _, f := range r.folders {
		if f.Name == c.Repo {
			return f
		}
	}
	return nil
}

// canOpen reports whether one of the pages could open the folder.
func canOpen(f *folder, pages []*page) bool {
	return f.failed == nil && slices.ContainsFunc(pages, func(p *page) bool { return p.opens })
}

// opening returns how long a call for a folder that no page holds still waits for a
// page to open it (more than 0), or why it does not. It must be called with mu held.
func (r *router) opening(f *folder, pages []*page) (time.Duration, error) {
	away, known := r.absent.graph(f.Name)
	if wait := away.graceLeft(); known && wait > 0 {
		return wait, nil
	}
	lost := &LostError{RetryAfter: time.Second}
	limit := opensWithin
	if r.opt.Grace <= 0 { // calls wait for nothing
		limit = 0
	}
	switch {
	case f.failed != nil:
		lost.Reason = fmt.Sprintf("the server that serves the graph app cannot read the folder %s: %v", f.Path, f.failed)
		lost.Advice = "Tell the user. The folder has to be there, and readable for the gitnexus-mcp that was started first"
	case !canOpen(f, pages) && known:
		return 0, r.lost(away)
	case !canOpen(f, pages):
		lost.Reason = fmt.Sprintf("no page holds the graph %s, and no connected page can open further folders", f.Name)
		lost.Advice = "Ask the user to run `gitnexus-mcp open`, which opens the graph app in a page that can"
	case f.opener == nil:
		wait := time.Until(f.notBefore)
		if wait <= 0 { // it is about to be decided
			wait = returnsWithin
		}
		if limit > 0 {
			return wait, nil
		}
		lost.Reason = "no page has opened " + f.Name + " yet"
	default:
		if wait := limit - time.Since(f.asked); wait > 0 {
			return wait, nil
		}
		lost.Reason = fmt.Sprintf("the page was asked to open %s %s ago, and has not done so yet", f.Name, time.Since(f.asked).Round(time.Second))
		lost.Advice = "Ask the user to look at the tab of the graph app, and to reload it if it does not answer"
	}
	return 0, lost
}

// serveOwnFolder has the hub serve the folder of its own process.
func (h *hub) serveOwnFolder() {
	h.own.Lock()
	defer h.own.Unlock()
	h.own.started = true
	h.useFolder(h.own.folder)
}

// setFolder makes that another folder.
func (h *hub) setFolder(f Folder) {
	h.own.Lock()
	defer h.own.Unlock()
	before := h.own.folder
	h.own.folder = f
	if h.own.started && !h.own.closed {
		h.useFolder(f)
		h.dropFolder(before)
	}
}

// serveFolder has the hub serve a folder for a client of its own process, until
// release is called.
func (h *hub) serveFolder(f Folder) (release func()) {
	h.own.Lock()
	defer h.own.Unlock()
	if h.own.closed {
		return func() {}
	}
	h.useFolder(f)
	return func() { h.dropFolder(f) }
}

// useFolder has the hub serve a folder for one more process. dropFolder ends that.
func (h *hub) useFolder(f Folder) {
	if f.ID == "" || h.router.useFolder(f.ID) {
		return
	}
	opened, err := h.opt.OpenFolder(f)
	if !h.router.addFolder(f, opened, err) {
		return
	}
	if err != nil {
		h.opt.Log.Warn("a folder cannot be opened", "folder", f.Path, "reason", err)
	}
	if opened.Watch != nil {
		ctx, stop := context.WithCancel(h.stop)
		h.mu.Lock()
		h.watchers[f.ID] = stop
		h.mu.Unlock()
		h.jobs.Go(func() {
			defer stop()
			h.guarded("folder watcher", func() { opened.Watch(ctx, func() { h.tellChanged(f.ID) }) })
		})
	}
	h.tellChanged(f.ID) // a page may have it from a time before this hub
	h.tellFolders()
}

func (h *hub) dropFolder(f Folder) {
	if f.ID == "" || !h.router.dropFolder(f.ID) {
		return
	}
	h.mu.Lock()
	stop := h.watchers[f.ID]
	delete(h.watchers, f.ID)
	h.mu.Unlock()
	if stop != nil {
		stop()
	}
	h.tellFolders()
}

// tellFolders has the folders that no page holds opened, and tells each page that
// can do so what has changed for it.
func (h *hub) tellFolders() {
	h.broadcast.Lock()
	defer h.broadcast.Unlock()
	if again := h.router.openFolders(); again > 0 && !h.stopping() {
		if h.foldersLater != nil {
			h.foldersLater.Stop()
		}
		h.foldersLater = time.AfterFunc(again, func() { h.guarded("opening folders", h.tellFolders) })
	}
	for _, s := range h.where(func(s *session) bool { return isPage(s) && s.hello.Opens }) {
		frame := encode("", methodFolders, foldersParams{h.router.openOrders(s.page)})
		if string(frame) != s.folders {
			s.folders = string(frame)
			s.conn.control(frame)
		}
	}
}
