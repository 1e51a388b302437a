package tools

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// list_repos is answered from what all pages hold, and asks none of them.
func TestListRepos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller := &fakeCaller{}
		s := NewServer(Options{Caller: caller})
		indexed := time.Now().Add(-90 * time.Second).UTC()
		s.ContextChanged(
			wsbridge.GraphContext{Repo: "web", State: "ready", IndexedAt: indexed.UnixMilli(),
				Stats:     wsbridge.GraphStats{Files: 12, Symbols: 340, Nodes: 400, Edges: 900, Communities: 7, Processes: 9},
				Languages: []wsbridge.LanguageCount{{Language: "typescript", Files: 10}, {Language: "go", Files: 2}}},
			wsbridge.GraphContext{Repo: "server", State: "indexing", Detail: "parsing, 3 of 10 files", Unproven: true},
			wsbridge.GraphContext{Repo: "web", State: "ready"},
			wsbridge.GraphContext{Repo: "web", State: "ready", Unproven: true}, // which may only say so
		)
		web := `{"repo":"web","front":true,"state":"ready","pages":2,"files":12,"symbols":340,"nodes":400,"edges":900,"clusters":7,"processes":9,` +
			`"languages":{"go":2,"typescript":10},"indexedAt":"` + indexed.Format(time.RFC3339) + `","ageSeconds":90}`
		server := `{"repo":"server","state":"indexing","detail":"parsing, 3 of 10 files","files":0,"symbols":0,"nodes":0,"edges":0,"clusters":0,"processes":0,"unproven":true}`
		claimed := `{"repo":"web","state":"ready","files":0,"symbols":0,"nodes":0,"edges":0,"clusters":0,"processes":0,"unproven":true}`
		for args, want := range map[string]string{
			`{}`:                `{"repos":[` + web + `,` + server + `,` + claimed + `]}`,
			`{"repo":"web"}`:    `{"repos":[` + web + `,` + claimed + `]}`,
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

// A folder that a page loads by itself is known from the start, to list_repos, the
// resource, its entry in the list and the health; and nobody waits to hear so.
func TestFolderThatIsToBeLoaded(t *testing.T) {
	const grace = 3 * time.Second
	for name, c := range map[string]struct {
		opens bool
		pages int
		after time.Duration
		state string
		says  string
	}{
		"at the start":                {false, 0, 0, "loading", "waiting for the graph app, which loads it by itself"},
		"a page is being opened":      {true, 0, 10 * time.Second, "loading", "the graph app is being opened"},
		"a page is there":             {false, 1, time.Minute, "loading", "the graph app is open and begins to load it"},
		"no page came":                {false, 0, grace, "absent", "ask the user to open the graph app"},
		"the one opened did not come": {true, 0, opensWithin, "absent", "ask the user to open the graph app"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(Options{
					Caller: &fakeCaller{}, Repo: "web", Opening: func() bool { return c.opens }, Grace: grace,
					Bridge: func() wsbridge.Status {
						return wsbridge.Status{Role: "hub", Pages: make([]wsbridge.PageStatus, c.pages)}
					},
				})
				time.Sleep(c.after)
				began := time.Now()
				content, isError, _ := direct(s, "list_repos", `{}`)
				list := decode[repoList](t, string(content))
				if isError || len(list.Repos) != 1 || list.Repos[0].Repo != "web" || list.Repos[0].State != c.state || !strings.Contains(list.Repos[0].Detail, c.says) {
					t.Errorf("list_repos: %s", content)
				}
				client := initialized(t, s)
				if page := readResource(t, client, ContextURI); !strings.HasPrefix(page, "# Code base `web`\n") || !strings.Contains(page, c.says) || strings.Contains(page, "0 files") {
					t.Errorf("context: %s", page)
				}
				if summary := s.Health().Summary; !strings.Contains(summary, "sk the user to open") && !strings.Contains(summary, c.says) {
					t.Errorf("health: %s", summary)
				}
				if waited := time.Since(began); waited != 0 {
					t.Errorf("took %v", waited)
				}
				s.ContextChanged(webGraph)
				if content, _, _ := direct(s, "list_repos", `{}`); !strings.Contains(string(content), `"state":"ready"`) {
					t.Errorf("loaded: %s", content)
				}
			})
		})
	}
}
