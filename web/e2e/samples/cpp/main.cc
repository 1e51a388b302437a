#include <iostream>

#include "shop/cart.h"

int main() {
  shop::Cart cart(std::make_unique<shop::Half>());
  cart.add(250);
  std::cout << cart.total() << '\n';
}
