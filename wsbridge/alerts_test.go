package wsbridge

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// codes are the codes of the alerts in a bridge/alerts frame.
func codes(t *testing.T, f frame) []string {
	t.Helper()
	var p alertsParams
	if err := json.Unmarshal(f.Params, &p); err != nil || p.Alerts == nil {
		t.Fatalf("%s: %v", f.Params, err)
	}
	list := []string{}
	for _, a := range p.Alerts {
		list = append(list, a.Graph+" "+a.Code)
	}
	return list
}

func TestPagesAreToldTheAlertsOfAllProcesses(t *testing.T) {
	withHub(t, Options{}, func(r *rig) {
		page := r.connect(&fakePage{})
		page.send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "s1", Alerts: true}))
		page.next("")
		want := func(list ...string) {
			t.Helper()
			if got := codes(t, page.next(methodAlerts)); !slices.Equal(got, list) {
				t.Errorf("told of %q, want %q", got, list)
			}
		}
		want()
		r.hub.SetAlerts([]Alert{{Graph: "shop", Code: "TIMEOUT", Since: 20}})
		want("shop TIMEOUT")

		peer := r.connectAs(rolePeer, &fakePage{})
		peer.send(encode("hello", methodHello, helloParams{Role: rolePeer, Version: "test", Session: "p"}))
		peer.next("")
		peer.send(encode("", methodAlerts, alertsParams{[]Alert{{Graph: "shop", Code: "TIMEOUT", Since: 21}, {Code: "CONNECTION_LOST", Since: 10}}}))
		want(" CONNECTION_LOST", "shop TIMEOUT")
		r.hub.SetAlerts(nil)
		want(" CONNECTION_LOST", "shop TIMEOUT")

		// A page that comes later hears of them, too; one that did not ask does not.
		late := r.connect(&fakePage{})
		late.send(encode("hello", methodHello, helloParams{Role: rolePage, Version: "test", Session: "s2", Alerts: true}))
		late.next("")
		if got := codes(t, late.next(methodAlerts)); len(got) != 2 {
			t.Errorf("told of %q", got)
		}
		old := r.page("s3", "repo", nil)
		peer.drop()
		want()
		old.send(encode("ping-1", methodPing, nil))
		for {
			f := old.next("")
			if f.Method == methodAlerts {
				t.Error("a page was told of alerts that did not ask")
			}
			if string(f.ID) == `"ping-1"` {
				break
			}
		}
	})
}

func TestTheNextHubKnowsTheAlerts(t *testing.T) {
	withMesh(t, func(m *mesh) {
		a := m.start("a")
		synctest.Wait()
		b, c := m.start("b"), m.start("c")
		time.Sleep(time.Minute)
		b.SetAlerts([]Alert{{Graph: "shop", Code: "TIMEOUT"}})
		synctest.Wait()
		for _, n := range []*meshNode{a, b} {
			if n == b {
				a.kill(m)
				time.Sleep(time.Minute)
			}
			var hub *hub
			for _, n := range []*meshNode{a, b, c} {
				if n.role() == roleHub {
					hub = n.hub
				}
			}
			if got := hub.allAlerts(); len(got) != 1 || got[0].Code != "TIMEOUT" {
				t.Errorf("the hub knows of %+v", got)
			}
		}
		b.stop()
		c.stop()
	})
}

func TestEventsNeedTheSessionKey(t *testing.T) {
	events := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for name, c := range map[string]struct {
		handler http.Handler
		key     string
		status  int
	}{
		"no key":    {events, "", http.StatusForbidden},
		"wrong key": {events, "other", http.StatusForbidden},
		"key":       {events, "key", http.StatusTeapot},
		"no events": {nil, "key", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHub(Options{Gate: Gate{Port: 80, Token: testToken}, Events: c.handler})
			h.sessions[&session{hub: h, role: rolePage, key: "key"}] = struct{}{}
			r := httptest.NewRequest("GET", "http://127.0.0.1:80/api/events", nil)
			if c.key != "" {
				r.Header.Set("Authorization", "Bearer "+c.key)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("status %d, want %d: %s", w.Code, c.status, w.Body)
			}
		})
	}
}
