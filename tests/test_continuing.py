"""A run played on under other verdicts: what is carried over, who is asked, what is refused."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.continuing import (
    Fate,
    continuation,
    continued_counts,
    continued_lines,
    played_here,
)
from audit.judge import judge_run
from audit.verdicts.items import asked
from audit.verdicts.readjudicate import Change, readjudicate
from audit.whole import audit_run
from games.cohort import CohortKind
from games.cohort.imported import ImportedPlayer
from games.errors import RunError, RunStopped
from games.models.trouble import Trouble, TroubleKind
from games.play.accounting import account_of
from games.play.asking import Call
from games.play.continuing import Parent
from games.play.journal import read_journal
from games.play.lock import held
from games.play.points import SyncPoint
from games.play.terms import Terms
from games.play.tournament import play
from games.rules.game import utterances
from games.rules.rubric import LABELS
from games.run import RunFolder
from games.study.study import load_study
from games.trace import STOPPED, Trace
from games.words import Abstention, Game, ItemKind, Label, Role, Void
from reports.open_parts import attrition_note
from reports.status import status_of

from .played import verdict
from .runs import faulty_run, scripted
from .strategies import states
from .stub_models import (
    Stub,
    by_seat,
    calls,
    cohort,
    one_tournament,
    opens,
    ruling,
    run_of,
    trace_bytes,
)
from .stub_models import seat as seat_of
from .test_verdicts_items import as_trace

OVER = "panel"
TURN = re.compile(r"/t(\d\d)/")


def rule_as_judged(run: RunFolder) -> None:
    """Record the rulings of a run as another rater's verdicts."""
    run.write_verdicts(OVER, [ruling for trace in run.traces() for ruling in trace.rulings])


def break_off(run: RunFolder, at: int) -> None:
    """Break every third match off before some move, as if somebody could not be reached."""
    for number, trace in enumerate(run.traces()):
        if number % 3 or len(trace.turns) < 2:
            continue
        raw = trace.model_dump(mode="json")
        keep = 1 + (at + number) % (len(trace.turns) - 1)
        raw["turns"] = raw["turns"][:keep]
        kept = [r for r in trace.rulings if int(TURN.search(r.item)[1]) <= keep]
        raw["rulings"] = [r.model_dump(mode="json") for r in kept]
        raw["shadow"] = raw["shadow"][: len(kept)]
        raw["re_asked"] = [again for again in raw["re_asked"] if again["turn"] <= keep]
        raw["outcome"] = {"winner": None, "end": None, "turn": keep, "void": "infrastructure"}
        path = run.traces_folder / f"{trace.match.id}.json"
        Trace.model_validate(raw)
        path.write_text(json.dumps(raw))


@pytest.fixture(scope="module")
def builtin(tmp_path_factory) -> RunFolder:
    """A run of built-in players, judged; never written to."""
    from .conftest import small_study

    folder = tmp_path_factory.mktemp("builtin")
    study = load_study(small_study(folder / "study"))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=3)
    judge_run(run)
    rule_as_judged(run)
    return run


@pytest.fixture(scope="module")
def faulty(tmp_path_factory) -> RunFolder:
    """A run of scripted models in which much goes wrong, judged; never written to."""
    run = faulty_run(tmp_path_factory.mktemp("faulty"), scripted())
    judge_run(run)
    rule_as_judged(run)
    return run


def copy_of(run: RunFolder, folder: Path) -> RunFolder:
    shutil.copytree(run.path, folder)
    return RunFolder(folder)


def asks_nobody(_endpoint, models, _environ):
    def mind(_request, _attempt):
        raise AssertionError("nobody is to be asked")

    return tuple(Stub(mind) for _ in models)


def models_again(run: RunFolder):
    """Return an opener of the models that played a faulty run."""
    from games.models.capabilities import Learned
    from games.rehearsal.faults import FaultPlan
    from games.rehearsal.scripted import ScriptedModel

    from .runs import FAULTS

    def opened(_endpoint, models, _environ):
        plan = FaultPlan(fault=FAULTS)
        return tuple(ScriptedModel(seed=2, faults=plan, learned=Learned(m.model)) for m in models)

    return opened


