"""How many positives a simple random sample can have left unseen, counted and not approximated."""

from __future__ import annotations

from scipy.stats import hypergeom

# A probability that equals 1 - level may come out just below it.
SLACK = 1e-9


def hidden_at_most(found: int, drawn: int, population: int, level: float = 0.95) -> int:
    """Return the exact upper bound on the positives in a population of which a part was looked at.

    Parameters
    ----------
    found : int
        Positives among those drawn.
    drawn : int
        Size of the simple random sample, without replacement.
    population : int
    level : float
        Confidence of the one-sided bound, in (0, 1).

    Returns
    -------
    int
        The largest number of positives, found ones included, under which ``found`` or fewer would
        still be seen with a probability of at least 1 - ``level``.

    Raises
    ------
    ValueError
        The numbers cannot be those of a sample.
    """
    _check(found, drawn, population, level)
    low, high = found, population - drawn + found
    while low < high:
        middle = (low + high + 1) // 2
        if hypergeom.cdf(found, population, middle, drawn) >= (1 - level) * (1 - SLACK):
            low = middle
        else:
            high = middle - 1
    return low


def needed_to_exclude(hidden: int, population: int, level: float = 0.95) -> int:
    """Return the smallest sample that, with no positive in it, excludes more than ``hidden``.

    Parameters
    ----------
    hidden : int
        From 0 to the population.
    population : int
    level : float
        Confidence, in (0, 1).
    """
    _check(0, 0, population, level)
    if not 0 <= hidden <= population:
        raise ValueError("`hidden` must lie between 0 and the population")
    low, high = 0, population
    while low < high:
        middle = (low + high) // 2
        if hidden_at_most(0, middle, population, level) <= hidden:
            high = middle
        else:
            low = middle + 1
    return low


def _check(found: int, drawn: int, population: int, level: float) -> None:
    if not 0 <= found <= drawn <= population:
        raise ValueError("`found`, `drawn`, `population` must not fall, nor be below 0")
    if not 0 < level < 1:
        raise ValueError("`level` must lie between 0 and 1")
