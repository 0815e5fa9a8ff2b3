"""The rules of HIDDEN SIGNAL: worlds, actions, points, what is seen, and what a fault does."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from games.errors import IllegalMove
from games.places import load_toml
from games.records import canonical
from games.rules.choices import FaultPolicy
from games.rules.hidden_signal import Round, replay
from games.rules.hidden_signal_actions import (
    ACTIONS,
    INDEX,
    WITHHOLD,
    Action,
    ActionKind,
    Claim,
    Knowledge,
    guess,
    message,
    parse,
)
from games.rules.hidden_signal_choices import (
    Exclusion,
    ExclusionCost,
    ExclusionRepeated,
    Extraction,
    Neighbours,
    NobodyGuessed,
    OwnPastSets,
    RecentRounds,
    Scoring,
    SignalChoices,
    TurnLimit,
    WrongGuess,
)
from games.rules.hidden_signal_records import Act, RoundOutcome, RoundVoid
from games.rules.hidden_signal_scoring import RoundEnd
from games.rules.hidden_signal_world import (
    AGENTS,
    OWN_SETS,
    STATES,
    Agent,
    Hidden,
    World,
    draw_world,
    hidden_bits,
    upper,
    world_of,
    worlds,
)
from games.study.choices import ActedOn, OpenChoice, OpenChoices
from games.study.shipped import find_study
from games.words import Fault
from tests.signal_rounds import RULES, SHORT, after, begun, choices_drawn, rounds

ONE, TWO = Agent.ONE, Agent.TWO
A, B, C, D = STATES
FILE = find_study("hidden_signal") / "open_choices.toml"
# The hidden state is B; agent one sees A and B, agent two B and C; agent one opens.
WORLD = World(hidden=B, lower=ONE, opener=ONE)


def is_not(state: Hidden) -> Action:
    return message(Claim.IS_NOT, state)


def is_(state: Hidden) -> Action:
    return message(Claim.IS, state)


def points(state: Round) -> tuple[int | None, int | None]:
    return state.points(ONE), state.points(TWO)


# --- worlds


def test_sets_are_the_hidden_state_and_one_neighbour_each() -> None:
    for world in worlds(Neighbours.SWAPPED):
        at = STATES.index(world.hidden)
        low, high = STATES[at - 1], STATES[(at + 1) % 4]
        assert set(world.own_set(world.lower)) == {low, world.hidden}
        assert set(world.own_set(world.lower.other)) == {world.hidden, high}


def test_as_printed_agent_one_always_has_the_lower_neighbour() -> None:
    sets = {w.hidden: (w.own_set(ONE), w.own_set(TWO)) for w in worlds(Neighbours.AS_PRINTED)}
    assert sets == {
        A: ((A, D), (A, B)),
        B: ((A, B), (B, C)),
        C: ((B, C), (C, D)),
        D: ((C, D), (A, D)),
    }


def test_the_order_of_a_set_is_the_alphabets() -> None:
    assert all(own == tuple(sorted(own)) for own in OWN_SETS)
    assert [upper(own) for own in OWN_SETS] == [B, C, D, A]


@pytest.mark.parametrize(("neighbours", "bits"), [("as_printed", 0.0), ("swapped", 1.0)])
def test_bits_hidden_from_who_knows_its_own_set(neighbours: str, bits: float) -> None:
    """Enumerated twice: by the rules, and here from the joint table of sets and states."""
    variant = Neighbours(neighbours)
    for agent in AGENTS:
        joint: dict[tuple, dict[Hidden, int]] = defaultdict(lambda: defaultdict(int))
        for world in worlds(variant):
            joint[world.own_set(agent)][world.hidden] += 1
        n = len(worlds(variant))
        entropy = -sum(
            count / n * math.log2(count / sum(row.values()))
            for row in joint.values()
            for count in row.values()
        )
        assert entropy == bits
        assert {hidden_bits(variant, agent, own) for own in OWN_SETS} == {bits}


def test_no_bit_is_left_once_a_state_of_the_set_is_excluded() -> None:
    assert hidden_bits(Neighbours.SWAPPED, ONE, (A, B), frozenset({A})) == 0.0
    assert hidden_bits(Neighbours.SWAPPED, ONE, (A, B), frozenset({C, D})) == 1.0


def test_a_set_without_a_possible_state_is_refused() -> None:
    with pytest.raises(ValueError, match="no world fits own"):
        hidden_bits(Neighbours.SWAPPED, ONE, (A, B), frozenset({A, B}))
    with pytest.raises(ValueError, match="no world fits own"):
        hidden_bits(Neighbours.AS_PRINTED, ONE, (A, B), frozenset({B}))


def test_worlds_are_drawn_alike() -> None:
    rng = np.random.default_rng(1)
    drawn = [draw_world(rng, Neighbours.SWAPPED) for _ in range(8000)]
    counts = [drawn.count(world) for world in worlds(Neighbours.SWAPPED)]
    assert len(counts) == 16
    # Chi-square with 15 degrees of freedom: 44.3 is exceeded once in 10,000.
    assert sum((n - 500) ** 2 / 500 for n in counts) < 44.3


def test_a_rounds_world_hangs_on_seed_replicate_and_number_alone() -> None:
    series = [world_of(3, 1, number, Neighbours.SWAPPED) for number in range(1, 41)]
    assert [world_of(3, 1, n, Neighbours.SWAPPED) for n in range(40, 0, -1)] == series[::-1]
    assert [world_of(3, 2, n, Neighbours.SWAPPED) for n in range(1, 41)] != series
    assert [world_of(4, 1, n, Neighbours.SWAPPED) for n in range(1, 41)] != series


# --- actions


def test_there_are_thirteen_actions_and_the_guesses_stand_last() -> None:
    kinds = [action.action for action in ACTIONS]
    assert kinds == [*[ActionKind.MESSAGE] * 8, ActionKind.WITHHOLD, *[ActionKind.GUESS] * 4]
    assert len(INDEX) == 13


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_is_read_back_from_its_text(action: Action) -> None:
    assert parse(action.text()) == action
    assert parse(f"```json\n{action.text()}\n```") == action
    assert parse(f" \n{json.dumps(json.loads(action.text()), indent=2)}\n") == action


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.EMPTY),
        (" \n\t", Fault.EMPTY),
        ("withhold", Fault.UNPARSABLE),
        ('I pass. {"action": "withhold"}', Fault.UNPARSABLE),
        ('{"action": "withhold"} {"action": "withhold"}', Fault.UNPARSABLE),
        ('{"action": "withhold"', Fault.UNPARSABLE),
        ('["withhold"]', Fault.UNPARSABLE),
        ("null", Fault.UNPARSABLE),
        ("[" * 100_000, Fault.UNPARSABLE),
        ("{}", Fault.ILLEGAL),
        ('{"action": "pass"}', Fault.ILLEGAL),
        ('{"action": "Withhold"}', Fault.ILLEGAL),
        ('{"action": "withhold", "state": "A"}', Fault.ILLEGAL),
        ('{"action": "withhold", "because": "I wait"}', Fault.ILLEGAL),
        ('{"action": "guess"}', Fault.ILLEGAL),
        ('{"action": "guess", "state": "E"}', Fault.ILLEGAL),
        ('{"action": "guess", "state": ["A"]}', Fault.ILLEGAL),
        ('{"action": "guess", "state": "A", "claim": "is"}', Fault.ILLEGAL),
        ('{"action": "guess", "state": "A", "state": "B"}', Fault.ILLEGAL),
        ('{"action": "message", "state": "A"}', Fault.ILLEGAL),
        ('{"action": "message", "claim": "is"}', Fault.ILLEGAL),
        ('{"action": "message", "claim": "may be", "state": "A"}', Fault.ILLEGAL),
    ],
)
def test_what_is_no_action_is_a_fault(text: str, fault: Fault) -> None:
    assert parse(text) is fault


@given(st.text() | st.text(alphabet='{}[]":,acdeghiklmnostuw AB_\n`'))
def test_any_text_is_one_action_or_a_fault_and_never_a_silent_withhold(text: str) -> None:
    read = RULES.parse(text)
    if isinstance(read, Action):
        assert json.loads(read.text()) == json.loads(text.strip().strip("`").removeprefix("json"))
    else:
        assert read in (Fault.EMPTY, Fault.UNPARSABLE, Fault.ILLEGAL)


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ({"action": "message", "state": "A"}, "`claim` stands in a message, and only there"),
        ({"action": "withhold", "claim": "is"}, "`claim` stands in a message, and only there"),
        ({"action": "guess"}, "`state` stands in a message or guess, and only there"),
        ({"action": "withhold", "state": "A"}, "`state` stands in a message or guess, and only"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(parts: dict[str, str], rule: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(rule)):
        Action.model_validate(parts)


def test_what_a_set_says_of_a_claim() -> None:
    own = (A, B)
    assert [is_(s).known(own) for s in STATES] == [
        Knowledge.OPEN,
        Knowledge.OPEN,
        Knowledge.FALSE,
        Knowledge.FALSE,
    ]
    assert [is_not(s).known(own) for s in STATES] == [
        Knowledge.OPEN,
        Knowledge.OPEN,
        Knowledge.TRUE,
        Knowledge.TRUE,
    ]


# --- points: the printed table, added up by hand


@pytest.mark.parametrize(
    ("actions", "expected", "end", "winner"),
    [
        ([guess(B)], (125, -25), RoundEnd.RIGHT_GUESS, ONE),
        ([guess(A)], (-55, 25), RoundEnd.WRONG_GUESS, TWO),
        # Agent one denies C, which agent two holds: 1 + 5 paid, and 135 given away.
        ([is_not(C), guess(B)], (-31, 135), RoundEnd.RIGHT_GUESS, TWO),
        # D is in nobody's set: true, and it excludes nothing.
        ([is_not(D), guess(B)], (-26, 125), RoundEnd.RIGHT_GUESS, TWO),
        # A lie, believed.
        ([is_(C), guess(C)], (24, -55), RoundEnd.WRONG_GUESS, ONE),
        # To name the hidden state is true, but no denial.
        ([is_(B), guess(B)], (-26, 125), RoundEnd.RIGHT_GUESS, TWO),
        # Who made the exclusion itself extracts nothing by its own guess.
        ([is_not(C), WITHHOLD, guess(B)], (119, -25), RoundEnd.RIGHT_GUESS, ONE),
        ([is_not(C), is_not(A), is_not(C), guess(B)], (-37, 129), RoundEnd.RIGHT_GUESS, TWO),
        ([WITHHOLD] * 4, (0, 0), RoundEnd.TURNS_USED_UP, None),
        ([is_(D), WITHHOLD, WITHHOLD, is_(D)], (-1, -1), RoundEnd.TURNS_USED_UP, None),
    ],
)
def test_points_of_a_round(
    actions: list[Action], expected: tuple[int, int], end: RoundEnd, winner: Agent | None
) -> None:
    state = after(begun(WORLD), *actions)
    assert points(state) == expected
    assert state.outcome == RoundOutcome(winner=winner, end=end, turn=len(actions))
    assert RULES.outcome(state) == state.outcome
    assert RULES.mover(state) is None


@pytest.mark.parametrize(
    ("choice", "actions", "expected"),
    [
        ({"wrong_guess": WrongGuess.ENDS_DRAWN}, [guess(A)], (-30, 0)),
        ({"wrong_guess": WrongGuess.PLAYS_ON}, [guess(A), guess(B)], (-55, 125)),
        ({"wrong_guess": WrongGuess.PLAYS_ON}, [guess(A)] * 4, (-60, -60)),
        ({"nobody_guessed": NobodyGuessed.BOTH_LOSE}, [WITHHOLD] * 4, (-25, -25)),
        (
            {"wrong_guess": WrongGuess.PLAYS_ON, "nobody_guessed": NobodyGuessed.BOTH_LOSE},
            [WITHHOLD, WITHHOLD, WITHHOLD, guess(A)],
            (-25, -55),
        ),
        ({"exclusion": Exclusion.BY_ANY_TRUE_CLAIM}, [is_(B), guess(B)], (-31, 135)),
        ({"exclusion": Exclusion.BY_ANY_TRUE_CLAIM}, [is_not(D), guess(B)], (-26, 125)),
        ({"exclusion_cost": ExclusionCost.INSTEAD}, [is_not(C), guess(B)], (-30, 135)),
        (
            {"exclusion_repeated": ExclusionRepeated.FIRST},
            [is_not(C), WITHHOLD, is_not(C), guess(B)],
            (-32, 135),
        ),
        ({"extraction": Extraction.GUESS_AFTER_CLAIM}, [is_(D), guess(B)], (-26, 135)),
        ({"extraction": Extraction.GUESS_AFTER_CLAIM}, [WITHHOLD, guess(B)], (-25, 125)),
        (
            {"extraction": Extraction.ON_EXCLUSION},
            [is_not(C), WITHHOLD, is_not(C), guess(C)],
            (13, -45),
        ),
    ],
)
def test_points_under_other_choices(
    choice: dict[str, object], actions: list[Action], expected: tuple[int, int]
) -> None:
    assert points(after(begun(WORLD, SHORT.model_copy(update=choice)), *actions)) == expected


def test_the_points_are_those_of_print() -> None:
    assert list(Scoring().model_dump().values()) == [100, -30, 25, -25, -1, -5, 10]


@given(rounds(choices=SignalChoices(), ended=True))
def test_stakes_of_the_round_go_from_one_to_the_other(state: Round) -> None:
    assert state.outcome is not None
    won = [agent for agent, event in state.events if event.value == "round_won"]
    lost = [agent for agent, event in state.events if event.value == "round_lost"]
    winner = state.outcome.winner
    assert won == ([] if winner is None else [winner])
    assert lost == ([] if winner is None else [winner.other])


# --- the course of a round


@given(rounds())
def test_agents_take_turns_until_the_limit(state: Round) -> None:
    movers = [act.agent for act in state.acts]
    assert movers[::2] == [state.setup.world.opener] * len(movers[::2])
    assert movers[1::2] == [state.setup.world.opener.other] * len(movers[1::2])
    assert len(movers) <= state.setup.choices.turn_limit.turns
    assert (RULES.mover(state) is None) == (state.outcome is not None)
    if len(movers) == state.setup.choices.turn_limit.turns:
        assert state.outcome is not None


@given(rounds())
def test_a_round_is_a_function_of_its_setup_and_acts(state: Round) -> None:
    assert replay(state.setup, state.acts) == state


@given(rounds(ended=True))
def test_an_ended_round_takes_no_act_and_cannot_become_void(state: Round) -> None:
    with pytest.raises(IllegalMove, match="round `r1` has ended and takes no act"):
        RULES.apply(state, Act(agent=ONE, action=WITHHOLD))
    with pytest.raises(IllegalMove, match="round `r1` has ended and cannot become void"):
        state.voided(RoundVoid.FAULT_OF_ONE)


def test_nobody_moves_out_of_turn() -> None:
    with pytest.raises(IllegalMove, match="round `r1` waits for agent one"):
        RULES.apply(begun(WORLD), Act(agent=TWO, action=WITHHOLD))


def test_an_act_is_an_action_or_a_fault() -> None:
    for parts in ({}, {"action": WITHHOLD, "fault": Fault.EMPTY}):
        with pytest.raises(ValidationError, match="`action` or `fault` must be given, and only"):
            Act(agent=ONE, **parts)


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ({}, "`end` or `void` must be given, and only one of them"),
        ({"end": "right_guess", "void": "fault_of_one"}, "`end` or `void` must be given, and"),
        ({"void": "fault_of_one", "winner": "one"}, "`winner` must be left out where nobody"),
        ({"end": "turns_used_up", "winner": "one"}, "`winner` must be left out where nobody"),
    ],
)
def test_an_outcome_that_does_not_cohere_is_refused(parts: dict[str, str], rule: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(rule)):
        RoundOutcome.model_validate({"turn": 1} | parts)


# --- faults


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_makes_the_round_void_and_is_never_a_withhold(fault: Fault) -> None:
    state = RULES.apply(after(begun(WORLD), is_not(C)), Act(agent=TWO, fault=fault, text="…"))
    assert state.outcome == RoundOutcome(turn=2, void=RoundVoid.FAULT_OF_TWO)
    assert points(state) == (None, None)
    assert all(act.action is not WITHHOLD for act in state.acts)
    assert [act.action for act in state.log()] == [is_not(C)]


def test_seven_hundred_tokens_of_hidden_reasoning_are_no_move() -> None:
    """The source's first run: nothing said on any turn, and a record full of withheld turns."""
    assert parse("") is Fault.EMPTY
    state = RULES.apply(begun(WORLD), Act(agent=ONE, fault=Fault.REASONING_EXHAUSTED))
    assert state.outcome is not None
    assert state.outcome.void is RoundVoid.FAULT_OF_ONE
    assert SignalChoices().on_fault(Fault.REASONING_EXHAUSTED).re_asks == 2


