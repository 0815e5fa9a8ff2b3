from __future__ import annotations

import pytest

from audit.verdicts.panel import ADJUDICATOR, MACHINES, PEOPLE, is_adjudicator, is_person, panel_of
from games.run import RunFolder
from games.words import Abstention, Label

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
