// Package repo reads a folder the way a developer means it: what .gitignore
// hides, what is binary and what is too large to be source stays out, and is
// counted with the reason.
package repo

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
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
}

// File is one file to read.
type File struct {
	// Path is relative to the root, with forward slashes.
	Path string
	// Size is in bytes, when it was listed.
	Size int64
}

// Skipped is one file or folder that stays out, and why.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Repo is a folder. Its methods may be called concurrently.
type Repo struct {
	root string
	name string
	opt  Options
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
	if _, err := os.ReadDir(root); err != nil {
		return nil, fmt.Errorf("folder %s: %w", dir, cmp.Or(errors.Unwrap(err), err))
	}
	opt.MaxFile = cmp.Or(opt.MaxFile, DefaultMaxFile)
	opt.MaxFiles = cmp.Or(opt.MaxFiles, DefaultMaxFiles)
	opt.MaxTotal = cmp.Or(opt.MaxTotal, DefaultMaxTotal)
	return &Repo{root: root, name: filepath.Base(root), opt: opt}, nil
}

// Name is the folder's own name.
func (r *Repo) Name() string { return r.name }

// List finds the files that look like source from outside, sorted by path.
// What .gitignore names and what version control keeps for itself is left out
// without a word; everything else that is left out is among the skipped.
func (r *Repo) List() ([]File, []Skipped, error) {
	root, err := os.OpenRoot(r.root)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }()
	l := &lister{fsys: root.FS(), opt: r.opt}
	l.dir(".", l.patterns(".git/info/exclude", nil, nil))
	slices.SortFunc(l.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return l.files, l.skipped, nil
}

type lister struct {
	fsys    fs.FS
	opt     Options
	files   []File
	skipped []Skipped
	total   int64
}

// dir lists one folder. Symbolic links are not followed, so there are no cycles.
func (l *lister) dir(dir string, above []gitignore.Pattern) {
	entries, err := fs.ReadDir(l.fsys, dir)
	if err != nil {
		l.skip(dir, "cannot be read: "+reason(err))
		return
	}
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	patterns := l.patterns(path.Join(dir, ".gitignore"), domain, above)
	ignored := gitignore.NewMatcher(patterns)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !utf8.ValidString(name):
			l.skip(strings.ToValidUTF8(name, "\uFFFD"), "its name is not UTF-8")
		case isOfVersionControl(e.Name()), ignored.Match(append(slices.Clip(domain), e.Name()), e.IsDir()):
		case e.IsDir() && e.Name() == "node_modules":
			l.skip(name, "installed dependencies")
		case e.IsDir():
			l.dir(name, patterns)
		case e.Type()&fs.ModeSymlink != 0:
			l.skip(name, "a symbolic link")
		case !e.Type().IsRegular():
			l.skip(name, "not a regular file")
		default:
			l.file(name, e)
		}
	}
}

func (l *lister) file(name string, e fs.DirEntry) {
	info, err := e.Info()
	switch {
	case err != nil:
		l.skip(name, "cannot be read: "+reason(err))
	case info.Size() > l.opt.MaxFile:
		l.skip(name, fmt.Sprintf("larger than %d KB", l.opt.MaxFile>>10))
	case len(l.files) >= l.opt.MaxFiles:
		l.skip(name, fmt.Sprintf("beyond the limit of %d files", l.opt.MaxFiles))
	case l.total+info.Size() > l.opt.MaxTotal:
		l.skip(name, fmt.Sprintf("beyond the limit of %d MB in all", l.opt.MaxTotal>>20))
	default:
		l.total += info.Size()
		l.files = append(l.files, File{name, info.Size()})
	}
}

func (l *lister) skip(name, why string) {
	l.skipped = append(l.skipped, Skipped{name, why})
}

// patterns reads an ignore file, if it is there, after those above it: later
// patterns win.
func (l *lister) patterns(file string, domain []string, above []gitignore.Pattern) []gitignore.Pattern {
	f, err := l.fsys.Open(file)
	if err != nil {
		return above
	}
	defer func() { _ = f.Close() }()
	patterns := slices.Clip(above)
	for lines := bufio.NewScanner(io.LimitReader(f, 1<<20)); lines.Scan(); {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, gitignore.ParsePattern(line, domain))
		}
	}
	return patterns
}

func isOfVersionControl(name string) bool {
	return name == ".git" || name == ".hg" || name == ".svn" || name == ".jj"
}

// errBinary says why a listed file is not sent after all.
var errBinary = errors.New("binary, or not UTF-8")

// read returns a file's text.
func (r *Repo) read(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(name))
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
	case bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 || !utf8.Valid(data):
		return nil, errBinary
	}
	return data, nil
}

// reason is an error without the path, which stands beside it anyway.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}
