package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A tree is a folder as it was last read, kept so that one directory of it can
// be read again alone.
type tree struct {
	root string
	opt  Options
	// enter, when set, is called before a directory is read for the first time.
	enter func(dir string)
	dirs  map[string]*directory // by path from the root, "." for the root itself
	// above are the directories from the top of the git repository down to the
	// root. Rules see paths from the top.
	above []string
	use   ignoreUse
}

// A directory is what one directory held, in the order of its names.
type directory struct {
	entries []entry
	count   int    // of all its entries, hidden ones too
	above   *rules // of the directory above
	rules   *rules // above, and those of its own ignore file
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
	t.use = ignoreUse{}
	rules, err := t.readAbove()
	if err != nil {
		return err
	}
	t.read(root, ".", rules)
	return nil
}

// readAbove finds the git repository that the folder is, or is a part of, and returns
// the rules that it has above the folder: of .git/info/exclude, and of the ignore files
// from its top on. Where they hide the folder itself they do not count: who names it
// wants what is in it.
func (t *tree) readAbove() (*rules, error) {
	t.above = nil
	top := topOf(t.root)
	above, err := t.addRules(nil, top, ".git/info/exclude", 0)
	if err != nil || top == t.root {
		return above, err
	}
	below, err := filepath.Rel(top, t.root)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(filepath.ToSlash(below), "/")
	for i := range parts {
		if above, err = t.addRules(above, filepath.Join(top, filepath.Join(parts[:i]...)), ".gitignore", i); err != nil {
			return nil, err
		}
		if above.hide(parts[:i+1], true) {
			t.use = ignoreUse{}
			return nil, nil
		}
	}
	t.above = parts
	return above, nil
}

// topOf returns the nearest folder, from dir upwards, that has a .git: the top of a
// git repository, or dir itself where there is none.
func topOf(dir string) string {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top
		}
		if top == filepath.Dir(top) {
			return dir
		}
	}
}

// addRules adds those of a file in a folder that is depth directories below the top.
func (t *tree) addRules(above *rules, dir, name string, depth int) (*rules, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	own, err := above.withFile(root, name, depth)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	if own != above {
		t.use.add(own)
	}
	return own, nil
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
		t.read(root, dir, before.above)
		now := t.dirs[dir]
		for _, e := range before.entries {
			lost = lost || e.dir && !slices.ContainsFunc(now.entries, func(other entry) bool { return other.dir && other.file.Path == e.file.Path })
		}
	}
	return lost, nil
}

// read reads one directory, and those below it that are new or whose rules have
// changed. Symbolic links are not followed, so there are no cycles.
func (t *tree) read(root *os.Root, dir string, above *rules) {
	before := t.dirs[dir]
	if before == nil && t.enter != nil {
		t.enter(dir)
	}
	d := &directory{above: above, rules: above}
	t.dirs[dir] = d
	entries, err := readDir(root, dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			d.skip(dir, "cannot be read: "+reason(err))
		}
		return
	}
	d.count = len(entries)
	parts := t.parts(dir)
	if before != nil && before.rules != before.above {
		t.use.remove(before.rules)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" && e.Type().IsRegular() }) {
		if t.use.full() {
			err = errTooManyRules
		} else if d.rules, err = above.withFile(root, path.Join(dir, ".gitignore"), len(parts)); err == nil && d.rules != above {
			t.use.add(d.rules)
		}
	}
	if err != nil {
		d.skip(dir, "left out with all that is in it: "+err.Error())
		return
	}
	same := false
	if before != nil && before.above == above && before.rules.equal(d.rules) {
		d.rules, same = before.rules, true
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !utf8.ValidString(name):
			d.skip(strings.ToValidUTF8(name, "\uFFFD"), "its name is not UTF-8")
		case isOfVersionControl(e.Name()), d.rules.hide(append(slices.Clip(parts), e.Name()), e.IsDir()):
		case !e.IsDir() && !t.opt.IncludeSecrets && holdsSecrets(name):
			d.skip(name, secretReason)
		case e.IsDir() && e.Name() == "node_modules":
			d.skip(name, "installed dependencies")
		case e.IsDir():
			d.entries = append(d.entries, entry{file: File{Path: name}, dir: true})
			if !same || t.dirs[name] == nil {
				t.read(root, name, d.rules)
			}
		case e.Type()&fs.ModeSymlink != 0:
			d.skip(name, "a symbolic link")
		case !e.Type().IsRegular():
			d.skip(name, errNotRegular.Error())
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

// readDir lists a directory in the order of its names.
func readDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := openAs(root, dir, fs.ModeDir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
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
	return d.rules.hide(t.parts(name), false)
}

// parts are those of a path from the root, seen from the top of the git repository.
func (t *tree) parts(name string) []string {
	if name == "." {
		return t.above
	}
	return append(slices.Clip(t.above), strings.Split(name, "/")...)
}

// entries counts the root and the entries of all directories, hidden ones too:
// the files that kqueue opens to watch the tree.
func (t *tree) entries() int {
	n := 1
	for _, d := range t.dirs {
		n += d.count
	}
	return n
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
