package wsbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/gitnexus/gitnexus-mcp/sanitize"
)

const (
	// pairPath is where a page exchanges a ticket.
	pairPath = "/api/pair"
	// checkPagesPath is where the hub is asked to end the links of pages whose keys
	// are revoked, and to look whether there is another token. Anybody may ask: it looks
	// at the files, and nothing else decides.
	checkPagesPath = "/api/check-pages"
)

// pair answers POST /api/pair?id=TICKET&nonce=N&hubNonce=H&proof=P&page=ID: a page that
// proves that it has a ticket gets a key. Both sides compute that key. A page that has a
// key already says which, and keeps it.
func (h *hub) pair(w http.ResponseWriter, r *http.Request) {
	h.allowOrigin(w, r)
	if r.Method != http.MethodPost {
		http.Error(w, "only POST is taken here", http.StatusMethodNotAllowed)
		return
	}
	gate, query := h.gate.Load(), r.URL.Query()
	id, nonce, hubNonce := query.Get("id"), query.Get("nonce"), query.Get("hubNonce")
	ticket, err := gate.Pairing.ticket(id)
	if err != nil || !h.proves(identity{roleTicket, id, string(ticket.Secret)}, nonce, hubNonce, query.Get("proof")) || !gate.Pairing.take(id) {
		h.noSuchKey(w, roleTicket, cmp.Or(err, fs.ErrNotExist))
		return
	}
	page := query.Get("page")
	if page == "" || !gate.Pairing.has(page) {
		page = id
		err = gate.Pairing.write(pageKind, page, pairingFile{
			Secret: gate.pageKey(ticket.Secret, nonce, hubNonce), Name: ticket.Name, Browser: browserName(r.UserAgent()), Created: time.Now(),
		})
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if err != nil {
		h.opt.Log.Error("a page cannot be paired", "reason", err)
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write(mustMarshal(map[string]string{"error": "The key of this page cannot be kept: the server's log says why."}))
		return
	}
	_, _ = w.Write(mustMarshal(map[string]string{"page": page}))
}

// checkPages answers POST /api/check-pages.
func (h *hub) checkPages(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "only POST is taken here", http.StatusMethodNotAllowed)
		return
	}
	renewed := h.renew()
	if renewed {
		h.mu.Lock()
		end := h.endToken
		h.tokenLife, h.endToken = context.WithCancel(h.stop)
		h.mu.Unlock()
		end()
	}
	ended := 0
	for _, s := range h.where(func(*session) bool { return true }) {
		if renewed && s.proven.role == "" && !h.gate.Load().InsecureV1 { // a v1 page: its secret address is made of the token
			s.conn.end(errOtherToken)
			ended++
		} else if h.checkProof(s) {
			ended++
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(mustMarshal(map[string]int{"ended": ended}))
}

// errOtherToken ends the links that were proven by a token that is no more. A peer that
// has the new one comes back.
var errOtherToken = &connError{status: websocket.StatusGoingAway, reason: "there is another token now"}

// checkProof ends the link of a page whose key is revoked, and of a peer that proved
// another token than the present one, and reports whether it did.
func (h *hub) checkProof(s *session) bool {
	gate := h.gate.Load()
	switch {
	case s.proven.role == rolePage && !gate.Pairing.has(s.proven.id):
		s.conn.end(&connError{status: websocket.StatusPolicyViolation, reason: "its key was revoked"})
	case s.proven.role == rolePeer && s.proven.key != gate.Token:
		s.conn.end(errOtherToken)
	default:
		return false
	}
	return true
}

// CheckPages has the hub that holds the port, if there is one, end the links of pages
// whose keys are revoked, and take the token that is in the user's file by now. It
// returns how many links have ended.
func CheckPages(ctx context.Context, gate Gate) (ended int, err error) {
	ctx, cancel := context.WithTimeout(ctx, DefaultHelloTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, gate.URL()+checkPagesPath[1:], http.NoBody)
	if err != nil {
		return 0, err
	}
	resp, err := AskHub(gate, req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct{ Ended int }
	if err := json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&answer); err != nil || resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the hub did not look at its pages (HTTP status %d)", resp.StatusCode)
	}
	return answer.Ended, nil
}

// browserName says in words which browser a User-Agent header is of.
func browserName(userAgent string) string {
	name := "unknown browser"
	for _, known := range [][2]string{
		{"HeadlessChrome/", "headless Chrome"}, {"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	} {
		if _, version, ok := strings.Cut(userAgent, known[0]); ok {
			major, _, _ := strings.Cut(version, ".")
			name = known[1] + " " + major
			if known[1] == "Safari" { // that number is WebKit's
				name = known[1]
			}
			break
		}
	}
	for _, system := range [][2]string{{"Windows", "Windows"}, {"Android", "Android"}, {"iPhone", "iOS"}, {"iPad", "iOS"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}} {
		if strings.Contains(userAgent, system[0]) {
			name += " on " + system[1]
			break
		}
	}
	return sanitize.Name(name, maxName)
}
