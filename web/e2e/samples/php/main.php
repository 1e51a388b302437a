<?php

use Shop\Cart;

require __DIR__ . '/src/Cart.php';

function main(): void
{
    $cart = new Cart();
    $cart->add(10);
    echo $cart->total();
}

main();
