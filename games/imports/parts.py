"""The parts of a match as told: utterances or turns, put in order, and the rulings among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import Place, RunError
from ..words import Fault, LeakCategory, Role
from .fields import NONE, Named, RoleField, Truth, TruthField
from .finding import Finder, coded, whole
from .mapping import Map, RulingsMap, TurnsMap
from .read import Located


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance of a player."""

    role: Role
    text: str
    fault: Fault | None
    elided: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Ruled:
    """One ruling as told.

    Attributes
    ----------
    word : str
        A label, a plain yes or no, or an abstention; see ``LabelField``.
    category : LeakCategory or None
    reason : str
    on : Role or None
        Whose utterance it stands beside; None where it is told of the turn.
    place : Place
    """

    word: str
    category: LeakCategory | None
    reason: str
    on: Role | None
    place: Place


@dataclass(frozen=True, slots=True)
class Parts:
    """Utterances in order, rulings by turn from 1, and how many parts were neither."""

    said: tuple[Said, ...]
    rulings: Mapping[int, tuple[Ruled, ...]]
    nobody: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A part and who speaks in it: None for a turn of two."""

    located: Located
    speaker: str | None


# Within one number of the order: who speaks first, as the rules have it.
_RANK = {None: 0, Role.SEEKER.value: 0, Role.HOLDER.value: 1, Role.ARBITER.value: 2, NONE: 3}


def told_parts(sources: Sequence[Located], how: Map, finder: Finder) -> Parts:
    """Return what the parts of one match tell.

    Raises
    ------
    RunError
        A word is not in the map, a text is none, or two parts stand at one place of the order.
    """
    parts = [_Part(source, _speaker(source, how.turns.role, finder)) for source in sources]
    said, rulings, nobody, turn = list[Said](), dict[int, list[Ruled]](), 0, 0
    for part in _ordered(parts, how.turns.order, finder):
        spoken = _utterances(part, how.turns, finder)
        said += spoken
        turn += sum(one.role is Role.SEEKER for one in spoken)
        ruling = _beside(part, how.rulings, finder)
        if ruling is not None:
            rulings.setdefault(turn, []).append(ruling)
        nobody += not spoken and ruling is None
    return Parts(tuple(said), _frozen(rulings), nobody)


def ruled_apart(
    record: Located, how: RulingsMap, finder: Finder
) -> Mapping[int, tuple[Ruled, ...]]:
    """Return the rulings of a list of their own, by turn from 1."""
    rulings: dict[int, list[Ruled]] = {}
    if how.path is None or how.turn is None:
        return {}
    for part in finder.parts(record, how.path, "rulings.path"):
        spelling = finder.spelled(part, how.turn, "rulings.turn")
        turn = whole(spelling, how.turn, "rulings.turn", part.place) - how.first + 1
        ruling = _ruling(part, how, finder, None)
        if ruling is not None:
            rulings.setdefault(turn, []).append(ruling)
    return _frozen(rulings)


def _frozen(rulings: Mapping[int, Iterable[Ruled]]) -> dict[int, tuple[Ruled, ...]]:
    return {turn: tuple(told) for turn, told in rulings.items()}


def _speaker(part: Located, field: RoleField | None, finder: Finder) -> str | None:
    if field is None:
        return None
    return coded(finder.spelled(part, field, "turns.role"), field, "turns.role", part.place)


def _ordered(parts: list[_Part], field: Named | None, finder: Finder) -> list[_Part]:
    """Return parts by their number and, within one, in the order of a turn."""
    if field is None:
        return parts
    seen: dict[tuple[int, int], _Part] = {}
    numbered = []
    for part in parts:
        place, name = part.located.place, "turns.order"
        number = whole(finder.spelled(part.located, field, name), field, name, place)
        at = (number, _RANK[part.speaker])
        if at in seen and part.speaker != NONE:
            rule = "must not repeat for one speaker of a match"
            first = seen[at].located.place.line
            raise RunError(name, f"{rule} (first on line {first})", number, place)
        seen.setdefault(at, part)
        numbered.append((at, part))
    return [part for _, part in sorted(numbered, key=lambda one: one[0])]


def _utterances(part: _Part, how: TurnsMap, finder: Finder) -> list[Said]:
    """Return what players say in a part; a missing text of one who speaks is an empty one."""
    source = part.located
    elided = _elided(source, how.elided, finder)
    if how.message is not None and how.reply is not None:
        message = finder.text(source, how.message, "turns.message") or ""
        reply = finder.text(source, how.reply, "turns.reply")
        said = [Said(Role.SEEKER, message, None, elided, source.place)]
        if reply is not None:
            said.append(Said(Role.HOLDER, reply, None, elided, source.place))
        return said
    role = _player(part)
    if how.text is None or role is None:
        return []
    text = finder.text(source, how.text, "turns.text") or ""
    return [Said(role, text, _fault(source, how, finder), elided, source.place)]


def _player(part: _Part) -> Role | None:
    """Return the one player who speaks in a part; None for a turn of two, and for others."""
    players = (Role.SEEKER.value, Role.HOLDER.value)
    return Role(part.speaker) if part.speaker in players else None


def _elided(part: Located, field: TruthField | None, finder: Finder) -> bool:
    if field is None:
        return False
    word = coded(finder.spelled(part, field, "turns.elided"), field, "turns.elided", part.place)
    return Truth(word) is Truth.YES


def _fault(part: Located, how: TurnsMap, finder: Finder) -> Fault | None:
    if how.fault is None:
        return None
    spelling = finder.spelled(part, how.fault, "turns.fault")
    word = coded(spelling, how.fault, "turns.fault", part.place)
    return None if word == NONE else Fault(word)


def _beside(part: _Part, how: RulingsMap | None, finder: Finder) -> Ruled | None:
    """Return the ruling that stands in a part, if the map looks for rulings there."""
    if how is None or how.path is not None or part.speaker == NONE:
        return None
    return _ruling(part.located, how, finder, _player(part))


def _ruling(part: Located, how: RulingsMap, finder: Finder, on: Role | None) -> Ruled | None:
    name, place = "rulings.label", part.place
    word = coded(finder.spelled(part, how.label, name), how.label, name, place)
    if word == NONE:
        return None
    category, reason = None, ""
    if how.category is not None:
        name = "rulings.category"
        told = coded(finder.spelled(part, how.category, name), how.category, name, place)
        category = None if told == NONE else LeakCategory(told)
    if how.reason is not None:
        reason = finder.text(part, how.reason, "rulings.reason") or ""
    return Ruled(word, category, reason, on, place)
