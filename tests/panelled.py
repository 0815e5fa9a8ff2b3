"""Small runs that were played by policies and judged by panels made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from audit.judge import judge_run
from audit.panels.recorded import write_consensus
from audit.verdicts.items import cut_items
from audit.verdicts.panel import ARBITER
from games.panels.folder import PanelFolder, PanelManifest
from games.panels.panel import Panel
from games.play.journal import Journal
from games.play.tournament import play
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.run import RunFolder
from games.study.study import load_study
from games.words import ItemKind, Label, Role

from .calls import call
from .conftest import small_study
from .judged import panel_of_judges

# Three judges and a rule: one asked twice, two of one model.
PANEL = panel_of_judges(
    "ada",
    {"id": "ben", "repeats": 2},
    {"id": "cy", "model": "m/ada"},
    kind="plumbing",
    rules=["referee"],
)
ERRS = dict(zip(PANEL.raters(), (0.05, 0.1, 0.12, 0.2, 0.0), strict=True))
HOSTILE = "<script>window.hacked = 1</script> {{ 7 * 7 }} \u202eturned\u202c &lt; </dl>"


def panelled(
    folder: Path, panel: Panel, errs: Mapping[str, float], *, people: int = 0, seed: int = 4
) -> RunFolder:
    """Return a small run that a panel judged, each rater erring on a share of the items.

    Errors are against the arbiter's rulings. Every reason is hostile text. Of ``people`` items one
    person says what the arbiter says.
    """
    study = load_study(small_study(folder / "study"))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=seed)
    judge_run(run)
    asked = {item.id: item.kind for item in cut_items(run.traces()).items}
    rng = np.random.default_rng(seed)
    arbiter = {verdict.item: verdict for verdict in run.verdicts(ARBITER)}
    for rater, share in errs.items():
        wrong = rng.random(len(asked)) < share
        said = [
            _said(arbiter[item], kind, rater, flipped=bool(flip))
            for (item, kind), flip in zip(asked.items(), wrong, strict=True)
        ]
        run.write_verdicts(rater, said)
    record(run, panel, len(asked))
    if people:
        label(run, "rater-1", people)
    write_consensus(run, panel.name)
    return run


def record(run: RunFolder, panel: Panel, asked: int) -> None:
    """Write down that a panel was asked, with one call of every seat."""
    manifest = PanelManifest(version="0", panel=panel, study="", items="", asked=asked, started="")
    folder = PanelFolder(run, panel.name)
    folder.write_manifest(manifest)
    with Journal(folder.journal) as journal:
        for second, seat in enumerate(panel.seats()):
            about = {"about": ItemKind.HOLDER_REPLY, "second": second}
            journal.append(call(seat.rater, match="m", role=Role.ARBITER, **about))


def label(run: RunFolder, rater: str, items: int) -> None:
    """Let a person say of the first items what the arbiter says."""
    said = run.verdicts(ARBITER)[:items]
    run.write_verdicts(rater, [one.model_copy(update={"rater": rater}) for one in said])


def _said(before: Verdict, kind: ItemKind, rater: str, *, flipped: bool) -> Verdict:
    one, other = LABELS[kind][:2]
    label = before.label
    if flipped:
        label = other if before.label is one else one
    category = before.category if label is Label.LEAK else None
    return before.model_copy(
        update={"rater": rater, "label": label, "category": category, "reason": HOSTILE}
    )