def test_a_study_may_declare_a_fault_a_lost_round() -> None:
    choices = SHORT.model_copy(update={"fault_empty": FaultPolicy.RE_ASK_1_FORFEIT})
    state = RULES.apply(begun(WORLD, choices), Act(agent=ONE, fault=Fault.EMPTY))
    assert state.outcome == RoundOutcome(winner=TWO, end=RoundEnd.FORFEIT, turn=1)
    assert points(state) == (-25, 25)


def test_a_void_round_has_no_points_and_no_mover() -> None:
    state = after(begun(WORLD), is_not(C)).voided(RoundVoid.FAULT_OF_TWO)
    assert points(state) == (None, None)
    assert RULES.mover(state) is None


# --- what is seen


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("wrong", WrongGuess)
def test_worlds_alike_in_own_set_and_public_log_are_seen_alike(
    neighbours: Neighbours, wrong: WrongGuess
) -> None:
    """Every world, every log of up to two actions: equal bytes wherever nothing may differ."""
    choices = SHORT.model_copy(update={"neighbours": neighbours, "wrong_guess": wrong})
    seen: dict[tuple, set[bytes]] = defaultdict(set)
    behind: dict[tuple, set[World]] = defaultdict(set)
    for world in worlds(neighbours):
        for length in range(3):
            for log in itertools.product(ACTIONS, repeat=length):
                state = _live(begun(world, choices), log)
                if state is None:
                    continue
                for agent in AGENTS:
                    key = (agent, world.own_set(agent), world.opener, log)
                    seen[key].add(canonical(RULES.observation(state, agent)))
                    behind[key].add(world)
    assert all(len(views) == 1 for views in seen.values())
    assert len({view for views in seen.values() for view in views}) == len(seen)
    confusable = max(len(found) for found in behind.values())
    assert confusable == (2 if neighbours is Neighbours.SWAPPED else 1)


