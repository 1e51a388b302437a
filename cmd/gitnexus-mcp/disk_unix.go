//go:build unix

package main

import "golang.org/x/sys/unix"

// freeSpace is how many bytes the user may still write at a folder.
func freeSpace(dir string) (uint64, error) {
	var stat unix.Statfs_t
	err := unix.Statfs(dir, &stat)
	return uint64(stat.Bavail) * uint64(stat.Bsize), err
}
