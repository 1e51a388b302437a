package wsbridge

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

func folderCalled(name string) Folder {
	return Folder{ID: "id of " + name, Name: name, Path: "/src/" + name}
}

// withFolders runs test against a hub whose process was started with the folder shop.
func withFolders(t *testing.T, opt Options, test func(r *rig)) {
	opt.Folder = folderCalled("shop")
	if opt.OpenFolder == nil {
		opt.OpenFolder = func(f Folder) (OpenedFolder, error) {
			return OpenedFolder{Stream: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(f.Path)) })}, nil
		}
	}
	withHub(t, opt, test)
}

// tab is a browser tab with the app: a page, and what it opens in the background.
type tab struct {
	*fakePage
	rig *rig
	// slow is how long it takes to open a folder; less than 0 for ever.
	slow   time.Duration
	behind map[string]*fakePage
	orders [][]openOrder // as they came
}

// tab opens a tab that holds a graph: of a folder, or of none when its id is "".
func (r *rig) tab(session, graph, folder string) *tab {
	r.Helper()
	b := &tab{rig: r, behind: make(map[string]*fakePage)}
	b.fakePage = r.connect(&fakePage{answer: says(graph + " in " + session), onFolders: b.ordered})
	b.send(encode("hello", methodHello, helloParams{Role: rolePage, Session: session, Opens: true, Follows: true}))
	b.holds(graph, folder)
	synctest.Wait()
	return b
}

func (b *tab) holds(graph, folder string) {
	b.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: graph, Folder: folder, State: "ready"}}))
}

func (b *tab) ordered(f frame) {
	var told foldersParams
	_ = json.Unmarshal(f.Params, &told)
	b.orders = append(b.orders, told.Folders)
	for _, o := range told.Folders {
		if o.Open && b.behind[o.ID] == nil && b.slow >= 0 {
			b.behind[o.ID] = &fakePage{answer: says(o.Name + " in the background")}
			time.AfterFunc(b.slow, func() { b.open(o) })
		}
	}
}

func (b *tab) open(o openOrder) {
	p := b.rig.connect(b.behind[o.ID])
	p.send(encode("hello", methodHello, helloParams{Role: rolePage, Session: "behind " + o.ID, Background: o.ID, Follows: true}))
	p.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: o.Name, Folder: o.ID, State: "ready"}}))
}

// close closes the tab, with all that is in it.
func (b *tab) close() {
	for _, p := range b.behind {
		_ = p.conn.Close(websocket.StatusGoingAway, "")
	}
	_ = b.conn.Close(websocket.StatusGoingAway, "")
	synctest.Wait()
}

// agentOf is a peer that was started with a folder, and its agent.
func (r *rig) agentOf(f Folder, share bool) (*Node, *hubConn) {
	opt := r.hub.opt
	opt.Folder, opt.Share = f, share
	p := r.peer(opt)
	n := NewNode(opt)
	n.peer, n.up = p, p
	return n, p
}

func (r *rig) expect(n *Node, c Call, want string) {
	r.Helper()
	result, err := n.Call(r.Context(), &c)
	if got := string(result); err != nil || got != `"`+want+`"` {
		r.Errorf("%s: got %s, %v; want %s", c.ID, got, err, want)
	}
}

func (r *rig) expectLost(n *Node, c Call, reason string) {
	r.Helper()
	result, err := n.Call(r.Context(), &c)
	if lost, ok := errors.AsType[*LostError](err); !ok || !strings.Contains(lost.Reason, reason) {
		r.Errorf("%s: got %s, %v; want it lost: %s", c.ID, result, err, reason)
	}
}

// Two agents with two folders and one tab: each is answered from its own graph,
// whatever is in front.
func TestEachAgentAsksItsOwnFolder(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		other := r.tab("other", "picked by the user", "")
		till, _ := r.agentOf(folderCalled("till"), false)
		for range 2 {
			r.expect(r.node, newCall("a"), "shop in tab")
			r.expect(till, newCall("b"), "till in the background")
			r.expect(till, named("c", "till"), "till in the background")
			other.send(encode("", methodFront, nil))
			page.drop()
			page = r.tab("tab", "shop", "id of shop")
		}
		if len(page.behind)+len(other.behind) != 1 {
			t.Errorf("opened %v and %v", page.behind, other.behind)
		}
		// What runs in the background never is what an agent without a folder means.
		none, _ := r.agentOf(Folder{}, false)
		other.send(encode("", methodFront, nil))
		r.expect(none, newCall("d"), "picked by the user in other")
		r.expect(none, named("e", "till"), "till in the background")
	})
}

