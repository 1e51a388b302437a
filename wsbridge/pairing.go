package wsbridge

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// ticketLife is how long a ticket can be exchanged.
	ticketLife = time.Minute
	// keyLife is how long a page's key is kept that is not used.
	keyLife = 90 * 24 * time.Hour
	// usedEvery bounds how often the last use of a key is written down.
	usedEvery = time.Minute
)

// Pairing holds the keys of the pages that may connect, and the tickets by which
// further pages get one. Each is a file of its own in a folder that only the user
// can read: all processes with the same token share it, and removing a file is
// what uses a ticket up or revokes a key. The zero value holds none. Its methods may be called
// concurrently.
type Pairing struct {
	// Dir is the folder. It is made on first use.
	Dir string
}

// PairedPage is a browser that has a key.
type PairedPage struct {
	ID string
	// Name is what handed over the ticket, such as "open".
	Name string
	// Browser is what the browser says that it is.
	Browser           string
	Created, LastUsed time.Time
}

// DefaultPairing is the pairing of the processes that share the token.
func DefaultPairing(token string) (Pairing, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Pairing{}, fmt.Errorf("no folder for the keys of pages: %w", err)
	}
	sum := sha256.Sum256([]byte("gitnexus-mcp pages\n" + token))
	return Pairing{filepath.Join(dir, "gitnexus-mcp", "pages", hex.EncodeToString(sum[:8]))}, nil
}

// Kinds of files in the folder, by the beginning of their names.
const (
	ticketKind = "ticket-"
	pageKind   = "page-"
)

// pairingFile is the content of a file.
type pairingFile struct {
	Secret  []byte    `json:"secret"`
	Name    string    `json:"name"`
	Browser string    `json:"browser,omitempty"`
	Created time.Time `json:"created"`
}

var pairingID = regexp.MustCompile(`^[0-9a-f]{16}$`)

func (p Pairing) path(kind, id string) string { return filepath.Join(p.Dir, kind+id) }

// newTicket makes a ticket. name says what hands it over.
func (p Pairing) newTicket(name string) (id string, secret []byte, err error) {
	if p.Dir == "" {
		return "", nil, errors.New("no folder for the keys of pages")
	}
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		return "", nil, fmt.Errorf("folder for the keys of pages: %w", err)
	}
	p.sweep()
	random := make([]byte, 8)
	secret = make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	_, _ = rand.Read(secret)
	id = hex.EncodeToString(random)
	return id, secret, p.write(ticketKind, id, pairingFile{Secret: secret, Name: name, Created: time.Now()})
}

// write replaces a file in one step.
func (p Pairing) write(kind, id string, content pairingFile) error {
	tmp, err := os.CreateTemp(p.Dir, "new-*") // 0600
	if err != nil {
		return fmt.Errorf("key of a page: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone after the rename
	_, err = tmp.Write(mustMarshal(content))
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), p.path(kind, id))
	}
	if err != nil {
		return fmt.Errorf("key of a page: %w", err)
	}
	return nil
}

