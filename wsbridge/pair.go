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
	// are revoked. Anybody may ask: it looks at the files, and nothing else decides.
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
	gate, query := h.opt.Gate, r.URL.Query()
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
	ended := 0
	for _, s := range h.where(func(s *session) bool { return s.proven.role == rolePage }) {
		if h.checkPage(s) {
			ended++
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(mustMarshal(map[string]int{"ended": ended}))
}

// checkPage ends the link of a page whose key is revoked, and reports whether it did.
func (h *hub) checkPage(s *session) bool {
	if s.proven.role != rolePage || h.opt.Gate.Pairing.has(s.proven.id) {
		return false
	}
	s.conn.end(&connError{status: websocket.StatusPolicyViolation, reason: "its key was revoked"})
	return true
}

// CheckPages has the hub that holds the port, if there is one, end the links of pages
// whose keys are revoked, and returns how many.
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
