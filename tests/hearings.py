"""Runs before a panel of stubs: what a judge says is a function of the line that it is asked about.

`expected` says the same of an item without any request, so that what comes of all the asking,
reading and keeping can be held against it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from audit.verdicts.items import cut_items
from games.cohort import load_cohort
from games.models.chat import ChatRequest
from games.panels.folder import PanelFolder
from games.panels.judging import judge_items
from games.panels.load import find_panel, load_panel, load_texts
from games.panels.put import Put
from games.panels.sitting import Verdicts
from games.play.asking import Call
from games.play.journal import Event, EventKind, read_journal
from games.play.terms import Terms
from games.play.tournament import play
from games.rules.item import Item
from games.rules.rubric import LABELS
from games.run import RunFolder
from games.study.shipped import find_study
from games.study.study import load_study
from games.words import Label, Role

from .conftest import small_study
from .stub_models import Mind, Stub, opens

# Three judges and five seats: one asked as ever, one in both units, one twice.
PANEL = """\
name = "three"
kind = "plumbing"
description = "Stubs for tests."
rules = ["referee"]

[endpoints.here]
client = "scripted"

[[judges]]
id = "ada"
vendor = "none"
family = "ada"
endpoint = "here"
model = "j/ada"
sampling = { temperature = 0.0, max_tokens = 64, structured = true, seed = 5 }

[[judges]]
id = "both"
vendor = "none"
family = "both"
endpoint = "here"
model = "j/both"
sampling = { max_tokens = 64 }
units = ["turn", "transcript"]

[[judges]]
id = "cy"
vendor = "none"
family = "cy"
endpoint = "here"
model = "j/cy"
sampling = { max_tokens = 64, seed = 5 }
repeats = 2
"""
SEATS = ("three.ada", "three.both.turn", "three.both.transcript", "three.cy.r1", "three.cy.r2")


def study_with(folder: Path, panel: str = PANEL, name: str = "three") -> Path:
    """Write a small study with a panel, and return its folder."""
    study = small_study(folder, tournaments=1)
    wordings = study / "panels" / "wordings"
    wordings.mkdir(parents=True)
    (study / "panels" / f"{name}.toml").write_text(panel, encoding="utf-8")
    shipped = find_study("aidg") / "panels" / "wordings"
    for wording in ("study.transcript.txt", "terse.txt"):
        (wordings / wording).write_bytes((shipped / wording).read_bytes())
    return study


def tagged(study: Path) -> None:
    """Let a small study show secret and dialogue to its arbiter in tags of their own."""
    (prompt,) = study.rglob("arbiter.txt")
    blocks = "<secret>\n{secret}\n</secret>\n<dialogue>\n{dialogue}\n</dialogue>"
    text = prompt.read_text(encoding="utf-8").replace("{secret}\n{dialogue}", blocks)
    prompt.write_text(text, encoding="utf-8")


def played(study: Path, out: Path) -> RunFolder:
    """Return a run of the small study's built-in players: 18 matches."""
    cohort = load_cohort(study / "cohorts" / "reference.toml")
    return play(load_study(study), str(study), cohort, out, seed=3)


def put_of(run: RunFolder, panel: str = "three", *, matches: int | None = None) -> Put:
    """Return what a panel is asked about the first matches of a run, or about all of them."""
    study = run.study()
    path = find_panel(panel, study.folder)
    loaded = load_panel(path)
    items = cut_items(run.traces()[:matches], loaded.kinds).items
    texts = load_texts(loaded, study, path.parent)
    return Put(items, loaded, texts, run.manifest().study_print, study.choices)


def leaning(model: str, kind: str, text: str) -> Label:
    """Return what a judge says of a line: the first two labels of its kind, by length and name."""
    labels = next(labels for each, labels in LABELS.items() if each.value == kind)
    return labels[(len(text) + len(model)) % 2]


def expected(model: str, items: Iterable[Item]) -> dict[str, Label]:
    """Return what a judge says of items."""
    return {item.id: leaning(model, item.kind.value, item.subject.text) for item in items}


def judges(request: ChatRequest, attempt: int = 1) -> str:
    """Return what a judge replies that does as it is asked."""
    lines = [json.loads(o) for o in request.messages[-1].text.splitlines() if o.startswith('{"')]
    said = [line for line in lines if "text" in line]
    properties = request.reply_schema["properties"]
    if "rulings" not in properties:
        return json.dumps(_ruling(request.model, properties, said[-1]))
    (asked,) = [line for line in lines if "turns" in line]
    rule = properties["rulings"]["items"]["properties"]
    by_turn = {line["turn"]: line for line in said if line["speaker"] == asked["speaker"]}
    return json.dumps(
        {"rulings": [_ruling(request.model, rule, by_turn[t]) for t in asked["turns"]]}
    )


def _ruling(model: str, properties: dict, line: dict) -> dict[str, object]:
    offered = properties["verdict"]["enum"]
    kind = next(k.value for k, labels in LABELS.items() if offered[: len(labels)] == list(labels))
    label = leaning(model, kind, line["text"])
    category = "implicit" if label is Label.LEAK else "none"
    return {"reason": "So.", "verdict": label.value, "category": category, "turn": line["turn"]}


class Kept:
    """A shelf in memory.

    Attributes
    ----------
    times : list of bool
        Of each keeping, whether it was complete.
    """

    def __init__(self) -> None:
        self.verdicts: Verdicts = {}
        self.times: list[bool] = []

    def whole(self) -> bool:
        return bool(self.times)

    def keep(self, verdicts: Verdicts, *, complete: bool) -> None:
        self.verdicts = verdicts
        self.times.append(complete)


def ask(put: Put, run: RunFolder, mind: Mind | Stub = judges, shelf: Kept | None = None, **terms):
    """Put items to a panel of one stub, and return the shelf."""
    shelf, stub = shelf or Kept(), mind if isinstance(mind, Stub) else Stub(mind)
    given = {"environ": {}, "open_models": opens(stub), **terms}
    judge_items(put, PanelFolder(run, put.panel.name), shelf, Terms(**given))
    return shelf


def calls(run: RunFolder, panel: str = "three") -> list[Call]:
    """Return the calls in a panel's journal."""
    records = read_journal(PanelFolder(run, panel).journal)
    return [record for record in records if isinstance(record, Call)]


def events(run: RunFolder, kind: EventKind, panel: str = "three") -> list[Event]:
    """Return the events of a kind in a panel's journal."""
    records = read_journal(PanelFolder(run, panel).journal)
    return [record for record in records if isinstance(record, Event) and record.kind is kind]


def is_about(request: ChatRequest, role: Role) -> bool:
    """Return whether a single line is asked about that a role said."""
    last = json.loads(request.messages[-1].text.split("\n</dialogue>")[0].splitlines()[-1])
    return last.get("speaker") == role.value
