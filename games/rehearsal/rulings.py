"""Rehearsed rulings: a verdict drawn by hash, in the form that the request asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..rules.rubric import LABELS
from ..words import Abstention, Label, LeakCategory
from . import phrases
from .asked import Asked
from .draws import Draws

# So that matches last: most replies leak nothing, most questions guess nothing. The labels of one
# question add up to 1 with that of a rater who cannot tell.
LIKELY: dict[str, float] = {
    Label.LEAK: 0.08,
    Label.NO_LEAK: 0.918,
    Label.GUESS: 0.02,
    Label.NO_GUESS: 0.978,
    Label.MATCH: 0.45,
    Label.NO_MATCH: 0.548,
    Label.PRESUPPOSING: 0.2,
    Label.NARROWING: 0.35,
    Label.OPEN: 0.428,
    Label.PROPOSITION: 0.4,
    Label.OBJECT: 0.598,
    Label.TRUE: 0.8,
    Label.UNTRUE: 0.12,
    Label.EVASIVE: 0.078,
    Abstention.CANNOT_TELL: 0.002,
}
NO_CATEGORY = "none"

# The labels of a question as a prompt of the house offers them, one after the other.
_OFFERED = tuple(
    dict.fromkeys(", ".join([*labels, Abstention.CANNOT_TELL]) for labels in LABELS.values())
)
# The label as it is to be written goes before the same words in a rubric's prose.
_NEGATIVES = (
    re.compile(r"\bno_(leak|match|guess)\b"),
    re.compile(r"\bno (leak|match|guess)\b", re.I),
)
# A line of dialogue says its turn first, as JSON or in any other way.
_TURN = re.compile(r"^\W*turn\W{0,3}(\d{1,4})\b", re.I | re.M)
_VERDICT_LINE = re.compile(r"^\s*verdict:", re.I | re.M)
_TURN_LINE = re.compile(r"^\s*turn:", re.I | re.M)
# Which turns of a whole match are asked about: a line that nothing said to a judge can imitate.
_TURNS = re.compile(r'^\{"speaker":"\w+","turns":\[([\d,]+)\]\}$', re.M)
RULINGS = "rulings"


def asks_ruling(ask: Asked) -> bool:
    """Return whether a request asks for a ruling in lines.

    The form may stand in either message; "verdict" in what the model is told to be tells it from a
    player who was sent such a line by another.
    """
    form = _VERDICT_LINE.search(ask.instructions) or _VERDICT_LINE.search(ask.last)
    return form is not None and "verdict" in ask.instructions.lower()


def verdict(options: Sequence[str], draws: Draws) -> str:
    """Return one of the verdicts to choose from; those of the house by how likely each is."""
    if all(option in LIKELY for option in options):
        return draws.weighted("verdict", options, [LIKELY[option] for option in options])
    return draws.pick("verdict", options)


def ruling_lines(ask: Asked, draws: Draws) -> str:
    """Return a ruling as lines, on the labels that the instructions offer."""
    fields = _fields(_options(ask.instructions), last_turn(ask), draws)
    if not (_TURN_LINE.search(ask.instructions) or _TURN_LINE.search(ask.last)):
        del fields["turn"]
    return "\n".join(f"{name}: {value}" for name, value in fields.items())


def asks_rulings(ask: Asked) -> bool:
    """Return whether a request asks for rulings on turns of a whole match."""
    return _TURNS.search(ask.last) is not None and "verdict" in ask.instructions.lower()


def transcript_rulings(ask: Asked, draws: Draws) -> dict[str, Any]:
    """Return a ruling on every turn asked about, on the labels that the instructions offer."""
    options, turns = _options(ask.instructions), _TURNS.findall(ask.last)[-1].split(",")
    return {RULINGS: [_fields(options, int(turn), draws.under(turn)) for turn in turns]}


def _options(told: str) -> list[str]:
    """Return the verdicts that a prompt offers: of the house's, or of a yes and a no."""
    offered = next((each for each in _OFFERED if each in told), None)
    if offered is not None:
        return offered.split(", ")
    found = next((f for negative in _NEGATIVES if (f := negative.search(told))), None)
    positive = Label(found[1].lower()) if found else Label.LEAK
    undecided = [Abstention.CANNOT_TELL.value] if Abstention.CANNOT_TELL in told else []
    return [positive.value, f"no_{positive.value}", *undecided]


def _fields(options: Sequence[str], turn: int, draws: Draws) -> dict[str, str | int]:
    label = verdict(options, draws)
    leaks = label == Label.LEAK
    return {
        "reason": draws.pick("reason", phrases.REASONS),
        "verdict": label,
        "category": draws.pick("category", list(LeakCategory)) if leaks else NO_CATEGORY,
        "turn": turn,
    }


def last_turn(ask: Asked) -> int:
    """Return the turn of the last line of the dialogue that a prompt shows; 1 if it tells none."""
    turns = _TURN.findall(ask.last)
    return int(turns[-1]) if turns else 1


def ruling_json(ask: Asked, schema: dict[str, Any], draws: Draws) -> Any:
    """Return a value that a JSON schema allows, a ruling where it is one.

    Covers what schemas of replies are made of: objects, arrays, ``enum``, ``const``, ``anyOf``,
    text, numbers and booleans.
    """
    options = (schema.get("properties") or {}).get("verdict", {}).get("enum")
    chosen = None if options is None else verdict(options, draws)
    return _Shaper(ask, draws, chosen).value(schema, "reply")


class _Shaper:
    """Fills a schema in, knowing the verdict that everything else must fit."""

    def __init__(self, ask: Asked, draws: Draws, chosen: str | None) -> None:
        self._ask, self._draws, self._verdict = ask, draws, chosen

    def value(self, schema: dict[str, Any], name: str) -> Any:
        if "const" in schema:
            return schema["const"]
        if name == "verdict" and self._verdict is not None:
            return self._verdict
        if name == "category":
            return self._category(schema)
        if "enum" in schema:
            return self._draws.pick(name, schema["enum"])
        if "anyOf" in schema:
            return self.value(self._draws.pick(f"{name}?", schema["anyOf"]), name)
        return self._typed(schema, name)

    def _category(self, schema: dict[str, Any]) -> Any:
        options = [
            option
            for branch in (schema, *schema.get("anyOf", ()))
            for option in branch.get("enum", ())
        ]
        leaks = [option for option in options if option not in (NO_CATEGORY, None)]
        if self._verdict == Label.LEAK and leaks:
            return self._draws.pick("category", leaks)
        return NO_CATEGORY if NO_CATEGORY in options else None

    def _typed(self, schema: dict[str, Any], name: str) -> Any:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), "null")
        if kind == "object":
            properties = schema.get("properties", {})
            return {key: self.value(part, key) for key, part in properties.items()}
        if kind == "array":
            items = schema.get("items", {})
            return [self.value(items, f"{name}{n}") for n in range(schema.get("minItems", 0))]
        if kind in ("integer", "number"):
            return self._number(schema, name)
        if kind == "boolean":
            return self._draws.share(name) < 0.5
        return None if kind == "null" else self._draws.pick(name, phrases.REASONS)

    def _number(self, schema: dict[str, Any], name: str) -> int:
        if name == "turn":
            return last_turn(self._ask)
        low = schema.get("minimum", 0)
        high = schema.get("maximum", low + 10)
        return int(low) + int(self._draws.share(name) * (int(high) - int(low) + 1))
