package main

import (
	"encoding/json"
	"time"

	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/hooks"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// indexing is what is known of the graph of one page.
type indexing struct {
	at    int64     // when it was indexed last, in milliseconds since the epoch; 0 for never
	error string    // why it could not be indexed; "" when it could
	began time.Time // when indexing began; zero when it is not under way
}

// graphs notes each graph that was indexed, or could not be, once for all processes:
// in the hub. A peer remembers them, since it may be the next hub.
func (o *observer) graphs(status wsbridge.Status) {
	o.mu.Lock()
	former := o.indexed
	o.indexed = make(map[string]indexing)
	var due []func()
	for _, page := range status.Pages {
		was := former[page.Session]
		now := was
		if g := page.Context; g != nil {
			now = was.next(*g)
			if news := now.at != was.at || now.error != was.error; news && status.Role == "hub" {
				due = append(due, func() { o.indexEnded(*g, was) })
			}
		}
		o.indexed[page.Session] = now
	}
	o.mu.Unlock()
	for _, tell := range due {
		tell()
	}
}

// next is what is known once a page has said what it holds.
func (i indexing) next(g wsbridge.GraphContext) indexing {
	switch g.State {
	case "indexing":
		if i.began.IsZero() {
			i.began = time.Now()
		}
		return i
	case "error":
		return indexing{at: i.at, error: g.Detail}
	}
	return indexing{at: g.IndexedAt}
}

// indexEnded notes one indexing, with its figures. The duration is from when the
// page said that it was indexing; 0 when it did not.
func (o *observer) indexEnded(g wsbridge.GraphContext, was indexing) {
	e := events.Event{Category: events.Index, Type: g.State, Graph: g.Repo, Message: g.Detail}
	if !was.began.IsZero() {
		e.Duration = time.Since(was.began)
	}
	e.Metadata, _ = json.Marshal(g.Stats)
	o.events.Add(e)
	if g.State != "ready" {
		return
	}
	event := "IndexReady"
	if was.at != 0 {
		event = "GraphChanged"
	}
	o.hooks.Notify(hooks.Input{
		Event: event, Time: time.Now(), Session: o.session, Graph: g.Repo, DurationMS: float64(e.Duration) / float64(time.Millisecond), Message: g.Detail,
	})
}
