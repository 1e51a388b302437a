<?php

namespace Shop;

use function Shop\Numbers\round_down;

interface Rule
{
    public function apply(int $amount): int;
}

class Half implements Rule
{
    public function apply(int $amount): int
    {
        return round_down($amount, 2);
    }
}

trait Totals
{
    public function total(): int
    {
        return $this->rule->apply(array_sum($this->prices));
    }
}

class Cart
{
    use Totals;

    /** @var int[] */
    private array $prices = [];

    public function __construct(private Rule $rule = new Half())
    {
    }

    public function add(int $price): void
    {
        $this->prices[] = $price;
    }
}
