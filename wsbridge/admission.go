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
	// Token is what peers and commands have to prove that they know. An empty
	// token admits none.
	Token string
	// Pairing has the keys of the pages that may connect.
	Pairing Pairing
	// SocketDir is the folder of the socket by which peers and commands come. Default:
	// none, and they come over TCP.
	SocketDir string
	// InsecureV1 admits v1 pages of every process of every user that names an
	// allowed origin, also where they prove nothing. Then nobody is refused for being
	// another user's process. Default: false.
	InsecureV1 bool
	// AllowOrigins are the foreign origins that the user named, as ParseOrigin returns them.
	AllowOrigins []string
}

// MCPPath is where a hub answers MCP clients.
const MCPPath = "/mcp"

// Refusal says why a request does not get in. It is answered with 403, or with 401
// where the reason is "bearer".
type Refusal struct {
	// Reason is "host", "origin", "token", "page", "ticket", "bearer", "session", "user" or "version".
	Reason string `json:"reason"`
	// Message says what to do about it.
	Message string `json:"error"`
}

func (r *Refusal) Error() string { return r.Message }

func (r *Refusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	status := http.StatusForbidden
	if r.Reason == "bearer" {
		status = http.StatusUnauthorized
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.WriteHeader(status)
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

// AdmitBearer checks Host, Origin and that the client sends the token, which a
// client with an address and a header for its settings can do and no more.
func (g Gate) AdmitBearer(r *http.Request) *Refusal {
	if refusal := g.Admit(r); refusal != nil {
		return refusal
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.Token))
	if !ok || g.Token == "" || subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		return &Refusal{"bearer", "This address wants the header `Authorization: Bearer TOKEN`. " +
			"The token is GITNEXUS_TOKEN, or in the file gitnexus-mcp/token in your user configuration folder."}
	}
	return nil
}

// AdmitV1 checks Host, and that the Origin is one the user named. A v1 page proves
// nothing and any process can name any Origin: the hub also asks for V1Path, or
// whose process it is.
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
		// What another site's page embeds, such as a script or a frame, names no Origin.
		return false, fromAnotherSite(r)
	}
	if len(origins) == 1 {
		if o, err := ParseOrigin(origins[0]); err == nil {
			if host, ok := strings.CutPrefix(o, "http://"); ok && g.isOwnHost(host) {
				return false, fromAnotherSite(r)
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

// fromAnotherSite refuses what a browser says that another site asks for, unless the user
// goes to the address.
func fromAnotherSite(r *http.Request) *Refusal {
	if r.Header.Get("Sec-Fetch-Site") != "cross-site" {
		return nil
	}
	dest := r.Header.Get("Sec-Fetch-Dest")
	if r.Header.Get("Sec-Fetch-Mode") == "navigate" && (dest == "" || dest == "document") {
		return nil
	}
	return &Refusal{"origin", "Another web site may not load this. Open the address yourself."}
}

func (g Gate) isOwnHost(host string) bool {
	port := ":" + g.port()
	switch host {
	case "127.0.0.1" + port, "localhost" + port, "[::1]" + port:
		return true
	}
	return false
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

// V1Path is a path with a secret, at which a v1 page may connect that the system
// does not know to be of our user.
func (g Gate) V1Path() string { return "/v1/" + mac(g.Token, "gitnexus-mcp v1", g.port())[:32] }

func (g Gate) port() string { return strconv.Itoa(g.Port) }

// URL is the app's address, without the token.
func (g Gate) URL() string { return fmt.Sprintf("http://127.0.0.1:%d/", g.Port) }
