"""Counts of which print leaves one value: what hangs on them alone has one in every corpus."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..system.cpsat import Search
from ..system.forms import Inequality
from .check import counted
from .layout import Bools, Ending
from .margins import Margins
from .sampled import Sampled, Samples


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
    said, found = Said(samples), {}
    for one in samples.sampled:
        weight = samples.margins.layout.weight
        at = counted(one.dealt.frame(0), samples.margins.layout)
        held = set()
        for name in unknowns:
            row = samples.margins.layout.unknowns.index(name)
            values = weight[row][samples.margins.layout.of_class, one.dealt.endings].sum(axis=1)
            if (values == at[name]).all() and _proved(said, one.dropped, name, at, proved):
                held.add(name)
        found[one.name] = frozenset(held)
    return found


def _proved(
    said: Said,
    dropped: tuple[str, ...],
    name: str,
    at: Mapping[str, int],
    proved: dict[tuple[int, tuple[str, ...], str, int], bool],
) -> bool:
    """Return whether no corpus has another value of a count than one, asked once a part and way."""
    parts = said.samples.parts
    number = next(n for n, part in enumerate(parts) if name in part.layout.unknowns)
    way = said.way(number, dropped)
    key = (number, way, name, at[name])
    if key not in proved:
        proved[key] = said.no_other(number, way, [name], at[name])
    return proved[key]


@dataclass(slots=True)
class Said:
    """What is said of each part under each way, put into inequalities once.

    Parameters
    ----------
    samples : Samples
    """

    samples: Samples
    _known: dict[tuple[int, tuple[str, ...]], list[Inequality]] = field(default_factory=dict)

    def way(self, number: int, dropped: tuple[str, ...]) -> tuple[str, ...]:
        """Return what is given up of a part where some printed numbers are."""
        own = {each.id for each in self.samples.parts[number].printed}
        return tuple(id for id in dropped if id in own)

    def no_other(self, number: int, way: tuple[str, ...], names: Sequence[str], at: int) -> bool:
        """Return whether the sum of some unknowns or cells of a part can be nothing else."""
        part = self.samples.parts[number]
        if (number, way) not in self._known:
            self._known[number, way] = [*part.design(), *part.kept(way)]
        others = (
            Inequality(tuple((name, 1) for name in names), at - 1),
            Inequality(tuple((name, -1) for name in names), -at - 1),
        )
        said = self._known[number, way]
        return all(Search(part.all_ranges(), [*said, one]).found() is None for one in others)


Ends = Callable[[Ending], bool]
"""Whether an ending is one of some, the same function each time it is asked for."""


@dataclass(slots=True)
class FixedGroups:
    """Whether print leaves one value of how many matches end in some ways, told apart by counts.

    Matches are of one group if the same of some counts can take them, and do with that ending. What
    is made of counts alone, of any corpus of the design, has one value after these matches are left
    out, or given to a side, if the counts are fixed and every such group has one size.

    Parameters
    ----------
    samples : Samples
    """

    samples: Samples
    _said: Said = field(init=False)
    _known: dict[tuple[frozenset[str], Ends], bool] = field(default_factory=dict)
    _proved: dict[tuple[int, tuple[str, ...], bytes, int], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._said = Said(self.samples)

    def ending(self, counts: Collection[str], ends: Ends) -> bool:
        """Return whether under every way all groups of matches that end so have one size each.

        Parameters
        ----------
        counts : collection of str
            Unknowns, all rows of each; matches that none of them can take are of no concern.
        ends : callable
            Whether an ending is one of those.

        Raises
        ------
        Unsearched
            If a search is given up.
        """
        key = frozenset(counts), ends
        if key not in self._known:
            self._known[key] = all(
                self._one_size(number, one, group)
                for number, part in enumerate(self.samples.parts)
                for group in _groups(part, key[0], ends)
                for one in self.samples.sampled
            )
        return self._known[key]

    def _one_size(self, number: int, one: Sampled, group: Bools) -> bool:
        part = self.samples.parts[number]
        sizes = _sizes(part, one, group)
        if (sizes != sizes[0]).any():
            return False
        way, size = self._said.way(number, one.dropped), int(sizes[0])
        key = (number, way, group.tobytes(), size)
        if key not in self._proved:
            cells = [part.layout.cell(c, e) for c, e in np.argwhere(group).tolist()]
            self._proved[key] = self._said.no_other(number, way, cells, size)
        return self._proved[key]


def _groups(part: Margins, counts: Collection[str], ends: Ends) -> Iterator[Bools]:
    """Yield the groups of a part, each of shape (classes, endings)."""
    layout = part.layout
    told = [at for at, name in enumerate(layout.unknowns) if name.partition("[")[0] in counts]
    weight, found = layout.weight[told], dict[tuple[bytes, bytes], Bools]()
    so = np.array([ends(one) for one in layout.endings], dtype=np.bool_)
    for c, e in np.argwhere(layout.allowed & so).tolist():
        can = weight[:, c].any(axis=1)
        if can.any():
            key = can.tobytes(), np.ascontiguousarray(weight[:, c, e]).tobytes()
            found.setdefault(key, np.zeros(layout.allowed.shape, dtype=np.bool_))[c, e] = True
    yield from found.values()


def _sizes(part: Margins, one: Sampled, group: Bools) -> np.ndarray:  # type: ignore[type-arg]
    """Return how many matches of every corpus are of a group."""
    whole, layout = one.dealt.layout, part.layout
    place = {match.id: at for at, match in enumerate(whole.matches)}
    ending = {end: at for at, end in enumerate(layout.endings)}
    rows = [place[match.id] for match in layout.matches]
    # An ending that no match of the part may have is never looked up.
    own = np.array([ending.get(end, 0) for end in whole.endings])[one.dealt.endings[:, rows]]
    return np.asarray(group[layout.of_class, own].sum(axis=1))
