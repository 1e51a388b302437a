require "shop/rule"
require "shop/cart"

module Shop
  class Cart
    # How many things are in it.
    def size
      @prices.size
    end
  end
end
