"""The seven figures of a HIDDEN SIGNAL page, from findings and records; each, or why it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from audit.behaviour.findings import Findings, Measure, PairFindings, Test
from games.rules.hidden_signal_actions import ActionKind
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.folder import Told
from games.series.records import SeriesKind

from .arms_race_courses import (
    LINES,
    along,
    array,
    ends_in_words,
    leads_in_words,
    pair_title,
    panels_of,
    seats_in_words,
)
from .arms_race_exploited import exploited_picture
from .arms_race_matchups import cross_picture, dots_picture
from .signal_figures import (
    Course,
    Panel,
    Stack,
    draw_advantage,
    draw_courses,
    draw_pairs,
    draw_stacks,
    height_of,
)
from .signal_pictures import Picture, no_picture, picture

NO_BLOCK = "No main series has a block with a decided round yet."
_ACTS = ("message", "guess", "withhold", "fault")


def pictures_of(findings: Findings, told: Mapping[str, Told]) -> tuple[Picture, ...]:
    """Return the figures of a run.

    Parameters
    ----------
    findings : Findings
    told : mapping
        Id of a series to its records.
    """
    mains = [pair for pair in findings.pairs if pair.kind is SeriesKind.MAIN]
    return (
        _reward(findings, mains),
        _advantage(findings, mains),
        _deception(findings, mains),
        _acts(findings, mains, told),
        exploited_picture(findings, mains),
        cross_picture(findings),
        dots_picture(findings),
    )


def _reward(findings: Findings, mains: Sequence[PairFindings]) -> Picture:
    name, title = "reward_by_block", "Points a round, block by block"
    panels = panels_of(findings, mains, Measure.REWARD)
    if not panels:
        return no_picture(name, title, NO_BLOCK)
    return picture(
        name,
        title,
        caption=(
            f"Mean points a round in each block, {findings.checkpoint} rounds long. {LINES} A "
            "block in which no round was decided leaves a gap."
        ),
        alt=f"{title}. {ends_in_words(mains, Measure.REWARD)}",
        height=height_of(len(panels)),
        draw=lambda figure: draw_courses(figure, panels, "points a round"),
    )


def _advantage(findings: Findings, mains: Sequence[PairFindings]) -> Picture:
    name = "advantage_and_change_points"
    title = "Who earns more, and where the points of an agent change"
    panels = [_advantage_panel(findings, pair) for pair in mains]
    panels = [panel for panel in panels if np.isfinite(panel.courses[0].mean).any()]
    if not panels:
        return no_picture(name, title, NO_BLOCK)
    marks = sum(len(panel.marks) for panel in panels)
    changes = "no change point is shown" if not marks else f"{marks} change points are shown"
    players = tuple(mains[0].agents[agent].player for agent in AGENTS)
    return picture(
        name,
        title,
        caption=(
            "Agent one's mean less agent two's, block by block: a circle where agent one earns "
            "more, a square where agent two does, a grey line a replicate. An upright line, dotted "
            "for agent one and dashed for agent two, is a change point of its points in one "
            f"replicate that the corrected test shows; here {changes}."
        ),
        alt=f"{title}. {leads_in_words(mains)} {changes.capitalize()}.",
        height=height_of(len(panels)),
        draw=lambda figure: draw_advantage(figure, panels, (players[0], players[1])),
    )


def _advantage_panel(findings: Findings, pair: PairFindings) -> Panel:
    mean = array(pair.advantage)
    empty = np.full_like(mean, np.nan)
    own = [one for one in findings.series if one.id in pair.series]
    each = tuple(along(array(one.advantage)) for one in own) if len(own) > 1 else ()
    marks = tuple(
        (last / findings.checkpoint + 0.5, test.agent)
        for one in own
        for test in one.tests
        if test.test is Test.CHANGE and test.shown and test.agent is not None
        for last in test.at
    )
    course = Course("", Agent.ONE, along(mean)[0], mean, empty, empty, each)
    return Panel(pair_title(pair), (course,), marks)


def _deception(findings: Findings, mains: Sequence[PairFindings]) -> Picture:
    name, title = "deception_and_leakage_by_block", "Lies and leaked bits, block by block"
    left = panels_of(findings, mains, Measure.DECEPTION, narrow=True)
    right = panels_of(findings, mains, Measure.LEAKAGE, narrow=True)
    rows = list(zip(left, right, strict=True)) if len(left) == len(right) else []
    units = ("lies by messages", "bits a round")
    if not rows:
        reason = "Nobody sent a message: there is no share of lies, and nothing leaked."
        return no_picture(name, title, reason if right else NO_BLOCK)
    return picture(
        name,
        title,
        caption=(
            "Left: messages that their speaker's own set shows to be false, by its messages; a "
            "block without a message leaves a gap. Right: bits a round by which truthful "
            f"exclusions cut what the other did not know. {seats_in_words(mains)} {LINES}"
        ),
        alt=(
            f"{title}. {ends_in_words(mains, Measure.DECEPTION)} "
            f"{ends_in_words(mains, Measure.LEAKAGE)}"
        ),
        height=height_of(len(rows)),
        draw=lambda figure: draw_pairs(figure, rows, units, bounded=True),
    )


def _acts(findings: Findings, mains: Sequence[PairFindings], told: Mapping[str, Told]) -> Picture:
    name, title = "acts_by_block", "What turns were used for, block by block"
    rows = []
    for pair in mains:
        one, two = (_stack(pair, agent, told, findings.checkpoint) for agent in AGENTS)
        if np.isfinite(one.shares).any() or np.isfinite(two.shares).any():
            rows.append((one, two))
    if not rows:
        return no_picture(name, title, NO_BLOCK)
    return picture(
        name,
        title,
        caption=(
            "Shares of all turns that an agent took in a block, void rounds among them. A "
            "fault is a turn without an action after every re-ask; it is no withhold. "
            f"{seats_in_words(mains)}"
        ),
        alt=f"{title}: shares of messages, guesses, withheld turns and faults of both agents.",
        height=height_of(len(rows)),
        draw=lambda figure: draw_stacks(figure, rows),
    )


def _stack(pair: PairFindings, agent: Agent, told: Mapping[str, Told], checkpoint: int) -> Stack:
    rounds = [record for name in pair.series for record in told[name].rounds]
    blocks = max((record.number for record in rounds), default=0)
    counts = np.zeros((len(_ACTS), -(-blocks // checkpoint)))
    for record in rounds:
        for act in record.acts:
            if act.agent is agent:
                kind = _KINDS[act.action.action] if act.action is not None else len(_KINDS)
                counts[kind, (record.number - 1) // checkpoint] += 1
    total = counts.sum(axis=0)
    shares = np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0)
    title = f"agent {agent.value}, {pair.condition.value}: {int(total.sum()):,} turns"
    return Stack(title, _ACTS, shares)


_KINDS = {ActionKind.MESSAGE: 0, ActionKind.GUESS: 1, ActionKind.WITHHOLD: 2}
