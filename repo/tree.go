package repo

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// A tree is a folder as it was last read, kept so that one directory of it can
// be read again alone.
type tree struct {
	root string
	opt  Options
	// enter, when set, is called before a directory is read for the first time.
	enter func(dir string)
	dirs  map[string]*directory // by path from the root, "." for the root itself
}

// A directory is what one directory held, in the order of its names.
type directory struct {
	entries []entry
	// ignore is its ignore file; patterns are those above it and its own.
	ignore          []byte
	above, patterns []gitignore.Pattern
}

// An entry is a file, a directory below, or, with a reason, what is skipped.
type entry struct {
	file   File
	dir    bool
	reason string
}

// A listing is the folder's files, sorted by path, and what is left out.
type listing struct {
	files   []File
	skipped []Skipped
}

func newTree(root string, opt Options) *tree {
	return &tree{root: root, opt: opt, dirs: make(map[string]*directory)}
}

// readAll reads the whole folder. It fails when the folder itself cannot be opened.
func (t *tree) readAll() error {
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	clear(t.dirs)
	exclude := readIgnore(root.FS(), ".git/info/exclude")
	t.read(root.FS(), ".", parsePatterns(nil, exclude, nil))
	return nil
}

// reread reads directories again, and what is new below them. It reports
// whether a directory went away: then others may have moved, too.
func (t *tree) reread(dirs map[string]bool) (lost bool, err error) {
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return false, err
	}
	defer func() { _ = root.Close() }()
	for dir := range dirs {
		before := t.dirs[dir]
		if before == nil {
			continue // it went away, or is ignored
		}
		t.read(root.FS(), dir, before.above)
		now := t.dirs[dir]
		for _, e := range before.entries {
			lost = lost || e.dir && !slices.ContainsFunc(now.entries, func(other entry) bool { return other.dir && other.file.Path == e.file.Path })
		}
	}
	return lost, nil
}

// read reads one directory, and those below it that it has not read yet or for
// which other patterns hold now. Symbolic links are not followed, so there are
// no cycles.
func (t *tree) read(fsys fs.FS, dir string, above []gitignore.Pattern) {
	before := t.dirs[dir]
	if before == nil && t.enter != nil {
		t.enter(dir)
	}
	d := &directory{ignore: readIgnore(fsys, path.Join(dir, ".gitignore")), above: above}
	t.dirs[dir] = d
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	d.patterns = parsePatterns(above, d.ignore, domain)
	same := before != nil && bytes.Equal(before.ignore, d.ignore) && slices.Equal(before.above, above)
	ignored := gitignore.NewMatcher(d.patterns)
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			d.skip(dir, "cannot be read: "+reason(err))
		}
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !utf8.ValidString(name):
			d.skip(strings.ToValidUTF8(name, "\uFFFD"), "its name is not UTF-8")
		case isOfVersionControl(e.Name()), ignored.Match(append(slices.Clip(domain), e.Name()), e.IsDir()):
		case e.IsDir() && e.Name() == "node_modules":
			d.skip(name, "installed dependencies")
		case e.IsDir():
			d.entries = append(d.entries, entry{file: File{Path: name}, dir: true})
			if !same || t.dirs[name] == nil {
				t.read(fsys, name, d.patterns)
			}
		case e.Type()&fs.ModeSymlink != 0:
			d.skip(name, "a symbolic link")
		case !e.Type().IsRegular():
			d.skip(name, "not a regular file")
		default:
			info, err := e.Info()
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				d.skip(name, "cannot be read: "+reason(err))
			case info.Size() > t.opt.MaxFile:
				d.skip(name, fmt.Sprintf("larger than %d KB", t.opt.MaxFile>>10))
			default:
				d.entries = append(d.entries, entry{file: File{name, info.Size(), info.ModTime()}})
			}
		}
	}
}

func (d *directory) skip(name, why string) {
	d.entries = append(d.entries, entry{file: File{Path: name}, reason: why})
}

// ignores tells whether what changed at a path is hidden by the patterns of its directory.
func (t *tree) ignores(name string) bool {
	d := t.dirs[path.Dir(name)]
	if d == nil || isOfVersionControl(path.Base(name)) {
		return true
	}
	// A pattern for directories alone may name it too: the next reading knows.
	return gitignore.NewMatcher(d.patterns).Match(strings.Split(name, "/"), false)
}

// listing lists all that was read, within the limits.
func (t *tree) listing() listing {
	var l listing
	total := int64(0)
	var visit func(dir string)
	visit = func(dir string) {
		for _, e := range t.dirs[dir].entries {
			name := e.file.Path
			switch {
			case e.dir:
				if t.dirs[name] != nil {
					visit(name)
				}
			case e.reason != "":
				l.skipped = append(l.skipped, Skipped{name, e.reason})
			case len(l.files) >= t.opt.MaxFiles:
				l.skipped = append(l.skipped, Skipped{name, fmt.Sprintf("beyond the limit of %d files", t.opt.MaxFiles)})
			case total+e.file.Size > t.opt.MaxTotal:
				l.skipped = append(l.skipped, Skipped{name, fmt.Sprintf("beyond the limit of %d MB in all", t.opt.MaxTotal>>20)})
			default:
				total += e.file.Size
				l.files = append(l.files, e.file)
			}
		}
	}
	visit(".")
	slices.SortFunc(l.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return l
}

func readIgnore(fsys fs.FS, name string) []byte {
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return nil
	}
	return data
}

// parsePatterns adds the patterns of an ignore file to those above it: later ones win.
func parsePatterns(above []gitignore.Pattern, ignore []byte, domain []string) []gitignore.Pattern {
	patterns := slices.Clip(above)
	for lines := bufio.NewScanner(bytes.NewReader(ignore)); lines.Scan(); {
		line := strings.TrimSuffix(lines.Text(), "\r")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, gitignore.ParsePattern(line, domain))
		}
	}
	return patterns
}
