"""Told matches become traces through the rules: the round trip, what is implied, and refusals."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.errors import RunError
from games.imports.replay import ENDED, NOT_GIVEN, RATER, WENT_ON
from games.rules.schedule import Match
from games.study.study import load_study
from games.trace import RULES
from games.words import Abstention, End, Game, Label, Mode, Role, Void

from .conftest import small_study
from .strategies import moves_of
from .told import HEAD, MAP, NO_RULINGS, OUTCOME, imported, lines, played, record_of

STUDY = load_study(small_study(Path(tempfile.mkdtemp()) / "study"))

REFERENCE = played(STUDY, 1)


@pytest.fixture(scope="module", autouse=True)
def _swept():
    yield
    shutil.rmtree(STUDY.folder.parent)


@st.composite
def chances(draw, *, finished=True):
    """Return matches of the small study that chance plays, each in a seat of the schedule."""
    cells = st.tuples(st.sampled_from(list(Game)), st.sampled_from(list(Mode)))
    told = []
    for position, (game, mode) in enumerate(draw(st.lists(cells, min_size=2, max_size=4)), 1):
        seats = draw(st.permutations(["a/b_c", "d:e", "f.g"]))
        pool = STUDY.nouns.names if game is Game.AIDG_II else tuple(STUDY.secrets)
        match = Match(
            id=f"m{position}",
            game=game,
            mode=mode if game is Game.AIDG_I else None,
            tournament=1,
            position=position,
            seeker=seats[0],
            holder=seats[1],
            secret=draw(st.sampled_from(pool)),
        )
        told.append((match, draw(chance_states(match, finished))))
    return told


@st.composite
def chance_states(draw, match, finished):
    rules = RULES[match.game]
    state = rules.begin(STUDY.setup(match))
    moves = 10_000 if finished else draw(st.integers(1, 20))
    while moves and (mover := rules.mover(state)) is not None:
        moves -= 1
        state = rules.apply(state, draw(moves_of(state, rules, mover)))
    return state


def came_back(told, how, **record):
    """Return the states of matches told and imported again, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        records = (record_of(match, state, **record) for match, state in told)
        account, run = imported(Path(folder), STUDY, lines(records), how)
        return account, run.traces()


def labels(rulings):
    return [(r.item.split("/", 1)[1], r.label, r.abstention, r.category) for r in rulings]


SLOW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@given(chances())
@SLOW
def test_what_is_told_with_its_rulings_comes_back(told):
    account, traces = came_back(told, MAP)
    for (match, state), trace in zip(told, traces, strict=True):
        assert (trace.turns, trace.outcome) == (state.turns, state.outcome)
        assert labels(trace.rulings) == labels(state.rulings)
        assert {ruling.rater for ruling in trace.rulings} <= {RATER}
        assert [one.item for one in trace.shadow] == [one.item for one in trace.rulings]
        kept = (match.seeker, match.holder, match.secret, match.position)
        ours = trace.match
        assert (ours.seeker, ours.holder, ours.secret, ours.position) == kept
    assert account.rulings["given"] == sum(len(state.rulings) for _, state in told)
    assert not account.differences


@given(chances())
@SLOW
def test_the_rulings_that_an_outcome_implies_are_those_that_were_made(told):
    _, traces = came_back(told, NO_RULINGS, rulings=False)
    for (_, state), trace in zip(told, traces, strict=True):
        assert (trace.turns, trace.outcome) == (state.turns, state.outcome)
        made = [
            (item, label) for item, label, abstained, _ in labels(state.rulings) if not abstained
        ]
        found = labels(trace.rulings)
        assert [(item, label) for item, label, abstained, _ in found if not abstained] == made
        reasons = [ruling.reason for ruling in trace.rulings if ruling.label]
        # Only the last ruling can have ended a match.
        assert set(reasons[:-1]) <= {WENT_ON}
        decided = trace.outcome.void is None
        assert reasons[-1:] in ([WENT_ON], []) or decided


@given(chances(finished=False))
@SLOW
def test_a_match_that_was_broken_off_comes_back_void(told):
    # A path that no record holds is refused: one whole match has what the others may lack.
    whole = [(match, state) for match, state in REFERENCE if state.outcome.void is None][-1:]
    told = [*told, (whole[0][0].model_copy(update={"position": 9}), whole[0][1])]
    for how, rulings in ((MAP, True), (NO_RULINGS, False)):
        _, traces = came_back(told, how, rulings=rulings)
        for (_, state), trace in zip(told, traces, strict=True):
            assert trace.turns == state.turns
            if state.outcome is None:
                assert trace.outcome.void is Void.INFRASTRUCTURE
            else:
                assert trace.outcome == state.outcome