// An agent names another graph only where it may.
func TestShare(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		r.tab("tab", "shop", "id of shop")
		alone, _ := r.agentOf(folderCalled("till"), false)
		_, err := alone.Call(r.Context(), ref(named("a", "shop")))
		if denied, ok := errors.AsType[*DeniedError](err); !ok || !strings.Contains(denied.Advice, "--share") {
			t.Errorf("got %v", err)
		}
		sharing, _ := r.agentOf(folderCalled("till"), true)
		r.expect(sharing, named("b", "shop"), "shop in tab")
		r.expect(sharing, newCall("c"), "till in the background")
		if _, err := sharing.Call(r.Context(), ref(named("d", "shpo"))); !isUnknownRepo(err) {
			t.Errorf("got %v", err)
		}
	})
}

func isUnknownRepo(err error) bool {
	_, ok := errors.AsType[*UnknownRepoError](err)
	return ok
}

// A graph that another agent's folder is to have is waited for, too.
func TestNamedFolderThatIsBeingOpened(t *testing.T) {
	withFolders(t, Options{Share: true}, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		page.slow = 2 * time.Second
		r.agentOf(folderCalled("till"), false)
		began := time.Now()
		r.expect(r.node, named("a", "till"), "till in the background")
		if time.Since(began) != 2*time.Second {
			t.Errorf("after %v", time.Since(began))
		}
	})
}

// The user picks something else in the tab: the agent's folder is opened behind it.
func TestAnotherGraphInTheOnlyTab(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		r.expect(r.node, newCall("a"), "shop in tab")
		page.holds("shop", "") // a copy of that name, which does not follow the folder
		synctest.Wait()
		r.expect(r.node, newCall("b"), "shop in the background")
		page.holds("shop", "id of shop")
	})
}

func TestPageThatOpensNothing(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		old := r.page("old", "other", echo)
		r.expectLost(r.node, newCall("a"), "no connected page can open further folders")
		old.send(encode("", methodContext, contextParams{Context: &GraphContext{Repo: "shop", State: "ready"}}))
		synctest.Wait()
		if o := <-r.call(r.Context(), newCall("b")); o.err != nil {
			t.Error(o.err)
		}
	})
}

// A page that was asked gets its time, and then the agent is told.
func TestPageThatDoesNotOpenAFolder(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		page := r.tab("tab", "other", "id of other")
		page.slow = -1
		r.tab("later", "other", "id of other").slow = -1
		time.Sleep(10 * time.Second)
		r.agentOf(folderCalled("till"), false)
		till, _ := r.agentOf(folderCalled("till"), false)
		began := time.Now()
		r.expectLost(till, newCall("a"), "was asked to open till 15s ago")
		if took := time.Since(began); took != opensWithin {
			t.Errorf("after %v", took)
		}
		impatient, _ := r.agentOf(folderCalled("till"), false)
		began = time.Now()
		r.expectLost(impatient, newCall("b"), "has not done so yet")
		if took := time.Since(began); took != 0 {
			t.Errorf("after %v", took)
		}
	})
}

func TestFolderThatTheHubCannotRead(t *testing.T) {
	opt := Options{OpenFolder: func(f Folder) (OpenedFolder, error) {
		if f.Name == "till" {
			return OpenedFolder{}, errors.New("permission denied")
		}
		return OpenedFolder{}, nil
	}}
	withFolders(t, opt, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		till, _ := r.agentOf(folderCalled("till"), false)
		r.expectLost(till, newCall("a"), "cannot read the folder /src/till: permission denied")
		r.expect(r.node, newCall("b"), "shop in tab")
		if len(page.behind) != 0 {
			t.Error("a page was asked to open it")
		}
	})
}

