package wsbridge

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Gate decides who gets in, the same way before every endpoint. The zero value
// lets nobody in. Its methods may be called concurrently.
type Gate struct {
	// Port is the port that the hub listens on.
	Port int
	// Token is what every client but a v1 page has to bring. An empty token
	// admits nobody.
	Token string
	// AllowOrigins are the foreign origins that the user named, as ParseOrigin returns them.
	AllowOrigins []string
}

// Refusal says why a request does not get in. It is answered with 403.
type Refusal struct {
	// Reason is "host", "origin" or "token".
	Reason string `json:"reason"`
	// Message says what to do about it.
	Message string `json:"error"`
}

func (r *Refusal) Error() string { return r.Message }

func (r *Refusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(r)
}

// ParseOrigin normalizes an origin that the user names: scheme, host and port,
// nothing else, such as "http://localhost:5173".
func ParseOrigin(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return "", fmt.Errorf("origin %q: %w", s, err)
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("origin %q: want http:// or https://, a host, and the port if it is not the usual one", s)
	case u.Hostname() == "" || u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("origin %q: want only scheme, host and port, such as http://localhost:5173", s)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("origin %q: bad port", s)
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port), nil
}

// Admit checks Host and Origin: enough for the app's own files.
func (g Gate) Admit(r *http.Request) *Refusal {
	_, refusal := g.admit(r)
	return refusal
}

// AdmitToken checks Host, Origin and token.
func (g Gate) AdmitToken(r *http.Request) *Refusal {
	if refusal := g.Admit(r); refusal != nil {
		return refusal
	}
	if !g.tokenMatches(tokenOf(r)) {
		return &Refusal{"token", "Missing or wrong token. Open the address that `gitnexus-mcp open` prints."}
	}
	return nil
}

// AdmitV1 checks Host, and that the Origin is one the user named: a v1 page
// has no token, so nothing less will do.
func (g Gate) AdmitV1(r *http.Request) *Refusal {
	foreign, refusal := g.admit(r)
	if refusal != nil {
		return refusal
	}
	if !foreign {
		return &Refusal{"token", "A connection without the subprotocol " + Subprotocol +
			" has to come from a web page whose origin is named with --allow-origin."}
	}
	return nil
}

// admit also tells an origin that the user named from our own.
func (g Gate) admit(r *http.Request) (named bool, _ *Refusal) {
	if !g.isOwnHost(r.Host) {
		return false, &Refusal{"host", fmt.Sprintf(
			"Host %q is not this server. Use http://127.0.0.1:%d.", clip(r.Host, 80), g.Port)}
	}
	origins, present := r.Header["Origin"]
	if !present {
		return false, nil
	}
	if len(origins) == 1 {
		if o, err := ParseOrigin(origins[0]); err == nil {
			if host, ok := strings.CutPrefix(o, "http://"); ok && g.isOwnHost(host) {
				return false, nil
			}
			for _, allowed := range g.AllowOrigins {
				if o == allowed {
					return true, nil
				}
			}
		}
	}
	return false, &Refusal{"origin", fmt.Sprintf(
		"Origin %q may not connect. If you trust it, start gitnexus-mcp with --allow-origin %s.",
		clip(strings.Join(origins, " "), 80), clip(strings.Join(origins, " "), 80))}
}

func (g Gate) isOwnHost(host string) bool {
	port := ":" + strconv.Itoa(g.Port)
	switch host {
	case "127.0.0.1" + port, "localhost" + port, "[::1]" + port:
		return true
	}
	return false
}

// tokenMatches compares hashes, so that neither content nor length shows in the time it takes.
func (g Gate) tokenMatches(token string) bool {
	want, got := sha256.Sum256([]byte(g.Token)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1 && g.Token != ""
}

// tokenOf finds the token in the Authorization header or, where a browser can
// set no headers, among the WebSocket subprotocols.
func tokenOf(r *http.Request) string {
	if t, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return t
	}
	for _, p := range subprotocols(r) {
		if t, ok := strings.CutPrefix(p, TokenSubprotocol); ok {
			return t
		}
	}
	return ""
}

func subprotocols(r *http.Request) []string {
	var list []string
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			list = append(list, strings.TrimSpace(p))
		}
	}
	return list
}

// URL is the app's address, without the token.
func (g Gate) URL() string { return fmt.Sprintf("http://127.0.0.1:%d/", g.Port) }

// PairingURL is the address that hands the token to a page, in the fragment, which
// browsers send to nobody.
func (g Gate) PairingURL() string { return g.URL() + "#token=" + g.Token }
