// Package web embeds the built graph app, the folder web/dist, and serves it.
package web

import (
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"net/http"
)

// The built app is committed, so that installing the server takes Go alone.
// scripts/build.mjs makes it, and scripts/check-dist.mjs proves that it is
// what the sources build.
//
//go:embed all:dist
var embedded embed.FS

// ChatPage returns the page that MCP hosts show in a chat: one file with everything
// in it.
func ChatPage() (string, error) {
	packed, err := embedded.Open("dist/chat.html.gz")
	if err != nil {
		return "", err
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return "", err
	}
	page, err := io.ReadAll(unpacked)
	return string(page), err
}

// Handler serves the app: GET and HEAD of / and of the app's files, 404 for
// everything else. It asks for no token and checks neither Host nor Origin: the
// files hold no secret, and the hub checks Host and Origin before it and sets the
// headers that every response has. The app has its own policy and caching.
func Handler() http.Handler {
	app, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path: unreachable.
	}
	return newHandler(app)
}
