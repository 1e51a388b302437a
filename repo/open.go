package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// errNotRegular is the reason why special files are skipped.
var errNotRegular = errors.New("not a regular file")

// openAs opens a file for reading if it is of the given type: 0 for a regular
// file, fs.ModeDir for a directory. Anything else is not opened: a FIFO would
// block until somebody writes to it, and opening a device can act on it.
func openAs(root *os.Root, name string, kind fs.FileMode) (*os.File, error) {
	name = filepath.FromSlash(name)
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != kind {
		return nil, errNotRegular
	}
	// Another file may have taken its name since: nonBlocking, and checked again.
	f, err := root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && info.Mode().Type() != kind {
		err = errNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
