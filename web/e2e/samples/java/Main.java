import shop.Cart;

public class Main {
  public static void main(String[] args) {
    var cart = new Cart();
    cart.add(10);
    System.out.println(cart.total());
  }
}
