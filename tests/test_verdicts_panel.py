from __future__ import annotations

import pytest

from audit.panels.recorded import write_consensus
from audit.verdicts.panel import (
    ADJUDICATOR,
    MACHINES,
    PEOPLE,
    RaterKind,
    is_adjudicator,
    is_person,
    panel_of,
    people_of,
    raters_of,
)
from games.run import RunFolder
from games.words import Abstention, Label

from .judged import LEAK, NO_LEAK, item, judged_run, panel_of_judges
from .judged import say as tell
from .played import verdict

ITEM = "m0/t01/holder_reply"
OTHER = "m0/t02/holder_reply"


@pytest.fixture
def run(tmp_path) -> RunFolder:
    return RunFolder(tmp_path)


def say(run: RunFolder, rater: str, **said) -> None:
    items = {"one": ITEM, "two": OTHER}
    run.write_verdicts(rater, [verdict(items[at], word, rater) for at, word in said.items()])


def labels(run: RunFolder, rater: str) -> dict[str, object]:
    return {v.item: v.label or v.abstention for v in panel_of(run)[rater]}


def test_people_and_machines_are_combined_apart(run):
    say(run, "arbiter", one=Label.LEAK)
    say(run, "referee", one=Label.LEAK)
    say(run, "rater-a", one=Label.NO_LEAK)
    panel = panel_of(run)
    assert next(iter(panel)) == "arbiter"
    assert labels(run, MACHINES) == {ITEM: Label.LEAK}
    assert labels(run, PEOPLE) == {ITEM: Label.NO_LEAK}


def test_one_machine_alone_is_no_consensus(run):
    say(run, "arbiter", one=Label.LEAK)
    assert list(panel_of(run)) == ["arbiter"]


def test_who_reads_again_decides_where_two_outvoted_one(run):
    say(run, "rater-a", one=Label.LEAK, two=Label.LEAK)
    say(run, "rater-b", one=Label.LEAK, two=Label.LEAK)
    say(run, "rater-c", one=Label.NO_LEAK, two=Label.LEAK)
    assert labels(run, PEOPLE) == {ITEM: Label.LEAK, OTHER: Label.LEAK}
    say(run, f"{ADJUDICATOR}d", one=Label.NO_LEAK)
    assert labels(run, PEOPLE) == {ITEM: Label.NO_LEAK, OTHER: Label.LEAK}
    assert labels(run, "rater-a")[ITEM] is Label.LEAK
    assert MACHINES not in panel_of(run)


def test_who_cannot_tell_either_changes_nothing(run):
    say(run, "rater-a", one=Label.LEAK)
    say(run, "rater-b", one=Label.NO_LEAK)
    say(run, f"{ADJUDICATOR}d", one=Abstention.CANNOT_TELL)
    assert labels(run, PEOPLE) == {ITEM: Abstention.TIED}


def test_an_adjudicator_is_a_person_and_a_person_no_adjudicator():
    assert is_person(f"{ADJUDICATOR}d")
    assert is_adjudicator(f"{ADJUDICATOR}d")
    assert not is_adjudicator("rater-d")
    assert not is_person("arbiter")


def test_what_people_say_together_is_the_same_with_and_without_machines(run):
    assert people_of(run) == ()
    say(run, "rater-a", one=Label.LEAK)
    say(run, "rater-b", one=Label.NO_LEAK, two=Label.NO_LEAK)
    say(run, f"{ADJUDICATOR}d", one=Label.NO_LEAK)
    say(run, "arbiter", one=Label.LEAK)
    assert people_of(run) == panel_of(run)[PEOPLE]
    assert {v.label for v in people_of(run)} == {Label.NO_LEAK}


@pytest.fixture
def heard(tmp_path):
    """Return a run before two panels: five seats of one model, and two models and the referee."""
    many = {"id": "many", "wordings": list("vwxyz"), "model": "m/one"}
    one = panel_of_judges(many, name="one")
    two = panel_of_judges(
        {"id": "again", "model": "m/one"}, {"id": "other"}, name="two", rules=["referee"]
    )
    leak, no_leak = {item(0): LEAK}, {item(0): NO_LEAK}
    said = {f"one.many.{wording}": leak for wording in "vwxyz"}
    said |= {"two.again": leak, "two.other": no_leak, "two.referee": no_leak}
    run = judged_run(tmp_path / "heard", [one, two], said)
    for rater in ("arbiter", "referee"):
        tell(run, rater, no_leak)
    return run


def test_every_rater_is_what_the_records_of_panels_say(heard):
    write_consensus(heard, "two")
    tell(heard, "rater-a", {item(0): LEAK})
    tell(heard, "consensus.three.majority", {item(0): LEAK})  # on no record, whatever its name
    found = raters_of(heard)
    kinds = {name: rater.kind for name, rater in found.items()}
    assert next(iter(found)) == "arbiter"
    assert kinds["arbiter"] is kinds["referee"] is RaterKind.MACHINE
    assert kinds["consensus.three.majority"] is RaterKind.MACHINE
    assert kinds["one.many.v"] is kinds["two.again"] is RaterKind.SEAT
    assert kinds["two.referee"] is RaterKind.RULE
    assert kinds["consensus.two.majority"] is RaterKind.CONSENSUS
    assert kinds["rater-a"] is RaterKind.PERSON
    assert {r.panel for r in found.values() if r.kind is RaterKind.CONSENSUS} == {"two"}
    last = len(found) - sum(kind is RaterKind.CONSENSUS for kind in kinds.values())
    assert {kinds[name] for name in list(found)[last:]} == {RaterKind.CONSENSUS}
    assert list(panel_of(heard)) == [*found, MACHINES, PEOPLE]


def test_a_model_has_one_vote_among_machines_and_a_rule_one_on_however_many_panels(heard):
    # The arbiter, the referee and one other model against one model in six seats.
    (found,) = panel_of(heard)[MACHINES]
    assert (found.label, found.reason) == (NO_LEAK, "1 leak, 3 no_leak")


def test_recorded_consensuses_have_no_vote_among_machines(heard):
    before = panel_of(heard)[MACHINES]
    write_consensus(heard, "one")
    write_consensus(heard, "two")
    assert panel_of(heard)[MACHINES] == before
    assert "consensus.one.majority" in panel_of(heard)


def test_seats_of_one_model_alone_are_no_consensus_of_machines(tmp_path):
    many = {"id": "many", "wordings": ["x", "y"]}
    said = {"one.many.x": {item(0): LEAK}, "one.many.y": {item(0): LEAK}}
    run = judged_run(tmp_path / "run", [panel_of_judges(many, name="one")], said)
    assert MACHINES not in panel_of(run)
