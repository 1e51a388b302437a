/// What becomes of a price.
pub trait Rule {
    fn apply(&self, price: u32) -> u32;
}

pub struct Half;

impl Rule for Half {
    fn apply(&self, price: u32) -> u32 {
        round_down(f64::from(price) / 2.0)
    }
}

fn round_down(price: f64) -> u32 {
    price.floor() as u32
}
