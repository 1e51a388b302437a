package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sources is a code base on disk.
type sources struct {
	dir string
	// key changes when the sources do.
	key string
	// extra are folders of packages that Python sources import.
	extra []string
}

// fetch makes the sources available, from the cache if they are there.
func (m *measure) fetch(ctx context.Context, c codebase) (sources, error) {
	if c.Self {
		return m.fetchSelf(ctx, c)
	}
	var s sources
	var fill func(dir string) error
	switch {
	case c.Go != nil:
		s.key = c.Go.Path + "@" + c.Go.Version + " " + c.Go.Sum
		fill = func(dir string) error { return fetchGo(ctx, *c.Go, dir) }
	case c.NPM != nil && c.NPM.Version != "":
		s.key = fmt.Sprintln(*c.NPM)
		fill = func(dir string) error { return fetchTarball(ctx, *c.NPM, dir) }
	case c.NPM != nil:
		lock, err := hashFiles(filepath.Join(m.project, "accuracy", "typescript", "package-lock.json"))
		if err != nil {
			return s, err
		}
		s.key = fmt.Sprintln(c.NPM.Package, c.NPM.Keep, lock)
		fill = func(dir string) error {
			return keep(filepath.Join(m.npm, "node_modules", filepath.FromSlash(c.NPM.Package)), c.NPM.Keep, dir)
		}
	default:
		s.key = fmt.Sprintln(c.Debian)
		for _, p := range c.Debian.With {
			dist, err := m.fetchDebian(ctx, p)
			if err != nil {
				return s, err
			}
			s.extra = append(s.extra, dist)
		}
		fill = func(dir string) error {
			dist, err := m.fetchDebian(ctx, c.Debian.debianPackage)
			if err != nil {
				return err
			}
			return keep(dist, c.Debian.Keep, dir)
		}
	}
	name := fileName(c.Name) + "-" + hash([]byte(s.key))[:12]
	s.dir = filepath.Join(m.cache, "sources", name)
	if c.NPM != nil {
		// Below the installed packages, so that types are found there.
		s.dir = filepath.Join(m.npm, "sources", name)
	}
	return s, cached(s.dir, fill)
}

// cached fills a folder once: what ends half-way leaves nothing behind.
func cached(dir string, fill func(dir string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // gone after the rename
	if err := errors.Join(os.Chmod(temp, 0o755), fill(temp)); err != nil {
		return err
	}
	err = os.Rename(temp, dir)
	if _, missing := os.Stat(dir); err != nil && missing == nil {
		return nil // another code base has filled it meanwhile
	}
	return err
}

func fetchGo(ctx context.Context, g goModule, dir string) error {
	module := g.Path + "@" + g.Version
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // in no module
	out, err := cmd.Output()
	var got struct{ Dir, Sum, Error string }
	if jsonErr := json.Unmarshal(out, &got); err != nil || jsonErr != nil {
		return fmt.Errorf("go mod download %s: %w", module, errors.Join(err, jsonErr, errors.New(got.Error)))
	}
	if got.Sum != g.Sum {
		return fmt.Errorf("%s has the hash %s, want %s", module, got.Sum, g.Sum)
	}
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		return err
	}
	return command(ctx, dir, "go", "mod", "download")
}

// installNPM installs what typescript/package-lock.json pins.
func (m *measure) installNPM(ctx context.Context) (err error) {
	m.npm, err = m.installLocked(ctx, "", filepath.Join(m.project, "accuracy", "typescript"))
	return err
}

