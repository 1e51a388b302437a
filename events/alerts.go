package events

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The types of alert events.
const (
	Raised = "raised"
	Over   = "over"
)

// Alarm raises an alert when calls of one graph keep failing with one code. It
// counts the failures of all processes that share the log, and an alert's rows
// in the log make sure that one of them raises it. Use from one goroutine.
type Alarm struct {
	Log *Log
	// After is the number of final failures within Window that raises an alert.
	After int
	// Window is also how long there must be none before the alert is over.
	Window time.Duration
	// Ignore are codes that raise no alert.
	Ignore []string

	started bool
	seen    int64 // the last alert event that Check returned
}

// AlertEvent is an alert that was raised or is over, as Check returns it.
type AlertEvent struct {
	Event
	// Own tells that this process wrote the event, so that one process alone
	// acts on it.
	Own bool
}

// Check raises and ends alerts, and returns what changed since the last Check,
// whichever process wrote it. The first Check also returns the alerts that were
// raised before and are not over.
func (a *Alarm) Check(ctx context.Context) ([]AlertEvent, error) {
	db, err := a.Log.existing(ctx)
	if db == nil {
		return nil, err
	}
	since := time.Now().Add(-a.Window)
	own, err := a.update(ctx, db, since)
	if err != nil {
		return nil, err
	}
	var changes []Event
	if a.started {
		changes, err = a.Log.Query(ctx, Filter{Category: Alert, After: a.seen})
	} else {
		changes, err = a.Active(ctx)
	}
	if err != nil {
		return nil, err
	}
	a.started = true
	var out []AlertEvent
	for _, e := range changes {
		a.seen = max(a.seen, e.ID)
		out = append(out, AlertEvent{e, own[e.ID]})
	}
	return out, nil
}

// Active returns the alerts that are not over.
func (a *Alarm) Active(ctx context.Context) ([]Event, error) {
	db, err := a.Log.existing(ctx)
	if db == nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `SELECT id, timestamp, category, event_type, session, agent, graph, call, tool, code, attempts,
			duration_ms, message, metadata, weight FROM events
		WHERE id IN (SELECT max(id) FROM events WHERE category = 'alert' GROUP BY graph, code) AND event_type = ? ORDER BY id`, Raised)
	if err != nil {
		return nil, err
	}
	return scan(rows)
}

// update writes the alert events that are due, and returns their ids.
func (a *Alarm) update(ctx context.Context, db *sql.DB, since time.Time) (map[int64]bool, error) {
	due, err := a.due(ctx, db, since)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	own := map[int64]bool{}
	return own, transact(ctx, db, func(tx *sql.Tx) error {
		// Another process may have written them since.
		due, err := a.due(ctx, tx, since)
		if err != nil {
			return err
		}
		for _, e := range due {
			if err := insert(ctx, tx, []Event{e}); err != nil {
				return err
			}
			var id int64
			if err := tx.QueryRowContext(ctx, "SELECT last_insert_rowid()").Scan(&id); err != nil {
				return err
			}
			own[id] = true
		}
		return nil
	})
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (a *Alarm) due(ctx context.Context, db querier, since time.Time) (due []Event, err error) {
	ignore, err := json.Marshal(append([]string{}, a.Ignore...))
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `
		WITH failures AS (SELECT graph, code, count(*) AS n FROM events
				WHERE category = 'call' AND code <> '' AND timestamp > ? AND code NOT IN (SELECT value FROM json_each(?)) GROUP BY graph, code),
			active AS (SELECT graph, code FROM events
				WHERE id IN (SELECT max(id) FROM events WHERE category = 'alert' GROUP BY graph, code) AND event_type = 'raised')
		SELECT 'raised', graph, code, n FROM failures WHERE n >= ? AND (graph, code) NOT IN active
		UNION ALL SELECT 'over', graph, code, 0 FROM active WHERE (graph, code) NOT IN (SELECT graph, code FROM failures)`,
		since.UnixMilli(), string(ignore), a.After)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		e := Event{Time: time.Now(), Category: Alert, Session: a.Log.options.Session}
		var n int
		if err := rows.Scan(&e.Type, &e.Graph, &e.Code, &n); err != nil {
			return nil, err
		}
		where := "calls without a graph"
		if e.Graph != "" {
			where = "calls of " + e.Graph
		}
		e.Message = fmt.Sprintf("%s failed %d times with %s within %v", where, n, e.Code, span(a.Window))
		if e.Type == Over {
			e.Message = fmt.Sprintf("%s have not failed with %s for %v", where, e.Code, span(a.Window))
		}
		due = append(due, e)
	}
	return due, rows.Err()
}

// span writes a duration without zeros at its end: 10m, not 10m0s.
func span(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if short, ok := strings.CutSuffix(s, zero); ok {
			s = short + zero[:1]
		}
	}
	return s
}
