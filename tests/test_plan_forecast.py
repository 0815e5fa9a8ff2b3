"""A plan beside the requests that a run really sends: equal, for utterances of the same lengths."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.cohort import Cohort
from games.cohort.models import Endpoint
from games.models.chat import Effort, Finish, Reply
from games.plan.assumed import Assumed, Length, Scenario, turn_shares
from games.plan.forecast import Cost, Forecast, Tally, forecast
from games.plan.pace import Limit, paces
from games.plan.walk import calls_of
from games.plan.warnings import plan_warnings
from games.play.match import play_match
from games.play.model_seats import ModelArbiter, ModelSpeaker
from games.rules.choices import GuessDetection
from games.rules.referee import Referee
from games.study.config import DesignConfig, Sampling
from games.study.prompts import PromptRole
from games.trace import RULES
from games.words import Game, Mode, Role

STATED = Sampling(player_temperature=0.7, arbiter_temperature=0.01)


def design(players):
    pairs = players * (players - 1)
    return DesignConfig(
        name="round_robin", tournaments=5, players=players, scheduled={"aidg_ii": 5 * pairs}
    )


def cohort_of(players, arbiter=None, endpoints=None):
    named = {"near": {"client": "scripted"}, "far": {"client": "scripted"}}
    return Cohort.model_validate(
        {
            "name": "planned",
            "kind": "plumbing",
            "description": "For tests.",
            "endpoints": endpoints or named,
            "arbiter": arbiter,
            "players": players,
        }
    )


def model(id, **keys):
    said = {
        "id": id,
        "vendor": f"vendor of {id}",
        "family": f"family of {id}",
        "endpoint": "near",
        "model": f"maker/{id}",
        "sampling": {"max_tokens": 400, "temperature": 0.7},
    }
    return said | keys


JUDGE = model("judge", endpoint="far", sampling={"max_tokens": 300, "temperature": 0.01})
THREE = (model("a"), model("b"), model("c"))


@dataclass
class Recorder:
    """Stands where a run's caller stands: keeps every request, replies from a script."""

    who: object
    text_of: object
    requests: list = field(default_factory=list)

    async def ask(self, asking, request):
        self.requests.append(request)
        text = self.text_of(asking, request)
        return Reply(text=text, finish=Finish.STOP, effective=request.settings)


def sent(study, setup, turns, messages, replies, who):
    """Play a match of models with utterances of given lengths; return its requests in order."""
    order = []

    def said(asking, _):
        if asking.role is Role.HOLDER:
            return replies[asking.turn - 1]
        return messages[asking.turn - 1]

    def ruled(asking, request):
        yes, no, _ = request.reply_schema["properties"]["verdict"]["enum"]
        ends = asking.turn == turns and asking.about.value in ("holder_reply", "lock")
        category = "explicit" if ends and yes == "leak" else "none"
        verdict = {"verdict": yes if ends else no, "category": category, "turn": asking.turn}
        return json.dumps({"reason": "so", **verdict})

    def recorder(role, text_of):
        kept = Recorder(who[role], text_of)
        kept.requests = _Tagged(order, role)
        return kept

    speakers = [
        ModelSpeaker(setup.match, recorder(role, said), study.prompts)
        for role in (Role.SEEKER, Role.HOLDER)
    ]
    arbiter = ModelArbiter(
        match=setup.match,
        caller=recorder(Role.ARBITER, ruled),
        prompt=study.prompts.prompts[PromptRole.ARBITER],
        rubrics=study.rubrics,
        choices=study.choices,
    )
    referee = Referee(dict.fromkeys(study.nouns.names, ()), study.rubrics)
    played = asyncio.run(
        play_match(RULES[setup.game], setup, *speakers, arbiter=arbiter, referee=referee)
    )
    assert played.state.outcome.void is None
    assert not played.re_asked
    assert len(played.state.turns) == turns
    return order


class _Tagged:
    def __init__(self, order, role):
        self.order, self.role = order, role

    def append(self, request):
        self.order.append((self.role, request))


def characters(request):
    return sum(len(message.text) for message in request.messages)


def setup_of(study, game, mode, place=0):
    cohort = cohort_of(THREE)
    matches = study.schedule(cohort, 1).matches
    return study.setup([m for m in matches if (m.game, m.mode) == (game, mode)][place])


CELLS = [(Game.AIDG_I, Mode.A), (Game.AIDG_I, Mode.B), (Game.AIDG_II, None)]


