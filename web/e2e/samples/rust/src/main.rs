use shop::{Cart, Half};

fn main() {
    let mut cart = Cart::new(Box::new(Half));
    cart.add(7);
    println!("{}", cart.total());
}
