package tools

import (
	"testing"
	"testing/synctest"
	"time"
)

// list_repos is answered from what all pages hold, and asks none of them.
func TestListRepos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller := &fakeCaller{}
		s := NewServer(Options{Caller: caller})
		indexed := time.Now().Add(-90 * time.Second).UTC()
		s.ContextChanged(
			Codebase{Repo: "web", State: "ready", IndexedAt: indexed.UnixMilli(),
				Stats:     CodebaseStats{Files: 12, Symbols: 340, Nodes: 400, Edges: 900, Communities: 7, Processes: 9},
				Languages: []LanguageCount{{"typescript", 10}, {"go", 2}}},
			Codebase{Repo: "server", State: "indexing", Detail: "parsing, 3 of 10 files"},
			Codebase{Repo: "web", State: "ready"},
		)
		web := `{"repo":"web","front":true,"state":"ready","pages":2,"files":12,"symbols":340,"nodes":400,"edges":900,"clusters":7,"processes":9,` +
			`"languages":{"go":2,"typescript":10},"indexedAt":"` + indexed.Format(time.RFC3339) + `","ageSeconds":90}`
		server := `{"repo":"server","state":"indexing","detail":"parsing, 3 of 10 files","files":0,"symbols":0,"nodes":0,"edges":0,"clusters":0,"processes":0}`
		for args, want := range map[string]string{
			`{}`:                `{"repos":[` + web + `,` + server + `]}`,
			`{"repo":"server"}`: `{"repos":[` + server + `]}`,
		} {
			content, isError, _ := direct(s, "list_repos", args)
			if isError || string(content) != want {
				t.Errorf("%s: got  %s\nwant %s", args, content, want)
			}
		}
		if _, _, debug := direct(s, "list_repos", `{"debug":true}`); debug == nil || debug.Tool != "list_repos" {
			t.Errorf("debug: got %+v", debug)
		}
		if e := directFailure(t, s, "list_repos", `{"repo":"wbe"}`); e.Code != CodeValidation {
			t.Errorf("got %+v", e)
		}
		if calls := caller.Calls(); len(calls) != 0 {
			t.Errorf("a page was asked: %+v", calls)
		}
	})
}

// Nothing loaded is an answer with advice, once it is certain: a page that may
// be back within the grace is waited for.
func TestListReposWithoutPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(Options{Caller: &fakeCaller{}, Grace: 3 * time.Second})
		ask := func() (repos int, advice bool, took time.Duration) {
			began := time.Now()
			content, isError, _ := direct(s, "list_repos", `{}`)
			if isError {
				t.Fatalf("failed: %s", content)
			}
			list := decode[repoList](t, string(content))
			return len(list.Repos), list.Advice != "", time.Since(began)
		}
		expect := func(what string, wantRepos int, wantTook time.Duration) {
			t.Helper()
			if repos, advice, took := ask(); repos != wantRepos || advice != (wantRepos == 0) || took != wantTook {
				t.Errorf("%s: %d repos, advice %v, after %v", what, repos, advice, took)
			}
		}
		expect("just started", 0, 3*time.Second)
		expect("some time after", 0, 0)
		s.ContextChanged(webGraph)
		expect("loaded", 1, 0)
		s.ContextChanged()
		time.AfterFunc(2*time.Second, func() { s.ContextChanged(webGraph) })
		expect("back within the grace", 1, 2*time.Second)
		s.ContextChanged()
		time.Sleep(time.Second)
		expect("gone for good", 0, 2*time.Second)
	})
}
