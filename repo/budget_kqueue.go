//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package repo

import "syscall"

// descriptorBudget is how many files watching may hold open. kqueue needs one
// for every file; links, peers and pages need the rest.
func descriptorBudget() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 128 // half of what macOS allows at least
	}
	return int(min(uint64(limit.Cur)/2, 8192))
}
