"""What a panel is and comes to, in sentences for page and terminal."""

from __future__ import annotations

from audit.panels.headline import share_hanging
from audit.panels.whole import PanelAudit, Panels

from .numbers import fixed, listed

PLUMBING = (
    "These judges are plumbing: they are rehearsed, or too small to judge. They show that a panel "
    "runs and is counted, and no number below says anything about any dialogue, model or claim."
)


def hanging_lines(found: Panels) -> list[str]:
    """Return how many figures, and how many orders of players, hang on who rules."""
    hang, figures = share_hanging(found.hinges)
    swapped = sum(swap.hangs for swap in found.swaps)
    sources = len(found.ruled)
    return [
        f"{hang} of {figures} headline figures lie on another side of their claim under some of "
        f"{sources} sources of rulings, or may, by how matches end that would have gone on.",
        f"Of {len(found.swaps)} pairs of players {swapped} change places as Seekers by who rules.",
    ]


def panel_notes(one: PanelAudit) -> list[str]:
    """Return who on a panel is one and the same model, and what its consensus needs."""
    panel = one.seated.panel
    models: dict[str, list[str]] = {}
    for seat in panel.seats():
        models.setdefault(seat.judge.model, []).append(seat.id)
    lines = [
        f"{listed(seats)} are ONE model ({model}): what they agree on is how steady it is, "
        "and no second opinion"
        for model, seats in models.items()
        if len(seats) > 1
    ]
    votes = "each seat" if len(panel.judges) == 1 else "each judge"
    lines.append(
        f"{votes} and each rule has one vote; an item needs {panel.quorum} of "
        f"{len(one.seated.voters.members)} for a consensus"
    )
    if one.seated.majority is None:
        lines.append("it has not been asked everything yet: there is no consensus")
    return lines


def together_lines(one: PanelAudit) -> list[str]:
    """Return how far a panel's voters err together, by kind of item, in sentences."""
    lines = []
    for each in one.dependence:
        name = each.kind.value.replace("_", " ")
        if each.worth.defined:
            span = each.worth.interval
            between = f" [{fixed(span.low, 1)}, {fixed(span.high, 1)}]" if span else ""
            lines.append(
                f"{name}: by {each.labelled} labels of people, {len(each.voters)} voters are "
                f"worth {fixed(each.worth.value, 1)}{between} with independent errors"
            )
            continue
        apart = [pair.departing for pair in each.pairs if pair.departing.defined]
        if apart:
            values = sorted(value.value for value in apart)
            lines.append(
                f"{name}: people's labels tell nothing of errors here; departures of two voters "
                f"from the majority of the others correlate by {fixed(values[0], 2)} to "
                f"{fixed(values[-1], 2)}. What all get wrong alike this cannot show"
            )
    return lines
