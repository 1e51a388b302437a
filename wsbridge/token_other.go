//go:build !unix

package wsbridge

import "io/fs"

// checkPrivate trusts the user's configuration folder: on Windows its access
// list admits the user alone, and mode bits say nothing.
func checkPrivate(string, fs.FileInfo) error { return nil }
