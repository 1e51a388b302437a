//go:build !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package repo

import "math"

// descriptorBudget is how many files watching may hold open: here it opens none.
func descriptorBudget() int { return math.MaxInt }
