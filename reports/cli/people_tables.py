"""What people's labels say, as tables for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.correction.figures import Figure
    from audit.correction.run import Correction
    from audit.numbers.estimate import Estimate, Interval
    from audit.verdicts.people import Comparison
    from audit.with_people import WithPeople

BRIEF = frozenset(
    {
        *("agreement", "kappa", "linear kappa", "ac1", "prevalence index", "bias index"),
        *("alpha, nominal", "alpha, ordinal"),
    }
)


def print_people(people: WithPeople) -> None:
    """Print agreement, confusion and corrected numbers; nothing where nobody labelled."""
    from audit.verdicts.people import BY_CATEGORY, EVERYTHING

    from .show import print_table

    if not people.comparisons:
        return
    whole = [one for one in people.comparisons if one.stratum in (EVERYTHING, BY_CATEGORY)]
    print_table(
        ("raters and item", "measure", "sample", "95 % interval", "population", "n"),
        [row for one in whole for row in _measures(one)],
        "how raters agree; the population by the probability of being drawn",
    )
    print_table(
        ("raters and item", "first says", "second says", "items", "weight"),
        [row for one in whole for row in _confusion(one)],
        "who said what",
    )
    if people.correction is not None:
        _print_correction(people.correction)


def _print_correction(correction: Correction) -> None:
    from .show import cell_text, print_table

    parts = correction.parts
    print_table(
        ("number", "arbiter", "people alone", "corrected", "95 % interval", "width"),
        [_corrected(figure) for figure in correction.figures],
        f"corrected by {parts.labels} labels",
    )
    for estimand in correction.estimands:
        print(f"estimand: {estimand}")
    print("a share of won matches is a bound: people labelled items, and no match was continued")
    if not parts.drawn:
        print(
            "the probability of being drawn is not known: "
            "labels count as a random sample of each cell"
        )
    if correction.tipping is not None:
        alarms, misses = correction.tipping.false_alarms_a_turn, correction.tipping.misses
        told = f"{cell_text(alarms)} false alarms a message in the higher mode alone"
        print(f"no difference of the modes is left at {told}, or {cell_text(misses)} misses")
    _print_imputed(correction)


def _print_imputed(correction: Correction) -> None:
    from audit.correction.coverage import IMPUTED
    from audit.correction.imputed_ratings import EVERYONE

    from .show import print_table

    shares = [
        (
            *(f"share.seeker of {one.matches}", one.arbiter, one.least.value, one.most.value),
            _reach(one.interval),
        )
        for one in correction.imputed
    ]
    gaps = [
        (
            *(f"mean V - C, {one.game}", one.arbiter, one.to_seeker.value, one.to_holder.value),
            _reach(one.interval),
        )
        for one in correction.ratings
        if one.player == EVERYONE
    ]
    print_table(
        ("imputed", "arbiter", "one side", "other side", "95 % interval"),
        shares + gaps,
        "labels that nobody gave drawn; matches left open to one side and to the other",
    )
    print(IMPUTED)


def _reach(span: Interval | None) -> str | None:
    from .show import cell_text

    return None if span is None else f"{cell_text(span.low)} to {cell_text(span.high)}"


def _measures(one: Comparison) -> list[tuple[object, ...]]:
    """Return all of the machine beside people, and of people among themselves what κ needs."""
    rows: list[tuple[object, ...]] = []
    for measure in one.measures:
        if not (_of_machine(one) or measure.name in BRIEF):
            continue
        (population, _), counts = _cells(measure.population), measure.sample.counts_in
        rows.append((_named(one), measure.name, *_cells(measure.sample), population, counts))
    return rows


def _confusion(one: Comparison) -> list[tuple[object, ...]]:
    pair, rows = one.compared, list[tuple[object, ...]]()
    if pair is None or not _of_machine(one):
        return rows
    for i, first in enumerate(pair.domain):
        for j, second in enumerate(pair.domain):
            weight = None if pair.weighted is None else float(pair.weighted[i, j])
            said = str(first), str(second)
            rows.append((_named(one), *said, int(pair.table[i, j]), weight))
    return rows


def _of_machine(one: Comparison) -> bool:
    """Return whether people stand beside the machine that ruled."""
    from audit.verdicts.panel import PEOPLE

    return one.compared is not None and one.compared.first == PEOPLE


def _named(one: Comparison) -> str:
    return f"{one.raters}: {one.kind.value}"


def _corrected(figure: Figure) -> tuple[object, ...]:
    from .show import cell_text

    people = figure.people
    alone = None if people is None or people.interval is None else people.interval.width
    if not figure.decided:
        enough = "more labels than can be told"
        if figure.needed is not None:
            enough = f"{figure.needed} labels would do"
        return (figure.estimand, _value(figure.arbiter), _value(people), "undecided", enough, None)
    least, most = cell_text(figure.least.value), cell_text(figure.most.value)
    corrected = f"{least} to {most}" if figure.bound else least
    width = cell_text(figure.interval.width)
    wide = width if alone is None else f"{width}, people alone {cell_text(alone)}"
    span = _reach(figure.interval)
    return (figure.estimand, _value(figure.arbiter), _value(people), corrected, span, wide)


def _value(estimate: Estimate | None) -> Any:
    return None if estimate is None else _cells(estimate)[0]


def _cells(estimate: Estimate) -> tuple[object, object]:
    """Return a value, or the reason why there is none, and its interval."""
    shown = estimate.value if estimate.defined else str(estimate.reason)
    return (shown, _reach(estimate.interval))
