package wsbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
)

// The fuzz tests below play one side of a link and give the other whole
// conversations, one frame a line. Nothing on the far side can be trusted to
// keep to the protocol, so whatever comes: no panic, only errors that a close
// frame can say, each call settled at most once and with something that can be
// passed on, and no ill-formed frame in return.

// fuzzConn is a connection that nobody runs: what it is given to send stays in
// its queue.
func fuzzConn(ws *websocket.Conn, d dialect) *conn {
	opt := Options{}.withDefaults()
	return newConn(ws, nil, d, &opt)
}

// drain is a connection whose other end reads and forgets.
func drain(f *testing.F) *websocket.Conn {
	l := newPipeListener()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		for err == nil {
			_, _, err = conn.Read(context.Background())
		}
	})}
	go func() { _ = server.Serve(l) }()
	conn, _, err := websocket.Dial(context.Background(), "ws://127.0.0.1/", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: l.dial, DisableKeepAlives: true}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		_ = conn.CloseNow()
		_ = server.Close()
	})
	return conn
}

func checkEnd(t *testing.T, err error) {
	if _, ok := errors.AsType[*connError](refusal(err)); !ok {
		t.Fatalf("a frame ended the link with %T, which is no reason for a close frame: %v", err, err)
	}
}

func checkQueue(t *testing.T, l *conn, valid func([]byte) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, q := range l.queue {
		if !valid(q.data) {
			t.Fatalf("an ill-formed frame in return: %q", q.data)
		}
	}
}

func isFrame(data []byte) bool {
	var f frame
	return json.Unmarshal(data, &f) == nil && f.JSONRPC == "2.0"
}

func checkOutcome(t *testing.T, id string, settled <-chan outcome) {
	select {
	case o := <-settled:
		if a := o.answer; o.err == nil && a.failure == nil && !json.Valid(a.result) {
			t.Fatalf("call %s was settled with %q, which is no JSON", id, a.result)
		}
	default:
	}
	select {
	case <-settled:
		t.Fatalf("call %s was settled twice", id)
	default:
	}
}

const fuzzHello = `{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"page","version":"1","session":"s"}}`

// FuzzHub is the hub, before a page of either dialect and before a peer.
func FuzzHub(f *testing.F) {
	const (
		peer    = `{"jsonrpc":"2.0","id":"hello","method":"bridge/hello","params":{"role":"peer","version":"1","session":"p","agent":"a","pid":1,"maxMessage":70000}}`
		graph   = `{"jsonrpc":"2.0","method":"bridge/context","params":{"context":{"repo":"r","state":"ready","stats":{"files":1}}}}`
		graphV1 = `{"id":1,"type":"context","params":{"projectName":"p","stats":{"fileCount":1},"hotspots":[{"name":"n"}],"folderTree":""}}`
	)
	for _, seed := range []string{
		fuzzHello + "\n" + graph + "\n" + `{"jsonrpc":"2.0","id":"a","result":{"structuredContent":{"x":1}}}` + "\n" + `{"jsonrpc":"2.0","id":"a","result":{"structuredContent":2}}`,
		fuzzHello + "\n" + `{"jsonrpc":"2.0","method":"bridge/front"}` + "\n" + `{"jsonrpc":"2.0","id":"b","error":{"code":-32000,"message":"m","data":{"retryable":true,"details":{"candidates":[]}}}}`,
		fuzzHello + "\n" + `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1,"total":2}}` + "\n" + `{"jsonrpc":"2.0","id":"x","method":"ping"}`,
		fuzzHello + "\n" + `{"jsonrpc":"2.0","id":"a","result":{}}` + "\n" + fuzzHello,
		peer + "\n" + `{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"search","arguments":{"query":"x"},"_meta":{"agent":"a","deadlineMs":5,"readOnly":true,"repo":"r","progressToken":"c"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}`,
		peer + "\n" + `{"jsonrpc":"2.0","method":"bridge/alerts","params":{"alerts":[{"graph":"shop","code":"TIMEOUT","since":5}]}}`,
		peer + "\n" + `{"jsonrpc":"2.0","method":"bridge/agents","params":{"agents":[{"name":"a","pid":1}]}}`,
		graphV1 + "\n" + `{"id":"a","result":[1,2]}` + "\n" + `{"id":"b","error":{"message":"no"}}`,
		graphV1 + "\n" + `{"id":"a","result":null}` + "\n" + `{"type":"bye"}`,
	} {
		f.Add([]byte(seed), bytes.HasPrefix([]byte(seed), []byte(graphV1)))
	}
	conn := drain(f)
	f.Fuzz(func(t *testing.T, conversation []byte, v1 bool) {
		h := newHub(Options{Gate: Gate{Port: testPort, Token: testToken, Pairing: testPages}, App: http.NotFoundHandler(), Grace: -1})
		var d dialect = dialectV2{}
		valid := isFrame
		if v1 {
			d, valid = dialectV1{}, json.Valid
		}
		who := testPage
		if bytes.Contains(conversation, []byte(`"role":"peer"`)) {
			who = h.opt.Gate.peer()
		}
		s := newSession(h, fuzzConn(conn, d), who)
		h.sessions[s] = struct{}{}
		if v1 {
			s.welcome(helloParams{Role: rolePage, Session: "v1"})
			h.router.setContext(s.page, nil)
		}
		calls := map[string]*pendingCall{}
		for _, id := range []string{"a", "b"} {
			w, err := s.conn.pending.add(id, true, func() {})
			if err != nil {
				t.Fatal(err)
			}
			calls[id] = w
		}
		for line := range bytes.SplitSeq(conversation, []byte("\n")) {
			if err := s.conn.receive(bytes.Clone(line)); err != nil {
				checkEnd(t, err)
				break
			}
		}
		s.conn.endServing()
		checkQueue(t, s.conn, valid)
		if s.role != rolePage && s.page != nil {
			t.Fatalf("calls would go to a link of role %q", s.role)
		}
		if _, err := json.Marshal(h.Status()); err != nil {
			t.Fatal(err)
		}
		for id, w := range calls {
			checkOutcome(t, id, w.settled)
		}
	})
}

