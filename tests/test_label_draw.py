from __future__ import annotations

import json
import sys

import pytest

from annotation.exchange import tasks
from annotation.keys import keys_of
from annotation.rounds import draw_labels, plan_labels, pull_labels, read_selection
from audit.verdicts.items import cut_items
from audit.verdicts.sampling import draw as draw_units
from audit.verdicts.selection import Design
from audit.verdicts.showing import Purpose, showing_of
from audit.verdicts.strata import StratumKey
from games.errors import RunError
from games.run import RunFolder
from games.words import ItemKind, Label
from reports.cli.app import main
from reports.cli.design_tables import print_drawn

from .conftest import small_study
from .played import played, verdict
from .test_annotation_rounds import recorded, written
from .test_verdicts_sampling import UNEVEN

FORM, ANSWER = ItemKind.MESSAGE_FORM, ItemKind.ANSWER
DISAGREEMENT = StratumKey.DISAGREEMENT


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of the small study, played by its built-in players."""
    folder = tmp_path_factory.mktemp("draw")
    study = small_study(folder / "study")
    patch = pytest.MonkeyPatch()
    assert aidg(patch, "run", "play", study, "--out", folder / "run", "--seed", 3) == 0
    patch.undo()
    return RunFolder(folder / "run")


@pytest.fixture
def draw(run, monkeypatch, capsys):
    """Return how to draw by the command line: exit code and all that is printed, on wide lines."""
    monkeypatch.setenv("COLUMNS", "200")

    def drawn(*options):
        code = aidg(monkeypatch, "label", "draw", run.path, *options)
        said = capsys.readouterr()
        return code, said.out + said.err

    return drawn


def test_a_plan_says_what_the_sample_buys_and_writes_nothing(run, draw):
    code, said = draw("-n", 12, "--minimum", 1, "--plan-only")
    assert code == 0
    assert not run.labels.exists()
    for told in (
        "what 12 items would tell of the arbiter",
        "Assumed: people call positive 80% of what the arbiter does, 1.0% of what it passes, 30%",
        "what the sample cannot exclude among what the arbiter passed",
        "the same number shared otherwise: holder_reply",
        "12 labels take about",
    ):
        assert told in said
    assert " ± " in said


def test_assumptions_can_be_set(draw):
    assumed = ("--right", 0.5, "--missed", 0.2, "--disputed", 0.6)
    code, said = draw("-n", 12, "--minimum", 1, "--plan-only", *assumed)
    assert code == 0
    assert "positive 50% of what the arbiter does, 20.0% of what it passes, 60%" in said


def test_a_draw_prints_its_plan_and_then_what_it_drew(run, draw):
    shared = ("--annotators", 2, "--overlap", 4, "--repeats", 2, "--practice", 3)
    code, said = draw("-n", 12, "--minimum", 1, *shared)
    assert code == 0
    assert said.index("what 12 items would tell") < said.index("expected")
    assert "2 asked twice, 3 for practice" in said
    assert "26 labels take about" in said
    selection = read_selection(run)
    assert (len(selection.items), len(selection.repeats), len(selection.practice)) == (12, 2, 3)
    assert len({selected.match for selected in selection.items}) == 12


def test_several_of_a_match_are_drawn_only_if_asked_for(draw):
    code, said = draw("-n", 40)
    assert code == 2
    assert "`n` must be at most the 36 matches, or --several items of one may be drawn" in said
    assert draw("-n", 40, "--several", "--plan-only")[0] == 0


def test_kinds_of_a_record_alone_can_be_drawn(run, draw):
    code, said = draw("-n", 12, "--kinds", "answer,message_form", "--by", "kind,disagreement")
    assert code == 0
    assert "no item has a label of the arbiter's" in said
    assert {item.item.rsplit("/")[-1] for item in read_selection(run).items} == {
        "answer",
        "message_form",
    }
    names = {path.name for path in run.labels.iterdir()}
    assert {"interface-answer.xml", "interface-message_form.xml"} <= names


@pytest.mark.parametrize("seed", range(8))
def test_a_stratum_without_an_item_drawn_is_told(capsys, seed):
    selection = draw_units(UNEVEN, Design(n=3, seed=seed, by=(StratumKey.KIND,)))
    print_drawn(selection)
    said = capsys.readouterr().out
    empty = [stratum.values[StratumKey.KIND] for stratum in selection.strata if not stratum.drawn]
    note = "note: no item drawn, so nothing will be known of: "
    assert said.partition(note)[2].strip() == "; ".join(empty)


def test_without_strata_there_is_one(draw):
    _, said = draw("-n", 3, "--by", "", "--within", "mode=A,kind=holder_reply")
    assert "all items together" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--within", "mode=C"), "`mode` must be a stratum that holds an item (A, B, none)"),
        (("--kinds", "poem"), "`kinds` must be of holder_reply,"),
        (("--allocation", "best"), "`allocation` must be one of proportional, equal, neyman"),
        (("--practice", 999), "`practice` must be at most the "),
        (("--annotators", 2, "--overlap", 99), "`overlap` must lie between 0 and the 12 items"),
        (("--repeats", 13), "`repeats` must lie between 0 and the 12 items"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(draw, options, message):
    code, said = draw("-n", 12, "--minimum", 1, *options)
    assert code == 2
    (line,) = [line for line in said.splitlines() if line.startswith("aidg: ")]
    assert message in line


def test_kinds_that_the_run_does_not_hold_are_refused(tmp_path, study):
    run = recorded(tmp_path / "run", study, [played(["a?", "b"], [Label.LEAK])])
    design = Design(n=1, seed=0, kinds=(ANSWER,))
    with pytest.raises(
        RunError, match="`kinds` must be of items that the run holds, found 'answer'"
    ):
        plan_labels(run, study, design)


def test_every_machine_rater_present_is_compared_and_no_person(tmp_path, study):
    run = recorded(tmp_path / "run", study, [played(["a?", "b"], [Label.LEAK])])
    design = Design(n=1, seed=0, by=(DISAGREEMENT,))
    item = "m0/t01/holder_reply"

    def found():
        (unit,) = plan_labels(run, study, design).population
        return unit.cell[0][1]

    assert found() == "too_few"
    run.write_verdicts("rater-abc", [verdict(item, Label.NO_LEAK, "rater-abc")])
    assert found() == "too_few"
    run.write_verdicts("judge", [verdict(item, Label.LEAK, "judge")])
    assert found() == "agree"
    run.write_verdicts("other", [verdict(item, Label.NO_LEAK, "other")])
    assert found() == "disagree"


def test_the_referee_is_a_machine_rater_of_what_the_arbiter_is_not_asked(tmp_path, study):
    run = recorded(tmp_path / "run", study, [played(["What now?", "b"], [Label.LEAK])])
    item = "m0/t01/message_form"
    design = Design(n=1, seed=0, by=(DISAGREEMENT,), kinds=(FORM,))
    run.write_verdicts("judge", [verdict(item, Label.NARROWING, "judge")])
    (unit,) = plan_labels(run, study, design).population
    assert unit.cell == ((DISAGREEMENT, "disagree"),)


def test_repeats_and_practice_are_tasks_of_their_own_and_come_back_apart(run, tmp_path):
    study = run.study()
    shape = {"minimum": 1, "repeats": 3, "practice": 2}
    selection = draw_labels(run, study, 9, (StratumKey.KIND,), 5, **shape)
    made = json.loads((run.labels / "tasks.json").read_text(encoding="ascii"))
    keys = keys_of(run, selection)
    ids = [keys.shown(task["data"]["item_id"]) for task in made]
    assert ids == [showing.id for showing in selection.shown()]
    assert len(set(ids)) == len(ids) == 14
    said = {Purpose.AGAIN: 3, Purpose.PRACTICE: 2, Purpose.COUNTED: 9}
    purposes = [showing_of(shown).purpose for shown in ids]
    assert {purpose: purposes.count(purpose) for purpose in Purpose} == said
    by_id = {shown: task["data"] for shown, task in zip(ids, made, strict=True)}
    for item in selection.repeats:
        first = by_id[item]
        (again,) = [d for i, d in by_id.items() if i != item and showing_of(i).item == item]
        assert {**again, "item_id": first["item_id"]} == first
    for number, task in enumerate(made):
        region = {"from_name": "label", "value": {"choices": ["cannot_tell"]}}
        answer = {"id": number, "completed_by": 4, "was_cancelled": False, "result": [region]}
        task["annotations"] = [{**answer, "updated_at": "2026-03-02T09:00:00Z"}]
    copy = RunFolder(tmp_path / "run")
    copy.write_manifest(run.manifest())
    copy.labels.mkdir()
    (copy.labels / "selection.json").write_bytes((run.labels / "selection.json").read_bytes())
    pulled = pull_labels(copy, study, written(tmp_path, "all.json", made))
    ((rater, verdicts),) = pulled.verdicts.items()
    assert sorted(v.item for v in verdicts) == sorted(ids)
    asked = {item.id for item in cut_items(run.traces()).items}
    assert sum(v.item in asked for v in copy.verdicts(rater)) == 9


def test_a_seat_is_asked_its_own_items_and_the_shared_ones(run):
    study = run.study()
    shape = {"minimum": 1, "annotators": 2, "overlap": 2}
    selection = draw_labels(run, study, 8, (StratumKey.KIND,), 5, **shape)
    items = cut_items(run.traces()).items
    seats = [
        {
            task["data"]["item_id"]
            for task in tasks(selection, items, study.rubrics, keys_of(run, selection), seat)
        }
        for seat in (1, 2)
    ]
    assert [len(seat) for seat in seats] == [5, 5]
    assert len(seats[0] & seats[1]) == 2
