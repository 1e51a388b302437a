package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gitnexus/gitnexus-mcp/wsbridge"
)

// An agent sees of other graphs that there are pages, unless it may ask them; its own
// comes first.
func TestPermitted(t *testing.T) {
	page := func(repo, folder string) wsbridge.PageStatus {
		return wsbridge.PageStatus{Session: repo + folder, Context: &wsbridge.GraphContext{Repo: repo, Folder: folder}}
	}
	all := wsbridge.Status{Pages: []wsbridge.PageStatus{page("till", "2"), {Session: "empty"}, page("shop", "3"), page("shop", "1"), page("shop", "")}}
	own := wsbridge.Folder{ID: "1", Name: "shop"}
	for name, c := range map[string]struct {
		own   wsbridge.Folder
		share bool
		want  []string
	}{
		"alone":   {own, false, []string{"shop1", "shop"}},
		"sharing": {own, true, []string{"shop1", "shop", "till2", "shop3"}},
		"no repo": {wsbridge.Folder{}, false, []string{"till2", "shop3", "shop1", "shop"}},
	} {
		status := permitted(all, c.own, c.share)
		var got []string
		for _, g := range graphs(status) {
			got = append(got, g.Repo+g.Folder)
		}
		if !slices.Equal(got, c.want) || len(status.Pages) != len(all.Pages) {
			t.Errorf("%s: %v of %d pages, want %v", name, got, len(status.Pages), c.want)
		}
	}
	if all.Pages[0].Context == nil {
		t.Error("the status itself was changed")
	}
}

// The hub opens the folders of its peers, as long as they are what the peers say.
func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"shop", "till"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	options := func(repo string) wsbridge.Options {
		s := defaults()
		s.repo = filepath.Join(dir, repo)
		opt, err := bridgeOptions(s, wsbridge.Gate{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return opt
	}
	hub, peer := options("shop"), options("till")
	for _, f := range []wsbridge.Folder{hub.Folder, peer.Folder} {
		if opened, err := hub.OpenFolder(f); err != nil || opened.Stream == nil || opened.Watch == nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	if hub.Folder.ID == peer.Folder.ID || peer.Folder.Name != "till" {
		t.Errorf("%+v, %+v", hub.Folder, peer.Folder)
	}
	for _, f := range []wsbridge.Folder{{ID: "x", Path: peer.Folder.Path}, {ID: "x", Path: filepath.Join(dir, "none")}} {
		if _, err := hub.OpenFolder(f); err == nil {
			t.Errorf("%+v was opened", f)
		}
	}
	if opened, err := hub.OpenFolder(peer.Folder); err == nil {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		opened.Watch(ctx, func() {})
	}
}