// FuzzPeer is a peer, before a hub.
func FuzzPeer(f *testing.F) {
	const welcome = `{"jsonrpc":"2.0","id":"hello","result":{"version":"1","pid":7,"heartbeatMs":15000,"repo":""}}`
	for _, seed := range []string{
		welcome + "\n" + `{"jsonrpc":"2.0","method":"bridge/pages","params":{"pages":[{"session":"s","context":{"repo":"r"}}]}}` + "\n" + `{"jsonrpc":"2.0","id":"a","result":{"structuredContent":{"x":1},"_meta":{"role":"hub","attempt":1}}}`,
		welcome + "\n" + `{"jsonrpc":"2.0","id":"a","error":{"code":-32001,"message":"m","data":{"lost":{"Reason":"gone","RetryAfter":1}}}}` + "\n" + `{"jsonrpc":"2.0","id":"b","error":{"code":-32001,"message":"m","data":{"ended":"deadline"}}}`,
		welcome + "\n" + `{"jsonrpc":"2.0","id":"a","result":{}}` + "\n" + `{"jsonrpc":"2.0","id":"b","result":[]}`,
		welcome + "\n" + `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":0.5}}` + "\n" + `{"jsonrpc":"2.0","id":"p","method":"ping"}`,
		`{"jsonrpc":"2.0","id":"hello","error":{"code":1,"message":"no"}}`,
		`{"jsonrpc":"2.0","id":"hello","result":{"pid":0}}`,
	} {
		f.Add([]byte(seed))
	}
	conn := drain(f)
	f.Fuzz(func(t *testing.T, conversation []byte) {
		p := newHubConn(fuzzConn(conn, dialectV2{}), func(*hubConn, pagesParams) {})
		calls := map[string]*pendingCall{}
		for _, id := range []string{"a", "b"} {
			w, err := p.conn.pending.add(id, true, func() {})
			if err != nil {
				t.Fatal(err)
			}
			calls[id] = w
		}
		hello, err := p.conn.pending.add("hello", false, func() {})
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.SplitSeq(conversation, []byte("\n")) {
			if err := p.conn.receive(bytes.Clone(line)); err != nil {
				checkEnd(t, err)
				break
			}
		}
		checkQueue(t, p.conn, isFrame)
		if len(hello.settled) == 1 {
			o := <-hello.settled
			if err := p.welcomed(o.answer); err == nil && p.hub.PID == 0 {
				t.Fatal("welcomed by process 0")
			}
		}
		for id, w := range calls {
			checkOutcome(t, id, w.settled)
		}
	})
}

// FuzzAdmission is the gate: a request that is let in has our host, and an
// origin that is ours, absent or named.
func FuzzAdmission(f *testing.F) {
	for _, seed := range [][3]string{
		{"127.0.0.1:54319", "", "Bearer " + testToken}, {"localhost:54319", "http://localhost:54319", ""},
		{"[::1]:54319", "http://allowed.example:5173", "gitnexus.v2, gitnexus.proof.page.0123456789abcdef.x.y.z"}, {"evil.example:54319", "null", ""},
		{"127.0.0.1:54319", "http://127.0.0.1:54319@evil.example", ""}, {"127.0.0.1:54319", "HTTP://ALLOWED.EXAMPLE:5173", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[1] != "")
	}
	gate := Gate{Port: testPort, Token: testToken, Pairing: testPages, AllowOrigins: []string{"http://allowed.example:5173"}}
	h := newHub(Options{Gate: gate, App: http.NotFoundHandler()})
	h.sessions[&session{key: testToken}] = struct{}{}
	h.sessions[&session{}] = struct{}{} // a peer has none
	ours := map[string]bool{"127.0.0.1:54319": true, "localhost:54319": true, "[::1]:54319": true}
	f.Fuzz(func(t *testing.T, host, origin, authorization string, hasOrigin bool) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		r.Header.Set("Authorization", authorization)
		if hasOrigin {
			r.Header["Origin"] = []string{origin}
		}
		named := false
		if o, err := ParseOrigin(origin); hasOrigin && err == nil {
			named = o == gate.AllowOrigins[0]
		}
		if gate.Admit(r) == nil && !ours[host] {
			t.Fatalf("host %q was let in", host)
		}
		if h.admitSession(r) == nil && authorization != "Bearer "+testToken {
			t.Fatalf("session key %q was let in", authorization)
		}
		r.Header.Set("Sec-WebSocket-Protocol", authorization)
		if _, refusal := h.admitProof(r); refusal == nil {
			t.Fatalf("proof %q was let in", authorization)
		}
		if gate.AdmitV1(r) == nil && !named {
			t.Fatalf("origin %q was let in without a token", origin)
		}
	})
}
