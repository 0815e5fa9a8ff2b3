"""The dialogue as it is played: what is printed, in which order, and when it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest

from games.cohort import Cohort
from games.errors import RunError
from games.models.chat import Finish
from games.models.trouble import TroubleKind
from games.play.journal import Event, EventKind, Journal, read_journal
from games.play.lock import held
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study
from games.words import End, ItemKind, Role, Void
from reports.cli.watch_command import watched
from reports.watching import Watcher

from .calls import call, cohort, lost, model
from .conftest import small_study
from .test_cli import aidg, refusal

JUDGE = model("judge", sampling={"max_tokens": 200, "structured": True})
MODELS = ("ann", "bob", "cho")
SPOKEN = re.compile(r"(t\d\d (?:seeker|holder)) \w+(?: \(.*?time\))?(?: \[.*?\])?: (.*)", re.S)


def scripted() -> Cohort:
    """Return three models that speak lines from a seed, and one that rules."""
    players = (model(name, sampling={"max_tokens": 200, "seed": 1}) for name in MODELS)
    return cohort(*players, arbiter=JUDGE, kind="plumbing")


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> RunFolder:
    """A run of scripted models, never written to."""
    folder = tmp_path_factory.mktemp("watched")
    study = load_study(small_study(folder / "study", tournaments=1))
    return play(study, str(folder / "study"), scripted(), folder / "run", seed=4)


@pytest.fixture(scope="module")
def builtin(tmp_path_factory) -> RunFolder:
    """A run of built-in players, never written to."""
    folder = tmp_path_factory.mktemp("builtin")
    study = load_study(small_study(folder / "study", tournaments=1))
    return play(study, str(folder / "study"), study.cohort(), folder / "run", seed=4)


def watcher(run: RunFolder, match: str | None = None) -> Watcher:
    return Watcher(run, run.manifest(), run.study().rubrics, match)


def lines(run: RunFolder, match: str | None = None) -> list[str]:
    return list(watched(run, watcher(run, match), follow=False))


def said(trace) -> list[str]:
    """Return what a trace holds, as lines without who says it."""
    return [line.text for line in trace.replayed().dialogue()]


def test_every_utterance_is_printed_once_in_order_with_its_ruling(run):
    for trace in run.traces():
        found = lines(run, trace.match.id)
        spoken = [m.groups() for line in found if (m := SPOKEN.match(line)) is not None]
        at = [line for line in found if line.startswith("t") and " arbiter " in line]
        expected = sum(verdict.label is not None for verdict in trace.rulings)
        assert sum("no label" not in line for line in at) == expected
        for verdict in trace.rulings:
            turn = verdict.item.split("/")[1]
            label = verdict.label.value.replace("_", " ") if verdict.label else "no label"
            own = [line for line in at if line.startswith(turn)]
            assert any(f": {label}" in line and verdict.reason[:30] in line for line in own)
        # Of several utterances in one place the last stands; those before were asked for again.
        assert list(dict(spoken).values()) == said(trace)
        in_vain = [again for again in trace.re_asked if again.role is not Role.ARBITER]
        assert len(spoken) == len(said(trace)) + len(in_vain)
        for again in in_vain:
            assert (f"t{again.turn:02d} {again.role.value}", again.text) in spoken


def test_a_match_ends_with_its_outcome_and_a_run_with_its_end(run):
    found = lines(run)
    for trace in run.traces():
        outcome = trace.outcome
        end = (
            f"{outcome.winner.value} wins by {outcome.end.value.replace('_', ' ')}"
            if outcome.winner
            else f"void, {outcome.void.value.replace('_', ' ')}"
        )
        assert f"{trace.match.id}  {end}" in found
    assert (found[0], found[-1]) == ("run started", "run ended")


def test_of_one_match_nothing_else_is_printed(run):
    first, second = (trace.match for trace in run.traces()[:2])
    found = lines(run, first.id)
    assert found[1].endswith(f"{first.seeker} seeks, {first.holder} holds")
    assert not any(first.id in line or second.id in line for line in found)


def test_an_unknown_match_is_one_line(run, monkeypatch, capsys):
    rule = "`MATCH` must be a match of this run: .* found 'nothing'"
    with pytest.raises(RunError, match=rule):
        watcher(run, "nothing")
    assert "`MATCH` must be a match" in refusal(monkeypatch, capsys, "run", "watch", run.path, "no")


def test_a_folder_that_is_no_run_is_one_line(tmp_path, monkeypatch, capsys):
    said = refusal(monkeypatch, capsys, "run", "watch", tmp_path)
    assert "must be a run's folder" in said


def test_built_in_players_are_printed_from_their_traces(builtin):
    for trace in builtin.traces():
        found = lines(builtin, trace.match.id)
        spoken = [line for line in found if line[0] == "t"]
        assert len(spoken) == len(said(trace)) + len(trace.rulings)
        texts = [line.split(": ", 1)[1] for line in spoken if " arbiter " not in line]
        assert texts == said(trace)


def test_a_run_without_a_journal_is_printed_from_its_traces(builtin, tmp_path):
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(builtin.path), str(copy)], check=True)
    (copy / "journal.jsonl").unlink()
    found = lines(RunFolder(copy))
    assert sum(", turn " in line for line in found) == len(builtin.traces())
    one = builtin.traces()[0]
    assert len(lines(RunFolder(copy), one.match.id)) == len(said(one)) + len(one.rulings) + 2


@pytest.fixture
def made(run, tmp_path) -> RunFolder:
    """A run's folder whose journal is still to be written, without traces."""
    folder = RunFolder(tmp_path / "made")
    folder.path.mkdir()
    folder.write_manifest(run.manifest())
    return folder


