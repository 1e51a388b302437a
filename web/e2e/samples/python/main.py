import shop


def main():
    cart = shop.Cart()
    cart.add(10)
    print(cart.total())


if __name__ == "__main__":
    main()
