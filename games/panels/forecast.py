"""What it comes to to put items to a panel: calls, tokens, dollars and time, seat by seat.

The items are there, so that the characters of every request are counted and not assumed; what is
assumed is how many of them make a token and how much a judge says. A reply that is asked for again,
and a call that fails, come on top.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..asking.ruling import as_line, filled_messages, item_lines, reply_schema
from ..asking.transcript import transcript_lines, transcript_schema, turns_line, whole_dialogue
from ..cohort.models import ArbiterModel, Endpoint
from ..plan.assumed import Assumed, Scenario
from ..plan.forecast import Forecast, Tally, tokens_in
from ..plan.pace import paces
from ..plan.walk import Call
from ..rules.item import Item, match_of
from ..rules.rubric import Rubric
from ..study.notices import PLACEHOLDER
from ..study.prompts import Prompt
from ..words import ItemKind, Role
from .panel import Panel, Seat, Unit
from .texts import Texts


@dataclass(frozen=True, slots=True)
class PanelForecast:
    """What a panel will come to.

    Attributes
    ----------
    items : int
        Put to every judge.
    scenarios : mapping
        Scenario to its forecast: a tally a seat, under the seat's name as a rater; ``longest`` is
        the seconds of the longest single call.
    cramped : tuple of str
        Raters whose limit on tokens is too small for the rulings on some transcript, if each is of
        the assumed length: these replies would break off, and be read as none.
    """

    items: int
    scenarios: Mapping[Scenario, Forecast]
    cramped: tuple[str, ...]

    def seconds(self, scenario: Scenario, endpoints: Mapping[str, Endpoint]) -> float:
        """Return the least time at the limits of the panel's endpoints; 0 where nobody is asked."""
        found = paces(self.scenarios[scenario], endpoints)
        return found[0].seconds if found else 0.0


@dataclass(frozen=True, slots=True)
class _Asking:
    """One request as far as no wording plays a part: characters by placeholder, and rulings."""

    kind: ItemKind
    characters: Mapping[str, int]
    rulings: int


def panel_forecast(
    items: Sequence[Item],
    panel: Panel,
    texts: Texts,
    assumed: Assumed | None = None,
    units: Collection[Unit] = tuple(Unit),
) -> PanelForecast:
    """Return what it comes to to put items to a panel.

    Parameters
    ----------
    items : sequence of Item
        As they will be put: of the panel's kinds, each once.
    panel : Panel
        Rules among its raters ask nobody.
    texts : Texts
        Of that panel.
    assumed : Assumed, optional
    units : collection of Unit
        Only seats that are shown one of these are asked.
    """
    taken = assumed or Assumed()
    seats = [seat for seat in panel.seats() if seat.unit in units]
    ways = {Unit.TURN: _single, Unit.TRANSCRIPT: _whole}
    askings = {unit: ways[unit](items) for unit in dict.fromkeys(seat.unit for seat in seats)}
    loads = [_load(seat, askings[seat.unit], texts, taken) for seat in seats if items]
    scenarios = {}
    for scenario in Scenario:
        tallies = [load.tally(scenario, taken) for load in loads]
        longest = max((load.longest(scenario, taken) for load in loads), default=0.0)
        scenarios[scenario] = Forecast(scenario, tuple(tallies), longest)
    cramped = tuple(load.model.id for load in loads if load.is_cramped(taken))
    return PanelForecast(len(items), scenarios, cramped)


@dataclass(frozen=True, slots=True)
class _Load:
    """The requests of one seat: tokens of each, and the rulings that its reply holds."""

    model: ArbiterModel
    sent: Sequence[float]
    rulings: Sequence[int]

    def tally(self, scenario: Scenario, assumed: Assumed) -> Tally:
        paid = [self._paid(rulings, scenario, assumed) for rulings in self.rulings]
        return Tally(
            model=self.model,
            arbiter=True,
            calls=float(len(self.sent)),
            tokens_in=sum(self.sent),
            tokens_out=sum(paid),
            seconds=sum(assumed.seconds(tokens) for tokens in paid),
            largest=max(sent + tokens for sent, tokens in zip(self.sent, paid, strict=True)),
        )

    def longest(self, scenario: Scenario, assumed: Assumed) -> float:
        return assumed.seconds(self._paid(max(self.rulings), scenario, assumed))

    def is_cramped(self, assumed: Assumed) -> bool:
        hidden = assumed.paid_for(self.model, 0)
        return max(self.rulings) * assumed.ruling + hidden > self.model.sampling.max_tokens

    def _paid(self, rulings: int, scenario: Scenario, assumed: Assumed) -> float:
        most = self.model.sampling.max_tokens
        at_most = scenario is Scenario.AT_MOST
        return assumed.paid_for(self.model, most if at_most else rulings * assumed.ruling)


def _load(seat: Seat, askings: Iterable[_Asking], texts: Texts, assumed: Assumed) -> _Load:
    model, prompt = seat.asked_as, texts.prompt(seat)
    places = Counter(PLACEHOLDER.findall(prompt.text))
    calls: dict[ItemKind, Call] = {}
    sent, rulings = [], []
    for asking in askings:
        if asking.kind not in calls:
            calls[asking.kind] = _bare(prompt, texts.rubric(seat, asking.kind), seat.unit)
        said = sum(places[name] * count for name, count in asking.characters.items())
        sent.append(tokens_in(model, calls[asking.kind], (said,), (), assumed))
        rulings.append(asking.rulings)
    return _Load(model, sent, rulings)


def _bare(prompt: Prompt, rubric: Rubric, unit: Unit) -> Call:
    """Return a request without secret, dialogue and turns; what is said in it counts as one."""
    chat = filled_messages(prompt, rubric, "", (), turns="")
    schema = reply_schema(rubric) if unit is Unit.TURN else transcript_schema(rubric)
    return Call(
        role=Role.ARBITER,
        turn=0,
        fixed=sum(len(message.text) for message in chat),
        schema=len(json.dumps(schema)),
        chat_messages=len(chat),
        messages=1,
        replies=0,
    )


def _single(items: Iterable[Item]) -> list[_Asking]:
    return [_Asking(i.kind, _characters(i.secret, item_lines(i)), 1) for i in items]


def _whole(items: Iterable[Item]) -> list[_Asking]:
    matches: dict[str, dict[ItemKind, list[Item]]] = {}
    for item in items:
        matches.setdefault(match_of(item.id), {}).setdefault(item.kind, []).append(item)
    askings = []
    for kinds in matches.values():
        dialogue = whole_dialogue(item for asked in kinds.values() for item in asked)
        for kind, asked in kinds.items():
            sizes = _characters(asked[0].secret, transcript_lines(asked, dialogue))
            sizes["turns"] = len(turns_line(asked))
            askings.append(_Asking(kind, sizes, len(asked)))
    return askings


def _characters(secret: str, dialogue: Sequence[str]) -> dict[str, int]:
    """Return the characters that secret and dialogue add to a request that has neither."""
    within = len(as_line({"secret": secret})) - len(as_line({"secret": ""}))
    return {"secret": within, "dialogue": sum(map(len, dialogue)) + len(dialogue) - 1}
