"""Traces as the transcript browser reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.rules.item import ItemRef
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import ItemKind, Role

if TYPE_CHECKING:  # what is watched while it is played is read without all that an audit imports
    from audit.whole import Audit


def browsable(audit: Audit) -> list[dict[str, Any]]:
    """Return every trace of an audit as plain data, in order of play."""
    return [_trace(trace) for trace in audit.traces]


def _trace(trace: Trace) -> dict[str, Any]:
    match = trace.match
    mode = f" {match.mode.value}" if match.mode else ""
    rulings = {ruling.item: ruling for ruling in trace.rulings}
    shadow = {ruling.item: ruling for ruling in trace.shadow}
    lines: list[dict[str, Any]] = [
        {
            "turn": line.turn,
            "speaker": line.speaker.value,
            "text": line.text,
            "rulings": _rulings(match.id, line.turn, line.speaker, rulings, shadow),
        }
        for line in trace.replayed().dialogue()
    ]
    return {
        "id": match.id,
        "title": f"{match.game.value}{mode} · {match.seeker} against {match.holder}",
        "game": match.game.value,
        "secret": trace.setup.secret,
        "end": ended_by(trace),
        "outcome": outcome_text(trace),
        "disputed": any(ruling["differs"] for line in lines for ruling in line["rulings"]),
        "lines": lines,
    }


def ended_by(trace: Trace) -> str:
    """Return the event that ended a match, or void."""
    return trace.outcome.end.value if trace.outcome.end else "void"


def outcome_text(trace: Trace) -> str:
    """Return how a match ended, in words."""
    outcome = trace.outcome
    when = f"turn {outcome.turn}, tournament {trace.match.tournament}"
    if outcome.winner is None or outcome.end is None:
        reason = outcome.void.value if outcome.void else "unknown"
        return f"void ({reason.replace('_', ' ')}), {when}"
    return f"{outcome.winner.value} wins by {outcome.end.value.replace('_', ' ')}, {when}"


_ASKED = {
    Role.SEEKER: (ItemKind.SEEKER_MESSAGE, ItemKind.DECLARATION, ItemKind.LOCK),
    Role.HOLDER: (ItemKind.HOLDER_REPLY,),
}


def _rulings(
    match: str,
    turn: int,
    speaker: Role,
    rulings: dict[str, Verdict],
    shadow: dict[str, Verdict],
) -> list[dict[str, Any]]:
    found = []
    for kind in _ASKED[speaker]:
        item = ItemRef(match, turn, kind).id
        if item not in rulings:
            continue
        ruling, other = rulings[item], shadow.get(item)
        differs = other is not None and other.label is not ruling.label
        found.append({"said": _said(ruling), "differs": differs})
        if other is not None and differs:
            found.append({"said": _said(other), "differs": True})
    return found


def _said(verdict: Verdict) -> str:
    label = verdict.label.value if verdict.label else f"no label: {verdict.abstention}"
    category = f" ({verdict.category.value})" if verdict.category else ""
    return f"{verdict.rater}: {label.replace('_', ' ')}{category}. {verdict.reason}"