def scripts(game, turns, message_sizes, reply_sizes, noun):
    """Return utterances of given lengths that the rules let pass."""
    if game is Game.AIDG_I:
        return ["m" * n for n in message_sizes], ["r" * n for n in reply_sizes]
    messages = ["m" * n for n in message_sizes]
    messages[turns - 1] = f"lock: {noun} ({'x' * message_sizes[turns - 1]})"
    return messages, [("no", "yes", "maybe")[n % 3] for n in reply_sizes]


@pytest.mark.parametrize(("game", "mode"), CELLS)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_every_request_of_a_run_is_forecast_to_the_character(study, game, mode, data):
    setup = setup_of(study, game, mode, data.draw(st.integers(0, 5)))
    turns = data.draw(st.integers(1, setup.horizon))
    sizes = st.lists(st.integers(1, 400), min_size=setup.horizon, max_size=setup.horizon)
    messages, replies = scripts(
        game,
        turns,
        data.draw(sizes),
        data.draw(sizes),
        setup.vocabulary[0] if setup.vocabulary else "",
    )
    players = cohort_of(THREE, JUDGE)
    who = dict(zip(Role, (*players.models()[:2], players.arbiter), strict=True))
    order = sent(study, setup, turns, messages, replies, who)
    calls = calls_of(study, setup, turns)
    assert [call.role for call in calls] == [role for role, _ in order]
    lengths = [len(text) for text in messages], [len(text) for text in replies]
    for call, (_, request) in zip(calls, order, strict=True):
        assert call.characters(*lengths) == characters(request)
        assert call.chat_messages == len(request.messages)
        schema = request.reply_schema
        assert call.schema == (0 if schema is None else len(json.dumps(schema)))


# One character a token and four tokens a message make every sum whole, so that equal means equal.
PLAIN = Assumed(
    characters_per_token=1,
    message={Game.AIDG_I: 40, Game.AIDG_II: 25},
    reply={Game.AIDG_I: 33, Game.AIDG_II: 3},
    ruling=71,
)


@pytest.mark.parametrize("structured", [False, True])
def test_the_sums_of_a_schedule_are_those_of_its_requests(study, structured):
    judge = JUDGE | {"sampling": JUDGE["sampling"] | {"structured": structured}}
    cohort = cohort_of(THREE, judge)
    schedule = study.schedule(cohort, 3)
    counted = defaultdict(lambda: [0, 0, 0])
    players = {player.id: player for player in cohort.models()}
    for match in schedule.matches:
        setup = study.setup(match)
        noun = setup.vocabulary[0] if setup.vocabulary else ""
        messages = ["m" * PLAIN.message[match.game]] * setup.horizon
        replies = ["r" * 33 if match.game is Game.AIDG_I else "yes"] * setup.horizon
        if match.game is Game.AIDG_II:
            messages[-1] = f"lock: {noun} (".ljust(24, "x") + ")"
        seats = (players[match.seeker], players[match.holder], cohort.arbiter)
        who = dict(zip(Role, seats, strict=True))
        for role, request in sent(study, setup, setup.horizon, messages, replies, who):
            sums = counted[who[role].id]
            sums[0] += 1
            sums[1] += characters(request) + 4 * len(request.messages)
            if structured and request.reply_schema is not None:
                sums[1] += len(json.dumps(request.reply_schema))
            sums[2] += PLAIN.spoken(role, match.game)
    expected = forecast(study, cohort, schedule, {}, PLAIN)[0]
    assert expected.scenario is Scenario.EXPECTED
    found = {t.model.id: [t.calls, t.tokens_in, t.tokens_out] for t in expected.tallies}
    assert found == dict(counted)
    assert [t.arbiter for t in expected.tallies] == [False, False, False, True]


def test_at_most_every_reply_is_full_and_every_match_goes_to_its_horizon(study):
    cohort = cohort_of(THREE, JUDGE)
    schedule = study.schedule(cohort, 3)
    lengths = {Game.AIDG_I: Length(mean=2), Game.AIDG_II: Length(mean=3)}
    expected, at_most = forecast(study, cohort, schedule, lengths, PLAIN)
    # 24 matches of AIDG-I: 6 messages, replies, rulings; 12 of AIDG-II: 8 messages and rulings,
    # 7 replies, since a lock has none.
    assert sum(t.calls for t in at_most.tallies if not t.arbiter) == 24 * 12 + 12 * 15
    assert [t.calls for t in at_most.tallies if t.arbiter] == [24 * 6 + 12 * 8]
    for tally in at_most.tallies:
        assert tally.tokens_out == tally.calls * tally.model.sampling.max_tokens
    assert sum(t.calls for t in expected.tallies if t.arbiter) == pytest.approx(24 * 2 + 12 * 3)
    for low, high in zip(expected.tallies, at_most.tallies, strict=True):
        assert low.tokens_in < high.tokens_in
        assert low.largest <= high.largest


