"""Counts of which print leaves one value: what hangs on them alone has one in every corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..system.cpsat import Search
from ..system.forms import Inequality
from .check import counted
from .sampled import Samples


def fixed_counts(samples: Samples, names: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return which counts have one value in every corpus, by the name of each way.

    A count that differs between samples is not fixed; of the others it is proved that no corpus
    has any other value.

    Parameters
    ----------
    samples : Samples
    names : iterable of str
        Unknowns, all rows of each.

    Raises
    ------
    Unsearched
        If a search is given up.
    """
    wanted = frozenset(names)
    unknowns = [u for u in samples.margins.layout.unknowns if u.partition("[")[0] in wanted]
    proved: dict[tuple[int, tuple[str, ...], str, int], bool] = {}
    found = {}
    for one in samples.sampled:
        weight = samples.margins.layout.weight
        at = counted(one.dealt.frame(0), samples.margins.layout)
        held = set()
        for name in unknowns:
            row = samples.margins.layout.unknowns.index(name)
            values = weight[row][samples.margins.layout.of_class, one.dealt.endings].sum(axis=1)
            if (values == at[name]).all() and _proved(samples, one.dropped, name, at, proved):
                held.add(name)
        found[one.name] = frozenset(held)
    return found


def _proved(
    samples: Samples,
    dropped: tuple[str, ...],
    name: str,
    at: Mapping[str, int],
    proved: dict[tuple[int, tuple[str, ...], str, int], bool],
) -> bool:
    """Return whether no corpus has another value of a count than one, asked once a part and way."""
    number = next(n for n, part in enumerate(samples.parts) if name in part.layout.unknowns)
    part = samples.parts[number]
    way = tuple(id for id in dropped if id in {one.id for one in part.printed})
    key = (number, way, name, at[name])
    if key not in proved:
        said = [*part.design(), *part.kept(way)]
        others = (
            Inequality(((name, 1),), at[name] - 1),
            Inequality(((name, -1),), -at[name] - 1),
        )
        proved[key] = all(
            Search(part.all_ranges(), [*said, other]).found() is None for other in others
        )
    return proved[key]
