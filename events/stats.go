package events

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"
)

// Stats are the figures of calls since a moment.
type Stats struct {
	Since time.Time `json:"since"`
	Total Figures   `json:"total"`
	Tools []Figures `json:"tools"` // by name
	// Graphs has no row for calls that reached none.
	Graphs []Figures `json:"graphs"`
	Days   []Figures `json:"days"` // in local time, the oldest first
}

// Figures are those of one tool, graph or day.
type Figures struct {
	Name  string `json:"name,omitempty"`
	Calls int    `json:"calls"`
	// Cancelled counts the calls that the agent gave up. They are neither successes
	// nor failures.
	Cancelled int `json:"cancelled,omitempty"`
	// SuccessRate is from 0 to 1, of the calls that were not cancelled; 0 without them.
	SuccessRate float64 `json:"success_rate"`
	// The durations, in milliseconds, of the calls whatever their outcome.
	P50 float64 `json:"p50_ms"`
	P95 float64 `json:"p95_ms"`
	P99 float64 `json:"p99_ms"`
	// Failures counts by code.
	Failures map[string]int `json:"failures,omitempty"`

	times []timed
}

type timed struct {
	ms     float64
	weight int
}

// Stats computes the figures of all calls since a moment.
func (l *Log) Stats(ctx context.Context, since time.Time) (_ Stats, err error) {
	stats := Stats{Since: since}
	db, err := l.existing(ctx)
	if db == nil {
		return stats, err
	}
	rows, err := db.QueryContext(ctx, "SELECT timestamp, tool, graph, code, duration_ms, weight FROM events WHERE category = ? AND timestamp >= ?", Call, since.UnixMilli())
	if err != nil {
		return stats, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	tools, graphs, days := map[string]*Figures{}, map[string]*Figures{}, map[string]*Figures{}
	for rows.Next() {
		var at int64
		var tool, graph, code string
		var t timed
		if err := rows.Scan(&at, &tool, &graph, &code, &t.ms, &t.weight); err != nil {
			return stats, err
		}
		stats.Total.add(code, t)
		of(tools, tool).add(code, t)
		of(days, time.UnixMilli(at).Format(time.DateOnly)).add(code, t)
		if graph != "" {
			of(graphs, graph).add(code, t)
		}
	}
	stats.Total.finish()
	stats.Tools, stats.Graphs, stats.Days = finished(tools), finished(graphs), finished(days)
	return stats, rows.Err()
}

func of(figures map[string]*Figures, name string) *Figures {
	f := figures[name]
	if f == nil {
		f = &Figures{Name: name}
		figures[name] = f
	}
	return f
}

func (f *Figures) add(code string, t timed) {
	f.Calls += t.weight
	f.times = append(f.times, t)
	if code == Cancelled {
		f.Cancelled += t.weight
	} else if code != "" {
		if f.Failures == nil {
			f.Failures = map[string]int{}
		}
		f.Failures[code] += t.weight
	}
}

func (f *Figures) finish() {
	if f.Calls == 0 {
		return
	}
	failed := 0
	for _, n := range f.Failures {
		failed += n
	}
	if ended := f.Calls - f.Cancelled; ended > 0 {
		f.SuccessRate = float64(ended-failed) / float64(ended)
	}
	slices.SortFunc(f.times, func(a, b timed) int { return cmp.Compare(a.ms, b.ms) })
	f.P50, f.P95, f.P99 = f.percentile(0.50), f.percentile(0.95), f.percentile(0.99)
	f.times = nil
}

// percentile is the smallest duration that a share p of the calls does not exceed.
func (f *Figures) percentile(p float64) float64 {
	rank := int(math.Ceil(p * float64(f.Calls)))
	for _, t := range f.times {
		if rank -= t.weight; rank <= 0 {
			return t.ms
		}
	}
	return 0
}

func finished(figures map[string]*Figures) []Figures {
	list := []Figures{}
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		f := figures[name]
		f.finish()
		list = append(list, *f)
	}
	return list
}
