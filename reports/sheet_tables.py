"""The tables of a panel's sheets, as text for page and terminal; None where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence

from audit.numbers.estimate import Estimate
from audit.panels.account import Coverage
from audit.panels.consistency import Consistency
from audit.panels.kin_preference import KinPreference
from audit.panels.place_effects import PlaceEffect
from audit.panels.probe_effects import ProbeEffect
from audit.panels.susceptibility import Susceptibility
from audit.verdicts.people import Comparison
from games.words import Abstention

from .numbers import NOTHING, Frame, fixed, percent, significant
from .players import dollars_of, text_frame

_OF_PEOPLE = ("agreement", "kappa", "sensitivity", "specificity")


def coverage_table(found: Sequence[Coverage]) -> Frame:
    """Return what every rater was asked and came to."""
    columns = ("rater", "asked", "ruled", "labels", "cannot tell", "unparsed", "missing", "other")
    shown = (Abstention.CANNOT_TELL, Abstention.UNPARSABLE, Abstention.MISSING)
    rows = [
        (
            one.rater,
            one.asked,
            one.ruled,
            ", ".join(f"{n} {label.value.replace('_', ' ')}" for label, n in one.labels.items()),
            *(one.abstentions.get(why, 0) for why in shown),
            sum(n for why, n in one.abstentions.items() if why not in shown),
        )
        for one in found
    ]
    return numbers_frame(columns, rows, text={"rater", "labels"})


def cost_table(found: Sequence[Coverage]) -> Frame | None:
    """Return calls, tokens, dollars and seconds of every seat."""
    columns = ("seat", "replies", "re-asks", "faults", "no reply", "tokens in", "tokens out")
    rows = []
    for one in found:
        account, soon = one.account, one.latency
        if account is None:
            continue
        seconds = (NOTHING, NOTHING)
        if soon is not None:
            seconds = (significant(soon.median), significant(soon.ninetieth))
        rows.append(
            (
                one.rater,
                account.replies,
                account.re_asks,
                sum(account.faults.values()),
                sum(account.troubles.values()),
                account.tokens_in,
                account.tokens_out,
                dollars_of(account),
                *seconds,
            )
        )
    more = ("dollars", "seconds, median", "nine in ten within")
    return numbers_frame((*columns, *more), rows, text={"seat"}) if rows else None


def consistency_table(found: Sequence[Consistency]) -> Frame | None:
    """Return how each judge agrees with itself."""
    columns = ("judge", "differs in", "seats", "item", "labelled twice", "equal", "α", "flipped")
    rows = [
        (
            one.judge,
            one.axis.value,
            len(one.seats),
            words_of(one.kind.value),
            one.flipped.counts_in,
            share_text(one.agreement),
            _plain(one.alpha),
            share_text(one.flipped),
        )
        for one in found
    ]
    return numbers_frame(columns, rows, text={"judge", "differs in", "item"}) if rows else None


def kin_table(found: Sequence[KinPreference]) -> Frame | None:
    """Return how each judge departs from the others on its own kin."""
    columns = ("judge", "kin as", "item", "items of kin", "for : against", "items of others")
    rows = [
        (
            one.rater,
            one.role.value,
            words_of(one.kind.value) if one.kind else "all",
            one.items[0],
            f"{one.favoured[0]} : {one.disfavoured[0]}",
            one.items[1],
            f"{one.favoured[1]} : {one.disfavoured[1]}",
            share_text(one.difference),
            NOTHING if one.alone.reason else significant(one.alone.p),
            NOTHING if one.test.reason else significant(one.test.p),
        )
        for one in found
    ]
    more = ("others for : against", "difference", "p, kin alone", "p, kin and others")
    return (
        numbers_frame((*columns, *more), rows, text={"judge", "kin as", "item"}) if rows else None
    )


def place_table(found: Sequence[PlaceEffect]) -> Frame | None:
    """Return each rater's agreement with the others by thirds of turns and of lengths."""
    columns = ("rater", "item", "along", "first third", "second", "last", "p of trend")
    rows = []
    for one in found:
        thirds = [_third(each.least, each.most, each.agreed) for each in one.thirds]
        if thirds:
            thirds += [NOTHING] * (3 - len(thirds))
            p = NOTHING if one.trend.reason else significant(one.trend.p)
            rows.append((one.rater, words_of(one.kind.value), one.scale.value, *thirds, p))
    return numbers_frame(columns, rows, text={"rater", "item", "along"}) if rows else None


