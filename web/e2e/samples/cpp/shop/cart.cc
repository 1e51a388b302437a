#include "shop/cart.h"

namespace shop {

namespace {

int round_down(int price) { return price - price % 100; }

}  // namespace

int Half::apply(int price) const { return round_down(price / 2); }

Cart::Cart(std::unique_ptr<Rule> rule) : rule_(std::move(rule)) {}

int Cart::total() const {
  int sum = 0;
  for (int price : prices_) sum += price;
  return rule_->apply(sum);
}

}  // namespace shop