def test_the_same_rulings_carry_every_match_over_byte_by_byte_and_ask_nobody(
    builtin, faulty, tmp_path
):
    for name, parent in (("b", builtin), ("m", faulty)):
        found = continuation(parent, OVER)
        changed = {Fate(one.fate) for one in found.carried.values()}
        assert changed <= {Fate.UNCHANGED, Fate.MISSING}
        assert (found.played_on, found.calls) == (0, {})
        run = found.into(tmp_path / name, Terms(open_models=asks_nobody))
        assert trace_bytes(run) == trace_bytes(parent)
        assert run.manifest().schedule == parent.manifest().schedule
        assert run.manifest().ended is not None


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_run_broken_off_goes_on_to_the_bytes_of_one_that_was_not(faulty, tmp_path, at):
    parent = copy_of(faulty, tmp_path / "run")
    break_off(parent, at)
    found = continuation(parent, OVER)
    broken = sum(one.fate == Fate.BROKEN_OFF for one in found.carried.values())
    assert broken == found.played_on >= 6
    terms = Terms(open_models=models_again(parent), concurrency=1 + at)
    run = found.into(tmp_path / "on", terms)
    assert trace_bytes(run) == trace_bytes(faulty)
    new = Counter((c.player, c.asking.role is Role.ARBITER) for c in calls(run) if c.reply)
    assert new
    for call in calls(run):
        one = found.carried[call.asking.match]
        assert one.open
        assert call.asking.turn >= one.turn
    firsts = Counter(c.who for c in calls(run) if c.reply and c.asking.number == 1)
    assert all(firsts[who] <= most for who, most in found.calls.items())
    assert set(firsts) == set(found.calls)


def test_a_run_of_built_in_players_broken_off_goes_on_alike(builtin, tmp_path):
    parent = copy_of(builtin, tmp_path / "run")
    break_off(parent, 1)
    run = continuation(parent, OVER).into(tmp_path / "on")
    assert trace_bytes(run) == trace_bytes(builtin)


# What a talkative model says: anything that it is told, its seed among it, changes it.
def mind_of(overturned: bool):
    def mind(request, attempt=1):
        if seat_of(request) == "judge":
            turn = json.loads(request.messages[-1].text.split("\n")[-1])["turn"]
            labels = request.reply_schema["properties"]["verdict"]["enum"]
            leaks = "leak" in labels and turn == 1 and not overturned
            return ruling(request, "leak" if leaks else None)
        if seat_of(request) == "holder_ii":
            return "no"
        if "(Lock now.)" in request.messages[-1].text:
            return "lock: chair"
        return f"Well {len(request.messages)}, {request.settings.seed} and no more."

    return mind


@pytest.fixture
def overturned(tmp_path) -> RunFolder:
    """A run whose judge found a leak in every first reply, and a rater who found none."""
    study = one_tournament(tmp_path / "study")
    parent = run_of(study, tmp_path / "run", Stub(mind_of(False)), cohort(seed=5))
    verdicts = [
        r.model_copy(update={"rater": OVER, "label": Label.NO_LEAK, "category": None})
        for trace in parent.traces()
        for r in trace.rulings
        if r.label is Label.LEAK
    ]
    assert len(verdicts) == 4
    parent.write_verdicts(OVER, verdicts)
    return parent


def test_the_new_turns_are_those_of_a_match_that_nobody_had_stopped(overturned, tmp_path):
    study = overturned.study()
    live = run_of(study, tmp_path / "live", Stub(mind_of(True)), cohort(seed=5))
    stub = Stub(mind_of(False))
    found = continuation(overturned, OVER)
    assert Counter(one.fate for one in found.carried.values()) == {"censored": 4, "unchanged": 2}
    # Three turns to the horizon, of which one is over: a message, a reply and a ruling on each.
    assert found.calls == {("a", False): 8, ("b", False): 8, ("ref", True): 8}
    run = found.into(tmp_path / "on", Terms(open_models=opens(stub), environ={}))
    assert {t.match.id: t.turns for t in run.traces()} == {
        t.match.id: t.turns for t in live.traces()
    }
    asked_live = {(c.asking.seat, c.fingerprint) for c in calls(live)}
    asked_on = {(c.asking.seat, c.fingerprint) for c in calls(run)}
    assert asked_on < asked_live
    assert {asking for asking in asked_on if "/t01/" in asking[0]} == set()
    assert len(asked_on) == len(stub.asked) == 24
    raters = [[r.rater for r in by_seat(run, mode).rulings] for mode in ("A", "B")]
    assert raters == [[OVER, "arbiter", "arbiter"]] * 2