@given(st.integers(0, 10**6))
@settings(max_examples=2, deadline=None)
def test_reference_matches_come_back(seed):
    told = played(STUDY, seed)
    for how, rulings in ((MAP, True), (NO_RULINGS, False)):
        _, traces = came_back(told, how, rulings=rulings)
        for (_, state), trace in zip(told, traces, strict=True):
            assert (trace.turns, trace.outcome) == (state.turns, state.outcome)


def talk(*said, won="victim", end=None, void=None, **more):
    """Return the record of an AIDG-I match in mode B; the small study's horizon is six turns."""
    log = [
        {"by": {">": "attacker", "<": "victim", "!": "judge"}[line[0]]}
        | ({"label": line[1:]} if line[0] == "!" else {"says": line[1:]})
        for line in said
    ]
    head = {"game": "g1", "task": "talk", "open": False, "round": 1, "at": 1, "secret": "s1"}
    who = {"attacker": "ann", "victim": "bob"}
    return head | {"who": who, "log": log, "won": won, "end": end, "void": void} | more


def words(*said, won="victim", **more):
    return talk(*said, won=won, **more) | {"task": "words", "secret": "tiger"}


PLAIN = MAP.replace('fault = "fault"\n', "").replace('category = "category"\nreason = "why"\n', "")
PLAIN_IMPLIED = (HEAD + OUTCOME).replace('fault = "fault"\n', "")
SIX = [line for turn in range(6) for line in (f">What {turn}?", "<No.")]


def one(tmp_path, record, how=PLAIN_IMPLIED, **options):
    ruled = ["!no_leak"] if "[rulings]" in how else []
    # A path that no record holds is refused: the second match has what the first may lack.
    said = [x for turn in range(6) for x in (f">What {turn}?", "<No.", *ruled)]
    second = talk(*said, end="horizon") | {"game": "g2", "at": 2}
    account, run = imported(tmp_path / "one", STUDY, lines([record, second]), how, **options)
    return account, run.traces()[0]


def refused(tmp_path, record, how=PLAIN_IMPLIED):
    with pytest.raises(RunError) as caught:
        one(tmp_path, record, how)
    assert not [path for path in (tmp_path / "one").iterdir() if path.is_dir()]
    return str(caught.value)


CONFLICTS = [
    (talk(*SIX[:6]), "victim", "nothing tells the ruling on turn 3"),
    (talk(*SIX[:5]), "victim", "the holder is due after turn 3 and nothing more is said"),
    (talk(">a?", ">b?", "<No."), "victim", "the holder is due after turn 1 and the seeker speaks"),
    (talk("<No.", ">b?"), "victim", "the seeker is due after turn 0 and the holder speaks"),
    (talk(*SIX, ">more?"), "victim", "nothing tells the ruling on turn 6"),
    (talk(">I know the secret: x.", won="victim"), "victim", "nothing tells the ruling on turn 1"),
    (talk(*SIX[:4], won="attacker", end="horizon"), "attacker", "nothing tells the ruling on tur"),
    (talk(">", "<No."), "victim", "it is void (seeker_fault) on turn 1"),
    (talk(*SIX, won=None), "nobody", "nothing tells the ruling on turn 6"),
    (
        words(">Is it big?", "<perhaps so", ">lock: chair"),
        "victim",
        "it is void (holder_fault) on turn 1",
    ),
    (words(">lock: tiger", won="victim", end="leak"), "victim (leak)", "nothing tells the ruling"),
    (words(">Is it big?", "<no", won="attacker"), "attacker", "nothing tells the ruling on turn 1"),
]


