package shop;

import java.util.ArrayList;
import java.util.List;

public class Cart {
  private final List<Integer> prices = new ArrayList<>();
  private Rule rule = new Half();

  public void add(int price) {
    prices.add(price);
  }

  public int total() {
    return rule.apply(prices.stream().mapToInt(p -> p).sum());
  }
}
