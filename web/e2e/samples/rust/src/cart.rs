use crate::Rule;

/// What somebody wants to buy.
pub struct Cart {
    prices: Vec<u32>,
    rule: Box<dyn Rule>,
}

impl Cart {
    pub fn new(rule: Box<dyn Rule>) -> Self {
        Cart { prices: Vec::new(), rule }
    }

    pub fn add(&mut self, price: u32) {
        self.prices.push(price);
    }

    pub fn total(&self) -> u32 {
        self.prices.iter().map(|&price| self.rule.apply(price)).sum()
    }
}
