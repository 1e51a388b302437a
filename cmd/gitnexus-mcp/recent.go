package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gitnexus/gitnexus-mcp/events"
	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

const (
	// recentEvents is how many events are returned by default, and maxRecent at most.
	recentEvents = 50
	maxRecent    = 1000
)

// recentAnswer is the content of the events resource, and what /api/events answers.
type recentAnswer struct {
	Log    events.Status    `json:"log"`
	Alerts []wsbridge.Alert `json:"alerts"` // that are not over, the oldest first
	Events []events.Event   `json:"events"` // the oldest first
}

func (o *observer) recent(ctx context.Context, f events.Filter) (recentAnswer, error) {
	list, err := o.events.Query(ctx, f)
	return recentAnswer{o.events.Status(), o.activeAlerts(), append([]events.Event{}, list...)}, err
}

// resource is the content of the events resource: without what happened to graphs
// that the agent may not ask.
func (o *observer) resource(ctx context.Context, limit int) (json.RawMessage, error) {
	answer, err := o.recent(ctx, events.Filter{Limit: limit})
	if err != nil {
		return nil, err
	}
	if own := o.own(); own != "" {
		answer.Events = slices.DeleteFunc(answer.Events, func(e events.Event) bool { return e.Graph != "" && e.Graph != own })
		answer.Alerts = slices.DeleteFunc(answer.Alerts, func(a wsbridge.Alert) bool { return a.Graph != "" && a.Graph != own })
	}
	return json.MarshalIndent(answer, "", "  ")
}

// ServeHTTP answers GET /api/events for the app.
func (o *observer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	refuse := func(status int, err error) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(http.StatusMethodNotAllowed, fmt.Errorf("only GET is answered here"))
		return
	}
	f, err := recentFilter(r.URL.Query())
	if err != nil {
		refuse(http.StatusBadRequest, err)
		return
	}
	answer, err := o.recent(r.Context(), f)
	if err != nil {
		refuse(http.StatusServiceUnavailable, fmt.Errorf("the event log cannot be read: %w", err))
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// recentFilter reads the parameters of /api/events.
func recentFilter(query url.Values) (events.Filter, error) {
	f := events.Filter{Limit: recentEvents, Category: query.Get("category"), Graph: query.Get("graph"), Code: query.Get("code")}
	for name, values := range query {
		var err error
		switch name {
		case "limit":
			f.Limit, err = strconv.Atoi(values[0])
			if err == nil && (f.Limit < 1 || f.Limit > maxRecent) {
				err = strconv.ErrRange
			}
			if err != nil {
				return f, fmt.Errorf("limit=%q: want a number from 1 to %d", values[0], maxRecent)
			}
		case "after", "before":
			n, err := strconv.ParseInt(values[0], 10, 64)
			if err != nil || n < 0 {
				return f, fmt.Errorf("%s=%q: want the id of an event", name, values[0])
			}
			if name == "after" {
				f.After = n
			} else {
				f.Before = n
			}
		case "failed":
			if f.Failed, err = strconv.ParseBool(values[0]); err != nil {
				return f, fmt.Errorf("failed=%q: want true or false", values[0])
			}
		case "category", "graph", "code":
		default:
			return f, fmt.Errorf("unknown parameter %q: there are limit, after, before, category, graph, code and failed", name)
		}
	}
	return f, nil
}