// read returns what a file holds. Errors: fs.ErrNotExist when there is none, others
// when it cannot be trusted.
func (p Pairing) read(kind, id string) (content pairingFile, lastUsed time.Time, err error) {
	if p.Dir == "" || !pairingID.MatchString(id) {
		return pairingFile{}, time.Time{}, fs.ErrNotExist
	}
	file := p.path(kind, id)
	info, err := os.Lstat(file)
	if err != nil {
		return pairingFile{}, time.Time{}, err
	}
	if !info.Mode().IsRegular() {
		return pairingFile{}, time.Time{}, fmt.Errorf("%s is no file", file)
	}
	if err := checkPrivate(file, info); err != nil {
		return pairingFile{}, time.Time{}, err
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	if err == nil && len(content.Secret) != sha256.Size {
		err = fmt.Errorf("%s is damaged: remove it", file)
	}
	return content, info.ModTime(), err
}

// ticket returns what is known of a ticket that can still be exchanged.
func (p Pairing) ticket(id string) (pairingFile, error) {
	content, _, err := p.read(ticketKind, id)
	if age := time.Since(content.Created); err == nil && (age < 0 || age >= ticketLife) {
		err = fs.ErrNotExist
	}
	return content, err
}

// take uses a ticket up. Of several that take it, in whichever processes, one succeeds.
func (p Pairing) take(id string) bool {
	_, err := p.ticket(id)
	return err == nil && os.Remove(p.path(ticketKind, id)) == nil
}

// key returns the key of a page. It is one error for keys that never were and for
// those that are revoked.
func (p Pairing) key(id string) ([]byte, error) {
	content, _, err := p.read(pageKind, id)
	return content.Secret, err
}

// has reports whether a page's key is there.
func (p Pairing) has(id string) bool {
	_, err := p.key(id)
	return err == nil
}

// used notes that a page has connected. It never brings back a key that is revoked.
func (p Pairing) used(id string) {
	file := p.path(pageKind, id)
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) >= usedEvery {
		_ = os.Chtimes(file, time.Time{}, time.Now())
	}
}

// Pages lists the pages that have a key, the one used last first.
func (p Pairing) Pages() ([]PairedPage, error) {
	entries, err := os.ReadDir(p.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("keys of pages: %w", err)
	}
	var pages []PairedPage
	for _, e := range entries {
		id, ok := strings.CutPrefix(e.Name(), pageKind)
		content, lastUsed, err := p.read(pageKind, id)
		if ok && err == nil {
			pages = append(pages, PairedPage{id, content.Name, content.Browser, content.Created, lastUsed})
		}
	}
	slices.SortFunc(pages, func(a, b PairedPage) int { return b.LastUsed.Compare(a.LastUsed) })
	return pages, nil
}

// Revoke removes the key of a page. A hub that has the page's link ends it once it
// is told, see CheckPages.
func (p Pairing) Revoke(id string) error {
	if !pairingID.MatchString(id) {
		return fmt.Errorf("%q is no id of a page: `gitnexus-mcp pair list` shows them", id)
	}
	err := os.Remove(p.path(pageKind, id))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no page has the id %s: `gitnexus-mcp pair list` shows them", id)
	}
	return err
}

// Clear removes all keys and tickets.
func (p Pairing) Clear() error {
	if p.Dir == "" {
		return nil
	}
	return os.RemoveAll(p.Dir)
}

// sweep removes tickets that are too old, and keys that nobody has used for keyLife.
func (p Pairing) sweep() {
	entries, _ := os.ReadDir(p.Dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		life := ticketLife // of what a process left that died while it wrote, too
		if strings.HasPrefix(e.Name(), pageKind) {
			life = keyLife
		}
		if time.Since(info.ModTime()) > life {
			_ = os.Remove(filepath.Join(p.Dir, e.Name()))
		}
	}
}

// PairingURL is an address that pairs one page, once and within a minute: the
// fragment, which browsers send to nobody, holds a ticket. name says what the
// address is for, such as "open". The query makes each address another one: what a
// program that had the port before left in the browser's cache is of none of them.
func (g Gate) PairingURL(name string) (string, error) {
	id, secret, err := g.Pairing.newTicket(name)
	if err != nil {
		return "", err
	}
	return g.URL() + "?" + id + "#ticket=" + id + "." + base64.RawURLEncoding.EncodeToString(secret), nil
}

// pageKey is the key of the page that exchanges a ticket. Both sides compute it: it is
// sent to nobody.
func (g Gate) pageKey(ticket []byte, nonce, hubNonce string) []byte {
	return rawMAC(ticket, "gitnexus-mcp page", g.port(), nonce, hubNonce)
}

// storageKey encrypts what pages keep of repositories in their browsers: 256 bits in
// base64url, the same as long as the token is.
func (g Gate) storageKey() string {
	return base64.RawURLEncoding.EncodeToString(rawMAC([]byte(g.Token), "gitnexus-mcp storage"))
}
