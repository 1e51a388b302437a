<?php

namespace Shop\Numbers;

function round_down(int $amount, int $by): int
{
    return intdiv($amount, $by) * $by;
}