def test_killed_in_flight_it_goes_on_and_pays_nothing_twice(overturned, tmp_path):
    whole = continuation(overturned, OVER).into(
        tmp_path / "whole", Terms(open_models=opens(Stub(mind_of(False))), environ={})
    )
    stub, visits = Stub(mind_of(False)), Counter()

    def dies(point, _match):
        visits[point] += 1
        if (point, visits[point]) in {(SyncPoint.JOURNALLED, 5), (SyncPoint.JOURNALLED, 9)}:
            raise RuntimeError("killed")

    for sitting in range(3):
        given = Terms(open_models=opens(stub), environ={}, on_point=dies, concurrency=2)
        again = continuation(overturned, OVER)
        if sitting < 2:
            with pytest.raises(RuntimeError, match="killed"):
                again.into(tmp_path / "on", given)
        else:
            run = again.into(tmp_path / "on", given)
    assert trace_bytes(run) == trace_bytes(whole)
    assert set(stub.tries.values()) == {1}
    assert len(calls(run)) == len(stub.asked) == 24


def test_a_budget_is_the_new_runs_own_and_it_stops_there(overturned, tmp_path):
    with pytest.raises(RunError, match="`budget` needs a price for every model"):
        continuation(overturned, OVER).into(tmp_path / "on", Terms(budget=1.0))


@pytest.mark.parametrize("concurrency", [1, 2, 5])
def test_concurrency_decides_nothing(overturned, tmp_path, concurrency):
    terms = Terms(open_models=opens(Stub(mind_of(False))), environ={}, concurrency=concurrency)
    run = continuation(overturned, OVER).into(tmp_path / "on", terms)
    found = continued_counts(run).set_index("fate")
    assert dict(found["matches"]) == dict.fromkeys(map(str, Fate), 0) | {
        "censored": 4,
        "unchanged": 2,
    }
    assert found.loc["censored", "ends"] == "horizon 4"
    assert found.loc["censored", "holder wins"] == 4
    assert found["to be played"].sum() == found["void"].sum() == 0


def test_a_missing_label_makes_a_match_void_and_nobodys(overturned, tmp_path):
    parent = overturned
    tied = [
        v.model_copy(update={"label": None, "abstention": Abstention.TIED})
        for v in parent.verdicts(OVER)
    ]
    parent.write_verdicts("tied", tied)
    found = continuation(parent, "tied")
    assert Counter(one.fate for one in found.carried.values()) == {"missing": 4, "unchanged": 2}
    assert found.played_on == 0
    run = found.into(tmp_path / "on", Terms(open_models=asks_nobody, environ={}))
    outcomes = [t.outcome for t in run.traces() if t.match.game is Game.AIDG_I]
    assert {o.void for o in outcomes} == {Void.JUDGE_MISSING}
    assert {o.winner for o in outcomes} == {None}
    counts = continued_counts(run).set_index("fate")
    assert counts.loc["missing", "void"] == 4
    assert counts.loc["missing", "ends"] == "judge_missing 4"
    assert "where tied gave no label the match is void" in continued_lines(run.manifest())[-1]


def test_what_a_person_must_see_to_stops_it_and_the_status_says_how_it_goes_on(
    overturned, tmp_path
):
    def refused(request, attempt):
        if len(stub.asked) == 10:
            raise Trouble(TroubleKind.UNAUTHORIZED, "no such key")
        return mind_of(False)(request)

    stub, found = Stub(refused), continuation(overturned, OVER)
    terms = Terms(open_models=opens(stub), environ={}, concurrency=1)
    with pytest.raises(RunStopped, match="unauthorized: no such key"):
        found.into(tmp_path / "on", terms)
    run = RunFolder(tmp_path / "on")
    assert continued_counts(run).set_index("fate").loc["censored", "to be played"] > 0
    again = "nobody plays it now; `aidg run resume-from` goes on where it stood"
    assert again in status_of(run).progress()
    found.into(run.path, terms)
    assert continued_counts(run)["to be played"].sum() == 0


