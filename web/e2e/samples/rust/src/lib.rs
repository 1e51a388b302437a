mod cart;
mod rule;

pub use cart::Cart;
pub use rule::{Half, Rule};
