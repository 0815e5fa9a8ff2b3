from __future__ import annotations

import json
import re

import pytest

from games.errors import Place, RunError
from games.play.resume import check_folder, check_unchanged, clear_parts, inventory
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study

ELSEWHERE = "play into another folder, or --fork this run there"


@pytest.fixture
def run(study, tmp_path) -> RunFolder:
    return play(study, "small", study.cohort(), tmp_path / "run", seed=1)


def changed(study_folder, name: str, before: str, after: str):
    path = study_folder / name
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    return load_study(study_folder)


@pytest.mark.parametrize(
    ("name", "before", "after", "subject"),
    [
        ("secrets.csv", "two parrots", "three parrots", "study/secrets.csv"),
        ("open_choices.toml", '"every_turn"\nwhy', '"once"\nwhy', "study/open_choices.toml"),
        ("rubrics/lock.toml", "An alias", "Any alias", "study/rubrics/lock.toml"),
        ("prompts/ours/holder_i.txt", "Keep", "Hold", "prompts.holder_i"),
        ("cohorts/reference.toml", 'holder_i = "hedging"', 'holder_i = "open"', "cohort.even"),
        ("cohorts/reference.toml", 'id = "even"', 'id = "odd"', "cohort.even"),
    ],
)
def test_a_run_does_not_go_on_when_what_it_was_started_with_changed(
    run, study_folder, name, before, after, subject
):
    study = changed(study_folder, name, before, after)
    place = re.escape(str(run.path / "manifest.json"))
    rule = f"^{place}: `{subject}` changed since this run was started; {ELSEWHERE}$"
    with pytest.raises(RunError, match=rule):
        play(study, "small", study.cohort(), run.path, seed=1)


def test_a_run_does_not_go_on_under_another_seed(run, study):
    rule = f"`seed` must stay 1, with which this run was started; {ELSEWHERE}, found 2"
    with pytest.raises(RunError, match=rule):
        play(study, "small", study.cohort(), run.path, seed=2)


def test_a_run_does_not_go_on_under_another_version(run, study):
    manifest = run.manifest()
    run.write_manifest(manifest.model_copy(update={"version": "0.0.1"}))
    with pytest.raises(RunError, match=r"`version` must stay 0\.0\.1, with which this run"):
        play(study, "small", study.cohort(), run.path, seed=1)


def test_a_run_does_not_go_on_with_another_schedule(run):
    before = run.manifest()
    fewer = before.schedule.model_copy(update={"matches": before.schedule.matches[:-1]})
    now = before.model_copy(update={"schedule": fewer})
    with pytest.raises(RunError, match="m: `schedule` changed since this run was started"):
        check_unchanged(before, now, Place("m"))


def test_times_and_the_order_of_players_change_nothing(run):
    before = run.manifest()
    turned = before.cohort.model_copy(update={"players": before.cohort.players[::-1]})
    now = before.model_copy(update={"started": "later", "ended": None, "cohort": turned})
    check_unchanged(before, now, Place("m"))


def test_a_folder_of_something_else_is_refused_and_left_alone(study, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "todo.txt").write_text("x")
    rule = "`OUT` must be empty or a run's folder; it holds todo.txt and no manifest.json"
    with pytest.raises(RunError, match=rule):
        play(study, "small", study.cohort(), folder, seed=1)
    assert [path.name for path in folder.iterdir()] == ["todo.txt"]


def test_a_file_is_refused(tmp_path):
    (tmp_path / "run").write_text("x")
    with pytest.raises(RunError, match="`OUT` must be a folder, found"):
        check_folder(tmp_path / "run")


def test_what_a_process_killed_at_once_leaves_is_as_good_as_empty(tmp_path):
    (tmp_path / "run.lock").write_text("1\n")
    (tmp_path / ".manifest.json.1.part").write_text("{")
    check_folder(tmp_path)
    check_folder(tmp_path / "new")


def test_half_written_files_are_removed_and_whole_ones_stay(run):
    (run.traces_folder / ".abc.json.77.part").write_text("{")
    (run.path / ".manifest.json.77.part").write_text("{")
    whole = len(list(run.traces_folder.iterdir())) - 1
    clear_parts(run.path, run.traces_folder)
    assert len(list(run.traces_folder.iterdir())) == whole
    assert run.manifest().ended is not None


def test_all_traces_of_a_run_stand(run):
    found = inventory(run, run.manifest())
    assert len(found.kept) == len(run.manifest().schedule.matches) == 36
    assert found.rejected == {}


def test_traces_that_do_not_stand_are_named_with_the_reason(run):
    torn, forged, foreign, swapped, *_ = sorted(run.traces_folder.iterdir())
    torn.write_text("{")
    _edit(forged, outcome={"winner": "holder", "end": "horizon", "turn": 99})
    _edit(foreign, study="another")
    swapped.write_bytes(_.pop().read_bytes())
    found = inventory(run, run.manifest())
    assert len(found.kept) == 32
    assert found.rejected.keys() == {path.stem for path in (torn, forged, foreign, swapped)}
    assert found.rejected[torn.stem].startswith(f"{torn.name} must be JSON")
    assert found.rejected[forged.stem].endswith("outcome must follow from the turns and rulings")
    ours = run.manifest().study_print
    assert found.rejected[foreign.stem] == f"study must be this run's, {ours}"
    assert found.rejected[swapped.stem] == "match.id must be the name of its file"


def _edit(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_trace_of_no_match_of_the_schedule_is_refused(run):
    (run.traces_folder / "stranger.json").write_text("{}")
    rule = "`trace` must be of a match of this run, found 'stranger'"
    with pytest.raises(RunError, match=rule):
        inventory(run, run.manifest())
    with pytest.raises(RunError, match=rule):
        run.traces()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"study": "another"}, "`study` must be this run's, [0-9a-f]{16}, found 'another'$"),
        ({"cohort": "another"}, "`cohort` must be this run's, [0-9a-f]{16}, found 'another'$"),
    ],
)
def test_a_trace_of_another_study_or_cohort_is_refused(run, changes, rule):
    path = run.trace_paths()[3]
    _edit(path, **changes)
    with pytest.raises(RunError, match=f"^{re.escape(str(path))}: {rule}"):
        run.traces()


def test_a_match_that_is_not_as_scheduled_is_refused_and_played_again(run):
    path = run.trace_paths()[3]
    match = json.loads(path.read_text())["match"]
    _edit(path, match=match | {"seeker": match["holder"], "holder": match["seeker"]})
    rule = "must be as this run's schedule has it"
    with pytest.raises(RunError, match=f"^{re.escape(str(path))}: `match` {rule}$"):
        run.traces()
    assert inventory(run, run.manifest()).rejected == {path.stem: f"match {rule}"}


def test_traces_are_read_in_order_of_play(run):
    assert [trace.match for trace in run.traces()] == list(run.manifest().schedule.matches)
