package main

import "io/fs"

// openSafely is nothing here: a link is found before and after the opening.
const openSafely = 0

// isOurs does not tell: the folder's permissions decide who may write there.
func isOurs(fs.FileInfo) bool { return true }
