"""A panel's forecast beside the requests that its seats really send: character for character."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.asking.ruling import reply_schema, ruling_messages
from games.asking.transcript import transcript_messages, transcript_schema, whole_dialogue
from games.models.chat import Effort
from games.panels.forecast import panel_forecast
from games.panels.load import find_panel, load_panel, load_texts
from games.panels.panel import Panel, Unit
from games.plan.assumed import Assumed, Scenario
from games.plan.forecast import Cost
from games.rules.item import Item, ItemRef, Line, match_of
from games.study.study import load_study
from games.words import ItemKind, Role

STUDY = load_study("aidg")
FOLDER = STUDY.folder / "panels"
ASSUMED = Assumed()
HOLDS = (ItemKind.HOLDER_REPLY, ItemKind.ANSWER)
BASE = {"vendor": "v", "family": "f", "endpoint": "here", "model": "m"}


def panel_of(*judges: dict, **said) -> Panel:
    endpoints = {"here": {"client": "scripted", "concurrency": 2}, "there": {"client": "scripted"}}
    plain = {
        "name": "own",
        "kind": "plumbing",
        "description": "d",
        "endpoints": endpoints,
        "kinds": list(ItemKind),
    }
    return Panel.model_validate({**plain, "judges": [BASE | judge for judge in judges], **said})


def judge(id: str = "ann", max_tokens: int = 4000, **said) -> dict:
    sampling = {"max_tokens": max_tokens, **said.pop("sampling", {})}
    return {"id": id, "sampling": sampling, **said}


def texts_of(panel: Panel):
    return load_texts(panel, STUDY, FOLDER)


def dialogue_of(*texts: str) -> tuple[Line, ...]:
    return tuple(
        Line(turn=n // 2 + 1, speaker=(Role.SEEKER, Role.HOLDER)[n % 2], text=text)
        for n, text in enumerate(texts)
    )


def items_of(match: str, dialogue: tuple[Line, ...], kinds, secret: str = "It rains") -> list[Item]:
    return [
        Item(
            id=ItemRef(match, line.turn, kind).id,
            kind=kind,
            secret=secret,
            dialogue=dialogue[: place + 1],
            claim="a <claim>" if kind in (ItemKind.DECLARATION, ItemKind.LOCK) else "",
        )
        for kind in kinds
        for place, line in enumerate(dialogue)
        if (line.speaker is Role.HOLDER) == (kind in HOLDS)
    ]


def sent(items, panel, texts) -> dict[str, list[float]]:
    """Build every request of every seat, and count its tokens: the arithmetic by brute force."""
    found: dict[str, list[float]] = {}
    for seat in panel.seats():
        structured = seat.judge.sampling.structured
        counts = found.setdefault(seat.rater, [])
        prompt = texts.prompt(seat)
        if seat.unit is Unit.TURN:
            for item in items:
                rubric = texts.rubric(seat, item.kind)
                chat = ruling_messages(item, rubric, prompt)
                counts.append(tokens(chat, reply_schema(rubric) if structured else None))
            continue
        keys = dict.fromkeys((match_of(item.id), item.kind) for item in items)
        for match, kind in keys:
            of_match = [item for item in items if match_of(item.id) == match]
            asked = [item for item in of_match if item.kind is kind]
            rubric = texts.rubric(seat, kind)
            chat = transcript_messages(asked, whole_dialogue(of_match), rubric, prompt)
            counts.append(tokens(chat, transcript_schema(rubric) if structured else None))
    return found


def tokens(chat, schema) -> float:
    characters = sum(len(message.text) for message in chat)
    characters += 0 if schema is None else len(json.dumps(schema))
    return characters / 4.0 + 4.0 * len(chat)


WORDINGS = ("study", "plain", "terse", "stepwise", "formal", "examples")


@st.composite
def panels(draw: st.DrawFn) -> Panel:
    judges = []
    for n in range(draw(st.integers(1, 3))):
        transcript = draw(st.booleans())
        wordings = ("study",) if transcript else WORDINGS
        judges.append(
            judge(
                f"j{n}",
                max_tokens=draw(st.integers(1, 3000)),
                sampling={"structured": draw(st.booleans())},
                wordings=draw(st.lists(st.sampled_from(wordings), min_size=1, unique=True)),
                units=["transcript", "turn"] if transcript else ["turn"],
                repeats=draw(st.integers(1, 2)),
            )
        )
    return panel_of(*judges)


TALK = st.lists(
    st.text(max_size=30) | st.sampled_from(["<b>&\u2028", "{secret} {dialogue}"]),
    min_size=2,
    max_size=7,
)


@given(
    panels(),
    st.lists(TALK, min_size=1, max_size=3),
    st.lists(st.sampled_from(ItemKind), min_size=1, max_size=3, unique=True),
    st.sampled_from(["It rains", "</secret> {dialogue}"]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_every_seat_is_forecast_what_it_will_be_sent(panel, talks, kinds, secret) -> None:
    items = [
        item
        for n, talk in enumerate(talks)
        for item in items_of(f"m{n}", dialogue_of(*talk), kinds, secret)
    ]
    texts = texts_of(panel)
    found = panel_forecast(items, panel, texts)
    truth = sent(items, panel, texts)
    assert found.items == len(items)
    for scenario in Scenario:
        tallies = {tally.model.id: tally for tally in found.scenarios[scenario].tallies}
        assert set(tallies) == ({seat.rater for seat in panel.seats()} if items else set())
        for rater, tally in tallies.items():
            assert tally.calls == len(truth[rater])
            assert tally.tokens_in == pytest.approx(sum(truth[rater]))


def test_a_reply_is_paid_ruling_by_ruling_up_to_its_limit() -> None:
    items = items_of("m", dialogue_of(*"abcdefgh"), [ItemKind.HOLDER_REPLY])
    cases = {
        # Four turns: four single rulings of 80 tokens; four in one reply; one that breaks off.
        "roomy": (judge("roomy", 400), 4 * 80, 4, False),
        "short": (judge("short", 50), 4 * 50, 4, True),
        "whole": (judge("whole", 400, units=["transcript"]), 320, 1, False),
        "tight": (judge("tight", 319, units=["transcript"]), 319, 1, True),
        "fits": (judge("fits", 320, units=["transcript"]), 320, 1, False),
    }
    panel = panel_of(*(one for one, *_ in cases.values()))
    found = panel_forecast(items, panel, texts_of(panel))
    expected, most = (found.scenarios[scenario] for scenario in Scenario)
    for tally, worst, (name, (own, out, calls, cramped)) in zip(
        expected.tallies, most.tallies, cases.items(), strict=True
    ):
        assert tally.model.id == f"own.{name}"
        assert (tally.tokens_out, tally.calls) == (out, calls)
        assert worst.tokens_out == calls * own["sampling"]["max_tokens"]
        assert tally.seconds == pytest.approx(calls * 1.0 + out / 50.0)
        assert (f"own.{name}" in found.cramped) == cramped
    assert expected.longest == pytest.approx(1.0 + 320 / 50.0)
    assert most.longest == pytest.approx(1.0 + 400 / 50.0)


def test_hidden_reasoning_is_paid_in_every_reply() -> None:
    items = items_of("m", dialogue_of("a", "b"), [ItemKind.HOLDER_REPLY])
    panel = panel_of(judge("thinks", 400, sampling={"reasoning_effort": Effort.LOW}))
    found = panel_forecast(items, panel, texts_of(panel))
    assert found.scenarios[Scenario.EXPECTED].tallies[0].tokens_out == 380
    assert found.cramped == ()
    cut = panel_of(judge("thinks", 379, sampling={"reasoning_effort": Effort.LOW}))
    assert panel_forecast(items, cut, texts_of(cut)).cramped == ("own.thinks",)


def test_dollars_are_known_only_as_far_as_prices_are() -> None:
    items = items_of("m", dialogue_of("a", "b"), [ItemKind.HOLDER_REPLY])
    priced = judge("priced", price={"input": 2.0, "output": 10.0}, repeats=2)
    panel = panel_of(priced, judge("free", price={"input": 0, "output": 0}), judge("unknown"))
    texts = texts_of(panel)
    forecast = panel_forecast(items, panel, texts).scenarios[Scenario.EXPECTED]
    one = (2.0 * sent(items, panel, texts)["own.priced.r1"][0] + 10.0 * 80) / 1e6
    assert forecast.cost == Cost(pytest.approx(2 * one), ("own.unknown",))
    free = panel_of(judge("free", price={"input": 0, "output": 0}))
    cost = panel_forecast(items, free, texts_of(free)).scenarios[Scenario.EXPECTED].cost
    assert cost == Cost(0.0, ())


def test_the_slowest_endpoint_says_how_long_it_takes() -> None:
    items = items_of("m", dialogue_of(*"ab" * 20), [ItemKind.HOLDER_REPLY])
    panel = panel_of(judge("ann"), judge("bob", endpoint="there"))
    found = panel_forecast(items, panel, texts_of(panel))
    # Twenty calls of 1 s and 80 tokens at 50 a second, two at a time where the fewest are.
    assert found.seconds(Scenario.EXPECTED, panel.endpoints) == pytest.approx(20 * 2.6 / 2)
    limits = {"here": {"client": "scripted", "requests_per_minute": 10}}
    slow = panel_of(judge("ann"), endpoints=limits)
    found = panel_forecast(items, slow, texts_of(slow))
    assert found.seconds(Scenario.EXPECTED, slow.endpoints) == pytest.approx(120.0)
    # One call takes its time, however many could be in flight.
    single = panel_forecast(items[:1], panel, texts_of(panel))
    assert single.seconds(Scenario.EXPECTED, panel.endpoints) == pytest.approx(2.6)


@pytest.mark.parametrize("items", [[], items_of("m", dialogue_of("a", "b"), [ItemKind.ANSWER])])
def test_rules_alone_or_nothing_to_ask_cost_nothing(items) -> None:
    panel = panel_of(rules=["property-table"]) if items else panel_of(judge())
    found = panel_forecast(items, panel, texts_of(panel))
    for scenario, forecast in found.scenarios.items():
        assert (forecast.tallies, forecast.longest) == ((), 0.0)
        assert found.seconds(scenario, panel.endpoints) == 0.0
    assert (found.items, found.cramped) == (len(items), ())


def test_more_said_costs_more_and_other_assumptions_other_sums() -> None:
    panel = panel_of(judge())
    texts = texts_of(panel)

    def expected(size: int, assumed: Assumed | None = None) -> float:
        items = items_of("m", dialogue_of("a" * size, "b"), [ItemKind.HOLDER_REPLY])
        forecast = panel_forecast(items, panel, texts, assumed).scenarios[Scenario.EXPECTED]
        return forecast.tallies[0].tokens_in

    assert [after - before for before, after in pairwise([expected(n) for n in (0, 4, 12)])] == [
        1.0,
        2.0,
    ]
    dense = ASSUMED.model_copy(update={"characters_per_token": 2.0})
    assert expected(0, dense) == pytest.approx(2 * (expected(0) - 8.0) + 8.0)


def test_all_turns_of_the_paper_before_five_judges_are_forecast_at_once() -> None:
    items: list[Item] = []
    talk = dialogue_of(*("What do you make of the harbour these days, I wonder?",) * 20)
    while len(items) < 4403:
        items += items_of(f"m{len(items)}", talk, [ItemKind.HOLDER_REPLY])
    panel = load_panel(find_panel("vendors", STUDY.folder))
    texts = texts_of(panel)
    began = time.perf_counter()
    found = panel_forecast(items[:4403], panel, texts)
    taken = time.perf_counter() - began
    forecast = found.scenarios[Scenario.EXPECTED]
    assert sum(tally.calls for tally in forecast.tallies) == 5 * 4403
    assert forecast.cost.unpriced == ("vendors.deepseek-v3", "vendors.llama-4-maverick")
    assert taken < 2
