require_relative "lib/shop"

PRICES = [10, 20]

def main
  cart = Shop::Cart.new
  PRICES.each { |price| cart.add(price) }
  puts cart.total
end

main
