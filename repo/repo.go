// Package repo lists, watches and streams the source files of a folder. Files
// that .gitignore hides are left out; binary, too large and special files are
// skipped, with the reason.
package repo

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"
)

// Defaults of Options.
const (
	DefaultMaxFile  = 1 << 20
	DefaultMaxFiles = 200_000
	DefaultMaxTotal = 2 << 30
)

// Options bounds what is read. Zero fields mean their defaults.
type Options struct {
	// MaxFile is the largest file, in bytes, that counts as source. Default 1 MiB.
	MaxFile int64
	// MaxFiles bounds the number of files. Default 200,000.
	MaxFiles int
	// MaxTotal bounds the bytes of all files. Default 2 GiB.
	MaxTotal int64
	// IncludeSecrets lists files whose names say that they hold secrets. Default:
	// they are skipped.
	IncludeSecrets bool
}

// File is one file to read.
type File struct {
	// Path is relative to the root, with forward slashes.
	Path string
	// Size is in bytes, when it was listed.
	Size int64
	// modified is its time of modification, when it was listed.
	modified time.Time
}

// Skipped is one file or folder that stays out, and why.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Repo is a folder. Its methods may be called concurrently.
type Repo struct {
	// Set once.
	root string
	name string
	id   string
	opt  Options

	watch watch

	mu       sync.Mutex
	versions map[string]version // by path: what the files held when they were read last
}

// Open checks that dir is a folder that can be read.
func Open(dir string, opt Options) (*Repo, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("folder %s: %w", dir, err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("folder %s: %w", dir, cmp.Or(errors.Unwrap(err), err))
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("folder %s: not a folder", dir) // and not opened: it may be a FIFO
	}
	if _, err := os.ReadDir(root); err != nil {
		return nil, fmt.Errorf("folder %s: %w", dir, cmp.Or(errors.Unwrap(err), err))
	}
	opt.MaxFile = cmp.Or(opt.MaxFile, DefaultMaxFile)
	opt.MaxFiles = cmp.Or(opt.MaxFiles, DefaultMaxFiles)
	opt.MaxTotal = cmp.Or(opt.MaxTotal, DefaultMaxTotal)
	sum := sha256.Sum256([]byte(root))
	return &Repo{root: root, name: filepath.Base(root), id: base64.RawURLEncoding.EncodeToString(sum[:12]), opt: opt, versions: make(map[string]version)}, nil
}

// Name is the folder's own name.
func (r *Repo) Name() string { return r.name }

// ID stands for the folder, on this machine.
func (r *Repo) ID() string { return r.id }

// Path is where the folder is, without symbolic links.
func (r *Repo) Path() string { return r.root }

// list finds the files that look like source from outside, sorted by path.
// Files that .gitignore hides and the folders of version control do not appear;
// other files that are left out are among the skipped.
func (r *Repo) list() (listing, error) {
	t := newTree(r.root, r.opt)
	if err := t.readAll(); err != nil {
		return listing{}, err
	}
	return t.listing(), nil
}

func isOfVersionControl(name string) bool {
	return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj"
}

// errBinary is the reason why a listed file turns out to be no text.
var errBinary = errors.New("binary, or not UTF-8")

// read returns a file's text.
func (r *Repo) read(root *os.Root, name string) ([]byte, error) {
	f, err := openAs(root, name, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, r.opt.MaxFile+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > r.opt.MaxFile:
		return nil, fmt.Errorf("larger than %d KB", r.opt.MaxFile>>10)
	case !isText(data):
		return nil, errBinary
	}
	return data, nil
}

func isText(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8<<10)], 0) < 0 && utf8.Valid(data)
}

// reason is an error's text without the path, which is reported beside it.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}
