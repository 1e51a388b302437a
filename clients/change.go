package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Change is what one file is to become.
type Change struct {
	File          string
	Before, After []byte
	// New says that there is no such file yet.
	New bool
	// Removed says that the file goes. Its folder goes, too, when nothing is left in it.
	Removed bool
	// Ours says that this program wrote all that the file has: no copy is kept.
	Ours bool
}

// Changed tells whether there is anything to write.
func (c Change) Changed() bool { return c.Removed || !bytes.Equal(c.Before, c.After) }

// Install says how the file of a client takes the server in.
func Install(c Client, file string, s Server) (Change, error) {
	return edit(file, func(text []byte) ([]byte, error) {
		if filepath.Ext(file) == ".toml" {
			return setTOML(text, []string{c.key, s.Name}, c.fields(s))
		}
		return setJSON(text, []string{c.key, s.Name}, c.fields(s))
	})
}

// Uninstall says how the file of a client loses the server of that name.
func Uninstall(c Client, file, name string) (Change, error) {
	return edit(file, func(text []byte) ([]byte, error) {
		if filepath.Ext(file) == ".toml" {
			return removeTOML(text, []string{c.key, name})
		}
		return removeJSON(text, []string{c.key, name})
	})
}

// Entry is the command line of the server of that name in the file of a client,
// nil where there is none.
func Entry(c Client, file, name string) ([]string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	read := readJSON
	if filepath.Ext(file) == ".toml" {
		read = readTOML
	}
	entry, err := read(text, []string{c.key, name})
	if err != nil || entry == nil {
		return nil, err
	}
	line := stringsOf(entry["command"])
	return append(line, stringsOf(entry["args"])...), nil
}

// stringsOf takes a string, or the strings of a list.
func stringsOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

// edit reads a file, which need not exist, and changes its text.
func edit(file string, change func([]byte) ([]byte, error)) (Change, error) {
	text, err := os.ReadFile(file)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		return Change{}, err
	}
	after, err := change(text)
	if err != nil {
		return Change{}, fmt.Errorf("%s: %w; it was left as it is", file, err)
	}
	return Change{File: file, Before: text, After: after, New: isNew}, nil
}

// Write puts the change on disk and returns the path of the copy of the former
// file, "" for a new one. A symbolic link stays one: its target is written.
func (c Change) Write(now time.Time) (backup string, err error) {
	file, mode := c.File, fs.FileMode(0o600)
	if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if file, err = target(file); err != nil {
			return "", err
		}
	}
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	if !c.New && !c.Ours {
		backup = file + now.UTC().Format(".20060102-150405.000") + ".bak"
		if err := os.WriteFile(backup, c.Before, mode); err != nil {
			return "", err
		}
	}
	if c.Removed {
		if err := os.Remove(file); err != nil {
			return backup, err
		}
		_ = os.Remove(filepath.Dir(file)) // fails when something is left in it
		return backup, nil
	}
	return backup, replace(file, c.After, mode)
}

// target follows a symbolic link, also one whose target does not exist yet.
func target(link string) (string, error) {
	file, err := filepath.EvalSymlinks(link)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	to, err := os.Readlink(link)
	if err == nil && !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(link), to)
	}
	return to, err
}

// replace writes a file so that a reader sees the old one or the new one, never
// a part.
func replace(file string, text []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".gitnexus-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Close(), os.Chmod(tmp.Name(), mode)); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// Diff shows the lines that go and those that come. It shows no lines around
// them: those may hold the keys of other servers.
func (c Change) Diff() string {
	before, after := slices.Collect(strings.Lines(string(c.Before))), slices.Collect(strings.Lines(string(c.After)))
	if c.Removed {
		after = nil
	}
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	before, after = before[head:], after[head:]
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@@ line %d @@\n", head+1)
	for _, part := range []struct {
		sign  string
		lines []string
	}{{"-", before}, {"+", after}} {
		for _, line := range part.lines {
			b.WriteString(part.sign + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return b.String()
}
