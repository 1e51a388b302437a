package shop;

import static java.lang.Math.floorDiv;

interface Rule {
  int apply(int amount);
}

class Half implements Rule {
  @Override
  public int apply(int amount) {
    return roundDown(amount, 2);
  }

  private static int roundDown(int amount, int by) {
    return floorDiv(amount, by);
  }
}
