"""The battery put to a panel of stubs: kept apart from the run, read back as it was put."""

from __future__ import annotations

import json
import shutil
from collections import Counter

import pytest

from audit.panels.attacked import INJECTIONS, battery_hearing, battery_of
from audit.panels.beside import aside_of
from audit.panels.run import hearing_of, judge_panel
from audit.panels.summary import panel_summary
from audit.panels.susceptibility import Reaction
from games.errors import RunError, RunStopped, StudyError
from games.models.trouble import Trouble, TroubleKind
from games.panels.battery import battery_items, load_battery
from games.panels.folder import PanelFolder, panels_of
from games.play.terms import Terms
from games.run import RunFolder
from games.study.shipped import find_study
from games.words import RULED

from .hearings import SEATS, expected, judges, played, study_with
from .stub_models import Stub, opens

BATTERY = load_battery(find_study("aidg") / "injections")
MODELS = dict(zip(SEATS, ("j/ada", "j/both", "j/both", "j/cy", "j/cy"), strict=True))


@pytest.fixture
def run(tmp_path) -> RunFolder:
    study = study_with(tmp_path / "study")
    shutil.copytree(find_study("aidg") / "injections", study / "injections")
    return played(study, tmp_path / "run")


def attacked(run: RunFolder, stub: Stub | None = None, panel: str = "three", **terms) -> Stub:
    stub = stub or Stub(judges)
    hearing = battery_hearing(hearing_of(run, panel))
    judge_panel(hearing, Terms(environ={}, open_models=opens(stub), **terms))
    return stub


def as_put(run: RunFolder) -> tuple[object, object]:
    found = battery_of(run, "three")
    return found.battery, found.verdicts


def reaction(model: str, twins) -> Reaction:
    """What a stub makes of a pair, by what it says of any line, without any request."""
    said = expected(model, (twins.attacked, twins.clean))
    truth = twins.injection.truth
    if said[twins.clean.id] is not truth:
        return Reaction.WRONG_ANYWAY
    return Reaction.RESISTED if said[twins.attacked.id] is truth else Reaction.OBEYED


def test_every_seat_and_rule_is_asked_about_both_twins_and_its_reactions_are_counted(run):
    attacked(run)
    found = battery_of(run, "three")
    assert len(found.battery) == len(BATTERY.twins) == 48
    assert list(found.verdicts) == [*SEATS, "three.referee"]
    overall = {
        one.rater: one for one in found.susceptibility() if one.kind is None and one.target is None
    }
    for rater, model in MODELS.items():
        by_hand = Counter(reaction(model, twins) for twins in BATTERY.twins)
        assert {word: n for word, n in overall[rater].counts.items() if n} == by_hand
        right = by_hand[Reaction.OBEYED] + by_hand[Reaction.RESISTED]
        assert overall[rater].rate.value == pytest.approx(by_hand[Reaction.OBEYED] / right)
    kinds = {one.kind for one in found.susceptibility() if one.rater == SEATS[0]}
    assert kinds == {None, *(twins.kind for twins in BATTERY.twins)}


def test_its_verdicts_are_no_verdicts_of_the_run_and_it_is_no_panel_of_its_own(run):
    attacked(run)
    assert run.raters() == ()
    assert panels_of(run) == ()
    apart = run.path / "panels" / "three" / "battery"
    assert {path.name for path in (apart / "verdicts").iterdir()} == {
        f"{rater}.jsonl" for rater in (*SEATS, "three.referee")
    }
    with pytest.raises(RunError, match="must be a panel that judged this run"):
        PanelFolder(run, "three").manifest()
    summary = panel_summary(battery_hearing(hearing_of(run, "three")))
    assert [one.items for one in summary] == [96] * 6
    assert summary[0].account.replies == 96


def test_asked_again_nobody_is_asked_and_a_stop_goes_on(run):
    asked = iter(range(1, 10**6))

    def mind(request, attempt):
        if next(asked) > 40:
            raise Trouble(TroubleKind.QUOTA_EXHAUSTED, "pay")
        return judges(request)

    stub = Stub(mind)
    with pytest.raises(RunStopped, match="quota_exhausted: pay"):
        attacked(run, stub)
    counts = battery_of(run, "three").susceptibility()[0].counts
    assert counts[Reaction.MISSING] > 0
    stub.mind = judges
    attacked(run, stub)
    assert battery_of(run, "three").susceptibility()[0].counts[Reaction.MISSING] == 0
    sent = len(stub.asked)
    attacked(run, stub)
    assert len(stub.asked) == sent


def test_what_was_put_is_read_back_from_the_run_when_the_study_has_moved_on(run):
    attacked(run)
    before = battery_of(run, "three")
    folder = run.path.parent / "study" / "injections"
    (folder / "flattery.toml").unlink()
    assert as_put(run) == (before.battery, before.verdicts)
    with pytest.raises(RunError, match="`items` changed since this panel was asked"):
        attacked(run)
    assert as_put(run) == (before.battery, before.verdicts)


def test_where_it_was_not_put_there_is_none(run):
    assert battery_of(run, "three") is None
    assert aside_of(run, "three") is None


def test_an_aside_holds_every_verdict_on_the_battery(run):
    attacked(run)
    aside, found = aside_of(run, "three"), battery_of(run, "three")
    assert aside.battery == found.battery
    assert aside.verdicts == found.verdicts


def test_only_injections_about_what_the_panel_is_asked_are_put(run):
    path = run.path.parent / "study" / "panels" / "three.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('rules = ["referee"]', 'kinds = ["lock"]'), encoding="utf-8")
    attacked(run)
    found = battery_of(run, "three")
    assert {twins.injection.item.value for twins in found.battery} == {"lock"}
    locks = battery_items(BATTERY, [kind for kind in RULED if kind.value == "lock"])
    assert {len(said) for said in found.verdicts.values()} == {len(locks)}


def test_a_panel_that_is_asked_nothing_of_the_kind_is_refused(run):
    path = run.path.parent / "study" / "panels" / "three.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('rules = ["referee"]', 'kinds = ["answer"]'), encoding="utf-8")
    with pytest.raises(RunError) as caught:
        attacked(run)
    assert str(caught.value) == (
        "`--battery` holds nothing about what this panel is asked (answer)"
    )


def test_a_study_without_a_battery_is_refused(run):
    shutil.rmtree(run.path.parent / "study" / "injections")
    with pytest.raises(StudyError, match="`injections` must be a folder of injections"):
        attacked(run)


def test_another_battery_in_the_place_of_what_was_put_is_refused(run):
    attacked(run)
    path = run.path / "panels" / "three" / "battery" / INJECTIONS
    tree = json.loads(path.read_bytes())
    tree["files"] = tree["files"][1:]
    path.write_text(json.dumps(tree), encoding="utf-8")
    with pytest.raises(RunError, match="must hold the injections that the panel was asked about"):
        battery_of(run, "three")
