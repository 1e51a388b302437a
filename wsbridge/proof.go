package wsbridge

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"
)

// ProofSubprotocol is the beginning of the second subprotocol, by which a client
// proves that it knows the token without sending it.
const ProofSubprotocol = "gitnexus.proof."

// nonceLife is how long a hub's nonce can be used.
const nonceLife = 10 * time.Second

// rawMAC is the HMAC of fields, none of which holds a newline, so that no other
// fields have the same.
func rawMAC(key []byte, fields ...string) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(strings.Join(fields, "\n")))
	return h.Sum(nil)
}

// mac is rawMAC in hexadecimal.
func mac(key string, fields ...string) string {
	return hex.EncodeToString(rawMAC([]byte(key), fields...))
}

// identity is what a client proves to be: the user's own process, which knows the
// token, a page, which has a key, or the holder of a ticket.
type identity struct {
	role string // rolePeer, rolePage or roleTicket
	id   string // of the page's key or the ticket; "token" for a peer
	key  string
}

// roleTicket is the role of a page that exchanges a ticket. It never opens a link.
const roleTicket = "ticket"

// tokenID stands for the token where a page's proof names its key.
const tokenID = "token"

func (g Gate) peer() identity { return identity{rolePeer, tokenID, g.Token} }

// identity returns what a client that names itself so has to prove, or an error when
// there is no such key.
func (g Gate) identity(role, id string) (identity, error) {
	switch {
	case role == rolePeer && id == tokenID && g.Token != "":
		return g.peer(), nil
	case role == rolePage:
		key, err := g.Pairing.key(id)
		return identity{role, id, string(key)}, err
	case role == roleTicket:
		ticket, err := g.Pairing.ticket(id)
		return identity{role, id, string(ticket.Secret)}, err
	}
	return identity{}, fs.ErrNotExist
}

// hubProof is what only a hub that knows the client's key can answer to a nonce. The
// port is in it, so that a program on one port cannot pass on the proof of a hub on another.
func (g Gate) hubProof(who identity, nonce string) string {
	return mac(who.key, "gitnexus-mcp hub", g.port(), nonce)
}

// clientProof is the subprotocol that proves to the hub that a client is who it
// says. nonce is the client's, hubNonce the hub's answer to it.
func (g Gate) clientProof(who identity, nonce, hubNonce string) string {
	return ProofSubprotocol + strings.Join([]string{who.role, who.id, nonce, hubNonce, g.clientMAC(who, nonce, hubNonce)}, ".")
}

func (g Gate) clientMAC(who identity, nonce, hubNonce string) string {
	return mac(who.key, "gitnexus-mcp client", g.port(), who.role, nonce, hubNonce)
}

// proves reports whether a client's proof is right and its nonce good, and uses up
// the nonce.
func (h *hub) proves(who identity, nonce, hubNonce, proof string) bool {
	want := h.gate.Load().clientMAC(who, nonce, hubNonce)
	return hmac.Equal([]byte(want), []byte(proof)) && h.nonces.take(nonce, hubNonce)
}

// nonces makes a hub's nonces and takes each once. A nonce carries its time and a
// seal, so that nothing is kept of those that nobody uses.
type nonces struct {
	key string // of the seal; set once

	mu   sync.Mutex
	used map[string]time.Time // and when it expires
}

func newNonces() *nonces { return &nonces{key: rand.Text(), used: make(map[string]time.Time)} }

// make returns a fresh nonce for a client's nonce.
func (n *nonces) make(clientNonce string) string {
	head := binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixNano()))
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	text := base64.RawURLEncoding.EncodeToString(append(head, random...))
	return text + n.seal(text, clientNonce)
}

// sealLength is that of a seal, in characters.
const sealLength = 32

func (n *nonces) seal(text, clientNonce string) string {
	return mac(n.key, text, clientNonce)[:sealLength]
}

// take reports whether a nonce is ours, for that client's nonce, younger than
// nonceLife and not used before, and notes that it is used now.
func (n *nonces) take(clientNonce, nonce string) bool {
	if len(nonce) <= sealLength {
		return false
	}
	text, seal := nonce[:len(nonce)-sealLength], nonce[len(nonce)-sealLength:]
	if subtle.ConstantTimeCompare([]byte(seal), []byte(n.seal(text, clientNonce))) != 1 {
		return false
	}
	head, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(head) < 8 {
		return false
	}
	now, made := time.Now(), time.Unix(0, int64(binary.BigEndian.Uint64(head)))
	if now.Sub(made) >= nonceLife {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for other, expires := range n.used {
		if !now.Before(expires) {
			delete(n.used, other)
		}
	}
	if _, again := n.used[nonce]; again {
		return false
	}
	n.used[nonce] = made.Add(nonceLife)
	return true
}

// admitProof checks Host, Origin and the proof of a WebSocket's client, and
// returns what it proved to be.
func (h *hub) admitProof(r *http.Request) (identity, *Refusal) {
	gate := h.gate.Load()
	if refusal := gate.Admit(r); refusal != nil {
		return identity{}, refusal
	}
	for _, p := range subprotocols(r) {
		rest, ok := strings.CutPrefix(p, ProofSubprotocol)
		fields := strings.Split(rest, ".")
		if !ok || len(fields) != 5 || fields[0] == roleTicket {
			continue
		}
		who, err := gate.identity(fields[0], fields[1])
		if err == nil && h.proves(who, fields[2], fields[3], fields[4]) {
			return who, nil
		}
	}
	return identity{}, &Refusal{"token", "No proof that this client has a key, or one that is used or too old. " +
		"Open the address that `gitnexus-mcp open` prints."}
}

// admitV1 checks what AdmitV1 does, and that the v1 page's process is of our user
// or that it knows the secret path.
func (h *hub) admitV1(r *http.Request) *Refusal {
	gate := h.gate.Load()
	if refusal := gate.AdmitV1(r); refusal != nil || gate.InsecureV1 {
		return refusal
	}
	if gate.Token != "" && subtle.ConstantTimeCompare([]byte(r.URL.Path), []byte(gate.V1Path())) == 1 {
		return nil
	}
	if h.visitors.owner(r) == ourUser {
		return nil
	}
	if TellsOwners(runtime.GOOS) { // else it is printed at the start
		h.opt.Log.Warn("the system does not tell whose process this page of an older app is: it can connect to this address",
			"address", fmt.Sprintf("ws://localhost:%d%s", gate.Port, gate.V1Path()))
	}
	return &Refusal{"user", "The system does not tell that this client is a process of your user. " +
		"Use the address with a secret that gitnexus-mcp prints, or start it with --insecure-v1, which admits every user of this machine."}
}

// admitSession checks Host, Origin and the session key that the hub gave a page
// in answer to its hello. It is good as long as that page's connection.
func (h *hub) admitSession(r *http.Request) *Refusal {
	if refusal := h.gate.Load().Admit(r); refusal != nil {
		return refusal
	}
	if h.sessionOf(r) == nil {
		return &Refusal{"session", "Missing or ended session key: it is given to a page in answer to its hello, and ends with that connection."}
	}
	return nil
}

// sessionOf is the connection of the page whose session key the request brings; nil
// for none.
func (h *hub) sessionOf(r *http.Request) *session {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	given := sha256.Sum256([]byte(key))
	known := h.where(func(s *session) bool {
		want := sha256.Sum256([]byte(s.key))
		return s.key != "" && subtle.ConstantTimeCompare(want[:], given[:]) == 1
	})
	if !ok || len(known) == 0 {
		return nil
	}
	return known[0]
}
