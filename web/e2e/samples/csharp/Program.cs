using System;
using Shop;

class Program
{
    static void Main()
    {
        var cart = new Cart();
        cart.Prices.Add(10);
        Console.WriteLine(cart.Total);
    }
}