def _live(state: Round, log: tuple[Action, ...]) -> Round | None:
    for action in log:
        if state.outcome is not None:
            return None
        state = after(state, action)
    return state if state.outcome is None else None


@given(rounds(), st.lists(rounds(ended=True), max_size=7), st.sampled_from(AGENTS))
def test_an_observation_holds_nothing_of_the_others_set(
    state: Round, series: list[Round], agent: Agent
) -> None:
    seen = RULES.observation(state, agent, series)
    plain = json.loads(canonical(seen))
    assert set(plain) == {
        "agent", "number", "turn", "turn_limit", "opener", "own", "log", "recent",
    }  # fmt: skip
    assert tuple(plain["own"]) == state.setup.world.own_set(agent)
    choices = state.setup.choices
    assert len(seen.recent) == min(len(series), choices.recent_rounds.rounds)
    for past, shown in zip(reversed(series), reversed(seen.recent), strict=False):
        assert shown.hidden is past.setup.world.hidden
        kept = choices.own_past_sets is OwnPastSets.SHOWN
        assert shown.own == (past.setup.world.own_set(agent) if kept else None)


def test_what_an_agent_said_around_its_action_is_nobody_elses() -> None:
    said = Act(agent=ONE, action=is_(C), text='{"action": "message", "claim": "is", "state": "C"} ')
    state = RULES.apply(begun(WORLD), said)
    other = RULES.apply(begun(WORLD), said.model_copy(update={"text": "my set is A and B"}))
    assert canonical(RULES.observation(state, TWO)) == canonical(RULES.observation(other, TWO))