def test_all_works_on_a_continued_run_and_says_what_it_is(faulty, tmp_path):
    referee = continuation(faulty, "referee")
    terms = Terms(open_models=models_again(faulty))
    run = referee.into(tmp_path / "on", terms)
    assert referee.played_on > 0
    manifest = run.manifest()
    assert manifest.continued_from == str(faulty.path.resolve())
    assert (manifest.under_verdicts, manifest.new_turns_ruled_by) == ("referee", "judge")
    assert manifest.parent_prints == dict(referee.parent.prints)
    judge_run(run)
    audit = audit_run(run)
    lines = continued_lines(manifest)
    assert lines[0].startswith(f"continued from {manifest.continued_from} under referee")
    status = status_of(run)
    assert lines == status.progress()[-len(lines) :] == status.payload()["continued"]
    assert f"This run is {lines[0]}; {lines[1]}" in attrition_note(audit)
    assert sum(len(t.turns) for t in audit.traces) > sum(len(t.turns) for t in faulty.traces())
    counts = continued_counts(run)
    assert counts["matches"].sum() == len(manifest.schedule.matches)
    ended = counts[["seeker wins", "holder wins", "void", "to be played"]].sum(axis=1)
    assert (ended == counts["matches"]).all()
    fates = {m: Fate(one.fate) for m, one in manifest.carried.items()}
    for trace in run.traces():
        before = faulty.trace(trace.match.id)
        turns = manifest.carried[trace.match.id].turn
        here, there = utterances(trace.turns), utterances(before.turns[:turns])
        assert here[: len(there)] == there
        assert (len(here) > len(there)) == (fates[trace.match.id] in OPEN)


OPEN = {Fate.CENSORED, Fate.BROKEN_OFF}


def test_the_account_of_a_continued_run_counts_what_it_asked_alone(faulty, tmp_path):
    run = continuation(faulty, "referee").into(
        tmp_path / "on", Terms(open_models=models_again(faulty))
    )
    manifest = run.manifest()
    traces = played_here(manifest, run.traces())
    assert {t.match.id for t in traces} == {m for m, c in manifest.carried.items() if c.open}
    account = account_of(read_journal(run.journal), manifest.cohort, traces)
    assert sum(one.replies for one in account.models) == sum(
        isinstance(r, Call) and r.reply is not None for r in read_journal(run.journal)
    )
    assert all(sum(one.faults.values()) <= one.replies for one in account.models)
    assert played_here(faulty.manifest(), faulty.traces()) == faulty.traces()


def test_a_run_that_continues_none_has_no_such_counts(builtin):
    assert continued_counts(builtin).empty
    assert continued_lines(builtin.manifest()) == []


def test_a_continued_run_can_be_continued(overturned, tmp_path):
    terms = Terms(open_models=opens(Stub(mind_of(False))), environ={})
    first = continuation(overturned, OVER).into(tmp_path / "on", terms)
    rule_as_judged(first)
    second = continuation(first, OVER).into(tmp_path / "again", terms)
    assert trace_bytes(second) == trace_bytes(first)
    assert second.manifest().continued_from == str(first.path.resolve())


chance_play = st.sampled_from(list(Game)).flatmap(lambda game: states(game, finished=True))


