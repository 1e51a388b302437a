module Shop
  # What sells for less. Those that include it say at which rate.
  module Rule
    def apply(price)
      (price * rate).floor
    end
  end

  class Half
    include Rule

    def rate
      0.5
    end
  end
end
