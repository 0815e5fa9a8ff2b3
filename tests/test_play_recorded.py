"""A match cut anywhere goes on as if uncut; under other rulings, as if they had been live."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.builtin.arbiter import RuleArbiter
from games.builtin.seating import HOLDERS_I, HOLDERS_II, SEEKERS_I, SEEKERS_II, Seating
from games.cohort.builtin import Player
from games.errors import RunError
from games.play.match import NOTHING_RULED, Played, play_match
from games.play.recorded import RecordedSpeaker, recorded_of
from games.play.speakers import PolicySpeaker, RuleRuler, Said
from games.rules.game import Outcome, State, View
from games.rules.item import Item
from games.rules.referee import Referee
from games.rules.rubric import LABELS
from games.rules.schedule import Match, round_robin
from games.rules.verdict import Verdict
from games.study.study import Study, load_study
from games.trace import RULES, Trace
from games.words import Abstention, Fault, Game, ItemKind, Label, Mode, Role, Void

from .conftest import small_study
from .played import played as played_by_hand

POLICIES = [
    Player(id=f"p{n}", seeker_i=s1, holder_i=h1, seeker_ii=s2, holder_ii=h2)
    for n, (s1, h1, s2, h2) in enumerate(
        zip(
            [*SEEKERS_I, *SEEKERS_I][:5],
            [*HOLDERS_I, *HOLDERS_I][:5],
            SEEKERS_II,
            [*HOLDERS_II, *HOLDERS_II][:5],
            strict=True,
        )
    )
]


class Stumbling:
    """A built-in player that now and then says nothing, by chances of its own."""

    def __init__(self, policy, rng: np.random.Generator) -> None:
        self._policy, self._rng = policy, rng

    def speak(self, view: View) -> str:
        text = self._policy.speak(view)
        return "" if self._rng.random() < 0.25 else text


class Ruling:
    """The built-in arbiter, but for items on which somebody else has ruled."""

    def __init__(self, study: Study, other: dict[str, Verdict]) -> None:
        self._arbiter = RuleArbiter(study.nouns.aliases, study.rubrics)
        self._other = other

    def rule(self, item: Item) -> Verdict:
        return self._other.get(item.id) or self._arbiter.rule(item)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Study:
    return load_study(small_study(tmp_path_factory.mktemp("study")))


@pytest.fixture(scope="module")
def scheduled(small) -> dict[Game, list[Match]]:
    matches = round_robin(
        [player.id for player in POLICIES],
        tournaments=1,
        modes=(Mode.A, Mode.B),
        secrets=tuple(small.secrets),
        nouns=small.nouns.names,
        seed=3,
    ).matches
    return {game: [m for m in matches if m.game is game] for game in Game}


def test_the_players_under_test_are_all_that_there_are():
    for name, known in (
        ("seeker_i", SEEKERS_I),
        ("holder_i", HOLDERS_I),
        ("seeker_ii", SEEKERS_II),
        ("holder_ii", HOLDERS_II),
    ):
        assert {getattr(player, name) for player in POLICIES} == set(known)


def play(study: Study, match: Match, seed: int, *, stumbles: bool, past=None, other=None) -> Played:
    """Play a match of built-in players, from a record where there is one."""
    seating = Seating(POLICIES, study.nouns, seed)
    policies = {Role.SEEKER: seating.seeker(match), Role.HOLDER: seating.holder(match)}
    if stumbles:
        policies = {
            role: Stumbling(policy, np.random.default_rng([seed, role is Role.SEEKER]))
            for role, policy in policies.items()
        }
    speakers = {role: PolicySpeaker(policy) for role, policy in policies.items()}
    if past is not None:
        speakers = {
            role: RecordedSpeaker(role.value, speaker, past.said[role], asked_all_along=True)
            for role, speaker in speakers.items()
        }
    return asyncio.run(
        play_match(
            RULES[match.game],
            study.setup(match),
            speakers[Role.SEEKER],
            speakers[Role.HOLDER],
            arbiter=RuleRuler(Ruling(study, other or {})),
            referee=Referee(study.nouns.aliases, study.rubrics),
            ruled=NOTHING_RULED if past is None else past.ruled,
        )
    )


def as_trace(match: Match, whole: Played, state: State | None = None, re_asked=None) -> Trace:
    """Return the trace of a match as far as a state of it, broken off there."""
    state = whole.state if state is None else state
    broken = Outcome(turn=state.turns[-1].number if state.turns else 0, void=Void.INFRASTRUCTURE)
    return Trace(
        match=match,
        setup=state.setup,
        study="s",
        cohort="c",
        turns=state.turns,
        rulings=state.rulings,
        shadow=whole.shadow[: len(state.rulings)],
        re_asked=whole.re_asked if re_asked is None else re_asked,
        outcome=state.outcome or broken,
    )


def states_of(whole: Played) -> list[State]:
    """Return every state that a match went through, from its beginning on."""
    setup = whole.state.setup
    rules = RULES[setup.game]
    moves = {(t.number, Role.SEEKER): t.message for t in whole.state.turns}
    moves |= {(t.number, Role.HOLDER): t.reply for t in whole.state.turns if t.reply}
    rulings = {ruling.item: ruling for ruling in whole.state.rulings}
    states = [rules.begin(setup)]
    while (mover := rules.mover(states[-1])) is not None:
        state = states[-1]
        if mover is Role.ARBITER:
            states.append(rules.apply(state, rulings[rules.pending(state).id]))
        else:
            turn = len(state.turns) + (mover is Role.SEEKER)
            states.append(rules.apply(state, moves[turn, mover]))
    return states


def cuts_of(match: Match, whole: Played) -> list[Trace]:
    """Return a match broken off before each of its moves, and before each re-ask."""
    cuts = []
    for state in states_of(whole)[:-1]:
        rules = RULES[match.game]
        mover, turn = rules.mover(state), len(state.turns)
        turn += mover is Role.SEEKER
        before = [a for a in whole.re_asked if (a.turn, a.role) != (turn, mover)]
        before = [a for a in before if a.turn <= turn and not _later(a, state)]
        vain = [a for a in whole.re_asked if (a.turn, a.role) == (turn, mover)]
        cuts += [as_trace(match, whole, state, (*before, *vain[:n])) for n in range(len(vain) + 1)]
    return cuts


def _later(again, state: State) -> bool:
    """Return whether a Holder's vain utterance comes after a state."""
    replied = {turn.number for turn in state.turns if turn.reply is not None}
    return again.role is Role.HOLDER and again.turn not in replied


