package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

const (
	// maxLogFile is the size, in bytes, at which a log file is rotated.
	maxLogFile = 10 << 20
	// keptLogFiles is how many rotated ones are kept: FILE.1, the youngest, to FILE.3.
	keptLogFiles = 3
)

// logFile is a log file to which several servers may append. It is used by one
// goroutine.
type logFile struct {
	path string
	file *os.File
	size int64 // to which maxLogFile applies
	torn bool  // the last write ended within a line
}

func openLogFile(path string) (*logFile, error) {
	l := &logFile{path: path, size: maxLogFile}
	return l, l.open()
}

// open opens the file, made if need be. It takes neither a link, which could
// lead into any file that this user can write, nor another user's file, which
// that user could read or replace, nor a FIFO or a device.
func (l *logFile) open() error {
	before, err := os.Lstat(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		if err := checkLogFile(before); err != nil {
			return fmt.Errorf("%s: %w", l.path, err)
		}
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|openSafely, 0o600)
	if err != nil {
		return err
	}
	// Another file may have taken its place between the two.
	info, err := f.Stat()
	if err == nil {
		err = checkLogFile(info)
	}
	if err == nil && before != nil && !os.SameFile(before, info) {
		err = errors.New("was replaced while it was opened")
	}
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("%s: %w", l.path, err)
	}
	l.file = f
	return nil
}

func checkLogFile(info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("is a symbolic link; name the file itself")
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	case !isOurs(info):
		return errors.New("belongs to another user")
	}
	return nil
}

// Write appends lines. After an error the next Write tries again.
func (l *logFile) Write(p []byte) (int, error) {
	if err := l.ready(len(p)); err != nil {
		return 0, err
	}
	if l.torn {
		if _, err := l.file.Write([]byte{'\n'}); err != nil {
			return 0, err
		}
		l.torn = false
	}
	n, err := l.file.Write(p)
	l.torn = err != nil && n > 0 && p[n-1] != '\n'
	return n, err
}

// ready rotates the file when n more bytes are too many, and opens it again when
// another server has rotated it or somebody has removed it.
func (l *logFile) ready(n int) error {
	var open, named fs.FileInfo
	if l.file != nil {
		var err error
		if open, err = l.file.Stat(); err != nil {
			return err
		}
		named, err = os.Lstat(l.path)
		if err == nil && os.SameFile(open, named) && (open.Size() == 0 || open.Size()+int64(n) <= l.size) {
			return nil
		}
		l.close()
		if err == nil && os.SameFile(open, named) {
			l.rotate()
		}
	}
	return l.open()
}

// rotate moves the file and those before it on by one; the oldest goes. Where
// that fails the log goes on in the same file.
func (l *logFile) rotate() {
	name := func(i int) string { return fmt.Sprintf("%s.%d", l.path, i) }
	_ = os.Remove(name(keptLogFiles))
	for i := keptLogFiles - 1; i >= 1; i-- {
		_ = os.Rename(name(i), name(i+1))
	}
	_ = os.Rename(l.path, name(1))
}

func (l *logFile) close() {
	if l.file != nil {
		_ = l.file.Close()
		l.file = nil
	}
}