@pytest.mark.parametrize(("record", "told", "found"), CONFLICTS)
def test_an_outcome_that_does_not_follow_is_refused_and_void_where_asked(
    tmp_path, record, told, found
):
    who = {"victim": "holder", "attacker": "seeker", "nobody": "nobody"}
    said = f"told.txt:1: `match g1` must end as the file says, {who[told.split()[0]]}"
    message = refused(tmp_path, record)
    assert said in message
    assert found in message
    assert message.endswith("(--void-conflicts would make it void)")
    account, trace = one(tmp_path, record, void_conflicts=True)
    assert trace.outcome.void is not None
    assert [note.key for note in account.differences] == ["g1"]
    assert found in account.differences[0].note
    kept = sum(1 + (turn.reply is not None) for turn in trace.turns)
    assert account.utterances_left_out == len(record["log"]) - kept


def test_a_given_ruling_that_leads_elsewhere_is_refused(tmp_path):
    record = talk(">a?", "<Yes.", "!leak", won="victim")
    message = refused(tmp_path, record, PLAIN)
    assert (
        "says, holder, by its own utterances and rulings; by the rules the seeker wins" in message
    )
    _, trace = one(tmp_path, record, PLAIN, void_conflicts=True)
    assert trace.outcome.void is Void.JUDGE_MISSING
    assert trace.rulings[-1].abstention is Abstention.MISSING
    assert "the file contradicts itself: by the rules the seeker wins" in trace.rulings[-1].reason
    ended_otherwise = talk(">a?", "<Yes.", "!leak", won="attacker", end="declaration")
    assert "seeker (declaration)" in refused(tmp_path / "b", ended_otherwise, PLAIN)


def test_what_follows_the_end_is_refused_or_left_out_and_counted(tmp_path):
    record = talk(">a?", "<Yes.", "!leak", ">b?", "<No.", "!no_leak", won="attacker")
    assert "and 2 utterances follow" in refused(tmp_path, record, PLAIN)
    how = PLAIN.replace('text = "says"', 'text = "says"\nafter_end = "leave_out"')
    account, trace = one(tmp_path / "b", record, how)
    assert (trace.outcome.winner, trace.outcome.turn) == (Role.SEEKER, 1)
    assert (account.utterances_left_out, account.rulings_unasked) == (2, 1)


def test_a_fault_after_which_play_went_on_is_refused(tmp_path):
    how = PLAIN[: PLAIN.index("[outcome]")]
    record = talk(">a?", "<", ">b?", "<No.", "!no_leak")
    said = "by the rules it is void (holder_fault) on turn 1, and 2 utterances follow"
    assert said in refused(tmp_path, record, how)


def test_a_missing_ruling_is_void_and_never_no_leak(tmp_path):
    record = talk(">a?", "<No.", ">b?", "<Yes.", "!leak", won="attacker")
    account, trace = one(tmp_path, record, PLAIN)
    assert (trace.outcome.void, trace.outcome.turn) == (Void.JUDGE_MISSING, 1)
    assert [(r.label, r.reason) for r in trace.rulings] == [(None, NOT_GIVEN)]
    assert account.utterances_left_out == 2
    assert account.rulings["missing"] == 1
    how = PLAIN.replace('label = "label"', 'label = "label"\nmissing = "implied"')
    account, trace = one(tmp_path / "b", record, how)
    assert (trace.outcome.winner, trace.outcome.turn) == (Role.SEEKER, 2)
    assert [r.label for r in trace.rulings] == [Label.NO_LEAK, Label.LEAK]
    assert trace.rulings[0].reason == WENT_ON
    assert account.rulings["implied"] == 1


def test_an_abstention_of_the_judge_is_void_though_the_file_has_a_winner(tmp_path):
    record = talk(">a?", "<No.", "!unparsable", won="victim")
    account, trace = one(tmp_path, record, PLAIN)
    assert trace.outcome.void is Void.JUDGE_MISSING
    assert trace.rulings[0].abstention is Abstention.UNPARSABLE
    assert not account.utterances_left_out


def test_the_end_of_a_match_implies_the_ruling_on_its_last_turn(tmp_path):
    for record, end in (
        (talk(">a?", "<Yes.", won="attacker"), End.LEAK),
        (talk(">I know the secret: a shop.", won="attacker"), End.DECLARATION),
        (words(">Is it a tiger?"), End.DISQUALIFIED),
        (words(">lock: chair"), End.WRONG_LOCK),
        (words(">lock: tiger", won="attacker"), End.CORRECT_LOCK),
    ):
        _, trace = one(tmp_path / end.value, record)
        assert trace.outcome.end is end
        assert trace.rulings[-1].reason == ENDED


