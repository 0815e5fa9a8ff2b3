"""Matches as a file tells them: heads, utterances in order, rulings, and how each is said to end.

Nothing is judged here: whether what is told is a match by the rules is found in ``replay``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..cohort import ImportedPlayer
from ..errors import Place, RunError
from ..materials.normal import normalised
from ..places import checked
from ..records import content_id
from ..study.study import Study
from ..words import End, Game, Mode, Role, Void
from .fields import NONE, Named, SecretIs
from .finding import Finder, coded, named, whole
from .mapping import Map, MatchMap, OutcomeMap, Unit
from .parts import Ruled, Said, ruled_apart, told_parts
from .read import Located, records


@dataclass(frozen=True, slots=True)
class Head:
    """What is told of a match beside its dialogue.

    Attributes
    ----------
    id : str
        Hash of the key.
    key : str
        As the file has it, for messages.
    game, mode, tournament, seeker, holder, secret
    position : int or None
        None where the order of the file decides.
    place : Place
        Where the match begins.
    """

    id: str
    key: str
    game: Game
    mode: Mode | None
    tournament: int
    position: int | None
    seeker: str
    holder: str
    secret: str
    place: Place


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match is said to have ended.

    Attributes
    ----------
    winner, end, void : Role, End, Void or None
    says_winner : bool
        Whether the map has a field for the winner, so that None means nobody.
    """

    winner: Role | None
    end: End | None
    void: Void | None
    says_winner: bool

    def __str__(self) -> str:
        if self.void is not None:
            return f"void ({self.void.value})"
        who = "nobody" if self.winner is None else self.winner.value
        return who if self.end is None else f"{who} ({self.end.value})"


@dataclass(frozen=True, slots=True)
class Told:
    """A match as its file tells it.

    Attributes
    ----------
    head : Head
    said : tuple of Said
        Utterances of the two players in order.
    rulings : mapping
        Turn, from 1, to the rulings on it.
    ending : Ending
    nobody : int
        Parts that are of neither player and hold no ruling.
    """

    head: Head
    said: tuple[Said, ...]
    rulings: Mapping[int, tuple[Ruled, ...]]
    ending: Ending
    nobody: int


