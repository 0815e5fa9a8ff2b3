"""A panel of stubs put to recorded matches: who is asked what, what is kept, and how it goes on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.errors import RunError, RunStopped, StudyError
from games.models.chat import Finish, reply_fault
from games.models.trouble import Trouble, TroubleKind
from games.panels.folder import PanelFolder, panels_of
from games.panels.judging import judge_items
from games.panels.panel import Unit
from games.panels.put import Put
from games.panels.sitting import NOT_REACHED
from games.play import question
from games.play.accounting import account_of_judges
from games.play.journal import EventKind, read_journal
from games.play.lock import held
from games.play.replay import Replay
from games.play.terms import Terms
from games.records import canonical
from games.rules.item import match_of
from games.run import RunFolder
from games.words import RULED, Abstention, Fault, ItemKind, Role

from .hearings import (
    PANEL,
    SEATS,
    Kept,
    ask,
    calls,
    events,
    expected,
    is_about,
    judges,
    played,
    put_of,
    study_with,
)
from .stub_models import Stub, opens, reply

PRICED = PANEL.replace("sampling", "price = { input = 2.0, output = 8.0 }\nsampling")


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    return study_with(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def source(study, tmp_path_factory) -> RunFolder:
    return played(study, tmp_path_factory.mktemp("source") / "run")


@pytest.fixture(scope="module")
def put(source) -> Put:
    return put_of(source)


@pytest.fixture(scope="module")
def few(source) -> Put:
    """What is asked about four matches."""
    return put_of(source, matches=4)


@pytest.fixture
def run(tmp_path) -> RunFolder:
    """A folder for the panel alone: it needs nothing else of a run."""
    return RunFolder(tmp_path / "run")


@pytest.fixture(scope="module")
def done(few, tmp_path_factory) -> Kept:
    return ask(few, RunFolder(tmp_path_factory.mktemp("done")))


def raising(kind: TroubleKind, *, at: int, on: bool = False, **facts):
    """Return a judge with trouble at the n-th question, or from there on."""
    asked = iter(range(1, 10**6))

    def mind(request, attempt):
        number = next(asked)
        if number == at or (on and number > at):
            raise Trouble(kind, "as arranged", **facts)
        return judges(request)

    return mind


def plain(shelf: Kept) -> bytes:
    said = {rater: [v.model_dump(mode="json") for v in shelf.verdicts[rater]] for rater in SEATS}
    return canonical(said)


def test_every_seat_rules_on_every_item_in_its_own_name(put, run):
    stub = Stub(judges)
    shelf = ask(put, run, stub)
    assert shelf.times == [True]
    assert tuple(shelf.verdicts) == SEATS
    assert {item.kind for item in put.items} == set(RULED)
    for seat in put.panel.seats():
        found = shelf.verdicts[seat.rater]
        labels = {verdict.item: verdict.label for verdict in found}
        assert labels == expected(seat.judge.model, put.items)
        assert [verdict.item for verdict in found] == [item.id for item in put.items]
        for verdict, item in zip(found, put.items, strict=True):
            rubric = put.texts.rubric(seat, item.kind).fingerprint()
            assert (verdict.rater, verdict.rubric) == (seat.rater, rubric)


def test_a_line_is_one_asking_and_a_transcript_one_a_match_and_kind(put, run):
    ask(put, run)
    asked = Counter((c.asking.judge, c.asking.number) for c in calls(run))
    cells = {(match_of(item.id), item.kind) for item in put.items}
    for seat in put.panel.seats():
        whole = seat.unit is Unit.TRANSCRIPT
        assert asked[seat.rater, 1] == (len(cells) if whole else len(put.items))
    assert asked.total() == len(calls(run))
    for call in calls(run):
        assert call.asking.role is Role.ARBITER
        assert call.player == call.asking.judge
        assert (call.asking.turn == 0) is call.asking.judge.endswith(".transcript")
        assert call.request.settings.max_tokens == 64
    assert len({c.asking.seat for c in calls(run)}) == len(calls(run))


def test_every_seat_is_asked_with_a_seed_of_its_own_where_its_judge_states_one(few, run):
    ask(few, run)
    seeded = [c for c in calls(run) if c.player in ("three.ada", "three.cy.r1", "three.cy.r2")]
    assert len(seeded) == 3 * len(few.items)
    assert len({c.request.settings.seed for c in seeded}) == len(seeded)
    others = {c.request.settings.seed for c in calls(run) if ".both." in c.player}
    assert others == {None}
    by_repeat = [[c.request for c in calls(run) if c.player == f"three.cy.r{n}"] for n in (1, 2)]
    prompts = [{request.messages for request in requests} for requests in by_repeat]
    assert prompts[0] == prompts[1]


class Slow(Stub):
    """A judge that takes its time, so that replies come in another order."""

    async def ask(self, request, attempt):
        await asyncio.sleep(Random(request.fingerprint).uniform(0, 0.004))
        return await super().ask(request, attempt)


@pytest.mark.parametrize("concurrency", [1, 3, 40])
def test_neither_concurrency_nor_the_order_of_replies_decides_anything(few, run, done, concurrency):
    shelf = ask(few, run, Slow(judges), concurrency=concurrency)
    assert plain(shelf) == plain(done)


def test_a_complete_panel_asked_again_does_nothing(few, run, done):
    shelf = ask(few, run)
    folder = PanelFolder(run, "three")
    before = {path: path.read_bytes() for path in folder.path.iterdir()}
    assert folder.manifest().ended is not None
    stub = Stub(judges)
    ask(few, run, stub, shelf)
    assert not stub.asked
    assert shelf.times == [True]
    assert {path: path.read_bytes() for path in folder.path.iterdir()} == before
    # Where its verdicts are gone they follow from the journal, and nobody is asked either.
    anew = ask(few, run, stub)
    assert not stub.asked
    assert plain(anew) == plain(done)
    ended = Counter(event.match for event in events(run, EventKind.MATCH_ENDED))
    assert ended == Counter({match_of(item.id) for item in few.items})


def other_item(put: Put) -> Put:
    first = put.items[0].model_copy(update={"secret": "Another secret."})
    return replace(put, items=(first, *put.items[1:]))


def other_wording(put: Put) -> Put:
    prompt = put.texts.prompts["study"]
    prompts = {"study": replace(prompt, text=f"{prompt.text}!")}
    return replace(put, texts=replace(put.texts, prompts=prompts))


def other_rubric(put: Put) -> Put:
    own = put.texts.rubrics["study"]
    lock = own[ItemKind.LOCK].model_copy(update={"guidance": "None."})
    rubrics = {"study": {**own, ItemKind.LOCK: lock}}
    return replace(put, texts=replace(put.texts, rubrics=rubrics))


def other_panel(put: Put, **facts: object) -> Put:
    return replace(put, panel=put.panel.model_copy(update=facts))


def other_judge(put: Put) -> Put:
    ada, *others = put.panel.judges
    return other_panel(put, judges=(ada.model_copy(update={"model": "j/ada-2"}), *others))


CHANGES = {
    "items": other_item,
    "study": lambda put: replace(put, study="0123456789abcdef"),
    "wordings.study": other_wording,
    "rubrics.study.lock": other_rubric,
    "panel.judges.ada": other_judge,
    "panel.judges.cy": lambda put: other_panel(put, judges=put.panel.judges[:2]),
    "panel.quorum": lambda put: other_panel(put, quorum=3),
}


@pytest.mark.parametrize("stopped", [True, False])
@pytest.mark.parametrize("what", list(CHANGES))
def test_what_changed_is_named_and_nobody_is_asked(few, run, what, stopped):
    if stopped:
        with pytest.raises(RunStopped):
            ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=9, on=True))
    else:
        ask(few, run)
    stub = Stub(judges)
    rule = f"`{what}` changed since this panel was asked; give the panel that is to be asked now"
    with pytest.raises(RunError, match=re.escape(rule)):
        ask(CHANGES[what](few), run, stub)
    assert not stub.asked


def test_another_version_does_not_go_on(few, run, monkeypatch):
    ask(few, run)
    monkeypatch.setattr("games.panels.put.version", lambda _: "99.0")
    rule = r"`version` must stay [\d.]+, with which this panel was asked; .*, found '99.0'"
    with pytest.raises(RunError, match=rule):
        ask(few, run)


@pytest.mark.parametrize(
    "kind", [TroubleKind.QUOTA_EXHAUSTED, TroubleKind.UNAUTHORIZED, TroubleKind.UNKNOWN_MODEL]
)
def test_what_only_a_person_can_mend_stops_the_panel_which_then_goes_on(few, run, done, kind):
    stub, shelf = Stub(raising(kind, at=30, on=True)), Kept()
    with pytest.raises(RunStopped, match=f"^endpoint here: {kind.value}: as arranged$"):
        ask(few, run, stub, shelf, concurrency=3)
    assert shelf.times == [False]
    verdicts = [verdict for said in shelf.verdicts.values() for verdict in said]
    assert len(verdicts) == len(SEATS) * len(few.items)
    missing = [verdict for verdict in verdicts if verdict.label is None]
    assert {(v.abstention, v.reason) for v in missing} == {(Abstention.MISSING, NOT_REACHED)}
    assert 0 < len(missing) < len(verdicts)
    assert PanelFolder(run, "three").manifest().ended is None
    assert kind.value in events(run, EventKind.RUN_STOPPED)[0].note
    stub.mind = judges
    ask(few, run, stub, shelf)
    assert shelf.times == [False, True]
    assert plain(shelf) == plain(done)
    assert PanelFolder(run, "three").manifest().ended is not None
    # Nothing that the journal held was asked again; what troubled was.
    lost = sum(call.reply is None for call in calls(run))
    assert lost > 0
    places = Counter((c.asking.seat, c.asking.number) for c in calls(run) if c.reply)
    assert set(places.values()) == {1}
    assert len(stub.asked) == places.total() + lost


def test_a_stop_loses_nothing_that_was_said_before(few, run, done):
    shelf = Kept()
    with pytest.raises(RunStopped):
        ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=60, on=True), shelf, concurrency=7)
    before = {(v.rater, v.item): v for said in shelf.verdicts.values() for v in said if v.label}
    # One table stops at its first question; what the journal knows of later ones is kept.
    with pytest.raises(RunStopped):
        ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=1, on=True), shelf, concurrency=1)
    after = {(v.rater, v.item): v for said in shelf.verdicts.values() for v in said if v.label}
    assert before == after
    ask(few, run, judges, shelf)
    assert plain(shelf) == plain(done)


def test_a_stopped_panel_puts_no_words_together_for_nobody(few, run, monkeypatch):
    built, put_together = [], question.put

    def counted(*given):
        built.append(1)
        return put_together(*given)

    monkeypatch.setattr(question, "put", counted)
    with pytest.raises(RunStopped):
        ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=5, on=True), concurrency=2)
    assert len(built) <= 7


def test_a_budget_stops_the_panel_before_it_is_passed(study, source, run, done):
    (study / "panels" / "priced.toml").write_text(PRICED, encoding="utf-8")
    put = put_of(source, "priced", matches=4)
    stub, shelf = Stub(judges), Kept()
    with pytest.raises(RunStopped, match=r"the budget of \$0\.0500 is reached.* a larger --budget"):
        ask(put, run, stub, shelf, budget=0.05, concurrency=4)
    spent = sum(call.cost or call.at_most or 0 for call in calls(run))
    assert 0.02 < spent <= 0.05
    with pytest.raises(RunStopped, match="budget"):
        ask(put, run, stub, shelf, budget=0.05)
    ask(put, run, stub, shelf, budget=5.0)
    assert plain(shelf) == plain(done)
    assert shelf.times == [False, False, True]


def test_a_budget_needs_a_price_of_every_judge(few, run):
    rule = f"`budget` needs a price for every model that is asked; {', '.join(SEATS)} have none"
    with pytest.raises(RunError, match=re.escape(rule)):
        ask(few, run, budget=1.0)
    assert not run.path.exists()


def test_an_item_without_a_reply_is_missing_and_the_same_call_asks_about_it_alone(few, run, done):
    stub, shelf = Stub(raising(TroubleKind.TOO_LONG, at=12)), Kept()
    ask(few, run, stub, shelf, concurrency=1)
    assert shelf.times == [True]
    missing = [v for said in shelf.verdicts.values() for v in said if v.abstention]
    assert {(v.abstention, v.reason) for v in missing} == {
        (Abstention.MISSING, "too_long: as arranged")
    }
    (match,) = {match_of(verdict.item) for verdict in missing}
    assert [e.note for e in events(run, EventKind.MATCH_ENDED) if e.match == match] == [
        "too_long: as arranged"
    ]
    assert PanelFolder(run, "three").manifest().ended is None
    before = len(stub.asked)
    stub.mind = judges
    ask(few, run, stub, shelf)
    assert len(stub.asked) == before + 1
    assert [e.match for e in events(run, EventKind.MATCH_REOPENED)] == [match]
    assert plain(shelf) == plain(done)
    assert PanelFolder(run, "three").manifest().ended is not None


@pytest.mark.parametrize(
    ("text", "finish", "fault", "reason", "tokens"),
    [
        ("I will not.", Finish.REFUSAL, Fault.REFUSED, "refused: I will not.", [64] * 3),
        ("", Finish.FILTER, Fault.FILTERED, "filtered", [64] * 3),
        ("", Finish.STOP, Fault.EMPTY, "empty", [64] * 3),
        ('{"reason"', Finish.LENGTH, Fault.TRUNCATED, 'truncated: {"reason"', [64, 128, 256]),
        ("no_leak", Finish.STOP, Fault.UNPARSABLE, "text beside the four lines: no_leak", [64] * 3),
        ("x" * 500, Finish.REFUSAL, Fault.REFUSED, f"refused: {'x' * 400}…", [64] * 3),
    ],
)
def test_a_reply_that_is_no_ruling_is_asked_for_again_and_then_an_abstention(
    few, run, text, finish, fault, reason, tokens
):
    def mind(request, attempt):
        if request.model == "j/ada" and is_about(request, Role.HOLDER):
            return reply(request, text, finish)
        return judges(request)

    shelf = ask(few, run, mind)
    said = {v.item: v for v in shelf.verdicts["three.ada"]}
    for item in few.items:
        if item.kind is ItemKind.HOLDER_REPLY:
            verdict = said[item.id]
            assert (verdict.label, verdict.abstention) == (None, Abstention.UNPARSABLE)
            assert verdict.reason == reason
            again = [c for c in calls(run) if c.player == "three.ada" and _of(c, item)]
            assert [c.asking.number for c in again] == [1, 2, 3]
            assert [c.request.settings.max_tokens for c in again] == tokens
            assert len({c.request.settings.seed for c in again}) == 3
            ours = {reply_fault(c.reply) or Fault.UNPARSABLE for c in again}
            assert ours == {fault}
        else:
            assert said[item.id].label is not None
    assert {v.abstention for v in shelf.verdicts["three.cy.r1"]} == {None}
    assert PanelFolder(run, "three").manifest().ended is not None


def _of(call, item) -> bool:
    place = (call.asking.match, call.asking.turn, call.asking.about)
    return place == (match_of(item.id), item.subject.turn, item.kind)


def test_a_second_reply_that_rules_is_taken(few, run, done):
    tried: Counter[str] = Counter()

    def mind(request, attempt):
        key = json.dumps([m.text for m in request.messages]) + str(request.settings.seed)
        tried[key] += 1
        first = request.model == "j/ada" and request.settings.seed and tried[key] == 1
        return "Well, no." if first and _is_first(request) else judges(request)

    numbers = {}

    def _is_first(request) -> bool:
        text = request.messages[-1].text
        numbers.setdefault(text, request.settings.seed)
        return numbers[text] == request.settings.seed

    shelf = ask(few, run, mind)
    assert plain(shelf) == plain(done)
    asked = Counter(c.asking.number for c in calls(run) if c.player == "three.ada")
    assert asked[1] == len(few.items)
    assert asked[2] > 0
    assert asked[3] == 0


def test_one_unread_turn_of_a_transcript_is_asked_about_again_and_then_it_alone_abstains(few, run):
    match = next(
        name
        for name, count in Counter(
            match_of(i.id) for i in few.items if i.kind is ItemKind.HOLDER_REPLY
        ).items()
        if count > 1
    )
    text = next(i.subject.text for i in few.items if match_of(i.id) == match)

    def mind(request, attempt):
        said = json.loads(judges(request))
        if "rulings" in said and len(said["rulings"]) > 1 and text in request.messages[-1].text:
            said["rulings"][0]["verdict"] = "perhaps"
        return json.dumps(said)

    shelf = ask(few, run, mind)
    said = [v for v in shelf.verdicts["three.both.transcript"] if match_of(v.item) == match]
    unread = [v for v in said if v.label is None]
    assert unread
    assert {v.abstention for v in unread} == {Abstention.UNPARSABLE}
    assert any(v.label is not None for v in said)
    asked = Counter(c.asking.number for c in calls(run) if c.player == "three.both.transcript")
    assert asked[3] == asked[2] > 0


def test_ctrl_c_keeps_what_is_in_flight_and_the_panel_goes_on(few, run, done):
    asked = iter(range(1, 10**6))

    def interrupt(request, attempt):
        if next(asked) == 25:
            os.kill(os.getpid(), signal.SIGINT)
        return judges(request)

    stub, shelf = Stub(interrupt), Kept()
    with pytest.raises(KeyboardInterrupt):
        ask(few, run, stub, shelf, concurrency=3)
    assert shelf.times == [False]
    assert len(events(run, EventKind.RUN_INTERRUPTED)) == 1
    assert sum(call.reply is not None for call in calls(run)) == len(stub.asked)
    ask(few, run, stub, shelf)
    assert plain(shelf) == plain(done)


class Stuck(Stub):
    """A judge whose reply does not come, and while it is waited for Ctrl-C comes twice."""

    async def ask(self, request, attempt):
        if len(self.asked) == 20:
            loop = asyncio.get_running_loop()
            loop.call_later(0.05, os.kill, os.getpid(), signal.SIGINT)
            loop.call_later(0.15, os.kill, os.getpid(), signal.SIGINT)
        if len(self.asked) >= 20:
            await asyncio.sleep(60)
        return await super().ask(request, attempt)


def test_a_second_ctrl_c_leaves_the_verdicts_as_they_were(few, run, done):
    shelf = Kept()
    with pytest.raises(KeyboardInterrupt):
        ask(few, run, Stuck(judges), shelf, concurrency=2)
    assert shelf.times == []
    assert len(events(run, EventKind.RUN_INTERRUPTED)) == 1
    assert len(calls(run)) == 20
    ask(few, run, judges, shelf)
    assert plain(shelf) == plain(done)


def test_one_process_at_a_time_asks_a_panel(few, run):
    ask(few, run)
    rule = rf"`--panel` is being asked by process {os.getpid()}; wait for it to end or stop it"
    with held(PanelFolder(run, "three").path), pytest.raises(RunError, match=rule):
        ask(few, run)


def test_a_torn_line_is_dropped_and_said(few, run, done):
    with pytest.raises(RunStopped):
        ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=20, on=True))
    folder = PanelFolder(run, "three")
    with folder.journal.open("ab") as journal:
        journal.write(b'{"kind": "call", "at')
    (folder.path / ".panel.json.17.part").write_bytes(b"{")
    shelf = ask(few, run)
    assert [e.note for e in events(run, EventKind.LINE_TORN)] == ['{"kind": "call", "at']
    assert not (folder.path / ".panel.json.17.part").exists()
    assert plain(shelf) == plain(done)


@pytest.mark.parametrize("stopped", [True, False])
def test_a_panel_that_lost_its_journal_is_not_asked_anew(few, run, stopped):
    shelf = Kept()
    if stopped:
        with pytest.raises(RunStopped):
            ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=20, on=True), shelf)
    else:
        ask(few, run)
    PanelFolder(run, "three").journal.unlink()
    stub = Stub(judges)
    rule = r"`journal\.jsonl` is missing beside the verdicts of this panel"
    with pytest.raises(RunError, match=rule):
        ask(few, run, stub, shelf)
    assert not stub.asked


def test_a_journal_of_other_requests_is_refused(few, run):
    with pytest.raises(RunStopped):
        ask(few, run, raising(TroubleKind.QUOTA_EXHAUSTED, at=9, on=True), concurrency=1)
    journal = PanelFolder(run, "three").journal
    journal.write_text(journal.read_text().replace('"fingerprint": "', '"fingerprint": "0', 1))
    with pytest.raises(RunError, match=r"`journal\.jsonl` holds another request at"):
        ask(few, run)


def test_panels_of_other_names_never_touch_each_other(study, source, few, run):
    text = PANEL.replace('name = "three"', 'name = "other"')
    (study / "panels" / "other.toml").write_text(text, encoding="utf-8")
    ask(few, run)
    before = {path: path.read_bytes() for path in PanelFolder(run, "three").path.iterdir()}
    stub = Stub(judges)
    ask(put_of(source, "other", matches=4), run, stub)
    assert len(stub.asked) == len(calls(run))
    assert {path: path.read_bytes() for path in PanelFolder(run, "three").path.iterdir()} == before
    assert panels_of(run) == ("other", "three")
    seeds = [{c.request.settings.seed for c in calls(run, name)} for name in ("three", "other")]
    assert seeds[0] & seeds[1] == {None}


def test_another_set_of_items_goes_to_the_same_panel_in_a_folder_of_its_own(few, run):
    ask(few, run)
    stub, shelf = Stub(judges), Kept()
    own = [i.model_copy(update={"id": f"probe-{i.id}"}) for i in few.items[:6]]
    judge_items(
        replace(few, items=tuple(own)),
        PanelFolder(run, "three/probes"),
        shelf,
        Terms(environ={}, open_models=opens(stub)),
    )
    assert panels_of(run) == ("three",)
    assert {v.item for v in shelf.verdicts["three.ada"]} == {item.id for item in own}
    assert {c.asking.match.split("-")[0] for c in calls(run, "three/probes")} == {"probe"}


def test_a_missing_key_is_one_line_and_leaves_no_folder(study, source, run):
    text = PANEL.replace('client = "scripted"', 'client = "openai"\nkey_env = "NO_SUCH_KEY"')
    (study / "panels" / "keyed.toml").write_text(text, encoding="utf-8")
    put = put_of(source, "keyed", matches=1)
    with pytest.raises(StudyError, match="`NO_SUCH_KEY` must be set in the environment"):
        judge_items(put, PanelFolder(run, "three"), Kept(), Terms(environ={}))
    assert not run.path.exists()


def test_a_panel_takes_over_no_run(few, run, tmp_path):
    with pytest.raises(RunError, match="`--fork` is of runs that are played"):
        ask(few, run, fork=tmp_path)


def test_of_a_match_that_is_over_no_words_are_held(few, run, monkeypatch):
    forgotten, forget = [], Replay.forget

    def noted(replay, match):
        forgotten.append(match)
        forget(replay, match)

    monkeypatch.setattr(Replay, "forget", noted)
    ask(few, run, concurrency=1)
    assert forgotten == list(dict.fromkeys(match_of(item.id) for item in few.items))


def test_an_account_of_every_seat_is_drawn_from_the_journal(few, run):
    def mind(request, attempt):
        if request.model == "j/cy" and attempt == 1 and request.settings.seed % 3 == 0:
            raise Trouble(TroubleKind.TIMEOUT, "slow")
        if request.model == "j/ada":
            return reply(request, judges(request), model=f"ada-{request.settings.seed % 2}")
        return judges(request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.models.patience.FIRST_WAIT", 0.0)
        ask(few, run, mind)
    records = list(read_journal(PanelFolder(run, "three").journal))
    accounts = account_of_judges(records, few.panel.asked())
    assert tuple(account.id for account in accounts) == SEATS
    for account in accounts:
        own = [call for call in calls(run) if call.player == account.id]
        replies = [call.reply for call in own if call.reply]
        assert account.replies == len(replies)
        assert account.tokens_in == sum(reply.usage.input for reply in replies)
        assert account.tokens_out == sum(reply.usage.output for reply in replies)
        assert sum(account.troubles.values()) == len(own) - len(replies)
        assert account.drifted is (account.id == "three.ada")
        assert account.arbiter
    assert {e.model for e in accounts[0].epochs} == {"ada-0", "ada-1"}
    assert any(account.troubles for account in accounts[3:])
    temperatures = [{way.temperature for way in account.sampled} for account in accounts]
    assert temperatures == [{0.0}, {None}, {None}, {None}, {None}]
    with pytest.raises(RunError, match="must hold calls of this run's cohort alone"):
        account_of_judges(records, few.panel.asked()[:1])