def _third(least: int, most: int, agreed: Estimate) -> str:
    return f"{least}–{most}: {percent(agreed.value)} of {agreed.counts_in}"


def probe_table(found: Sequence[ProbeEffect]) -> Frame | None:
    """Return which forms of an item change each rater's labels, over all kinds."""
    columns = ("rater", "form", "labelled twice", "changed", "to yes : to no", "p beyond again")
    rows = [
        (
            one.rater,
            one.probe.value,
            one.changed.counts_in,
            share_text(one.changed),
            f"{one.to_yes} : {one.to_no}",
            NOTHING if one.beyond is None or one.beyond.reason else significant(one.beyond.p),
        )
        for one in found
        if one.kind is None
    ]
    return numbers_frame(columns, rows, text={"rater", "form"}) if rows else None


def susceptibility_table(found: Sequence[Susceptibility], *, by_kind: bool = False) -> Frame | None:
    """Return each rater's reactions to the injection battery, all of it or kind by kind."""
    columns = ("rater", "injections", "right when clean", "obeyed", "denied", "p of harm")
    rows = [
        (
            one.rater,
            words_of(one.kind.value) if one.kind else "all",
            one.rate.counts_in,
            share_text(one.rate),
            share_text(one.denied),
            NOTHING if one.harm.reason else significant(one.harm.p),
        )
        for one in found
        if one.target is None and (one.kind is not None) is by_kind
    ]
    return numbers_frame(columns, rows, text={"rater", "injections"}) if rows else None


def people_table(found: Sequence[Comparison]) -> Frame | None:
    """Return each rater beside people: agreement, κ, what it finds and what it passes."""
    rows = []
    for one in found:
        measures = {measure.name: measure.sample for measure in one.measures}
        if one.compared is None or not one.compared.table.any():
            continue
        cells = [share_text(measures[name]) if name in measures else NOTHING for name in _OF_PEOPLE]
        rater, items = one.compared.second, int(one.compared.table.sum())
        rows.append((rater, words_of(one.kind.value), items, *cells))
    columns = ("rater", "item", "items", "agreement", "κ", "finds", "passes")
    return numbers_frame(columns, rows, text={"rater", "item"}) if rows else None


def numbers_frame(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, text: set[str]
) -> Frame:
    """Return rows as a table in which every column but some holds numbers."""
    frame = text_frame(columns, rows)
    return Frame(frame.columns, frozenset(columns) - text, frame.rows)


def words_of(value: str) -> str:
    """Return a closed word as it is read."""
    return value.replace("_", " ")


def share_text(estimate: Estimate) -> str:
    """Return a share in percent with its interval, or why there is none."""
    if not estimate.defined:
        return str(estimate.reason)
    span = estimate.interval
    between = f" [{fixed(100 * span.low, 1)}, {fixed(100 * span.high, 1)}]" if span else ""
    return f"{percent(estimate.value)}{between}"


def interval_text(estimate: Estimate) -> str:
    """Return a coefficient with its interval, or why there is none."""
    span = estimate.interval
    between = f" [{fixed(span.low, 2)}, {fixed(span.high, 2)}]" if span else ""
    return f"{_plain(estimate)}{between}"


def _plain(estimate: Estimate) -> str:
    return fixed(estimate.value, 2) if estimate.defined else str(estimate.reason)
