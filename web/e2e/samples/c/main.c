#include <stdio.h>

#include "cart.h"

extern const struct rule half_price;

int main(void) {
  struct cart cart = { &half_price, { 250, 300 }, 2 };
  printf("%d\n", cart_total(&cart));
  return 0;
}
