module Shop
  class Cart
    attr_reader :rule

    def initialize
      @rule = Half.new
      @prices = []
    end

    def add(price)
      @prices << price
    end

    def total
      rule.apply(@prices.sum)
    end
  end
end
