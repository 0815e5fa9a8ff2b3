"""Matches of built-in players told as somebody's file would tell them, and the map to read it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from games.builtin.arbiter import RuleArbiter
from games.builtin.seating import Seating
from games.records import Record
from games.rules.game import State
from games.rules.schedule import Match
from games.study.study import Study
from games.trace import RULES
from games.words import Role

ENDS = ("leak", "declaration", "correct_lock", "disqualified", "wrong_lock", "wrong_final")

MAP = """\
format = "jsonl"

[cohort]
name = "told"
description = "Players of whom a file tells."

[match]
key = "game"
game = { path = "task", values = { talk = "aidg_i", words = "aidg_ii" } }
mode = { path = "open", values = { true = "A", false = "B" } }
tournament = "round"
position = "at"
seeker = "who.attacker"
holder = "who.victim"
secret = { path = "secret", given_as = "id" }

[turns]
path = "log"
role = { path = "by", values = { attacker = "seeker", victim = "holder", judge = "arbiter" } }
text = "says"
fault = "fault"

[rulings]
label = "label"
category = "category"
reason = "why"

[outcome]
winner = { path = "won", values = { attacker = "seeker", victim = "holder", null = "none" } }
end = "end"
void = "void"
"""
NO_RULINGS = MAP[: MAP.index("[rulings]")] + MAP[MAP.index("[outcome]") :]


class Told(Record):
    """A match that has ended, played by built-in players."""

    match: Match
    played: dict

    @property
    def key(self) -> str:
        return f"g/{self.match.id}"


def played(study: Study, seed: int, *, tournament: int = 1) -> list[tuple[Match, State]]:
    """Return one tournament of a study's schedule, played by its reference cohort."""
    cohort = study.cohort()
    seating = Seating(cohort.players, study.nouns, seed)
    arbiter = RuleArbiter(study.nouns.aliases, study.rubrics)
    matches = study.schedule(cohort, seed).matches
    return [
        (match, _ended(study, match, seating, arbiter))
        for match in matches
        if match.tournament == tournament
    ]


def _ended(study: Study, match: Match, seating: Seating, arbiter: RuleArbiter) -> State:
    rules = RULES[match.game]
    speakers = {Role.SEEKER: seating.seeker(match), Role.HOLDER: seating.holder(match)}
    state = rules.begin(study.setup(match))
    while (mover := rules.mover(state)) is not None:
        item = rules.pending(state)
        if item is not None:
            state = rules.apply(state, arbiter.rule(item))
        else:
            text = speakers[mover].speak(rules.view(state, mover))
            state = rules.apply(state, rules.parse(state, mover, text))
    return state


def record_of(match: Match, state: State, *, rulings: bool = True) -> dict:
    """Return a match as a record of the map above."""
    ruled = {ruling.item.split("/")[1]: ruling for ruling in state.rulings}
    log: list[dict] = []
    for turn in state.turns:
        log.append(_said("attacker", turn.message))
        if turn.reply is not None:
            log.append(_said("victim", turn.reply))
        ruling = ruled.get(f"t{turn.number:02d}")
        if rulings and ruling is not None:
            label = ruling.label or ruling.abstention
            judged = {"by": "judge", "label": label, "why": ruling.reason}
            log.append(judged | {"category": ruling.category})
    won = {Role.SEEKER: "attacker", Role.HOLDER: "victim", None: None}[state.outcome.winner]
    return {
        "game": f"g/{match.id}",
        "task": "talk" if match.mode else "words",
        "open": None if match.mode is None else match.mode == "A",
        "round": match.tournament,
        "at": match.position,
        "who": {"attacker": match.seeker, "victim": match.holder},
        "secret": match.secret,
        "log": log,
        "won": won,
        "end": state.outcome.end,
        "void": state.outcome.void,
    }


def _said(who: str, utterance) -> dict:
    return {"by": who, "says": utterance.text, "fault": utterance.fault}


def lines(records: Iterable[dict]) -> str:
    """Return records as JSON lines."""
    return "".join(f"{json.dumps(record)}\n" for record in records)


def each(told: Iterable[tuple[Match, State]], **how: bool) -> Iterator[dict]:
    """Return matches as records."""
    return (record_of(match, state, **how) for match, state in told)
