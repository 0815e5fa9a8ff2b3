"""The tables of a series run as it stands: a row for each series, each kind and each model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import SeriesKind

from .series_tally import Asked, SeriesSum, SeriesTally

SERIES = (
    "series",
    "rounds",
    "one block/all",
    "two block/all",
    "wins",
    "void",
    "notes",
    "faults",
    "calls",
    "cost",
)
MODELS = ("model", "calls", "faults", "no reply", "tokens in/out", "cost")
# On a narrow screen these come first, and those after them where there is room below.
NARROW = SERIES[:5]
BESIDE = (SERIES[0], *SERIES[5:])
WIDE = 112  # characters from which on every column fits side by side


def series_rows(tally: SeriesTally, most: int | None = None) -> list[tuple[str, ...]]:
    """Return a row for each series that writes notes, and one for each kind of the others.

    Parameters
    ----------
    tally : SeriesTally
    most : int, optional
        Most rows of series that write notes; those in play come first, and the others are counted.
    """
    shown = tally.evolving()
    if most is not None and len(shown) > most:
        shown = sorted(shown, key=lambda one: (not one.playing, one.over))[:most]
    rows = [_row(one) for one in shown]
    left = len(tally.evolving()) - len(shown)
    if left:
        rows.append((f"… {left} more", *[""] * (len(SERIES) - 1)))
    return rows + [_kind(kind, sums) for kind, sums in tally.frozen().items()]


def only(columns: Sequence[str], rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return some columns of rows under `SERIES`."""
    places = [SERIES.index(name) for name in columns]
    return [tuple(row[place] for place in places) for row in rows]


def model_rows(tally: SeriesTally) -> list[tuple[str, ...]]:
    """Return a row for each model that was asked, under `MODELS`."""
    return [
        (
            name,
            str(asked.replies),
            str(asked.faults),
            str(asked.troubles),
            f"{short(asked.tokens_in)}/{short(asked.tokens_out)}",
            _dollars([asked]),
        )
        for name, asked in sorted(tally.players.items())
    ]


def progress_line(tally: SeriesTally) -> str:
    """Return how far a run is, in one line."""
    ended, total = tally.rounds
    sums = tally.sums.values()
    said = [f"{ended}/{total} rounds", f"{sum(one.over for one in sums)}/{len(sums)} series"]
    if void := sum(one.void for one in sums):
        said.append(f"{void} void")
    if kept := sum(one.kept for one in sums):
        said.append(f"{kept} updates without a note")
    asked = tally.players.values()
    if asked:
        replies, faults = sum(a.replies for a in asked), sum(a.faults for a in asked)
        said.append(f"{replies} calls, {faults} faults, {sum(a.troubles for a in asked)} no reply")
        unpriced = sum(a.unpriced for a in asked)
        more = f" + {unpriced} unpriced" if unpriced else ""
        said.append(f"${sum(a.dollars for a in asked):.4f}{more}")
    return " · ".join(said)


def short(tokens: int) -> str:
    """Return a number of tokens, in thousands where it is long."""
    return f"{tokens / 1000:.1f}k" if tokens >= 10_000 else str(tokens)


def _row(one: SeriesSum) -> tuple[str, ...]:
    asked = one.asked
    return (
        one.series.id,
        f"{one.rounds}/{one.series.rounds}",
        *(_means(one.block_mean(agent), one.mean(agent)) for agent in AGENTS),
        _wins([one]),
        str(one.void),
        f"{one.notes}" + (f" ({one.kept} kept)" if one.kept else ""),
        str(one.faults),
        str(asked.replies),
        _dollars([asked]),
    )


def _kind(kind: SeriesKind, sums: list[SeriesSum]) -> tuple[str, ...]:
    """Return the row of all series of one kind: their means are of different opponents."""
    ended = sum(one.over for one in sums)
    asked = [one.asked for one in sums]
    return (
        f"{kind.value} ({ended}/{len(sums)} series)",
        f"{sum(one.rounds for one in sums)}/{sum(one.series.rounds for one in sums)}",
        *(_means(None, _pooled(sums, agent)) for agent in AGENTS),
        _wins(sums),
        str(sum(one.void for one in sums)),
        "–",
        str(sum(one.faults for one in sums)),
        str(sum(one.replies for one in asked)),
        _dollars(asked),
    )


def _dollars(asked: list[Asked]) -> str:
    """Return what some askings cost, at least where some have no price."""
    replies, unpriced = (sum(one.replies for one in asked), sum(one.unpriced for one in asked))
    if not replies:
        return "–"
    if unpriced == replies:
        return "unpriced"
    return ("≥ " if unpriced else "") + f"${sum(one.dollars for one in asked):.4f}"


def _pooled(sums: Iterable[SeriesSum], agent: Agent) -> float | None:
    sums = list(sums)
    scored = sum(one.scored for one in sums)
    return sum(one.points[agent].total for one in sums) / scored if scored else None


def _wins(sums: Iterable[SeriesSum]) -> str:
    sums = list(sums)
    return ":".join(str(sum(one.wins[agent] for one in sums)) for agent in AGENTS)


def _means(block: float | None, overall: float | None) -> str:
    return f"{_signed(block)}/{_signed(overall)}"


def _signed(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:+.1f}"
