#include "cart.h"

static int round_down(int price) { return price - price % 100; }

static int half(int price) { return round_down(price / 2); }

const struct rule half_price = { .name = "half", .apply = half };

int cart_total(const struct cart *cart) {
  int sum = 0;
  EACH(i, cart->count) sum += cart->prices[i];
  return cart->rule->apply(sum);
}
