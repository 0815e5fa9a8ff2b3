"""First attempts alone: every match as it would stand had nothing been asked for again."""

from __future__ import annotations

from collections.abc import Iterable

from games.rules.choices import Choices, FaultPolicy
from games.rules.game import ReAsked, State, Utterance, utterances
from games.rules.verdict import Verdict
from games.trace import RULES, Trace
from games.words import Abstention, Fault, Role


def first_attempts(traces: Iterable[Trace]) -> tuple[Trace, ...]:
    """Return some traces on first attempts alone.

    A match in which anything was re-asked is void from there on: ``seeker_fault``,
    ``holder_fault`` or ``judge_missing`` by whose utterance or ruling it was. Any other is as it
    was played.

    Parameters
    ----------
    traces : iterable of Trace

    Returns
    -------
    tuple of Trace
        In the same order.

    Raises
    ------
    ValueError
        A re-asking is of a place that its match never came to.
    """
    return tuple(_first(trace) if trace.re_asked else trace for trace in traces)


def _first(trace: Trace) -> Trace:
    """Return a trace up to what was first said or ruled in vain, which ends it."""
    setup = trace.setup.model_copy(update={"choices": _without_re_asks(trace.setup.choices)})
    state = _as_it_stood(trace, setup.choices, trace.re_asked[0])
    kept = {
        "setup": setup,
        "turns": state.turns,
        "rulings": state.rulings,
        "shadow": trace.shadow[: len(state.rulings)],
        "re_asked": (),
        "outcome": state.outcome,
    }
    return Trace.model_validate({**{name: getattr(trace, name) for name in _SAME}, **kept})


_SAME = ("match", "study", "cohort", "prompts")


def _without_re_asks(choices: Choices) -> Choices:
    return choices.model_copy(update={f"fault_{fault.value}": FaultPolicy.VOID for fault in Fault})


def _as_it_stood(trace: Trace, choices: Choices, vain: ReAsked) -> State:
    """Return the state to which a match led, with its first vain utterance or ruling in place."""
    rules = RULES[trace.match.game]
    state = rules.begin(trace.setup.model_copy(update={"choices": choices}))
    said = iter(utterances(trace.turns))
    rulings = {ruling.item: ruling for ruling in trace.rulings}
    while (mover := rules.mover(state)) is not None:
        item = rules.pending(state) if mover is Role.ARBITER else None
        turn = len(state.turns) + (mover is Role.SEEKER)
        if (mover, turn) == (vain.role, vain.turn):
            if item is None:
                return rules.apply(state, Utterance(text=vain.text, fault=vain.cause))
            return rules.apply(state, _missing(item.id, vain, rulings))
        move = next(said, None) if item is None else rulings.get(item.id)
        if move is None:
            break
        state = rules.apply(state, move)
    raise ValueError(f"match {trace.match.id} never came to {vain.role.value}, turn {vain.turn}")


def _missing(item: str, vain: ReAsked, rulings: dict[str, Verdict]) -> Verdict:
    """Return the abstention to which a ruling in vain comes."""
    later = rulings.get(item)
    return Verdict(
        item=item,
        rater=Role.ARBITER.value,
        rubric="" if later is None else later.rubric,
        abstention=Abstention.UNPARSABLE,
        reason=vain.text,
    )
