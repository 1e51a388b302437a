from abc import ABC, abstractmethod


class Rule(ABC):
    @abstractmethod
    def apply(self, amount): ...


class Discount(Rule):
    def apply(self, amount):
        return round_down(amount * 0.9)


def round_down(amount):
    return int(amount)
