package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"strings"
)

// tag is the released version. The linker sets it:
//
//	go build -ldflags "-X main.tag=1.2.3" ./cmd/gitnexus-mcp
var tag string

// version is what we tell clients, pages and people.
var version = versionOf(tag, debug.ReadBuildInfo)

// versionOf returns the tag of a release, the version of the module for a program
// that go install built, and "devel" for all others.
func versionOf(tag string, read func() (*debug.BuildInfo, bool)) string {
	module := ""
	if info, ok := read(); ok && info.Main.Version != "(devel)" {
		module = info.Main.Version
	}
	return strings.TrimPrefix(cmp.Or(tag, module, "devel"), "v")
}

func (p program) version(context.Context, settings) error {
	fmt.Fprint(p.stdout, "gitnexus-mcp ", version)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				fmt.Fprintf(p.stdout, " (%.12s)", s.Value)
			}
		}
		fmt.Fprint(p.stdout, " ", info.GoVersion)
	}
	fmt.Fprintln(p.stdout)
	return nil
}
