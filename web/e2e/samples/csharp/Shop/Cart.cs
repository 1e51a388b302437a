using System.Collections.Generic;
using System.Linq;

namespace Shop;

public class Cart
{
    private readonly IRule rule = new Half();

    public List<int> Prices { get; } = new();

    public int Total => rule.Apply(Prices.Sum());
}

interface IRule
{
    int Apply(int amount);
}

class Half : IRule
{
    public int Apply(int amount) => amount.RoundDown(2);
}

static class Rounding
{
    public static int RoundDown(this int amount, int by) => amount / by * by;
}