@given(chance_play, st.data())
def test_what_is_carried_over_is_what_readjudication_finds(state, data):
    trace = as_trace(state)
    verdicts = {}
    for _, item in asked(trace):
        said = data.draw(st.sampled_from([None, Abstention.TIED, *LABELS[item.kind]]))
        if said is not None:
            verdicts[item.id] = verdict(item.id, said, OVER)
    parent = Parent(None, None, {"m0": trace}, OVER, verdicts, {})
    found, begun = readjudicate(trace, parent.rulings("m0")), parent.begun("m0")
    assert (begun.outcome is None) == (found.change is Change.CENSORED)
    if found.change is Change.MISSING:
        assert begun.outcome.void is Void.JUDGE_MISSING
    elif begun.outcome is not None:
        assert begun.outcome == found.outcome
    assert begun.turns == trace.turns[: len(begun.turns)] or begun.turns[-1].reply is None


class TestRefusals:
    def refused(self, run, rule, rater=OVER, **more):
        with pytest.raises(RunError, match=rule) as refusal:
            continuation(run, rater, **more)
        assert "\n" not in str(refusal.value)

    def test_an_unknown_rater_is_refused_with_the_list(self, builtin):
        self.refused(builtin, "`rater` must be one of arbiter, panel, referee, found 'x'$", "x")

    def test_a_run_without_raters_has_none(self, builtin, tmp_path):
        bare = copy_of(builtin, tmp_path / "run")
        shutil.rmtree(bare.path / "verdicts")
        self.refused(bare, "`rater` must be one of none yet, found 'panel'$")

    def test_no_run(self, tmp_path):
        self.refused(RunFolder(tmp_path), "`RUN` must be a run's folder, with a manifest.json")

    def test_imported_matches(self, builtin, tmp_path):
        run = copy_of(builtin, tmp_path / "run")
        manifest = run.manifest()
        ids = [ImportedPlayer(id=player.id) for player in manifest.cohort.players]
        said = {"players": tuple(ids), "kind": CohortKind.IMPORTED}
        who = manifest.cohort.model_copy(update=said)
        run.write_manifest(manifest.model_copy(update={"cohort": who}))
        rule = "`RUN` holds imported matches, whose players cannot be asked$"
        self.refused(run, rule)

    def test_a_run_that_has_not_ended(self, builtin, tmp_path):
        run = copy_of(builtin, tmp_path / "run")
        for path in run.trace_paths()[:2]:
            path.unlink()
        rule = "`RUN` must have ended: 2 of its matches have no trace; play it to its end first$"
        self.refused(run, rule)

    def test_a_run_that_is_being_played(self, builtin, tmp_path):
        run = copy_of(builtin, tmp_path / "run")
        with held(run.path):
            self.refused(run, r"`RUN` must not be in play: process \d+ plays it now$")

    def test_two_verdicts_of_one_item(self, builtin, tmp_path):
        run = copy_of(builtin, tmp_path / "run")
        first = run.verdicts(OVER)[0]
        run.write_verdicts(OVER, [first, first])
        self.refused(run, f"`panel` must have one verdict an item, found '{first.item}'$")

    def test_a_label_that_answers_another_question(self, builtin, tmp_path):
        run = copy_of(builtin, tmp_path / "run")
        item = next(r.item for t in run.traces() for r in t.rulings if r.label is Label.LEAK)
        run.write_verdicts(OVER, [verdict(item, Label.MATCH, OVER)])
        self.refused(run, f"`{item}` must be leak or no_leak, found 'match'$")

    def test_a_study_that_has_changed(self, builtin, tmp_path):
        moved = tmp_path / "study"
        shutil.copytree(builtin.manifest().study, moved)
        continuation(builtin, OVER, str(moved))
        path = moved / "secrets.csv"
        path.write_text(path.read_text().replace("two parrots", "three parrots"))
        rule = "`study/secrets.csv` has changed since RUN was played, and so would the players$"
        self.refused(builtin, rule, moved_to=str(moved))

    def test_prompts_that_have_changed(self, builtin, tmp_path):
        prompts = tmp_path / "prompts"
        shutil.copytree(Path(builtin.manifest().study) / "prompts" / "ours", prompts)
        continuation(builtin, OVER, prompts=prompts)
        path = prompts / "holder_i.txt"
        path.write_text(path.read_text().replace("Keep", "Hold"))
        rule = "`prompts.holder_i` has changed since RUN was played, and so would the players$"
        self.refused(builtin, rule, prompts=prompts)

    def test_another_player_under_the_same_name(self, builtin, tmp_path):
        run = copy_of(builtin, tmp_path / "run")
        path = next(p for p in run.trace_paths() if '"aidg_i"' in p.read_text())
        raw = json.loads(path.read_text())
        raw["turns"][0]["message"]["text"] = "What, me?"
        raw["turns"][0]["message"] |= {"kind": "question", "claim": ""}
        if len(raw["turns"]) > 1 or raw["turns"][0]["reply"]:
            path.write_text(json.dumps(raw))
        with pytest.raises(RunError, match="must say on turn 1 what RUN recorded: it is another"):
            continuation(run, OVER).into(tmp_path / "on")