@settings(max_examples=40)
@given(
    game=st.sampled_from(list(Game)),
    index=st.integers(0, 10**6),
    seed=st.integers(0, 10**6),
    stumbles=st.booleans(),
)
def test_a_match_broken_off_anywhere_goes_on_as_if_it_had_not_been(
    small, scheduled, game, index, seed, stumbles
):
    match = scheduled[game][index % len(scheduled[game])]
    whole = play(small, match, seed, stumbles=stumbles)
    cuts = cuts_of(match, whole)
    assert len(cuts) >= 2
    for cut in cuts:
        again = play(small, match, seed, stumbles=stumbles, past=recorded_of(cut, {}))
        assert again == whole
    assert stumbles or not whole.re_asked


@settings(max_examples=60)
@given(
    game=st.sampled_from(list(Game)),
    index=st.integers(0, 10**6),
    seed=st.integers(0, 10**6),
    data=st.data(),
)
def test_under_other_rulings_a_match_goes_as_if_they_had_been_given_live(
    small, scheduled, game, index, seed, data
):
    match = scheduled[game][index % len(scheduled[game])]
    trace = as_trace(match, play(small, match, seed, stumbles=False))
    other = {}
    for ruling in trace.rulings:
        kind = ItemKind(ruling.item.rsplit("/", 1)[-1])
        says = data.draw(st.sampled_from(["as before", *LABELS[kind], Abstention.TIED]))
        if says != "as before":
            label = says if isinstance(says, Label) else None
            abstains = None if label else Abstention.TIED
            facts = {"rater": "panel", "rubric": "r", "label": label, "abstention": abstains}
            other[ruling.item] = Verdict(item=ruling.item, **facts)
    continued = play(small, match, seed, stumbles=False, past=recorded_of(trace, other))
    assert continued == play(small, match, seed, stumbles=False, other=other)
    assert as_trace(match, continued).outcome == continued.state.outcome


def test_verdicts_on_turns_that_nobody_recorded_say_nothing_of_what_is_said_there():
    trace = played_by_hand(["a?", "b", "c?", "d"], [Label.NO_LEAK, Label.LEAK])
    later = Verdict(item="m0/t03/holder_reply", rater="x", rubric="r", label=Label.LEAK)
    known = recorded_of(trace, {later.item: later})
    assert set(known.ruled) == {"m0/t01/holder_reply", "m0/t02/holder_reply"}


def test_what_the_arbiter_ruled_in_vain_goes_with_its_ruling_alone():
    trace = played_by_hand(["a?", "b", "c?", "d"], [Label.NO_LEAK, Label.LEAK])
    raw = trace.model_dump()
    raw["re_asked"] = [
        {"turn": turn, "role": "arbiter", "cause": "unparsable", "text": f"hm {turn}"}
        for turn in (1, 2)
    ]
    trace = Trace.model_validate(raw)
    first, second = (ruling.item for ruling in trace.rulings)
    other = Verdict(item=second, rater="panel", rubric="r", label=Label.NO_LEAK)
    ruled = recorded_of(trace, {second: other}).ruled
    assert ruled[first] == (trace.rulings[0], (trace.re_asked[0],))
    assert ruled[second] == (other, ())


class Lines:
    """Says its lines in order and counts how often it was asked."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = list(texts), 0

    async def speak(self, view, causes):
        self.asked += 1
        return Said(self.texts.pop(0))


def view(turn: int) -> View:
    facts = {"role": Role.SEEKER, "game": Game.AIDG_I, "mode": Mode.B, "horizon": 6}
    return View(**facts, turn=turn, must_lock=False)


def test_a_recorded_fault_comes_back_as_the_fault_it_was():
    lines = {1: (Said("", Fault.REFUSED), Said("Well?"))}
    speaker = RecordedSpeaker("ann", Lines("next"), lines, asked_all_along=False)

    async def both():
        return [await speaker.speak(view(1), causes) for causes in ((), (Fault.REFUSED,))]

    assert asyncio.run(both()) == [Said("", Fault.REFUSED), Said("Well?")]
    assert speaker.speaker.asked == 0
    assert asyncio.run(speaker.speak(view(2), ())) == Said("next")


def test_a_built_in_player_that_says_something_else_now_is_refused():
    speaker = RecordedSpeaker("ann", Lines("Now?"), {1: (Said("Then?"),)}, asked_all_along=True)
    rule = "^`ann` must say on turn 1 what RUN recorded: it is another player now$"
    with pytest.raises(RunError, match=rule):
        asyncio.run(speaker.speak(view(1), ()))