def test_a_prompt_grows_with_what_was_said_and_so_quadratically(study):
    setup = setup_of(study, Game.AIDG_I, Mode.B)
    calls = [call for call in calls_of(study, setup, setup.horizon) if call.role is Role.HOLDER]
    assert [call.messages for call in calls] == [1, 2, 3, 4, 5, 6]
    assert [call.replies for call in calls] == [0, 1, 2, 3, 4, 5]
    grown = [call.characters([10.0] * 6, [100.0] * 6) for call in calls]
    steps = [later - earlier for earlier, later in pairwise(grown)]
    assert steps == [110.0] * 5


def test_nobody_is_asked_where_the_referee_rules_or_the_seats_are_built_in(study):
    setup = setup_of(study, Game.AIDG_II, None)
    ruled = calls_of(study, setup, 4)
    assert [call.role for call in ruled].count(Role.ARBITER) == 4
    choices = setup.choices.model_copy(update={"guess_detection": GuessDetection.REFEREE})
    by_referee = calls_of(study, setup.model_copy(update={"choices": choices}), 4)
    # The lock is still the arbiter's.
    assert [call.role for call in by_referee].count(Role.ARBITER) == 1
    reference = study.cohort()
    forecasts = forecast(study, reference, study.schedule(reference, 1), {})
    assert [one.tallies for one in forecasts] == [(), ()]
    assert paces(forecasts[0], reference.endpoints) == ()


def test_built_in_players_are_heard_though_not_asked(study):
    built_in = [player.model_dump(mode="json") for player in study.cohort().players[:1]]
    cohort = cohort_of([model("a"), *built_in], JUDGE)
    (one, judge) = forecast(study, cohort, study.schedule(cohort, 1), {}, PLAIN)[0].tallies
    assert (one.model.id, judge.model.id) == ("a", "judge")
    both = cohort_of(THREE[:2], JUDGE)
    (first, _, same) = forecast(study, both, study.schedule(both, 1), {}, PLAIN)[0].tallies
    assert first.calls == one.calls
    assert judge.tokens_in == same.tokens_in


@pytest.mark.parametrize("turns", [0, 7])
def test_a_match_ends_within_its_horizon(study, turns):
    with pytest.raises(ValueError, match=rf"turns must lie in \[1, 6\], found {turns}"):
        calls_of(study, setup_of(study, Game.AIDG_I, Mode.A), turns)


@given(
    horizon=st.integers(1, 20),
    mean=st.floats(1, 20),
    share=st.one_of(st.none(), st.floats(0, 1)),
)
def test_a_law_of_lengths_has_the_printed_mean(horizon, mean, share):
    law = turn_shares(Length(mean=mean, at_horizon=share), horizon)
    assert sum(law.values()) == pytest.approx(1.0)
    assert all(1 <= turn <= horizon and part > 0 for turn, part in law.items())
    assert sum(turn * part for turn, part in law.items()) == pytest.approx(min(mean, horizon))


def test_a_printed_share_reaches_the_horizon():
    law = turn_shares(Length(mean=9.5, at_horizon=0.872), 10)
    assert law[10] == 0.872
    assert set(law) == {6, 7, 10}  # (9.5 - 8.72) / 0.128 = 6.09
    assert turn_shares(None, 16) == {16: 1.0}
    # 60 % at turn 10 of 10 leave a mean of 2 no turn: then the mean alone counts.
    assert turn_shares(Length(mean=2, at_horizon=0.6), 10) == {2: 1.0}


@pytest.mark.parametrize(
    ("effort", "most", "paid"), [(None, 400, 80), (Effort.LOW, 400, 380), (Effort.HIGH, 400, 400)]
)
def test_hidden_reasoning_is_paid_as_output_within_the_limit(effort, most, paid):
    who = cohort_of(
        [model("a", sampling={"max_tokens": most, "reasoning_effort": effort}), model("b")]
    ).models()[0]
    assert Assumed().paid(who, Role.ARBITER, Game.AIDG_I, Scenario.EXPECTED) == paid
    assert Assumed().said(who, Role.ARBITER, Game.AIDG_I, Scenario.EXPECTED) == 80
    assert Assumed().paid(who, Role.ARBITER, Game.AIDG_I, Scenario.AT_MOST) == most