def test_a_round_that_goes_on_is_not_shown_as_an_earlier_one() -> None:
    with pytest.raises(IllegalMove, match="round `r1` has not ended and may not be shown"):
        RULES.observation(begun(WORLD, SignalChoices(), number=2), ONE, [begun(WORLD)])


def test_a_void_round_is_shown_without_an_end() -> None:
    past = begun(WORLD).voided(RoundVoid.FAULT_OF_ONE)
    (shown,) = RULES.observation(begun(WORLD, SignalChoices(), number=2), ONE, [past]).recent
    assert (shown.end, shown.winner, shown.hidden) == (None, None, B)


# --- the file of open choices


@pytest.fixture(scope="module")
def opened() -> dict[str, OpenChoice]:
    return {choice.id: choice for choice in load_toml(FILE, OpenChoices).choice}


def test_the_file_names_every_choice_of_the_rules_with_all_its_values(
    opened: dict[str, OpenChoice],
) -> None:
    acted = {name: c for name, c in opened.items() if c.acted_on is ActedOn.RULES}
    assert set(acted) == set(SignalChoices.model_fields)
    for name, field in SignalChoices.model_fields.items():
        assert {acted[name].default, *acted[name].alternatives} == {
            v.value for v in field.annotation
        }
        assert acted[name].default == field.default.value


