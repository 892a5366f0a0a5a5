"""Rates as people read them."""


def of_hundred(rate: float) -> str:
    """A rate between 0 and 1 as a whole number of 100, halves rounded up."""
    return str(int(rate * 100 + 0.5))
