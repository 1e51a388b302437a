package browser

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds of what is kept.
const (
	// maxProfiles is how many profiles are kept: those that were used last.
	maxProfiles = 8
	// maxProfileAge is how long an unused one is kept.
	maxProfileAge = 30 * 24 * time.Hour
	// maxProfileSize is the size, in bytes, at which one is emptied before its next use.
	maxProfileSize = 512 << 20
)

const lockSuffix = ".lock"

// profile is a folder in the user's cache that one browser at a time uses. The
// lock file lies beside it, and its time is that of the last use. Methods may
// be called on nil, which is no profile.
type profile struct {
	dir  string
	lock *os.File
}

// openProfile opens the profile of a name, made if need be, and removes others
// that are old or too many. It fails when another browser uses it, or when the
// cache folder is not this user's own.
func openProfile(name string) (*profile, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	all := cache
	for _, part := range []string{"gitnexus-mcp", "browser"} {
		all = filepath.Join(all, part)
		if err := makePrivate(all); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256([]byte(name))
	p := &profile{dir: filepath.Join(all, hex.EncodeToString(sum[:8]))}
	if p.lock, err = lockFile(p.dir + lockSuffix); err != nil {
		return nil, fmt.Errorf("the profile %s is in use: %w", p.dir, err)
	}
	if err := p.prepare(); err != nil {
		p.close()
		return nil, err
	}
	sweepProfiles(all)
	return p, nil
}

// prepare makes the folder, empties it when it has grown too large, and removes
// the locks of a browser that was killed.
func (p *profile) prepare() error {
	now := time.Now()
	_ = os.Chtimes(p.lock.Name(), now, now)
	if folderSize(p.dir) > maxProfileSize {
		if err := os.RemoveAll(p.dir); err != nil {
			return err
		}
	}
	if err := makePrivate(p.dir); err != nil {
		return err
	}
	// While this process holds the lock, no browser runs with the profile.
	for _, name := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		if err := os.Remove(filepath.Join(p.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// close gives up the profile for others to use.
func (p *profile) close() {
	if p != nil {
		_ = p.lock.Close()
	}
}

// discard empties the profile. It must not be in use.
func (p *profile) discard() {
	if p == nil {
		return
	}
	if lock, err := lockFile(p.dir + lockSuffix); err == nil {
		removeAll(p.dir)
		_ = lock.Close()
	}
}

// sweepProfiles removes profiles that are too old or too many and not in use.
func sweepProfiles(all string) {
	entries, _ := os.ReadDir(all)
	var locks []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), lockSuffix) {
			locks = append(locks, info)
		}
	}
	slices.SortFunc(locks, func(a, b fs.FileInfo) int { return cmp.Compare(b.ModTime().UnixNano(), a.ModTime().UnixNano()) })
	for i, info := range locks {
		if i < maxProfiles && time.Since(info.ModTime()) < maxProfileAge {
			continue
		}
		name := filepath.Join(all, info.Name())
		lock, err := lockFile(name)
		if err != nil {
			continue
		}
		_ = os.RemoveAll(strings.TrimSuffix(name, lockSuffix))
		_ = lock.Close() // before the removal, for Windows
		_ = os.Remove(name)
	}
}

// makePrivate makes a folder that only this user can enter, or checks that it is one.
func makePrivate(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New(dir + " is not a folder")
	}
	return isPrivate(dir, info)
}

// folderSize is the size of all files in a folder, in bytes.
func folderSize(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
