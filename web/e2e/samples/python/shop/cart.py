from .pricing import Discount, Rule


class Cart:
    def __init__(self, rule: Rule | None = None):
        self.rule = rule or Discount()
        self.items = []

    def add(self, price):
        self.items.append(price)

    def total(self):
        return self.rule.apply(sum(self.items))
