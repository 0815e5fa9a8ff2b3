"""Claims on matches under every way to read the matches that print bears on.

No rating enters, so that of all choices those are left that say which matches count and who won
them: what a disqualified match counts as, a right declaration in mode A, a match without an
outcome. What repeats itself word for word, what had leaked and whose verdicts decide, no print
tells; which experiments a claim speaks of stands in its estimand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from audit.estimates.run import Part, parts_of
from audit.multiverse.choices import Declaration, Disqualification, Experiment, OpenMatches
from audit.multiverse.reading import Columns
from audit.multiverse.settings import specification_of
from audit.multiverse.specification import Specification
from audit.numbers._check import FloatArray
from audit.printed.corpora.file import HangsOn
from audit.printed.corpora.fixed import Ends, FixedGroups, fixed_counts
from audit.printed.corpora.layout import Bools, Ending
from audit.printed.corpora.sampled import Samples
from games.words import End, Game, Mode, Void

from .loaded import Print

ESTIMATED = 4
"""Corpora a way on which estimates of matches are made."""


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """Estimands of matches in sampled corpora under every way to read the matches.

    Attributes
    ----------
    specifications : tuple of Specification
        The study's own first; they differ in what the matches are and in nothing else.
    values : dict
        Estimand to values of shape (ways, corpora, specifications); NaN where undefined.
    settled : dict
        Estimand to whether under each specification print leaves one value of all that it hangs
        on, shape (specifications,): then its value is that of any corpus of the way.
    """

    specifications: tuple[Specification, ...]
    values: dict[str, FloatArray]
    settled: dict[str, Bools]


def readings_of(told: Print, drawn: Samples, wanted: Collection[str]) -> Readings:
    """Return some estimands of matches in some corpora of every way.

    Parameters
    ----------
    told : Print
    drawn : Samples
    wanted : collection of str
        Estimands that need no rating.

    Raises
    ------
    Unsearched
        If a search for whole numbers is given up.
    """
    specs = specifications_of_matches(specification_of(told.study), drawn.margins.layout.endings)
    corpora = min(ESTIMATED, len(drawn.sampled[0].dealt))
    shape = (len(drawn.sampled), corpora, len(specs))
    found: dict[str, FloatArray] = {name: np.full(shape, np.nan) for name in wanted}
    parts, horizon = parts_of(told.study, wanted), told.study.horizons()[Game.AIDG_II]
    for way, one in enumerate(drawn.sampled):
        for row in range(corpora):
            read = _estimates(one.dealt.frame(row), specs, parts, horizon)
            for name in wanted:
                found[name][way, row] = [values[name] for values in read]
    return Readings(specs, found, _settled(drawn, told.file.hangs_on, specs, wanted))


def specifications_of_matches(
    base: Specification, endings: Sequence[Ending]
) -> tuple[Specification, ...]:
    """Return the study's own way to read the matches, then every other that print bears on.

    A level that reads no match otherwise, of all that may be, is left out.
    """
    levels: list[list[Any]] = []
    for axis, ends in _READ_OTHERWISE.items():
        own = getattr(base, axis)
        others = [level for level in _LEVELS[axis] if level is not own]
        kept = [each for each in others if _concerns((*ends(own), *ends(each)), endings)]
        levels.append([own, *kept])
    every = [
        replace(base, **dict(zip(_READ_OTHERWISE, chosen, strict=True)))
        for chosen in product(*levels)
    ]
    return tuple(sorted(every, key=lambda spec: (spec != base, spec.signature)))


def _estimates(
    corpus: pd.DataFrame, specs: Sequence[Specification], parts: Sequence[Part], horizon: int
) -> list[dict[str, float]]:
    """Return what a corpus gives under every specification.

    What is read alike is estimated once: a part that hangs on one game alone sees that game alone.
    """
    columns, known = Columns.of(corpus), dict[tuple[object, ...], dict[str, float]]()
    games, found = corpus["game"].to_numpy(), list[dict[str, float]]()
    for spec in specs:
        reading = columns.read(replace(spec, experiment=Experiment.POOLED), horizon)
        frame, values = columns.frame(reading), dict[str, float]()
        for number, part in enumerate(parts):
            own = np.isin(games[reading.rows], [game.value for game in part.games])
            seen = (reading.rows[own].tobytes(), reading.won[own].tobytes(), *reading.end[own])
            if (number, seen) not in known:
                section = part.of(frame).values
                known[number, seen] = {name: one.value for name, one in section.items()}
            values |= known[number, seen]
        found.append(values)
    return found


def _settled(
    drawn: Samples,
    lines: Sequence[HangsOn],
    specs: Sequence[Specification],
    wanted: Collection[str],
) -> dict[str, Bools]:
    """Return where print leaves one value of every count on which an estimand hangs.

    Another reading than the study's own is settled if, beside those counts, print leaves one value
    of how many matches it reads otherwise.
    """
    fixed = fixed_counts(drawn, {count for line in lines for count in line.counts})
    layout, groups = drawn.margins.layout, FixedGroups(drawn)
    # Where Seekers may declare in both modes an ending does not say which matches a reading is on.
    told = all(one.modes == (Mode.A,) for one in layout.endings if _by_declaring(one))
    found: dict[str, Bools] = {name: np.zeros(len(specs), dtype=np.bool_) for name in wanted}
    for line in lines:
        rows = {name for name in layout.unknowns if name.partition("[")[0] in line.counts}
        if not all(rows <= held for held in fixed.values()):
            continue
        settled = [
            (told or spec.declaration is specs[0].declaration)
            and all(groups.ending(line.counts, ends) for ends in _otherwise(specs[0], spec))
            for spec in specs
        ]
        for name in found.keys() & set(line.estimands):
            found[name] = np.array(settled, dtype=np.bool_)
    return found


def _otherwise(base: Specification, spec: Specification) -> tuple[Ends, ...]:
    """Return which endings have the matches that two specifications read unlike each other."""
    found: list[Ends] = []
    for axis, ends in _READ_OTHERWISE.items():
        own, other = getattr(base, axis), getattr(spec, axis)
        if own is not other:
            found += [*ends(own), *ends(other)]
    return tuple(found)


def _concerns(turned: Sequence[Ends], endings: Sequence[Ending]) -> bool:
    return any(ends(one) for ends in turned for one in endings)


def _disqualified(level: Disqualification) -> tuple[Ends, ...]:
    return (_by_breaking,) if level is Disqualification.EXCLUDED else ()


def _declared(level: Declaration) -> tuple[Ends, ...]:
    return (_by_declaring,) if level is Declaration.EXCLUDED else ()


def _open(level: OpenMatches) -> tuple[Ends, ...]:
    if level is OpenMatches.EXCLUDED:
        return ()
    if level is OpenMatches.FORFEITED:
        return (_by_seeker, _by_holder)
    return (_without_outcome,)


def _by_breaking(one: Ending) -> bool:
    return one.end is End.DISQUALIFIED


def _by_declaring(one: Ending) -> bool:
    return one.end is End.DECLARATION


def _by_seeker(one: Ending) -> bool:
    return one.void is Void.SEEKER_FAULT


def _by_holder(one: Ending) -> bool:
    return one.void is Void.HOLDER_FAULT


def _without_outcome(one: Ending) -> bool:
    return one.void is not None


_READ_OTHERWISE: Mapping[str, Callable[..., tuple[Ends, ...]]] = {
    "disqualification": _disqualified,
    "declaration": _declared,
    "open_matches": _open,
}
# A tie or a weight changes no share; what had leaked no print tells.
_LEVELS: Mapping[str, tuple[StrEnum, ...]] = {
    "disqualification": (Disqualification.HOLDER_WIN, Disqualification.EXCLUDED),
    "declaration": (Declaration.COUNTS, Declaration.EXCLUDED),
    "open_matches": tuple(OpenMatches),
}