// Two folders of one name are two graphs.
func TestFoldersOfOneName(t *testing.T) {
	withFolders(t, Options{Share: true}, func(r *rig) {
		r.tab("tab", "shop", "id of shop")
		twin := Folder{ID: "another id", Name: "shop", Path: "/old/shop"}
		peer, _ := r.agentOf(twin, false)
		r.expect(peer, newCall("a"), "old/shop in the background")
		r.expect(peer, named("b", "shop"), "old/shop in the background")
		r.expect(r.node, newCall("c"), "shop in tab")
		r.expect(r.node, named("d", "old/shop"), "old/shop in the background")
		var names []string
		for _, p := range r.hub.Status().Pages {
			names = append(names, p.Context.Repo)
		}
		if slices.Sort(names); !slices.Equal(names, []string{"old/shop", "shop"}) {
			t.Errorf("%v", names)
		}
	})
}

// A tab that reloads or reconnects comes back with its folders, and no other tab opens
// them meanwhile; of a tab that is closed, another one opens them.
func TestFoldersOfAClosedTab(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		other := r.tab("other", "x", "")
		page.close()
		time.Sleep(returnsWithin - time.Millisecond)
		page = r.tab("tab again", "shop", "id of shop")
		time.Sleep(time.Minute)
		if len(other.behind) != 0 {
			t.Errorf("opened %v", other.behind)
		}
		page.close()
		began := time.Now()
		r.expect(r.node, newCall("a"), "shop in the background")
		if took := time.Since(began); took != returnsWithin || len(other.behind) != 1 {
			t.Errorf("after %v; opened %v", took, other.behind)
		}
	})
}

// Pages are told which folders agents still ask about.
func TestFoldersOfAnAgentThatGoes(t *testing.T) {
	ended := make(map[string]bool)
	opt := Options{OpenFolder: func(f Folder) (OpenedFolder, error) {
		return OpenedFolder{Watch: func(ctx context.Context, _ func()) {
			<-ctx.Done()
			ended[f.Name] = true
		}}, nil
	}}
	withFolders(t, opt, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		_, first := r.agentOf(folderCalled("till"), false)
		_, second := r.agentOf(folderCalled("till"), false)
		synctest.Wait()
		for _, p := range []*hubConn{first, second} {
			if last := page.orders[len(page.orders)-1]; len(last) != 2 || ended["till"] {
				t.Errorf("told %+v, watch ended: %v", last, ended["till"])
			}
			p.conn.end(errStopping)
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if last := page.orders[len(page.orders)-1]; len(last) != 1 || last[0].Name != "shop" || last[0].Open || !ended["till"] {
			t.Errorf("told %+v, watch ended: %v", last, ended["till"])
		}
		if r.stop(); !ended["shop"] {
			t.Error("the hub has stopped, the watch has not")
		}
	})
}

// The key of a page opens the folder that it is to load, and no other.
func TestKeyOpensOneFolder(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		r.tab("tab", "shop", "id of shop")
		till, _ := r.agentOf(folderCalled("till"), false)
		r.expect(till, newCall("a"), "till in the background")
		for _, s := range r.hub.where(isPage) {
			want := "/src/shop"
			if s.hello.Background != "" {
				want = "/src/till"
			}
			if got := r.get("/api/repo", s.key); got != want {
				t.Errorf("%s gets %q", s.hello.Session, got)
			}
		}
	})
}

// What changes in a folder is told to the page that has it.
func TestChangesAreToldToThePageOfTheFolder(t *testing.T) {
	change := make(map[string]func())
	opt := Options{OpenFolder: func(f Folder) (OpenedFolder, error) {
		return OpenedFolder{Watch: func(ctx context.Context, changed func()) {
			change[f.Name] = changed
			<-ctx.Done()
		}}, nil
	}}
	withFolders(t, opt, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		till, _ := r.agentOf(folderCalled("till"), false)
		r.expect(till, newCall("a"), "till in the background")
		changes := func(p *fakePage) (n int) {
			synctest.Wait()
			for len(p.frames) > 0 {
				if f := <-p.frames; f.Method == methodRepo {
					n++
				}
			}
			return n
		}
		behind := page.behind["id of till"]
		changes(page.fakePage)
		changes(behind)
		change["till"]()
		if a, b := changes(page.fakePage), changes(behind); a != 0 || b != 1 {
			t.Errorf("told %d and %d times", a, b)
		}
		change["shop"]()
		if a, b := changes(page.fakePage), changes(behind); a != 1 || b != 0 {
			t.Errorf("told %d and %d times", a, b)
		}
	})
}

