package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pytestPackages are pytest and what it needs.
var pytestPackages = []debianPackage{
	{"python3-pytest", "7.2.1-2", "bc5df67eb9ea18beddd95eaaa1ffc7bfffc1716d3071e6f405bd22f6a0411416"},
	{"python3-pluggy", "1.0.0+repack-1", "7bda88243752fef7fd14f256ae91bf39bdcda68f83dc726db1d6d9b8b3957899"},
	{"python3-iniconfig", "1.1.1-2", "c9226a32a78fa93f9e993a4ed77fcb3ceb23c21b9d75d7ea4dc77cb016ed0d83"},
	{"python3-packaging", "23.0-1", "04adb9e09aa8ed5bd8e31d31143fb265c43dcbec70da19f21e37cbe44b0c32cf"},
	{"python3-attr", "22.2.0-1", "6a12ea96a8a909445a982975279f96d7b9a1ff96c912efff39abc8d92372694a"},
}

// fetchTests makes the sources of a code base in Python available with their tests.
func (m *measure) fetchTests(ctx context.Context, c codebase) (sources, error) {
	var s sources
	if c.Tests == nil {
		return s, errors.New("codebases.json names no tests of it")
	}
	if c.Tests.Tarball == nil {
		var err error
		if s, err = m.fetch(ctx, c); err != nil {
			return s, err
		}
		s.extra = nil
	} else {
		s.key = fmt.Sprintln(*c.Tests.Tarball, c.Tests.Keep, c.Tests.With)
		s.dir = filepath.Join(m.cache, "sources", fileName(c.Name)+"-tests-"+hash([]byte(s.key))[:12])
		err := cached(s.dir, func(dir string) error { return fetchDebianTarball(ctx, *c.Tests.Tarball, c.Tests.Keep, dir) })
		if err != nil {
			return s, err
		}
	}
	for _, list := range [][]debianPackage{pytestPackages, c.Tests.With} {
		for _, p := range list {
			dist, err := m.fetchDebian(ctx, p)
			if err != nil {
				return s, err
			}
			s.extra = append(s.extra, dist)
		}
	}
	return s, nil
}

// fetchDebianTarball unpacks the source of a package.
func fetchDebianTarball(ctx context.Context, t tarball, names []string, dir string) error {
	uri := exec.CommandContext(ctx, "apt-get", "download", "--print-uris", t.Beside)
	out, err := uri.Output()
	if err != nil {
		return fmt.Errorf("where %s is: %w", t.Beside, err)
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(string(out), "'"), "'")
	folder := address[:strings.LastIndexByte(address, '/')+1]
	temp, err := os.MkdirTemp("", "accuracy-tarball-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	file := filepath.Join(temp, t.File)
	if err := download(ctx, folder+t.File, file); err != nil {
		return err
	}
	if sum, err := hashFiles(file); err != nil || sum != t.SHA256 {
		return errors.Join(err, fmt.Errorf("%s has the SHA-256 %s, want %s", t.File, sum, t.SHA256))
	}
	unpacked := filepath.Join(temp, "unpacked")
	if err := os.Mkdir(unpacked, 0o700); err != nil {
		return err
	}
	if err := command(ctx, unpacked, "tar", "-xf", file, "--strip-components=1"); err != nil {
		return err
	}
	// The settings of pytest stand in one of these.
	for _, settings := range []string{"pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini"} {
		if isFile(filepath.Join(unpacked, settings)) {
			names = append(names, settings)
		}
	}
	return keep(unpacked, names, dir)
}

func download(ctx context.Context, address, file string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, response.Status)
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, response.Body)
	return errors.Join(err, out.Close())
}
