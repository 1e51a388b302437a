package wsbridge

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{22,128}$`)

// CheckToken tells whether a token that the user chose can be used: 22 to 128
// characters of base64url, which fit into addresses, and 128 bits or more if they
// were drawn at random from the kinds of characters that are in it.
func CheckToken(token string) error {
	if !tokenForm.MatchString(token) || float64(len(token))*bitsEach(token) < 128 || distinct(token) < fewest {
		return errors.New("want 128 random bits or more, in 22 to 128 characters out of A-Z a-z 0-9 _ -; `openssl rand -hex 32` makes such a token")
	}
	return nil
}

// NewToken makes a token of 256 random bits, in 43 characters of base64url.
func NewToken() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

// fewest is the least number of different characters of a token: one that is drawn at
// random has more, and one that repeats a few is easily guessed.
const fewest = 8

func distinct(token string) int {
	seen := map[rune]bool{}
	for _, r := range token {
		seen[r] = true
	}
	return len(seen)
}

// bitsEach is what one character holds that is drawn from the kinds in token.
func bitsEach(token string) float64 {
	if strings.ContainsAny(token, "abcdef") && strings.Trim(token, "0123456789abcdef") == "" {
		return 4
	}
	size := 0
	for _, kind := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "-_"} {
		if strings.ContainsAny(token, kind) {
			size += len(kind)
		}
	}
	return math.Log2(float64(size))
}

// DefaultTokenFile is where all processes of one user share the token.
func DefaultTokenFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the token: %w; set GITNEXUS_TOKEN instead", err)
	}
	return filepath.Join(dir, "gitnexus-mcp", "token"), nil
}

// RotateToken replaces the token in the file with a new one. Processes that run take it
// when they are told, see CheckPages.
func RotateToken(file string) (string, error) {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("token: %w", err)
	}
	return LoadToken(file)
}

// LoadToken reads the token from a file that only the user can read, and makes
// it on first use. Several processes may do so at once: they get the same one.
func LoadToken(file string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("token folder: %w", err)
	}
	token, err := readToken(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	// Written to a temporary file and linked: a second process finds a whole file.
	tmp, err := os.CreateTemp(filepath.Dir(file), "token-*") // 0600
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(NewToken() + "\n")
	if err = errors.Join(err, tmp.Close()); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if err := os.Link(tmp.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		// No hard links on this file system: a rename is nearly as good.
		if err := os.Rename(tmp.Name(), file); err != nil {
			return "", fmt.Errorf("token: %w", err)
		}
	}
	return readToken(file)
}

func readToken(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if err := checkPrivate(file, info); err != nil {
		return "", err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if err := CheckToken(token); err != nil {
		return "", fmt.Errorf("token file %s: %w; remove the file to have a new one made", file, err)
	}
	return token, nil
}