class Teller:
    """Reads the matches of a file by a map, for a study.

    Parameters
    ----------
    how : Map
    study : Study
        Its secrets and nouns are those that the file may name.
    """

    def __init__(self, how: Map, study: Study) -> None:
        self.finder = Finder()
        self.records = 0
        self._how, self._secrets = how, study.secrets
        self._texts = {_plain(one.text): key for key, one in study.secrets.items()}
        self._nouns = {_plain(noun): noun for noun in study.nouns.names}

    def matches(self, path: Path) -> Iterator[Told]:
        """Yield the matches of a file in the order in which they begin.

        Raises
        ------
        RunError
            Something in the file is not what the map says, or a match stands twice.
        """
        self.records = 0
        places: dict[str, Place] = {}
        for key, sources in self._gathered(path):
            told = self._told(key, sources)
            if told.head.id in places:
                rule = f"must not repeat (first on line {places[told.head.id].line})"
                raise RunError("match.key", rule, told.head.key, told.head.place)
            places[told.head.id] = told.head.place
            yield told

    def _gathered(self, path: Path) -> Iterator[tuple[tuple[str, ...], list[Located]]]:
        """Yield key and records of each match: one record, or every part in the file's order."""
        groups: dict[tuple[str, ...], list[Located]] = {}
        for record in records(path, self._how):
            self.records += 1
            key = self._key(record)
            if self._how.record is Unit.MATCH:
                yield key, [record]
            else:
                groups.setdefault(key, []).append(record)
        yield from groups.items()

    def _key(self, record: Located) -> tuple[str, ...]:
        return tuple(
            named(self.finder.spelled(record, field, "match.key"), field, "match.key", record.place)
            for field in self._how.match.key
        )

    def _told(self, key: tuple[str, ...], sources: list[Located]) -> Told:
        how, record = self._how, sources[0]
        if how.turns.path is not None:
            sources = self.finder.parts(record, how.turns.path, "turns.path")
        parts = told_parts(sources, how, self.finder)
        rulings = parts.rulings
        if how.rulings is not None and how.rulings.path is not None:
            rulings = ruled_apart(record, how.rulings, self.finder)
        heads = [record] if how.record is Unit.MATCH else sources
        return Told(
            head=self._head(key, heads, how.match),
            said=parts.said,
            rulings=rulings,
            ending=self._ending(heads, how.outcome),
            nobody=parts.nobody,
        )

    def _head(self, key: tuple[str, ...], parts: Sequence[Located], how: MatchMap) -> Head:
        spelling, place = self.finder.agreed(parts, how.game, "match.game")
        game = Game(coded(spelling, how.game, "match.game", place))
        return Head(
            id=content_id(list(key)),
            key=", ".join(key),
            game=game,
            mode=self._mode(parts, how) if game is Game.AIDG_I else None,
            tournament=self._from_one(parts, how.tournament, "match.tournament"),
            position=self._position(parts, how.position),
            seeker=self._player(parts, how.seeker, "seeker"),
            holder=self._player(parts, how.holder, "holder"),
            secret=self._secret(parts, how, game),
            place=parts[0].place,
        )

    def _mode(self, parts: Sequence[Located], how: MatchMap) -> Mode:
        if how.mode is None:
            rule = "must be given in the map where the file holds AIDG-I"
            raise RunError("match.mode", rule, place=parts[0].place)
        spelling, place = self.finder.agreed(parts, how.mode, "match.mode")
        return Mode(coded(spelling, how.mode, "match.mode", place))

    def _position(self, parts: Sequence[Located], field: Named | None) -> int | None:
        return None if field is None else self._from_one(parts, field, "match.position")

    def _from_one(self, parts: Sequence[Located], field: Named, name: str) -> int:
        spelling, place = self.finder.agreed(parts, field, name)
        number = whole(spelling, field, name, place)
        if number < 1:
            raise RunError(name, "must be at least 1", number, place)
        return number

    def _player(self, parts: Sequence[Located], field: Named, role: str) -> str:
        name = f"match.{role}"
        spelling, place = self.finder.agreed(parts, field, name)
        tree, within = {"id": named(spelling, field, name, place)}, ("match", role)
        return checked(
            tree, ImportedPlayer, place.path, RunError, lambda _loc: place.line, within=within
        ).id

    def _secret(self, parts: Sequence[Located], how: MatchMap, game: Game) -> str:
        spelling, place = self.finder.agreed(parts, how.secret, "match.secret")
        given = named(spelling, how.secret, "match.secret", place)
        if game is Game.AIDG_II:
            found = self._nouns.get(_plain(given))
        elif how.secret.given_as is SecretIs.ID:
            found = given if given in self._secrets else None
        else:
            found = self._texts.get(_plain(given))
        if found is None:
            what = "nouns" if game is Game.AIDG_II else "secrets"
            raise RunError("match.secret", f"must be one of the study's {what}", given, place)
        return found

    def _ending(self, parts: Sequence[Located], how: OutcomeMap) -> Ending:
        said = {}
        for name, field in (("winner", how.winner), ("end", how.end), ("void", how.void)):
            if field is not None:
                spelling, place = self.finder.agreed(parts, field, f"outcome.{name}")
                word = coded(spelling, field, f"outcome.{name}", place)
                said[name] = None if word == NONE else word
        winner, end, void = said.get("winner"), said.get("end"), said.get("void")
        return Ending(
            winner=None if winner is None or void is not None else Role(winner),
            end=None if end is None or void is not None else End(end),
            void=None if void is None else Void(void),
            says_winner=how.winner is not None,
        )


def _plain(text: str) -> str:
    """Return a secret as copies of it are compared: a final stop is no part of it."""
    return normalised(text).rstrip(".")
