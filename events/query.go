package events

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Filter selects events. Zero fields select everything.
type Filter struct {
	Since                             time.Time
	Category, Code, Graph, Tool, Call string
	// Failed selects events with an error code, whichever it is.
	Failed bool
	// After selects events with a larger ID.
	After int64
	// Before selects events with a smaller ID; 0 selects all.
	Before int64
	// Limit keeps only the newest ones. 0 means all.
	Limit int
}

// Query returns the selected events, the oldest first. It makes no file: without
// one there are no events.
func (l *Log) Query(ctx context.Context, f Filter) ([]Event, error) {
	db, err := l.existing(ctx)
	if db == nil {
		return nil, err
	}
	limit := -1
	if f.Limit > 0 {
		limit = f.Limit
	}
	var since int64
	if !f.Since.IsZero() {
		since = f.Since.UnixMilli()
	}
	rows, err := db.QueryContext(ctx, `SELECT id, timestamp, category, event_type, session, agent, graph, call, tool, code, attempts,
			duration_ms, message, metadata, weight FROM events
		WHERE timestamp >= ? AND id > ? AND (? = 0 OR id < ?) AND ? IN ('', category) AND ? IN ('', code) AND ? IN ('', graph) AND ? IN ('', tool) AND ? IN ('', call)
			AND (NOT ? OR code <> '')
		ORDER BY id DESC LIMIT ?`, since, f.After, f.Before, f.Before, f.Category, f.Code, f.Graph, f.Tool, f.Call, f.Failed, limit)
	if err != nil {
		return nil, err
	}
	list, err := scan(rows)
	slices.Reverse(list)
	return list, err
}

// scan reads and closes rows.
func scan(rows *sql.Rows) (list []Event, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e Event
		var at int64
		var metadata sql.NullString
		if err := rows.Scan(&e.ID, &at, &e.Category, &e.Type, &e.Session, &e.Agent, &e.Graph, &e.Call, &e.Tool, &e.Code, &e.Attempts,
			&e.DurationMS, &e.Message, &metadata, &e.Weight); err != nil {
			return nil, err
		}
		e.Time = time.UnixMilli(at).UTC()
		e.Duration = time.Duration(e.DurationMS * float64(time.Millisecond))
		if metadata.Valid {
			e.Metadata = []byte(metadata.String)
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// Follow calls show with the selected events, then with each one that any
// process adds, until ctx ends or show fails.
func (l *Log) Follow(ctx context.Context, f Filter, show func(Event) error) error {
	for {
		list, err := l.Query(ctx, f)
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := show(e); err != nil {
				return err
			}
			f.After = e.ID
		}
		f.Limit = 0
		timer := time.NewTimer(250 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// existing opens the file if there is one, else it returns nil, nil.
func (l *Log) existing(ctx context.Context) (*sql.DB, error) {
	if l == nil {
		return nil, nil
	}
	if _, err := os.Stat(l.options.File); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return l.store(ctx)
}
