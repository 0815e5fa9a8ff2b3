"""Bugs that others had in resume, cache, cost and concurrency, against runs of stub models."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter

import pytest

from games.cohort import Price
from games.errors import RunError, RunStopped
from games.models.chat import Finish
from games.models.trouble import Trouble, TroubleKind
from games.play.accounting import account_of
from games.play.journal import EventKind, read_journal
from games.play.points import SyncPoint
from games.run import RunFolder
from games.study.study import load_study
from games.words import End, Fault, Mode, Void

from .conftest import small_study
from .killing import OF_MATCHES
from .stub_models import (
    HOLDERS,
    JUDGE,
    SEEKERS,
    Stub,
    calls,
    cohort,
    no_waits,
    one_tournament,
    plain,
    reply,
    ruling,
    run_of,
    seat,
    trace_bytes,
)

__all__ = ["no_waits"]
MATCHES = 6
LAST_RULING = 20
QUOTA = Trouble(TroubleKind.QUOTA_EXHAUSTED, "insufficient_quota", status=429)


def troubled(request, attempt):
    """Speak plainly after a lost try, an empty reply or a refused one, each at some seats."""
    said, turn = len(request.messages), seat(request) in SEEKERS
    if said == 4 and turn and attempt == 1:
        return Trouble(TroubleKind.SERVER_ERROR, "oops", status=500)
    if said == 6 and turn and attempt == 1:
        return reply(request, "")
    if seat(request) in HOLDERS and said == 4 and attempt == 1:
        return reply(request, "I must not.", Finish.REFUSAL)
    return f"{plain(request)}" if seat(request) in {JUDGE, "holder_ii"} else _spoken(request)


def _spoken(request):
    said = plain(request)
    return said if said.startswith("lock:") else f"{said} Truly."


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return one_tournament(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def unharmed(study, tmp_path_factory):
    """A run that nobody interrupted, and what it asked."""
    stub = Stub(troubled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.models.patience.FIRST_WAIT", 0.0)
        return run_of(study, tmp_path_factory.mktemp("unharmed") / "run", stub), stub


@pytest.fixture(scope="module")
def undisturbed(study, tmp_path_factory):
    """A run of plain replies, and what it asked."""
    stub = Stub()
    return run_of(study, tmp_path_factory.mktemp("undisturbed") / "run", stub), stub


def stops_at(number):
    """Return a listener that breaks a run off at its call of a number."""
    left = [number]

    def listen(record):
        if record.kind == "call":
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt

    return listen


# ----- resume


@pytest.mark.usefixtures("no_waits")
@pytest.mark.parametrize("number", [1, 2, 23, 24, 25, 61])
def test_a_run_broken_off_inside_a_match_asks_for_nothing_that_it_has(
    study, unharmed, tmp_path, number
):
    # clp-research/clemcore#231: no way to go on; inspect_ai#431: a cache that healed one message
    # a run; METR/inspect-action#169: what was whole was made anew.
    done, before = unharmed
    stub, again = Stub(troubled), Stub(troubled)
    with pytest.raises(KeyboardInterrupt):
        run_of(study, tmp_path / "run", stub, on_event=stops_at(number))
    held = calls(RunFolder(tmp_path / "run"))
    assert len(held) == number == len(stub.asked)
    run = run_of(study, tmp_path / "run", again)
    assert trace_bytes(run) == trace_bytes(done)
    assert stub.asked + again.asked == before.asked


@pytest.mark.usefixtures("no_waits")
def test_what_the_disk_holds_at_any_moment_is_enough_to_go_on_from(study, unharmed, tmp_path):
    # inspect_ai#913: a log that said "started" was never taken up; Disservin/fastchess#952: after
    # a resume results and journal told different stories.
    done, before = unharmed
    visits, frozen = Counter[SyncPoint](), []
    often = {SyncPoint.MATCH_OVER, SyncPoint.TRACE_WRITTEN, SyncPoint.MATCH_ENDED}
    out = tmp_path / "run"

    def freeze(point, match):
        visits[point] += 1
        if visits[point] % (3 if point in often else 29) == 0:
            frozen.append((point, shutil.copytree(out, tmp_path / f"{len(frozen)}")))

    run_of(study, out, Stub(troubled), on_point=freeze)
    assert {point for point, _ in frozen} == set(OF_MATCHES)
    for _point, folder in frozen:
        held = Counter((call.fingerprint, call.attempt) for call in calls(RunFolder(folder)))
        stub = Stub(troubled)
        run = run_of(study, folder, stub)
        assert trace_bytes(run) == trace_bytes(done)
        assert stub.tries == before.tries - held
        records = list(read_journal(run.journal))
        ended = [r for r in records if r.kind == EventKind.MATCH_ENDED]
        told = {r.match: (r.winner, r.end, r.void, r.re_asks) for r in ended}
        assert len(ended) == len(told) == MATCHES
        assert told == {
            t.match.id: (t.outcome.winner, t.outcome.end, t.outcome.void, len(t.re_asked))
            for t in run.traces()
        }
        assert (ended[-1].ended, run.manifest().ended is None) == (MATCHES, False)


@pytest.mark.usefixtures("no_waits")
def test_the_account_of_a_run_counts_all_of_its_sittings(study, unharmed, tmp_path):
    # inspect_ai#2628: a second sitting wrote its usage over that of the first.
    done, before = unharmed
    for number in (20, 20, 20):
        with pytest.raises(KeyboardInterrupt):
            run_of(study, tmp_path / "run", Stub(troubled), on_event=stops_at(number))
    run = run_of(study, tmp_path / "run", Stub(troubled))
    who = run.manifest().cohort
    one, two = (account_of(read_journal(r.journal), who, r.traces()) for r in (done, run))
    kept = [
        (a.replies, a.tokens_in, a.tokens_out, a.re_asks, a.faults, a.troubles, a.first_tokens)
        for a in two.models
    ]
    assert kept == [
        (a.replies, a.tokens_in, a.tokens_out, a.re_asks, a.faults, a.troubles, a.first_tokens)
        for a in one.models
    ]
    told = [reply(r, troubled(r, n)) for r, n in before.asked if isinstance(troubled(r, n), str)]
    told += [r for q, n in before.asked if hasattr(r := troubled(q, n), "usage")]
    assert sum(a.tokens_in for a in two.models) == sum(r.usage.input for r in told)
    assert sum(a.tokens_out for a in two.models) == sum(r.usage.output for r in told)


def test_a_match_that_got_no_reply_is_played_on_and_no_other_is(study, undisturbed, tmp_path):
    # METR/inspect-action#169: a retry of the part that failed, and of nothing else.
    done, before = undisturbed

    def gone(request, attempt):
        lost = seat(request) == "seeker_i_a" and len(request.messages) == 6
        return Trouble(TroubleKind.REJECTED, "no") if lost else plain(request)

    out, stub = tmp_path / "run", Stub(gone)
    run = run_of(study, out, stub)
    lost = {t.match.id for t in run.traces() if t.outcome.void is Void.INFRASTRUCTURE}
    assert {t.match.mode for t in run.traces() if t.match.id in lost} == {Mode.A}
    kept = {p: p.stat().st_mtime_ns for p in run.trace_paths() if p.stem not in lost}
    assert (len(lost), len(kept)) == (2, MATCHES - 2)
    again = Stub()
    run_of(study, out, again)
    assert trace_bytes(run) == trace_bytes(done)
    assert {p: p.stat().st_mtime_ns for p in kept} == kept
    assert len(again.asked) == len(before.asked) - len(stub.asked) + len(lost)
    reopened = [r.match for r in read_journal(run.journal) if r.kind == EventKind.MATCH_REOPENED]
    assert set(reopened) == lost


@pytest.mark.usefixtures("no_waits")
def test_a_seed_is_the_same_whenever_its_asking_comes(study, tmp_path):
    # huggingface/OpenEnv#1102, huggingface/OpenEnv PR#1127: the seed was dropped when an episode
    # was taken up again.
    who = cohort(seed=7)
    whole, first, second = Stub(troubled), Stub(troubled), Stub(troubled)
    done = run_of(study, tmp_path / "whole", whole, who)
    with pytest.raises(KeyboardInterrupt):
        run_of(study, tmp_path / "run", first, who, on_event=stops_at(23))
    run = run_of(study, tmp_path / "run", second, who)
    assert first.asked + second.asked == whole.asked
    assert trace_bytes(run) == trace_bytes(done)
    seeds = {call.asking.seat + str(call.asking.number): call.request.settings.seed
             for call in calls(run) if call.request}  # fmt: skip
    assert None not in seeds.values()
    assert len(set(seeds.values())) == len(seeds) > 50
    sent = {call.reply.effective.seed for call in calls(run) if call.reply}
    assert sent == set(seeds.values())


# ----- what is reused, and what never is


def test_another_request_than_the_journal_holds_is_said_with_its_place(study, tmp_path):
    # inspect_ai#1529: nobody could tell why a cache was missed.
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        run_of(study, out, Stub(), on_event=stops_at(9))
    run = RunFolder(out)
    fifth = calls(run)[4]
    text = run.journal.read_text()
    run.journal.write_text(text.replace(f'"fingerprint": "{fifth.fingerprint}"',
                                        '"fingerprint": "0123456789abcdef"'))  # fmt: skip
    rule = f"`journal.jsonl` holds another request at {fifth.asking.seat} than this run now makes"
    stub = Stub()
    with pytest.raises(RunError, match=re.escape(rule) + ", found '0123456789abcdef'$"):
        run_of(study, out, stub)
    assert stub.asked == []


SPOILT = {
    Finish.FILTER: Fault.FILTERED,
    Finish.REFUSAL: Fault.REFUSED,
    Finish.LENGTH: Fault.TRUNCATED,
    Finish.STOP: Fault.EMPTY,
}


@pytest.mark.parametrize("finish", SPOILT)
def test_a_fork_takes_over_sound_replies_and_no_faulty_one(study, tmp_path, finish):
    # inspect_ai PR#4846: a refusal that was cached once was served for ever.
    def spoils(request, attempt):
        spoilt = seat(request) == "holder_i" and len(request.messages) == 4
        text = "" if finish is Finish.STOP else "I will n"
        return reply(request, text, finish) if spoilt else plain(request)

    run = run_of(study, tmp_path / "run", Stub(spoils))
    bad = [t for t in run.traces() if t.outcome.void is Void.HOLDER_FAULT]
    assert {again.cause for t in bad for again in t.re_asked} == {SPOILT[finish]}
    stub = Stub()
    fork = run_of(study, tmp_path / "fork", stub, fork=run.path)
    assert [t.outcome.end for t in fork.traces() if t.match.mode] == [End.HORIZON] * 4
    given = [call for call in calls(fork) if call.from_run]
    sound = [c for c in calls(run) if c.reply.finish is Finish.STOP and c.reply.text.strip()]
    assert [c.reply for c in given] == [c.reply for c in sound]
    # Of every match that was spoilt, the rest is asked: the reply spoilt, first of all.
    assert len(stub.of("holder_i")) == 2 * len(bad)
    assert {len(r.messages) for r in stub.of("holder_i")} == {4, 6}


@pytest.mark.parametrize(
    "changed",
    [
        # lm-evaluation-harness#3881, lm-evaluation-harness PR#3897: a cache whose key left the
        # settings out.
        {"temperature": 0.3},
        {"max_tokens": 65},
        {"seed": 3},
        {"reasoning_effort": "low"},
        {"structured": True},
    ],
)
def test_a_fork_under_other_settings_takes_nothing_over(study, tmp_path, changed):
    base = {"temperature": 0.2, "seed": 2}
    run = run_of(study, tmp_path / "run", Stub(), cohort(**base))
    stub = Stub()
    fork = run_of(study, tmp_path / "fork", stub, cohort(**base | changed), fork=run.path)
    assert len(stub.asked) == len(calls(run))
    assert not any(call.from_run for call in calls(fork))


def test_a_fork_with_another_model_takes_over_none_of_its_replies(study, undisturbed, tmp_path):
    # deeppavlov/AutoIntent#334: a cache whose key left the model out.
    run, _ = undisturbed
    first, second = cohort().players
    other = first.model_copy(update={"model": "m/a-2"})
    stub = Stub()
    who = cohort().model_copy(update={"players": (other, second)})
    fork = run_of(study, tmp_path / "fork", stub, who, fork=run.path)
    given = [call for call in calls(fork) if call.from_run]
    assert given
    assert not any(call.player == "a" for call in given)
    assert {r.model for r, _ in stub.asked if r.model != JUDGE} == {"m/a-2"}


def test_a_fork_at_another_address_takes_over_none_of_its_replies(study, undisturbed, tmp_path):
    # deeppavlov/AutoIntent#334: a name alone does not say which model answered.
    run, _ = undisturbed
    there = {"e": cohort().endpoints["e"].model_copy(update={"base_url": "http://elsewhere.test"})}
    stub = Stub()
    moved = cohort().model_copy(update={"endpoints": there})
    fork = run_of(study, tmp_path / "fork", stub, moved, fork=run.path)
    assert len(stub.asked) == len(calls(run))
    assert not any(call.from_run for call in calls(fork))


def test_replicates_that_ask_the_very_same_are_asked_apart(tmp_path):
    # vibrantlabsai/ragas#1980, promptfoo#360: a cache made all samples of a prompt alike.
    study = load_study(small_study(tmp_path / "study", tournaments=2))
    number = iter(range(10**6))

    def counts(request, attempt):
        return f"{plain(request)} ({next(number)})" if seat(request) in SEEKERS else plain(request)

    stub = Stub(counts)
    run = run_of(study, tmp_path / "run", stub)
    openings = [r for r in stub.of("seeker_i_b", "seeker_ii") if len(r.messages) == 2]
    assert len(openings) == 8
    assert len({r.fingerprint for r in openings}) == 4
    firsts = [t.turns[0].message.text for t in run.traces() if t.match.mode is not Mode.A]
    assert len(set(firsts)) == len(firsts) == 8


# ----- what stops a run, and what does not


def test_a_model_that_hangs_for_ever_costs_its_match_and_not_the_run(study, tmp_path):
    # inspect_ai#2487, openai/evals#1292: hung on the last of 69.
    class Hangs(Stub):
        async def ask(self, request, attempt):
            answered = await super().ask(request, attempt)
            if request.model == JUDGE and len(self.of(JUDGE)) >= LAST_RULING:
                await asyncio.sleep(3600)
            return answered

    stub = Hangs()
    run = run_of(study, tmp_path / "run", stub, cohort(deadline=0.2))
    assert len(run.traces()) == MATCHES
    void = [t for t in run.traces() if t.outcome.void]
    assert [(t.match.position, t.outcome.void) for t in void] == [(MATCHES, Void.INFRASTRUCTURE)]
    assert {c.trouble for c in calls(run) if c.trouble} == {TroubleKind.TIMEOUT}


@pytest.mark.usefixtures("no_waits")
def test_every_try_is_journalled_and_heard_of(study, tmp_path):
    # inspect_ai#1277: stuck in retries that nobody could see; openai/evals#1818: an error branch
    # that was never reached.
    def fails(request, attempt):
        return Trouble(TroubleKind.OVERLOADED, f"{attempt}") if attempt <= 3 else plain(request)

    heard, stub = [], Stub(fails)
    run = run_of(study, tmp_path / "run", stub, on_event=heard.append)
    tries = [(c.fingerprint, c.attempt) for c in calls(run)]
    assert tries == [(request.fingerprint, attempt) for request, attempt in stub.asked]
    assert [r for r in heard if r.kind == "call"] == calls(run)
    lost = [c for c in calls(run) if c.trouble]
    assert {(c.trouble, c.detail) for c in lost} == {
        (TroubleKind.OVERLOADED, str(n)) for n in (1, 2, 3)
    }
    assert len(lost) == 3 * len([c for c in calls(run) if c.reply])


@pytest.mark.parametrize("number", [1, 33, 50])
def test_a_quota_that_is_used_up_stops_at_once_and_the_run_goes_on_later(
    study, undisturbed, tmp_path, number
):
    # 2389-research/tracker#547: retried like a rate limit.
    left = [number]

    def spends(request, attempt):
        left[0] -= 1
        return QUOTA if left[0] <= 0 else plain(request)

    (done, whole), stub, again = undisturbed, Stub(spends), Stub()
    with pytest.raises(RunStopped, match=r"^endpoint e: quota_exhausted: insufficient_quota$"):
        run_of(study, tmp_path / "run", stub)
    assert len(stub.asked) == number
    traces = RunFolder(tmp_path / "run").traces()
    assert all(trace.outcome.void is None for trace in traces)
    run = run_of(study, tmp_path / "run", again)
    assert trace_bytes(run) == trace_bytes(done)
    assert len(again.asked) == len(whole.asked) - number + 1


def test_a_budget_holds_over_all_sittings_of_a_run(study, tmp_path):
    # inspect_ai#1135, inspect_ai#1152: no limit over a whole run, none in dollars; inspect_ai#4739:
    # what the provider itself said of the cost was not looked at.
    price = Price(input=0.0, output=1_000_000 / 64)  # a dollar a reply at most

    def half(request, attempt):
        return reply(request, plain(request), cost=0.5)

    who = cohort()
    priced = [m.model_copy(update={"price": price}) for m in (*who.players, who.arbiter)]
    who = who.model_copy(update={"players": tuple(priced[:2]), "arbiter": priced[2]})
    out, stub = tmp_path / "run", Stub(half)
    with pytest.raises(RunStopped, match=r"^the budget of \$10\.0000 is reached: \$9\.5000 spent"):
        run_of(study, out, stub, who, budget=10.0)
    assert len(stub.asked) == 19
    with pytest.raises(RunStopped, match=r"\$9\.5000 spent"):
        run_of(study, out, stub, who, budget=10.0)
    assert len(stub.asked) == 19
    with pytest.raises(RunStopped, match=r"\$11\.5000 spent"):
        run_of(study, out, stub, who, budget=12.0)
    assert len(stub.asked) == 23
    assert RunFolder(out).traces() == tuple(t for t in RunFolder(out).traces() if t.outcome.end)


@pytest.mark.usefixtures("no_waits")
def test_one_match_without_a_reply_loses_no_other(study, tmp_path):
    # confident-ai/deepeval#805, run-llama/llama_index#10764: one bad record lost all.
    first = []

    def one(request, attempt):
        if seat(request) == "holder_i" and not first:
            first.append(request.fingerprint)
        bad = request.fingerprint in first
        return Trouble(TroubleKind.TOO_LONG, "x") if bad else plain(request)

    run = run_of(study, tmp_path / "run", Stub(one), concurrency=3)
    voids = Counter(t.outcome.void for t in run.traces())
    assert voids == {None: MATCHES - 1, Void.INFRASTRUCTURE: 1}
    assert run.manifest().ended is not None


@pytest.mark.parametrize(
    "bug", [AssertionError("len(choices) == 1"), TypeError("None"), KeyError()]
)
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_bug_in_a_client_loses_nothing_that_was_paid_for(
    study, undisturbed, tmp_path, bug, concurrency
):
    # lm-evaluation-harness#3355: an AssertionError after hours, and all was gone.
    left = [40]

    def breaks(request, attempt):
        left[0] -= 1
        return bug if left[0] == 0 else plain(request)

    (done, whole), stub, again = undisturbed, Stub(breaks), Stub()
    with pytest.raises(type(bug)):
        run_of(study, tmp_path / "run", stub, concurrency=concurrency)
    assert not (tmp_path / "run" / "run.lock").exists()
    held = calls(RunFolder(tmp_path / "run"))
    assert len(held) == len(stub.asked) - 1
    run = run_of(study, tmp_path / "run", again)
    assert trace_bytes(run) == trace_bytes(done)
    assert len(again.asked) + len(held) == len(whole.asked)


# ----- names


NAMES = ("../a_b/c:d.e_1", "a_b", "-x")


@pytest.mark.parametrize("winner", NAMES)
def test_a_name_is_no_path_and_is_never_taken_apart(study, tmp_path, winner):
    # ABrain-One/nn-dataset PR#311: a name with "_" broke paths, and went to another model.
    def wins(request, attempt):
        if seat(request) == JUDGE and "the prize is mine" in request.messages[-1].text:
            return ruling(request, "leak")
        if request.model == f"m/{winner}" and seat(request) in SEEKERS:
            return "the prize is mine" if seat(request) != "seeker_ii" else plain(request)
        return plain(request)

    out = tmp_path / "in" / "run"
    run = run_of(study, out, Stub(wins), cohort(NAMES))
    files = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file())
    inside = [p for p in files if p.parts[:2] == ("in", "run")]
    assert files == inside
    assert all(re.fullmatch(r"[0-9a-f]{16}\.json", p.name) for p in inside if "traces" in p.parts)
    wins_of = Counter(t.match.seeker for t in run.traces() if t.outcome.end is End.LEAK)
    assert wins_of == {winner: 4}
    assert {c.player for c in calls(run)} == {*NAMES, "ref"}
    account = account_of(read_journal(run.journal), run.manifest().cohort, run.traces())
    assert {a.id: a.replies for a in account.models} == Counter(c.player for c in calls(run))


def test_the_journal_is_read_whatever_stands_in_it(study, tmp_path):
    # inspect_ai PR#2316, inspect_ai#3802, strands-rl/strands-env PR#211: half a pair ended a run.
    half = "\ud83d \udc00 { \u2028 \x00"

    def odd(request, attempt):
        if seat(request) == JUDGE:
            return ruling(request, reason=half)
        return plain(request) if seat(request) == "holder_ii" else _half(request, half)

    whole = run_of(study, tmp_path / "whole", Stub(odd))
    with pytest.raises(KeyboardInterrupt):
        run_of(study, tmp_path / "run", Stub(odd), on_event=stops_at(31))
    run = run_of(study, tmp_path / "run", Stub(odd))
    assert trace_bytes(run) == trace_bytes(whole)
    said = {t.turns[0].message.text for t in run.traces()}
    assert all(half in text for text in said)
    assert all(half in r.reason for t in run.traces() for r in t.rulings)
    assert [json.loads(line)["kind"] for line in run.journal.read_bytes().splitlines()]


def _half(request, half):
    said = plain(request)
    return said if said.startswith("lock:") else f"{said} {half}"