def test_choices_of_the_file_are_told_apart(opened: dict[str, OpenChoice]) -> None:
    assert len(opened) == len(load_toml(FILE, OpenChoices).choice)
    assert all(c.default not in c.alternatives and c.why.strip() for c in opened.values())


@given(choices_drawn())
def test_a_setting_is_read_back(choices: SignalChoices) -> None:
    assert SignalChoices.model_validate_json(choices.model_dump_json()) == choices


def test_numbers_of_choices() -> None:
    assert [limit.turns for limit in TurnLimit] == [2, 4, 6]
    assert [recent.rounds for recent in RecentRounds] == [0, 5, 10, 20, 50]


# --- what the pilot's totals allow: the reason for the default turn limit


Counts = tuple[int, int, int, int]  # right, wrong, exclusions, extractions


def _counts(total: int, won: int, lost: int, games: int, turns: int) -> set[Counts]:
    """Return what can have happened to a model in some games of so many turns of its own."""
    most = games * turns
    return {
        (right, wrong, exclusions, extractions)
        for right in range(won + 1)
        for wrong in range(most - right + 1)
        for exclusions in range(most - right - wrong + 1)
        for extractions in range(right + 1)
        if exclusions
        <= (
            100 * right - 30 * wrong + 25 * (won - lost) - 5 * exclusions + 10 * extractions - total
        )
        <= most - right - wrong
    }


def _fits(turns: int, wrong_guess: WrongGuess) -> bool:
    """Return whether the pilot's blocks and totals are sums of whole events. GLM: 19, then -190."""
    theirs = _counts(790, 7, 1, 10, turns)
    for lost in range(2, 6):
        for first in _counts(19, 1, lost, 5, turns):
            for second in _counts(-190, 0, 7 - lost, 5, turns):
                right, wrong, exclusions, extractions = map(sum, zip(first, second, strict=True))
                for r, w, e, x in theirs:
                    if x > min(r, exclusions) or extractions > min(right, e):
                        continue
                    won = {
                        WrongGuess.LOSES_ROUND: (r + wrong, right + w) == (7, 1),
                        WrongGuess.ENDS_DRAWN: (r, right) == (7, 1) and w + wrong <= 2,
                        WrongGuess.PLAYS_ON: (r, right) == (7, 1),
                    }
                    if won[wrong_guess]:
                        return True
    return False


def test_six_turns_are_the_fewest_that_the_pilot_allows_whatever_a_wrong_guess_does() -> None:
    assert not _fits(2, WrongGuess.LOSES_ROUND)
    assert all(_fits(3, reading) for reading in WrongGuess)
    assert SignalChoices().turn_limit.turns == 2 * 3
