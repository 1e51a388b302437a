package tools

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to three of the known names that someone who wrote name
// may have meant, the likeliest first. It is empty when nothing is near.
func Nearest(name string, known []string) []string {
	type candidate struct {
		name  string
		score int
	}
	var near []candidate
	wrote := fold(name)
	if wrote == "" {
		return []string{}
	}
	for _, k := range known {
		meant := fold(k)
		score := distance(wrote, meant)
		// "file" for "filePath", "depth" for "maxDepth".
		if len(wrote) >= 3 && (strings.Contains(meant, wrote) || len(meant) >= 3 && strings.Contains(wrote, meant)) {
			score = min(score, 1)
		}
		if score <= max(1, min(len(wrote), len(meant))/3) {
			near = append(near, candidate{k, score})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.score, b.score) })
	names := make([]string, 0, 3)
	for _, c := range near[:min(3, len(near))] {
		names = append(names, c.name)
	}
	return names
}

// fold brings file_path, file-path and filePath together, and bounds the work.
func fold(name string) string {
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
	return name[:min(len(name), 100)]
}

// distance is the number of single-byte insertions, deletions, substitutions
// and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
