"""Matches told as somebody's file would tell them, and the maps to read them by."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from games.builtin.arbiter import RuleArbiter
from games.builtin.seating import Seating
from games.imports.account import Imported
from games.imports.run import import_run
from games.rules.game import State, Utterance
from games.rules.schedule import Match
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.study.study import Study
from games.trace import RULES
from games.words import Role

HEAD = """\
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
"""
RULINGS = """
[rulings]
label = "label"
category = "category"
reason = "why"
"""
OUTCOME = """
[outcome]
winner = { path = "won", values = { attacker = "seeker", victim = "holder", null = "none" } }
end = "end"
void = "void"
"""
MAP = HEAD + RULINGS + OUTCOME
NO_RULINGS = HEAD + OUTCOME
# The same matches, one utterance a row.
PARTS = (
    MAP.replace('path = "log"', 'order = "n"')
    .replace('format = "jsonl"', 'format = "jsonl"\nrecord = "part"')
    .replace('"who.attacker"', '["who.attacker"]')
    .replace('"who.victim"', '["who.victim"]')
)
CSV = PARTS.replace('"jsonl"', '"csv"')


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
    """Return a match as a record of the maps above; one that has not ended is void."""
    ruled = {int(ruling.item.split("/")[1][1:]): ruling for ruling in state.rulings}
    log: list[dict] = []
    for turn in state.turns:
        log.append(_said("attacker", turn.message))
        if turn.reply is not None:
            log.append(_said("victim", turn.reply))
        if rulings and turn.number in ruled:
            log.append(_judged(ruled[turn.number]))
    outcome = state.outcome
    won = {Role.SEEKER: "attacker", Role.HOLDER: "victim", None: None}
    return {
        "game": f"g/{match.id}",
        "task": "talk" if match.mode else "words",
        "open": None if match.mode is None else match.mode == "A",
        "round": match.tournament,
        "at": match.position,
        "who": {"attacker": match.seeker, "victim": match.holder},
        "secret": match.secret,
        "log": log,
        "won": won[outcome.winner] if outcome else None,
        "end": outcome.end if outcome else None,
        "void": outcome.void if outcome else "infrastructure",
    }


def _said(who: str, utterance: Utterance) -> dict:
    return {"by": who, "says": utterance.text, "fault": utterance.fault}


def _judged(ruling: Verdict) -> dict:
    told = {"by": "judge", "label": ruling.label or ruling.abstention, "why": ruling.reason}
    return told | {"category": ruling.category}


def rows_of(record: dict) -> list[dict]:
    """Return a record as rows, one an utterance, each with the whole head."""
    who = {f"who.{role}": name for role, name in record["who"].items()}
    head = {k: v for k, v in record.items() if k not in ("who", "log")} | who
    blank = dict.fromkeys(("says", "fault", "label", "category", "why"))
    return [head | blank | part | {"n": n} for n, part in enumerate(record["log"])]


def lines(records: Iterable[dict]) -> str:
    """Return records as JSON lines."""
    return "".join(f"{json.dumps(record)}\n" for record in records)


def imported(
    folder: Path, study: Study, text: str, how: str = MAP, **options: bool
) -> tuple[Imported, RunFolder]:
    """Return account and folder of the import of a text by a map."""
    folder.mkdir(parents=True, exist_ok=True)
    file, drawn = folder / "told.txt", folder / "map.toml"
    file.write_bytes(text.encode("utf-8"))
    drawn.write_text(how, encoding="utf-8")
    run = RunFolder(folder / "run")
    return import_run(file, drawn, study, str(study.folder), run.path, **options), run