def put(folder: RunFolder, *records) -> None:
    with Journal(folder.journal) as journal:
        for record in records:
            journal.append(record)


def event(kind, match=None, **more):
    return Event(kind=kind, at="2026-01-01", ended=0, total=18, match=match, **more)


def first_match(folder: RunFolder) -> str:
    return folder.manifest().schedule.matches[0].id


def test_faults_re_asks_troubles_and_categories_are_said(made):
    match = first_match(made)
    ruling = {"reason": "It says so.", "verdict": "leak", "category": "explicit", "turn": 2}
    at = {"match": match, "turn": 2}
    asked = {"role": Role.ARBITER, "about": ItemKind.HOLDER_REPLY, **at}
    put(
        made,
        call("ann", text="", finish=Finish.LENGTH, **at),
        call("ann", text="What is it?", number=2, **at),
        lost(
            "bob", role=Role.HOLDER, trouble=TroubleKind.RATE_LIMITED, detail="slow down"
        ).model_copy(update={"asking": call(match=match, role=Role.HOLDER).asking}),
        call("bob", role=Role.HOLDER, text="no", finish=Finish.REFUSAL, **at),
        call("bob", role=Role.HOLDER, text="Fine.", number=4, **at),
        call("judge", text="yes", **asked),
        call("judge", text=json.dumps(ruling), number=3, **asked),
        call("judge", text="cut", finish=Finish.LENGTH, **asked),
    )
    assert lines(made, match) == [
        "t02 seeker ann [reasoning exhausted]: ",
        "t02 seeker ann (asked for the second time): What is it?",
        "t01 holder bob: no reply, rate limited slow down",
        "t02 holder bob [refused]: no",
        "t02 holder bob (asked for the 4th time): Fine.",
        "t02 arbiter judge: no label, unparsable: text beside the four lines: yes",
        "t02 arbiter judge (asked for the third time): leak (explicit): It says so.",
        "t02 arbiter judge [truncated]: cut",
    ]


def test_ends_stops_and_what_could_not_be_read_are_said(made):
    match = first_match(made)
    put(
        made,
        event(EventKind.MATCH_ENDED, match, void=Void.INFRASTRUCTURE, note="timeout: slow"),
        event(EventKind.MATCH_REOPENED, match),
        event(EventKind.MATCH_ENDED, match, winner=Role.HOLDER, end=End.HORIZON),
        event(EventKind.TRACE_REJECTED, match, note="outcome must follow"),
        event(EventKind.RUN_STOPPED, note="the budget is reached"),
        event(EventKind.LINE_TORN, note='{"half'),
    )
    found = lines(made, match)
    assert found[:2] == ["void, infrastructure: timeout: slow", "match reopened"]
    assert f"{match}.json" in found[2]
    assert "is missing" in found[2]
    assert found[3:] == [
        "holder wins by horizon",
        "trace rejected: outcome must follow",
        "run stopped the budget is reached",
        'line torn {"half',
    ]


def test_text_is_shown_as_text(made, monkeypatch, capsys):
    match = first_match(made)
    put(made, call("ann", match=match, text="one\ntwo\x1b[2J\u202e\ud83d"))
    assert aidg(monkeypatch, "run", "watch", made.path, "--no-follow") == 0
    assert capsys.readouterr().out == f"{match}  t01 seeker ann: one\\ntwo\\x1b[2J\\u202e\\ud83d\n"


FOLLOW = """
import sys
from reports.cli.app import main
sys.argv = ["aidg", "run", "watch", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("whole", [True, False])
def test_it_follows_until_nobody_plays_or_the_match_is_over(made, whole):
    match = first_match(made)
    with held(made.path):
        put(made, event(EventKind.RUN_STARTED), event(EventKind.MATCH_STARTED, match))
        command = [sys.executable, "-c", FOLLOW, str(made.path), *([] if whole else [match])]
        watching = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert watching.stdout.readline() == "run started\n"
        assert watching.stdout.readline().endswith("holds\n")
        put(made, call("ann", match=match, text="Hello?"))
        assert watching.stdout.readline().endswith("t01 seeker ann: Hello?\n")
        put(made, event(EventKind.MATCH_ENDED, match, void=Void.INFRASTRUCTURE))
        assert watching.stdout.readline().endswith("void, infrastructure\n")
        if whole:
            time.sleep(0.7)
            assert watching.poll() is None
            put(made, event(EventKind.RUN_STOPPED, note="enough"))
        else:
            assert watching.wait(10) == 0
    rest, _ = watching.communicate(timeout=10)
    assert rest == ("run stopped enough\n" if whole else "")
    assert watching.returncode == 0


def test_what_the_player_wrote_last_is_read_though_it_has_left(made, monkeypatch):
    """The run is over between two looks: the last lines are printed before the watch ends."""
    put(made, event(EventKind.RUN_STARTED))
    looks = iter([4711, None])

    def leaves(_folder):
        found = next(looks)
        if found is None:
            put(made, event(EventKind.RUN_ENDED))
        return found

    monkeypatch.setattr("games.play.follow.played_by", leaves)
    monkeypatch.setattr("reports.cli.watch_command.EVERY", 0.0)
    assert list(watched(made, watcher(made), follow=True)) == ["run started", "run ended"]


def test_the_journal_is_all_that_is_followed(run):
    assert len(lines(run)) >= sum(1 for _ in read_journal(run.journal))
