// Package web holds the graph app as web/dist was when the binary was built, and serves it.
package web

import (
	"embed"
	"io/fs"
	"net/http"
)

// The built app is committed, so that installing the server takes Go alone.
// scripts/build.mjs makes it, and scripts/check-dist.mjs proves that it is
// what the sources build.
//
//go:embed all:dist
var embedded embed.FS

// Handler serves the app: GET and HEAD of / and of the app's files, 404 for
// everything else. It asks for no token and checks neither Host nor Origin:
// the files hold no secret, and the hub's gate stands before it.
func Handler() http.Handler {
	app, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path: unreachable.
	}
	return newHandler(app)
}
