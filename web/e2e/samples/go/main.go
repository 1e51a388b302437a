package main

import (
	"fmt"

	"example.com/shop/price"
)

type basket struct {
	price.List
	rule price.Rule
}

func (b *basket) total() int {
	return b.rule.Apply(b.Sum())
}

func main() {
	b := &basket{rule: price.Discount{Percent: 10}}
	b.Add(100)
	fmt.Println(b.total())
}