def test_a_match_that_the_file_excludes_is_void_whatever_its_end(tmp_path):
    record = talk(">a?", "<Yes.", "!leak", won="attacker", void="budget")
    account, trace = one(tmp_path, record, PLAIN)
    assert (trace.outcome.void, len(trace.turns), trace.rulings) == (Void.BUDGET, 1, ())
    assert account.differences[0].note == (
        "the file says void; by the rules the seeker wins (leak) on turn 1"
    )
    silent = talk(">a?", "<No.", won=None, void="judge_missing")
    _, trace = one(tmp_path / "b", silent, PLAIN)
    assert trace.outcome.void is Void.JUDGE_MISSING
    faulty = talk(">", won=None, void="infrastructure")
    account, trace = one(tmp_path / "c", faulty, PLAIN)
    assert trace.outcome.void is Void.SEEKER_FAULT
    assert "the file says infrastructure; it is void (seeker_fault)" in account.differences[0].note
    nothing = talk(won=None, void="infrastructure")
    _, trace = one(tmp_path / "d", nothing, PLAIN)
    assert (trace.turns, trace.outcome.turn) == ((), 0)


def test_a_void_whose_reason_cannot_be_is_refused(tmp_path):
    for void, said in (("seeker_fault", ">a?"), ("judge_missing", ">a?")):
        record = talk(said, won=None, void=void)
        message = refused(tmp_path / void, record, PLAIN)
        assert f"void ({void}), by its own utterances and rulings; by the rules the hol" in message
        _, trace = one(tmp_path / void, record, PLAIN, void_conflicts=True)
        assert trace.outcome.void is Void.INFRASTRUCTURE


def test_a_ruling_must_answer_what_its_item_asks(tmp_path):
    record = talk(">a?", "<No.", "!match", won="attacker")
    said = ":1: `rulings.label` must be leak or no_leak for a holder reply, found 'match'"
    assert said in refused(tmp_path, record, PLAIN)
    twice = talk(">a?", "<No.", "!leak", "!no_leak", won="attacker")
    said = ":1: `rulings.label` must be one a turn; turn 1 has 2 that differ, found 'no_leak'"
    assert said in refused(tmp_path / "b", twice, PLAIN)


def test_a_category_stands_beside_a_leak_alone(tmp_path):
    how = PLAIN.replace('label = "label"', 'label = "label"\ncategory = "why"')
    record = talk(">a?", "<No.", "!no_leak", won="victim")
    record["log"][-1]["why"] = "explicit"
    said = ":1: `rulings.category` must stand beside the label leak alone, found 'explicit'"
    assert said in refused(tmp_path, record, how)


def test_rulings_beside_an_utterance_count_where_the_rules_ask_about_it(tmp_path):
    record = talk(">a?", "<Yes.", won="attacker")
    record["log"][0]["label"], record["log"][1]["label"] = "no_leak", "leak"
    account, trace = one(tmp_path, record, PLAIN)
    assert trace.outcome.end is End.LEAK
    assert account.rulings_unasked == 1


def test_what_a_publisher_shortened_is_marked(tmp_path):
    how = PLAIN_IMPLIED.replace('text = "says"', 'text = "says"\nelided = "cut"').replace(
        'elided = "cut"', 'elided = { path = "cut", values = { true = "yes", null = "no" } }'
    )
    record = talk(">a?", "<Yes […]", won="attacker")
    record["log"][1]["cut"] = True
    _, trace = one(tmp_path, record, how)
    assert trace.elided
    assert [trace.turns[0].message.elided, trace.turns[0].reply.elided] == [False, True]


def test_a_fault_that_the_file_states_is_kept(tmp_path):
    how = PLAIN_IMPLIED.replace('text = "says"', 'text = "says"\nfault = "fault"')
    record = talk(">a?", "<I cannot", won=None, void="holder_fault")
    record["log"][1]["fault"] = "truncated"
    _, trace = one(tmp_path, record, how)
    assert trace.outcome.void is Void.HOLDER_FAULT
    assert trace.turns[0].reply.fault == "truncated"


def test_parts_of_nobody_are_counted(tmp_path):
    how = PLAIN_IMPLIED.replace('judge = "arbiter"', 'judge = "none"')
    record = talk(">a?", "<Yes.", "!leak", won="attacker")
    account, trace = one(tmp_path, record, how)
    assert (account.parts_of_nobody, trace.rulings[0].reason) == (1, ENDED)
