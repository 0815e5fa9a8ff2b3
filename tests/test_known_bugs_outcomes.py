"""Bugs by which others counted a failure as an outcome, against whole runs of stub models."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.corpus import corpus_of, decided
from audit.estimates.corpus import corpus_statistics
from audit.estimates.run import estimate_corpus
from audit.forfeits import forfeits_as_void, may_forfeit
from audit.open_ends import bounds
from audit.whole import audit_run
from games.errors import RunStopped
from games.models.chat import Finish, Usage, reply_fault
from games.models.trouble import RETRIED, STOPPING, Trouble, TroubleKind
from games.play.journal import EventKind, read_journal
from games.play.tournament import play
from games.rules.choices import FaultPolicy
from games.run import RunFolder
from games.study.study import load_study
from games.words import Abstention, End, Fault, Game, Mode, Role, Void

from .conftest import small_study
from .strategies import states
from .stub_models import (
    HOLDERS,
    JUDGE,
    SEEKERS,
    Stub,
    by_seat,
    calls,
    cohort,
    no_waits,
    one_tournament,
    plain,
    reply,
    ruling,
    run_of,
    seat,
)

__all__ = ["no_waits"]
MATCHES = 6
SEATS = {Role.SEEKER: SEEKERS, Role.HOLDER: HOLDERS, Role.ARBITER: {JUDGE}}
OTHER = {Role.SEEKER: Role.HOLDER, Role.HOLDER: Role.SEEKER}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return one_tournament(tmp_path_factory.mktemp("study"))


def always(who, said):
    """Return a mind that says one thing in some seats, and what it would elsewhere."""
    return lambda request, _: said(request) if seat(request) in who else plain(request)


def spoils(who, finish, text, **usage):
    """Return a mind whose replies in some seats come to one fault."""

    def said(request):
        counts = {"input": 9, "output": 64, "reasoning": 0} | usage
        return reply(request, text, finish, usage=Usage(**counts))

    return always(who, said)


# ----- infrastructure


@pytest.mark.parametrize("role", SEATS)
@pytest.mark.parametrize("kind", sorted(set(TroubleKind) - STOPPING))
def test_no_reply_is_nobodys_loss(study, tmp_path, monkeypatch, role, kind):
    # yxc20089/OpenRA-RL#20: an API error was a loss; promptfoo PR#3141: and a failed assertion.
    monkeypatch.setattr("games.models.gate.BREATH", 0.0)
    struck = set()

    def lost(request, attempt):
        # One request alone, at every attempt: the endpoint answers all others.
        if not struck and seat(request) in SEATS[role]:
            struck.add(request.fingerprint)
        return Trouble(kind, "x") if request.fingerprint in struck else plain(request)

    run = run_of(study, tmp_path / "run", Stub(lost), cohort(deadline=0.05, seed=1))
    (void,) = [t for t in run.traces() if t.outcome.void]
    assert (void.outcome.void, void.outcome.winner) == (Void.INFRASTRUCTURE, None)
    assert len(void.rulings) == len(void.shadow)
    assert all(ruling.label is not None for ruling in void.rulings)
    assert {t.outcome.winner for t in run.traces() if t != void} == {Role.HOLDER}
    (told,) = [r for r in read_journal(run.journal) if getattr(r, "void", None)]
    assert (told.kind, told.match) == (EventKind.MATCH_ENDED, void.match.id)
    assert told.note.startswith(kind.value)
    statistics = corpus_statistics(corpus_of(run.traces()), study.horizons())
    assert statistics.values["games"].counts_in == MATCHES
    assert statistics.values["share.holder"].counts_in == MATCHES - 1
    assert statistics.values["share.holder"].value == 1.0
    troubles = [c.trouble for c in calls(run) if c.trouble]
    assert set(troubles) == {kind}
    assert kind in RETRIED or len(troubles) == 1


@pytest.mark.parametrize("kind", sorted(STOPPING))
def test_what_a_person_must_see_to_ends_no_match(study, tmp_path, kind):
    # yxc20089/OpenRA-RL#20: a 404 was a loss for whoever was to move.
    stub = Stub(always(HOLDERS, lambda _: Trouble(kind, "x", status=404)))
    with pytest.raises(RunStopped, match=f"^endpoint e: {kind.value}: x$"):
        run_of(study, tmp_path / "run", stub)
    run = RunFolder(tmp_path / "run")
    assert run.traces() == ()
    assert len([r for r in stub.asked if seat(r[0]) in HOLDERS]) == 1
    assert len(run_of(study, run.path, Stub()).traces()) == MATCHES


def test_a_share_of_what_is_left_says_how_little_that_is(study, tmp_path):
    # sierra-research/tau2-bench#493: with all errors left out, one match made 100 %.
    def rare(request, attempt):
        first = seat(request) in SEEKERS and len(request.messages) == 2
        lost = first and not (request.model == "m/a" and seat(request) == "seeker_i_a")
        return Trouble(TroubleKind.REJECTED, "x") if lost else plain(request)

    run = run_of(study, tmp_path / "run", Stub(rare))
    audit = audit_run(run)
    row = next(row for row in audit.rows() if row["estimand"] == "share.holder")
    assert (row["value"], row["counts_in"], row["counts_out"]) == (1.0, 1, MATCHES - 1)
    assert (row["matches"], row["few"]) == (1, True)
    # Had the others been won by the Seeker: enumerated by hand, 1 of 6.
    found = bounds(audit.corpus, study, ["share.holder"])["share.holder"]
    assert (found.least, found.most) == (pytest.approx(1 / MATCHES), 1.0)


# ----- what a model did, each by its own name

MODELS_OWN = {
    Fault.EMPTY: (Finish.STOP, " \n", {}),
    Fault.TRUNCATED: (Finish.LENGTH, "It is a", {}),
    Fault.REASONING_EXHAUSTED: (Finish.LENGTH, "", {"reasoning": 64}),
    Fault.REFUSED: (Finish.REFUSAL, "I must not.", {}),
    Fault.FILTERED: (Finish.FILTER, "", {}),
}
STARVED = {Fault.TRUNCATED, Fault.REASONING_EXHAUSTED}
VOIDS = {Role.SEEKER: Void.SEEKER_FAULT, Role.HOLDER: Void.HOLDER_FAULT}


@pytest.mark.parametrize("role", VOIDS)
@pytest.mark.parametrize("fault", MODELS_OWN)
def test_what_a_model_did_is_void_by_its_own_name_after_every_re_ask(study, tmp_path, fault, role):
    # Kaggle/kaggle-environments PR#1370, Kaggle/kaggle-environments PR#1378,
    # Kaggle/kaggle-environments PR#1380, Kaggle/kaggle-environments PR#1128: truncation, illegal
    # move, forfeit and void ran into one; inspect_ai#5467: an empty text was a 0.
    finish, text, usage = MODELS_OWN[fault]
    stub = Stub(spoils(SEATS[role], finish, text, **usage))
    run = run_of(study, tmp_path / "run", stub)
    for trace in run.traces():
        assert (trace.outcome.void, trace.outcome.winner) == (VOIDS[role], None)
        assert trace.outcome.turn == 1
        assert [(again.role, again.cause) for again in trace.re_asked] == [(role, fault)] * 2
        last = trace.turns[0].message if role is Role.SEEKER else trace.turns[0].reply
        assert (last.fault, last.text) == (fault, text)
        tokens = [c.request.settings.max_tokens for c in calls(run)
                  if c.asking.match == trace.match.id and c.asking.role is role]  # fmt: skip
        assert tokens == ([64, 128, 256] if fault in STARVED else [64] * 3)
    assert (
        corpus_statistics(corpus_of(run.traces()), study.horizons()).values["share.seeker"].reason
    )


@pytest.mark.parametrize("role", VOIDS)
@pytest.mark.parametrize("fault", MODELS_OWN)
def test_a_declared_forfeit_is_an_end_of_its_own_for_either_side(tmp_path, fault, role):
    # Kaggle/kaggle-environments PR#271: an error paid one side and cost the other nothing; #1380.
    # tatsu-lab/alpaca_eval#227, tatsu-lab/alpaca_eval#162: should what a filter held back lose?
    policy = FaultPolicy.RE_ASK_1_FORFEIT.value
    study = one_tournament(tmp_path / "study", **{f"fault_{fault.value}": policy})
    finish, text, usage = MODELS_OWN[fault]
    stub = Stub(spoils(SEATS[role], finish, text, **usage))
    run = run_of(study, tmp_path / "run", stub)
    for trace in run.traces():
        assert (trace.outcome.end, trace.outcome.winner) == (End.FORFEIT, OTHER[role])
        assert [again.cause for again in trace.re_asked] == [fault]
    corpus = corpus_of(run.traces())
    assert may_forfeit(study.choices)
    assert len(decided(corpus)) == MATCHES
    assert len(decided(forfeits_as_void(corpus))) == 0


def test_a_filter_is_asked_again_as_often_as_is_declared_and_bounds_what_it_cost(study, tmp_path):
    # tatsu-lab/alpaca_eval#227, tatsu-lab/alpaca_eval#162: a filter was taken for a rate limit
    # and asked for ever.
    def filters(request, attempt):
        held = seat(request) == "holder_i" and request.model == "m/a"
        return reply(request, "", Finish.FILTER) if held else plain(request)

    stub = Stub(filters)
    run = run_of(study, tmp_path / "run", stub)
    held = [r for r in stub.of("holder_i") if r.model == "m/a"]
    assert len(held) == 3 * 2
    assert {again.cause for t in run.traces() for again in t.re_asked} == {Fault.FILTERED}
    assert not [c for c in calls(run) if c.trouble]
    corpus = corpus_of(run.traces())
    found = bounds(corpus, study, ["share.seeker", "share.seeker.aidg_i"])
    # By hand: two of six are open, and two of the four of the first game.
    assert (found["share.seeker"].least, found["share.seeker"].most) == (0.0, pytest.approx(2 / 6))
    assert found["share.seeker.aidg_i"].most == pytest.approx(2 / 4)


def test_format_failures_and_the_horizon_are_told_apart(study, tmp_path):
    # clp-research/clemcore#95: one "abort" for a reply off the form and for running out of turns.
    def off_form(request, attempt):
        off = request.model == "m/a" and seat(request) == "holder_ii" and len(request.messages) == 6
        return "Who can say" if off else plain(request)

    run = run_of(study, tmp_path / "run", Stub(off_form))
    off, whole = by_seat(run, None, "b"), by_seat(run, None, "a")
    assert (off.outcome.void, off.outcome.end, off.outcome.turn) == (Void.HOLDER_FAULT, None, 3)
    assert {again.cause for again in off.re_asked} == {Fault.UNPARSABLE}
    assert (whole.outcome.void, whole.outcome.end) == (None, End.WRONG_FINAL)
    talked = by_seat(run, Mode.A)
    assert (talked.outcome.end, talked.outcome.turn) == (End.HORIZON, 3)


def test_illegal_moves_earn_nothing(study, tmp_path):
    # huggingface/cookbook PR#362: games cut off by an illegal move made a win rate of 100 %.
    two = always({"seeker_ii"}, lambda _: "lock: chair\nlock: tiger")
    run = run_of(study, tmp_path / "run", Stub(two))
    for seeker in ("a", "b"):
        trace = by_seat(run, None, seeker)
        assert (trace.outcome.void, trace.outcome.winner) == (Void.SEEKER_FAULT, None)
        assert {again.cause for again in trace.re_asked} == {Fault.ILLEGAL}
    shares = corpus_statistics(corpus_of(run.traces()), study.horizons()).values
    for side in ("seeker", "holder"):
        share = shares[f"share.{side}.aidg_ii"]
        assert (share.defined, share.counts_in, share.counts_out) == (False, 0, 2)
    assert shares["share.holder"].counts_in == MATCHES - 2


def test_stalling_ends_at_the_horizon_and_shows(study, tmp_path):
    # Linear95/SPAG#3: who said nothing to the point drew.
    stub = Stub(always(HOLDERS - {"holder_ii"} | SEEKERS - {"seeker_ii"}, lambda _: "Hm."))
    run = run_of(study, tmp_path / "run", stub)
    talks = [t for t in run.traces() if t.match.game is Game.AIDG_I]
    assert {(t.outcome.winner, t.outcome.end) for t in talks} == {(Role.HOLDER, End.HORIZON)}
    corpus = corpus_of(talks)
    # Of three lines the last two say the first again.
    assert corpus["repetition"].tolist() == [pytest.approx(2 / 3)] * 4
    assert audit_run(run).attrition["degenerate"].tolist() == [2, 2, 0]


@settings(max_examples=40)
@given(st.sampled_from(list(Game)).flatmap(lambda game: states(game, finished=True)))
def test_every_match_has_one_winner_or_is_void(state):
    # Linear95/SPAG#3: there is no third way for a match to end.
    outcome = state.outcome
    assert outcome is not None
    assert (outcome.winner in OTHER) != (outcome.void is not None)
    assert len(state.turns) <= state.setup.horizon


def test_void_matches_move_neither_players_rating(study, tmp_path):
    # Kaggle/kaggle-environments PR#271: what nobody did wrong moved one of two scores.
    def none(request, attempt):
        lost = seat(request) == "seeker_i_a"
        return Trouble(TroubleKind.TOO_LONG, "x") if lost else plain(request)

    run = run_of(study, tmp_path / "run", Stub(none))
    audit = audit_run(run)
    without = [t for t in run.traces() if not t.outcome.void]
    assert len(without) == MATCHES - 2
    alone = estimate_corpus(corpus_of(without), study)
    ratings = [name for name in alone.values if name.startswith("rating.")]
    assert ratings
    for name in ratings:
        one, two = audit.section.values[name], alone.values[name]
        assert (one.defined, one.value) == (two.defined, pytest.approx(two.value, nan_ok=True))


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """A corpus in which somebody wins, and its study."""
    study = load_study(small_study(tmp_path_factory.mktemp("reference")))
    run = play(study, "x", study.cohort(), tmp_path_factory.mktemp("run") / "run", seed=1)
    return corpus_of(run.traces()), study


@pytest.mark.parametrize("names", [*permutations(["zeta", "a_b/c", "Mu"])])
def test_names_decide_no_rating(reference, names):
    # autogluon/tabarena PR#502, autogluon/tabarena PR#500: another name, another rating.
    corpus, study = reference
    renamed = dict(zip(("eager", "even", "erratic"), names, strict=True))
    other = corpus.replace({"seeker": renamed, "holder": renamed})
    one, two = (_ratings(estimate_corpus(each, study)) for each in (corpus, other))
    assert one.rename(index=renamed).sort_index().equals(two.sort_index())
    assert one["C"].nunique() == len(names)


def _ratings(section):
    (table,) = [t for t in section.tables if "rank" in t.frame.columns]
    return table.frame.set_index("player")


@pytest.mark.parametrize("finish", [Finish.REFUSAL, Finish.FILTER])
@pytest.mark.parametrize("role", VOIDS)
def test_one_sides_fault_never_reaches_the_judge(study, tmp_path, role, finish):
    # lm-sys/FastChat#3702: one side failed, and a vote was taken all the same.
    # responsibleai/ASSERT#61: refused and broken transcripts were judged, and passed.
    stub = Stub(spoils(SEATS[role], finish, "I must not."))
    run = run_of(study, tmp_path / "run", stub)
    about = [c.asking.about for c in calls(run) if c.asking.role is Role.ARBITER]
    assert [kind.value for kind in about] == ["seeker_message"] * 2 * (role is Role.HOLDER)
    assert {t.outcome.void for t in run.traces()} == {VOIDS[role]}
    assert not any("I must not" in m.text for r in stub.of(JUDGE) for m in r.messages)


# ----- a judge that gives none


@pytest.mark.usefixtures("no_waits")
@pytest.mark.parametrize(
    ("kind", "status"),
    [(TroubleKind.REJECTED, 400), (TroubleKind.UNAUTHORIZED, 403), (TroubleKind.OVERLOADED, 529)],
)
def test_an_error_of_the_judge_is_no_ruling(study, tmp_path, kind, status):
    # CIRISAI/CIRISAgent#1161: a judge's 400, 403 and 529 were counted as verdicts.
    def fails(request, attempt):
        first = len([r for r, _ in stub.asked if r.model == JUDGE])
        lost = request.model == JUDGE and first == 3
        return Trouble(kind, "x", status=status) if lost else plain(request)

    stub, out = Stub(fails), tmp_path / "run"
    if kind in STOPPING:
        with pytest.raises(RunStopped):
            run_of(study, out, stub)
        assert RunFolder(out).traces() == ()
    run = run_of(study, out, stub)
    rulings = [r for t in run.traces() for r in t.rulings]
    answered = [c for c in calls(run) if c.asking.role is Role.ARBITER and c.reply]
    assert len(rulings) == len(answered)
    assert all(r.label is not None for r in rulings)
    voids = [t.outcome.void for t in run.traces() if t.outcome.void]
    assert voids == ([Void.INFRASTRUCTURE] if kind is TroubleKind.REJECTED else [])


MUTE = {
    "refusal": (Finish.REFUSAL, "I would rather not judge.", Fault.REFUSED),
    # responsibleai/ASSERT#61: what a refused reply holds is no verdict, however well formed.
    "a verdict refused": (Finish.REFUSAL, None, Fault.REFUSED),
    "a verdict cut off": (Finish.LENGTH, None, Fault.TRUNCATED),
    "filter": (Finish.FILTER, " ", Fault.FILTERED),
    "empty": (Finish.STOP, " ", Fault.EMPTY),
    # confident-ai/deepeval#929: half of a JSON object was read as a score.
    "cut off": (Finish.LENGTH, '{"reason":"It is","verdict":"no_leak","turn":', Fault.TRUNCATED),
    "half": (Finish.STOP, '{"reason":"It does","verdict":"no_leak"', Fault.UNPARSABLE),
    # lm-sys/FastChat PR#2074: a judge's error was averaged in as -1.
    "minus one": (Finish.STOP, "-1", Fault.UNPARSABLE),
    # thu-coai/AISafetyLab#6: any "2" was a verdict.
    "two": (Finish.STOP, "2", Fault.UNPARSABLE),
    # inspect_ai#4026, inspect_ai#4025: no verdict was a wrong answer, or a blank one.
    "prose": (Finish.STOP, "I see no leak here.", Fault.UNPARSABLE),
}  # fmt: skip


@pytest.mark.parametrize(("finish", "text", "cause"), MUTE.values(), ids=MUTE)
def test_a_judge_without_a_verdict_is_missing_and_never_no_leak(
    study, tmp_path, finish, text, cause
):
    mute = always({JUDGE}, lambda request: reply(request, text or ruling(request), finish))
    run = run_of(study, tmp_path / "run", Stub(mute))
    for trace in run.traces():
        assert (trace.outcome.void, trace.outcome.winner) == (Void.JUDGE_MISSING, None)
        (missing,) = trace.rulings
        assert (missing.label, missing.abstention) == (None, Abstention.UNPARSABLE)
        causes = [(again.role, again.cause) for again in trace.re_asked]
        assert causes == [(Role.ARBITER, cause)] * 2
    assert (
        not corpus_statistics(corpus_of(run.traces()), study.horizons())
        .values["share.holder"]
        .defined
    )


def test_a_judge_that_comes_to_itself_is_heard(study, tmp_path):
    # promptfoo#2084, promptfoo#1866: a fence around a verdict was a failed test.
    def fenced(request, attempt):
        if request.model != JUDGE:
            return plain(request)
        body = f"```json\n{ruling(request)}\n```"
        return "-1" if attempt == 1 else body

    run = run_of(study, tmp_path / "run", Stub(fenced))
    assert {t.outcome.void for t in run.traces()} == {None}
    rulings = sum(len(t.rulings) for t in run.traces())
    assert sum(len(t.re_asked) for t in run.traces()) == rulings
    assert all(
        reply_fault(c.reply) is None and c.attempt in {1, 2}
        for c in calls(run)
        if c.asking.role is Role.ARBITER
    )