// installLocked installs what the package-lock.json of a folder pins, and answers
// with where; npm checks the hashes.
func (m *measure) installLocked(ctx context.Context, prefix, from string) (string, error) {
	key, err := hashFiles(filepath.Join(from, "package-lock.json"))
	if err != nil {
		return "", err
	}
	packages := filepath.Join(m.cache, "npm-"+prefix+key[:12])
	return packages, cached(packages, func(dir string) error {
		for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
			data, err := os.ReadFile(filepath.Join(from, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
			}
			if err != nil {
				return err
			}
		}
		return command(ctx, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	})
}

// fetchTarball unpacks a package of npm, and nothing that it depends on.
func fetchTarball(ctx context.Context, p npmPackage, dir string) error {
	temp, err := os.MkdirTemp("", "accuracy-npm-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // nothing in it is needed any more
	if err := command(ctx, temp, "npm", "pack", "--silent", p.Package+"@"+p.Version); err != nil {
		return err
	}
	tarballs, err := filepath.Glob(filepath.Join(temp, "*.tgz"))
	if err != nil || len(tarballs) != 1 {
		return errors.Join(err, fmt.Errorf("npm pack %s: want one .tgz, got %d", p.Package, len(tarballs)))
	}
	data, err := os.ReadFile(tarballs[0])
	if err != nil {
		return err
	}
	sum := sha512.Sum512(data)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.Integrity {
		return fmt.Errorf("%s@%s has the hash %s, want %s", p.Package, p.Version, got, p.Integrity)
	}
	if err := command(ctx, temp, "tar", "-xzf", tarballs[0]); err != nil {
		return err
	}
	return keep(filepath.Join(temp, "package"), p.Keep, dir)
}

// fetchDebian unpacks a package and answers with the folder of its Python packages.
func (m *measure) fetchDebian(ctx context.Context, p debianPackage) (string, error) {
	dir := filepath.Join(m.cache, "debian", p.Package+"_"+p.SHA256[:12])
	err := cached(dir, func(dir string) error {
		if err := command(ctx, dir, "apt-get", "download", "-q", p.Package+"="+p.Version); err != nil {
			return fmt.Errorf("the Python code bases come from Debian 12's packages (apt-get update may help): %w", err)
		}
		debs, err := filepath.Glob(filepath.Join(dir, "*.deb"))
		if err != nil || len(debs) != 1 {
			return fmt.Errorf("%s: want one .deb, got %d", p.Package, len(debs))
		}
		if sum, err := hashFiles(debs[0]); err != nil || sum != p.SHA256 {
			return errors.Join(err, fmt.Errorf("%s %s has the SHA-256 %s, want %s", p.Package, p.Version, sum, p.SHA256))
		}
		return command(ctx, dir, "dpkg", "-x", debs[0], dir)
	})
	return filepath.Join(dir, "usr", "lib", "python3", "dist-packages"), err
}

// keep copies some files and folders of a package, but no packages within it.
func keep(from string, names []string, to string) error {
	for _, name := range names {
		source, target := filepath.Join(from, filepath.FromSlash(name)), filepath.Join(to, filepath.FromSlash(name))
		info, err := os.Stat(source)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = os.CopyFS(target, os.DirFS(source))
		} else {
			err = copyFile(source, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fetchSelf copies what git has of this project, without what is built, so that
// a run does not see what changes meanwhile. npm's packages are linked, for their types.
func (m *measure) fetchSelf(ctx context.Context, c codebase) (sources, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", m.project, "ls-files", "-z").Output()
	if err != nil {
		return sources{}, fmt.Errorf("git ls-files: %w", err)
	}
	s := sources{dir: filepath.Join(m.cache, "sources", fileName(c.Name))}
	if err := os.RemoveAll(s.dir); err != nil {
		return s, err
	}
	all := sha256.New()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if strings.HasPrefix(name, "web/dist/") && name != "web/dist/index.html" {
			continue
		}
		source := filepath.Join(m.project, filepath.FromSlash(name))
		data, err := os.ReadFile(source)
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err == nil {
			err = copyFile(source, filepath.Join(s.dir, filepath.FromSlash(name)))
		}
		if err != nil {
			return s, err
		}
		_, _ = fmt.Fprintf(all, "%s %s\n", name, hash(data))
	}
	s.key = hex.EncodeToString(all.Sum(nil))
	return s, os.Symlink(filepath.Join(m.project, "web", "node_modules"), filepath.Join(s.dir, "web", "node_modules"))
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// hashFiles is the SHA-256 of files, one after the other.
func hashFiles(names ...string) (string, error) {
	var all bytes.Buffer
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		all.Write(data)
	}
	return hash(all.Bytes()), nil
}