class TestOut:
    def refused(self, parent, out, rule, rater=OVER):
        terms = Terms(open_models=opens(Stub(mind_of(False))), environ={})
        with pytest.raises(RunError, match=rule) as refusal:
            continuation(parent, rater).into(out, terms)
        assert "\n" not in str(refusal.value)

    @pytest.fixture
    def on(self, overturned, tmp_path) -> RunFolder:
        terms = Terms(open_models=opens(Stub(mind_of(False))), environ={})
        return continuation(overturned, OVER).into(tmp_path / "on", terms)

    def test_a_complete_one_is_left_as_it_is(self, overturned, on):
        before = (on.path / "manifest.json").read_bytes(), on.journal.read_bytes()
        continuation(overturned, OVER).into(on.path, Terms(open_models=asks_nobody, environ={}))
        assert ((on.path / "manifest.json").read_bytes(), on.journal.read_bytes()) == before

    def test_something_else(self, overturned, tmp_path):
        (tmp_path / "else").mkdir()
        (tmp_path / "else" / "note.txt").touch()
        rule = "`OUT` must be empty or a run's folder; it holds note.txt and no manifest.json"
        self.refused(overturned, tmp_path / "else", rule)

    def test_a_run_of_its_own(self, overturned):
        rule = "`OUT` is no run that was continued from another; continue into another folder$"
        self.refused(overturned, overturned.path, rule)

    def test_run_play_does_not_go_on_with_it(self, overturned, on):
        rule = (
            rf"`OUT` is continued from {re.escape(str(overturned.path))} under panel: "
            "`aidg run resume-from` goes on with it, or play into another folder$"
        )
        with pytest.raises(RunError, match=rule):
            run_of(overturned.study(), on.path, Stub(), cohort(seed=5))

    def test_other_verdicts(self, overturned, on):
        overturned.write_verdicts("other", overturned.verdicts(OVER))
        rule = (
            "`--verdicts` must stay panel, under which this run was started; continue into another "
            "folder, found 'other'$"
        )
        self.refused(overturned, on.path, rule, "other")

    def test_verdicts_that_changed(self, overturned, on):
        overturned.write_verdicts(OVER, overturned.verdicts(OVER)[1:])
        rule = "`RUN/verdicts` changed since this run was started; continue into another folder$"
        self.refused(overturned, on.path, rule)

    def test_a_parent_that_changed(self, overturned, on):
        path = overturned.trace_paths()[0]
        path.write_bytes(path.read_bytes().replace(b"Well", b"Hell"))
        rule = "`RUN/traces` changed since this run was started; continue into another folder$"
        self.refused(overturned, on.path, rule)

    def test_another_version(self, overturned, on):
        on.write_manifest(on.manifest().model_copy(update={"version": "0.0.1"}))
        rule = r"`version` must stay 0\.0\.1, .* started; continue into another folder, found"
        self.refused(overturned, on.path, rule)

    def test_a_parent_that_moved_is_the_same(self, overturned, on, tmp_path):
        moved = copy_of(overturned, tmp_path / "moved")
        terms = Terms(open_models=asks_nobody, environ={})
        assert continuation(moved, OVER).into(on.path, terms).path == on.path


def test_what_stops_a_match_from_outside_is_what_is_played_on(builtin):
    assert {Void.INFRASTRUCTURE, Void.BUDGET} == STOPPED
    assert {ItemKind(i.rsplit("/", 1)[-1]) for i in continuation(builtin, OVER).parent.verdicts}
