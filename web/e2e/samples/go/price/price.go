package price

// Rule changes a price.
type Rule interface {
	Apply(sum int) int
}

// Discount takes a share off.
type Discount struct{ Percent int }

// Apply implements Rule.
func (d Discount) Apply(sum int) int { return sum - part(sum, d.Percent) }

func part(sum, percent int) int { return sum * percent / 100 }

// List collects prices.
type List struct{ items []int }

// Add appends a price.
func (l *List) Add(p int) { l.items = append(l.items, p) }

// Sum adds them up.
func (l *List) Sum() int {
	sum := 0
	for _, p := range l.items {
		sum += p
	}
	return sum
}
