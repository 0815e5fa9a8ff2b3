"""A told match taken through the rules, as far as what is told leads.

Utterances are parsed by the rules of the game and nothing else. A ruling is the file's own; or,
where the map allows, it is implied by what follows: that a match went on implies that nothing ended
it, and that it ended as told implies the one label that ends it so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..errors import RunError
from ..rules.game import Outcome, Rules, Setup, State, Utterance
from ..rules.item import Item
from ..rules.rubric import LABELS
from ..rules.verdict import Verdict
from ..trace import RULES
from ..words import Abstention, ItemKind, Label, Role
from .fields import Positive
from .mapping import Missing
from .parts import Ruled, Said
from .told import Told

RATER = "imported"
WENT_ON = "implied by the outcome: the match went on"
ENDED = "implied by the outcome: the match ended as told"
NOT_GIVEN = "the file gives no ruling"


class Origin(StrEnum):
    """Where a ruling comes from."""

    GIVEN = "given"
    IMPLIED = "implied"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Replayed:
    """How far the rules could follow.

    Attributes
    ----------
    state : State
        Where they came to.
    undecided : State
        The last state before an outcome.
    used : int
        Utterances taken.
    items : tuple of Item
        Every item that was to be ruled on, one whose ruling nothing tells among them.
    origins : dict
        Item id to where its ruling comes from.
    stuck : str
        Why they went no further without an outcome; blank if there is one.
    """

    state: State
    undecided: State
    used: int
    items: tuple[Item, ...]
    origins: Mapping[str, Origin]
    stuck: str


def replayed(
    told: Told, setup: Setup, missing: Missing, prints: Mapping[ItemKind, str]
) -> Replayed:
    """Return a told match as far as the rules could follow it.

    Parameters
    ----------
    told : Told
    setup : Setup
    missing : Missing
        What becomes of a ruling that the file does not give.
    prints : mapping
        Item kind to the fingerprint of the study's rubric, under which rulings are recorded.

    Raises
    ------
    RunError
        A ruling does not answer what its item asks, or a turn has two.
    """
    rules = RULES[setup.game]
    bench = _Bench(told, rules, missing, prints)
    state = undecided = rules.begin(setup)
    used, items, stuck = 0, list[Item](), ""
    while not stuck and (mover := rules.mover(state)) is not None:
        undecided = state
        if (item := rules.pending(state)) is not None:
            items.append(item)
            ruling = bench.ruling(state, item, used)
            stuck = "" if ruling else f"nothing tells the ruling on turn {len(state.turns)}"
            state = rules.apply(state, ruling) if ruling else state
        elif not (stuck := _not_due(told, used, mover, state)):
            state = rules.apply(state, _utterance(rules, state, told.said[used]))
            used += 1
    return Replayed(state, undecided, used, tuple(items), bench.origins, stuck)


def _not_due(told: Told, used: int, mover: Role, state: State) -> str:
    """Return why the next utterance cannot be the mover's; blank if it is."""
    due = f"the {mover.value} is due after turn {len(state.turns)}"
    if used == len(told.said):
        return f"{due} and nothing more is said"
    said = told.said[used]
    return (
        ""
        if said.role is mover
        else f"{due} and the {said.role.value} speaks (line {said.place.line})"
    )


def _utterance(rules: Rules, state: State, said: Said) -> Utterance:
    if said.fault is not None:
        return Utterance(text=said.text, fault=said.fault, elided=said.elided)
    parsed = rules.parse(state, said.role, said.text)
    return parsed.model_copy(update={"elided": said.elided}) if said.elided else parsed


class _Bench:
    """Where the rulings of one match come from."""

    def __init__(
        self, told: Told, rules: Rules, missing: Missing, prints: Mapping[ItemKind, str]
    ) -> None:
        self._told, self._rules, self._missing, self._prints = told, rules, missing, prints
        self.origins: dict[str, Origin] = {}

    def ruling(self, state: State, item: Item, used: int) -> Verdict | None:
        """Return the ruling on an item, or None where nothing tells it."""
        given = self._given(item)
        if given is not None:
            return self._noted(Origin.GIVEN, _verdict(item, given, self._prints[item.kind]))
        follows = used < len(self._told.said)
        if self._told.ending.void is not None and not follows:
            return None
        if self._missing is Missing.VOID:
            return self._noted(Origin.MISSING, abstained(item, NOT_GIVEN, self._prints))
        return self._implied(state, item, used)

    def _noted(self, origin: Origin, verdict: Verdict) -> Verdict:
        self.origins[verdict.item] = origin
        return verdict

    def _given(self, item: Item) -> Ruled | None:
        told = [
            ruled
            for ruled in self._told.rulings.get(item.subject.turn, ())
            if ruled.on in (None, item.subject.speaker)
        ]
        if len({(ruled.word, ruled.category) for ruled in told}) > 1:
            rule = f"must be one a turn; turn {item.subject.turn} has {len(told)} that differ"
            raise RunError("rulings.label", rule, told[-1].word, told[-1].place)
        return told[0] if told else None

    def _implied(self, state: State, item: Item, used: int) -> Verdict | None:
        rest = self._told.said[used:]
        nobody = self._told.ending.winner is None
        leads_on = any(said.role is Role.SEEKER for said in rest) or (nobody and bool(rest))
        either = [self._labelled(item, label, leads_on) for label in LABELS[item.kind]]
        fitting = [
            verdict
            for verdict in either
            if self._fits(self._rules.apply(state, verdict).outcome, leads_on)
        ]
        return self._noted(Origin.IMPLIED, fitting[0]) if len(fitting) == 1 else None

    def _labelled(self, item: Item, label: Label, leads_on: bool) -> Verdict:
        rubric, reason = self._prints[item.kind], WENT_ON if leads_on else ENDED
        return Verdict(item=item.id, rater=RATER, rubric=rubric, label=label, reason=reason)

    def _fits(self, outcome: Outcome | None, leads_on: bool) -> bool:
        ending = self._told.ending
        if leads_on or outcome is None:
            return leads_on and outcome is None
        return outcome.winner is ending.winner and ending.end in (None, outcome.end)


def abstained(item: Item, reason: str, prints: Mapping[ItemKind, str]) -> Verdict:
    """Return the verdict on an item whose ruling is missing."""
    return Verdict(
        item=item.id,
        rater=RATER,
        rubric=prints[item.kind],
        abstention=Abstention.MISSING,
        reason=reason,
    )


def _verdict(item: Item, ruled: Ruled, rubric: str) -> Verdict:
    """Return a told ruling as the verdict on an item."""
    plain = {"item": item.id, "rater": RATER, "rubric": rubric, "reason": ruled.reason}
    if ruled.word in set(Abstention):
        return Verdict(**plain, abstention=Abstention(ruled.word))
    yes, no = LABELS[item.kind]
    label = {Positive.POSITIVE.value: yes, Positive.NEGATIVE.value: no}.get(ruled.word)
    label = Label(ruled.word) if label is None else label
    if label not in (yes, no):
        rule = f"must be {yes.value} or {no.value} for a {item.kind.value.replace('_', ' ')}"
        raise RunError("rulings.label", rule, label.value, ruled.place)
    if ruled.category is not None and label is not Label.LEAK:
        rule = "must stand beside the label leak alone"
        raise RunError("rulings.category", rule, ruled.category.value, ruled.place)
    return Verdict(**plain, label=label, category=ruled.category)