// A page without a proof is not taken for the folder's, as long as another can open it.
func TestUnprovenPageOfTheFoldersName(t *testing.T) {
	withFolders(t, Options{Gate: Gate{AllowOrigins: []string{"http://localhost:5173"}}}, func(r *rig) {
		conn, _, err := r.dial(nil, http.Header{"Origin": {"http://localhost:5173"}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.CloseNow() }()
		if err := conn.Write(r.Context(), websocket.MessageText, []byte(`{"type":"context","params":{"projectName":"shop"}}`)); err != nil {
			t.Fatal(err)
		}
		r.tab("tab", "other", "")
		r.expect(r.node, newCall("a"), "shop in the background")
	})
}

// A hub that follows another one gives the pages the time to come back before it has
// anything opened.
func TestNextHubWaitsForTheFoldersPages(t *testing.T) {
	withRouter(t, Options{}, func(r *routed) {
		r.succeed([]PageStatus{{Session: "tab", Context: &GraphContext{Repo: "shop", Folder: "id of shop"}}}, time.Now())
		r.addFolder(folderCalled("shop"), OpenedFolder{}, nil)
		other := r.open("other", "x")
		other.opens = true
		if again := r.openFolders(); again != returnsWithin || r.openOrders(other)[0].Open {
			t.Errorf("again in %v, told %+v", again, r.openOrders(other))
		}
		time.Sleep(returnsWithin)
		if again := r.openFolders(); again != 0 || !r.openOrders(other)[0].Open {
			t.Errorf("again in %v, told %+v", again, r.openOrders(other))
		}
	})
}

// A call with an effect, in flight when its page's connection drops, stays with that page.
func TestFolderCallInFlightAtADrop(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		till, _ := r.agentOf(folderCalled("till"), false)
		r.expect(till, newCall("a"), "till in the background")
		behind := page.behind["id of till"]
		got := make(chan string, 2)
		behind.answer = func(p *fakePage, f frame) { got <- idOf(f) }
		done := make(chan error, 1)
		go func() {
			c := newCall("b")
			c.ReadOnly = false
			_, err := till.Call(r.Context(), &c)
			done <- err
		}()
		<-got
		behind.drop()
		page.behind["id of till"] = &fakePage{answer: says("again")}
		page.open(openOrder{"id of till", "till", true})
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A process whose folder changes while it holds the port has pages open the new one
// and let the old one go; a client of its own may have another folder beside it.
func TestFolderChanges(t *testing.T) {
	withFolders(t, Options{}, func(r *rig) {
		page := r.tab("tab", "shop", "id of shop")
		r.expect(r.node, newCall("a"), "shop in tab")
		r.node.SetFolder(folderCalled("till"))
		synctest.Wait()
		r.expect(r.node, newCall("b"), "till in the background")
		if last := page.orders[len(page.orders)-1]; len(last) != 1 || last[0].Name != "till" {
			t.Errorf("the page was told %+v last", last)
		}

		release := r.node.UseFolder(folderCalled("bank"))
		synctest.Wait()
		of := newCall("c")
		of.Folder = folderCalled("bank")
		r.expect(r.node, of, "bank in the background")
		r.expect(r.node, newCall("d"), "till in the background")
		other := named("e", "till")
		other.Folder = folderCalled("bank")
		if _, err := r.node.Call(t.Context(), &other); err == nil || !strings.Contains(err.Error(), "bank") {
			t.Errorf("a client of bank asked about till: %v", err)
		}
		release()
		synctest.Wait()
		if last := page.orders[len(page.orders)-1]; len(last) != 1 || last[0].Name != "till" {
			t.Errorf("the page was told %+v last", last)
		}
	})
}
