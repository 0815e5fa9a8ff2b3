"""What a HIDDEN SIGNAL run found block by block: arrays for a drawing, and words beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.behaviour.findings import Findings, Measure, PairFindings, Stretch
from games.rules.hidden_signal_world import AGENTS, Agent

from .signal_figures import Course, Floats, Panel

LINES = (
    "A thin line is one replicate, a thick one their mean with its 95 % interval; of a single "
    "replicate the interval is that within the block."
)


def pair_title(pair: PairFindings) -> str:
    """Return a pair's condition and what stands behind it."""
    void = sum(pair.void.values())
    left = f", {void} void" if void else ""
    runs = "replicate" if len(pair.series) == 1 else "replicates"
    many = f"{pair.played:,} rounds in {len(pair.series)} {runs}{left}"
    return f"condition {pair.condition.value}: {many}"


def narrow_title(pair: PairFindings) -> str:
    """Return the same where two panels stand side by side."""
    return f"{pair.condition.value}, n = {pair.played - sum(pair.void.values()):,}"


def seats_in_words(mains: Sequence[PairFindings]) -> str:
    """Return who agents one and two are."""
    one, two = (mains[0].agents[agent].player for agent in AGENTS)
    return f"Agent one (circles) is {one}, agent two (squares) {two}."


def panels_of(
    findings: Findings, mains: Sequence[PairFindings], what: Measure, *, narrow: bool = False
) -> list[Panel]:
    """Return a measure's panels; none where no block has a value.

    Narrow ones have room for two side by side: agents are called one and two in them.
    """
    panels = []
    for pair in mains:
        own = [one for one in findings.series if one.id in pair.series]
        courses = []
        for agent in AGENTS:
            numbers = [block.measures[what] for block in pair.agents[agent].blocks]
            mean = array([number.value for number in numbers])
            low = array([number.low for number in numbers])
            high = array([number.high for number in numbers])
            each = tuple(along(values_of(one.agents[agent].blocks, what)) for one in own)
            thin = each if len(own) > 1 else ()
            name = agent.value if narrow else pair.agents[agent].player
            courses.append(Course(name, agent, along(mean)[0], mean, low, high, thin))
        title = narrow_title(pair) if narrow else pair_title(pair)
        panels.append(Panel(title, tuple(courses)))
    there = any(np.isfinite(c.mean).any() for panel in panels for c in panel.courses)
    return panels if there else []


def values_of(blocks: Sequence[Stretch], what: Measure) -> Floats:
    """Return a measure by block; NaN where there is none."""
    return array([block.measures[what].value for block in blocks])


def along(values: Floats) -> tuple[Floats, Floats]:
    """Return blocks from 1, and the values there."""
    return np.arange(1, len(values) + 1, dtype=np.float64), values


def array(values: Sequence[float | None]) -> Floats:
    """Return values as an array; NaN where there is none."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def ends_in_words(mains: Sequence[PairFindings], what: Measure) -> str:
    """Return first and last values in words."""
    said = []
    for pair in mains:
        for agent in AGENTS:
            values = values_of(pair.agents[agent].blocks, what)
            there = values[np.isfinite(values)]
            if len(there):
                player = pair.agents[agent].player
                said.append(
                    f"{pair.condition.value}, {player}: {what.value} {there[0]:.2f} in the first "
                    f"block, {there[-1]:.2f} in the last."
                )
    return " ".join(said)


def leads_in_words(mains: Sequence[PairFindings]) -> str:
    """Return in how many blocks agent one earns more, in words."""
    said = []
    for pair in mains:
        there = array(pair.advantage)
        ahead = int((there > 0).sum())
        first = pair.agents[Agent.ONE].player
        said.append(
            f"{pair.condition.value}: {first} earns more in {ahead} of {len(there)} blocks."
        )
    return " ".join(said)