def tally(who, **keys):
    zero = {"calls": 1.0, "tokens_in": 0.0, "tokens_out": 0.0, "seconds": 0.0, "largest": 0.0}
    return Tally(model=who, arbiter=False, **(zero | keys))


def test_cost_is_by_price_and_an_unknown_one_is_never_nothing():
    priced = [model("a", price={"input": 1.25, "output": 10}), model("b")]
    free = model("c", price={"input": 0, "output": 0})
    a, b, c = cohort_of([*priced, free]).models()
    # 2 M in at 1.25 and 0.3 M out at 10.
    one = tally(a, tokens_in=2e6, tokens_out=3e5)
    assert one.cost == pytest.approx(2.5 + 3.0)
    assert tally(b, tokens_in=1e6).cost is None
    assert tally(c, tokens_in=1e6).cost == 0.0
    found = Forecast(Scenario.EXPECTED, (one, tally(b), tally(c)), 0.0).cost
    assert found == Cost(pytest.approx(5.5), ("b",))


@pytest.mark.parametrize(
    ("limits", "seconds", "by"),
    [
        ({"concurrency": 4}, 250.0, Limit.CONCURRENCY),
        ({"concurrency": 100, "requests_per_minute": 30}, 240.0, Limit.REQUESTS),
        ({"concurrency": 100, "tokens_per_minute": 1000}, 360.0, Limit.TOKENS),
        ({"concurrency": 100}, 33.0, Limit.LONGEST_MATCH),
    ],
)
def test_the_slowest_limit_decides(limits, seconds, by):
    who = cohort_of(THREE).models()[0]
    asked = tally(who, calls=120.0, tokens_in=5000.0, tokens_out=1000.0, seconds=1000.0)
    endpoints = {"near": Endpoint(client="scripted", **limits), "far": Endpoint(client="scripted")}
    first, *others = paces(Forecast(Scenario.EXPECTED, (asked,), 33.0), endpoints)
    assert (first.seconds, first.by) == (pytest.approx(seconds), by)
    assert all(other.seconds <= first.seconds for other in others)
    assert {pace.endpoint for pace in (first, *others)} == {"", "near"}  # nobody is asked at far


def test_an_endpoint_bears_all_its_models_together():
    players = cohort_of(THREE).models()
    each = [tally(who, seconds=100.0) for who in players]
    (first, _) = paces(
        Forecast(Scenario.EXPECTED, tuple(each), 1.0),
        {"near": Endpoint(client="scripted", concurrency=2)},
    )
    assert first.seconds == 150.0


def test_kin_judges_and_settings_that_will_not_be_felt_are_said():
    players = [
        model("GPT-5", vendor="OpenAI", model="openai/gpt-5"),
        model("twin", family="GPT-4o", vendor="other"),
        model("plain", sampling={"max_tokens": 9}),
        model("hot", sampling={"max_tokens": 9, "temperature": 1.5}),
    ]
    judge = model(
        "mini",
        vendor="openai",
        family="gpt-4o",
        model="openai/gpt-4o-mini",
        sampling={"max_tokens": 9, "temperature": 0.01, "structured": True},
        capabilities={"refuses": ["structured"]},
    )
    assert plan_warnings(cohort_of(players, judge), STATED, design(4)) == (
        "the arbiter mini is of the same family as twin, on whom it rules",
        "the arbiter mini is of the same vendor as GPT-5, on whom it rules",
        "GPT-5: temperature 0.7 requested; its API refuses it: provider default",
        "plain: no temperature requested, where the study states 0.7",
        "hot: temperature 1.5 requested, where the study states 0.7",
        "mini (arbiter): structured requested; its API refuses it: provider default",
    )


def test_a_cohort_file_may_say_that_a_model_bears_what_its_id_is_known_to_refuse():
    bears = {"bears": ["temperature"]}
    players = [model("GPT-5", model="openai/gpt-5", capabilities=bears), model("b")]
    assert plan_warnings(cohort_of(players), STATED, design(2)) == ()


def test_players_that_are_one_model_are_said_to_be():
    one = [model(id, model="small") for id in ("a", "b")]
    assert plan_warnings(cohort_of(one), STATED, design(2)) == (
        "all players are one model, small: they differ in settings alone",
    )


def test_fewer_players_than_the_study_has_are_fewer_matches_each():
    assert plan_warnings(cohort_of(THREE), STATED, design(6)) == (
        "3 players where the study has 6: in each game and mode a player has 10 matches in a "
        "role, not 25",
    )
