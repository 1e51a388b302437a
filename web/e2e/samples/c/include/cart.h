#ifndef CART_H
#define CART_H

#define EACH(i, count) for (int i = 0; i < (count); i++)

struct rule {
  const char *name;
  int (*apply)(int price);
};

struct cart {
  const struct rule *rule;
  int prices[8];
  int count;
};

int cart_total(const struct cart *cart);

#endif
