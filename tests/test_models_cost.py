"""Money: a cap over a run (inspect_ai#1135), in dollars (#1152), as the provider says (#4739)."""

from __future__ import annotations

import asyncio
import json
from fractions import Fraction
from urllib.request import Request, urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cohort.models import Price
from games.errors import InputError
from games.models.chat import ChatMessage, ChatRequest, ChatRole, Finish, Reply, Settings, Usage
from games.models.cost import (
    PERHAPS_BILLED,
    Budget,
    BudgetReached,
    cost_of,
    most_input_tokens,
    worst_cost,
)
from games.models.trouble import RETRIED, STOPPING, TroubleKind

from .local import local_server, need_local
from .virtual_time import play

# As a person writes a price: at most four decimals.
dollars = st.integers(0, 10**6).map(lambda hundredths: hundredths / 10**4)
prices = st.builds(Price, input=dollars, output=dollars)
tokens = st.integers(0, 10**7)
texts = st.text(st.characters(codec=None), max_size=60)


def reply(cost=None, **usage):
    settings = Settings(max_tokens=100)
    return Reply(text="", finish=Finish.STOP, usage=Usage(**usage), cost=cost, effective=settings)


def request(*texts, max_tokens=100, schema=None, structured=False):
    return ChatRequest(
        model="m",
        messages=tuple(ChatMessage(role=ChatRole.USER, text=text) for text in texts),
        settings=Settings(max_tokens=max_tokens, structured=structured),
        reply_schema=schema,
    )


def exactly(price, sent, back):
    """Fractions, from the decimals of the price as text."""
    each = (Fraction(str(price.input)) * sent, Fraction(str(price.output)) * back)
    return sum(each) / 10**6


@given(prices, tokens, tokens)
def test_a_cost_is_tokens_times_price(price, sent, back):
    cost = cost_of(reply(input=sent, output=back), price)
    assert cost == float(exactly(price, sent, back))


def test_reasoning_is_paid_as_output_once_and_cached_input_as_input():
    price = Price(input=2.0, output=8.0)
    usage = {"input": 1000, "output": 500, "reasoning": 400, "cached": 900}
    assert cost_of(reply(**usage), price) == 0.006


def test_the_providers_own_cost_comes_first():  # inspect_ai#4739
    assert cost_of(reply(cost=0.0123, input=1, output=1), Price(input=1, output=1)) == 0.0123
    assert cost_of(reply(cost=0.0123), None) == 0.0123
    assert cost_of(reply(cost=0.0), None) == 0.0


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf")])
def test_a_cost_that_is_none_is_not_believed(cost):
    assert cost_of(reply(cost=cost), None) is None
    assert cost_of(reply(cost=cost, input=10**6, output=0), Price(input=3, output=1)) == 3.0


def test_what_is_unknown_is_never_nothing():
    price = Price(input=1, output=1)
    assert cost_of(reply(input=5, output=5), None) is None
    assert cost_of(reply(input=5), price) is None
    assert cost_of(reply(output=5), price) is None
    assert worst_cost(request("x"), None) is None
    assert cost_of(reply(input=5, output=5), Price(input=0, output=0)) == 0.0


@given(st.lists(texts, min_size=1, max_size=5))
def test_no_tokenizer_makes_more_tokens_of_a_prompt(texts):
    """One token a byte is the most that byte-level tokenizers make of anything."""
    each_byte = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    assert each_byte <= most_input_tokens(request(*texts))
    assert most_input_tokens(request(*texts, "")) > most_input_tokens(request(*texts))


@pytest.mark.integration
def test_a_real_tokenizer_and_its_template_stay_below():
    need_local()
    rare = "".join(chr(code) for code in range(0x1F300, 0x1F340))
    bodies = [
        "",
        "a",
        "Is it alive?",
        "\u4f60\u597d" * 40,
        rare,
        "\x00\x01 \t\t\n" * 30,
        "}]);" * 99,
    ]
    with local_server() as server:
        for body in bodies:
            asked = request(body, max_tokens=1)
            counted = prompt_tokens(server.address, asked)
            assert 0 < counted <= most_input_tokens(asked), body


def prompt_tokens(address, asked):
    """What a server counts of a request."""
    messages = [{"role": each.role.value, "content": each.text} for each in asked.messages]
    body = {"model": "any", "max_tokens": asked.settings.max_tokens, "messages": messages}
    sent = Request(
        f"{address}/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urlopen(sent, timeout=120) as came:
        return json.load(came)["usage"]["prompt_tokens"]


def test_a_schema_counts_where_it_is_sent():
    schema = {"type": "object", "properties": {"why": {"type": "string"}}}
    bare = most_input_tokens(request("x"))
    assert most_input_tokens(request("x", schema=schema)) == bare
    assert most_input_tokens(request("x", schema=schema, structured=True)) >= bare + len(
        str(schema)
    )


@given(prices, texts, st.integers(1, 10**6), st.data())
def test_no_reply_within_its_limits_costs_more_than_the_worst_case(price, text, most, data):
    asked = request(text, max_tokens=most)
    sent = data.draw(st.integers(0, most_input_tokens(asked)))
    back = data.draw(st.integers(0, most))
    assert cost_of(reply(input=sent, output=back), price) <= worst_cost(asked, price)


amounts = st.floats(0, 10, allow_nan=False)
calls = st.lists(
    st.tuples(amounts, st.none() | st.floats(0, 1), st.floats(0, 5), st.floats(0, 5)),
    max_size=25,
)


@given(st.floats(0, 50), calls)
def test_a_budget_is_never_passed(limit, calls):  # inspect_ai#1135, #1152
    """Calls come and end at any times, each costs a share of its worst case or who knows what."""

    async def main():
        budget, sent = Budget(limit), []
        sent_at, refused = [], []

        async def one(worst, share, after, lasts):
            await asyncio.sleep(after)
            fits = Fraction(budget.spent) + Fraction(budget.held) + Fraction(worst)
            try:
                hold = budget.reserve(worst)
            except BudgetReached:
                refused.append(fits)
                return
            sent_at.append(fits)
            assert budget.spent + budget.held <= limit + 1e-9
            await asyncio.sleep(lasts)
            cost = None if share is None else share * worst
            budget.settle(hold, cost)
            sent.append(worst if cost is None else cost)
            assert budget.spent <= limit

        await asyncio.gather(*(one(*call) for call in calls))
        return budget, sent, sent_at, refused

    budget, sent, sent_at, refused = play(main)
    assert budget.held == 0
    # Amounts are rounded to billionths, two roundings a call.
    slack = Fraction(2 * len(calls) + 2, 10**9)
    assert all(fits <= Fraction(limit) + slack for fits in sent_at)
    assert all(fits > Fraction(limit) - slack for fits in refused)
    assert float(sum(map(Fraction, sent))) <= budget.spent + 1e-15
    assert budget.spent <= float(sum(map(Fraction, sent))) + len(sent) * 1.1e-9


@given(st.lists(amounts, max_size=20), st.randoms())
def test_what_is_spent_does_not_depend_on_the_order(costs, random):
    def spent(costs):
        budget = Budget(None)
        for cost in costs:
            budget.settle(budget.reserve(cost), cost)
        return budget.spent

    shuffled = list(costs)
    random.shuffle(shuffled)
    assert spent(costs) == spent(shuffled)


def test_a_budget_is_spent_to_the_last_cent_and_no_further():
    budget = Budget(0.3)
    for _ in range(3):  # in binary, three times 0.1 is more than 0.3
        budget.settle(budget.reserve(0.1), 0.1)
    assert budget.spent == 0.3
    with pytest.raises(BudgetReached):
        budget.reserve(1e-9)
    budget.release(budget.reserve(0.0))


def test_a_run_taken_up_again_has_spent_what_it_had():
    assert Budget(1.0, spent=0.75).spent == 0.75
    with pytest.raises(BudgetReached):
        Budget(1.0, spent=0.75).reserve(0.26)


def test_requests_in_flight_count_at_their_worst():
    budget = Budget(1.0)
    first = budget.reserve(0.75)
    with pytest.raises(BudgetReached) as reached:
        budget.reserve(0.5)
    assert str(reached.value) == (
        "the budget of $1.0000 is reached: $0.0000 spent, $0.7500 in flight, "
        "and the next request may cost $0.5000"
    )
    budget.settle(first, 0.25)
    budget.reserve(0.5)


def test_a_reply_that_cost_more_than_its_worst_case_counts_in_full():
    budget = Budget(1.0)
    budget.settle(budget.reserve(0.5), 1.5)
    assert budget.spent == 1.5
    with pytest.raises(BudgetReached):
        budget.reserve(0.0)


def test_an_unknown_cost_is_taken_to_be_the_worst_and_counted():
    budget = Budget(1.0)
    budget.settle(budget.reserve(0.25), None)
    assert (budget.spent, budget.unknown) == (0.25, 1)


def test_a_budget_needs_prices():
    with pytest.raises(InputError) as fault:
        Budget(1.0).reserve(None)
    assert str(fault.value) == "`--budget` needs a price for every model that is asked"


def test_without_a_limit_unpriced_replies_are_counted_and_not_taken_for_nothing():
    budget = Budget(None)
    budget.settle(budget.reserve(None), None)
    assert budget.unknown == 1


def test_nothing_is_settled_twice():
    budget = Budget(None)
    hold = budget.reserve(1.0)
    budget.settle(hold, 0.5)
    with pytest.raises(KeyError):
        budget.release(hold)
    with pytest.raises(KeyError):
        budget.settle(hold, 0.5)
    assert (budget.spent, budget.held, budget.unknown) == (0.5, 0.0, 0)


def test_what_was_refused_is_not_billed_and_what_got_lost_may_be():
    refused = {TroubleKind.RATE_LIMITED, TroubleKind.OVERLOADED} | STOPPING
    assert not PERHAPS_BILLED & refused
    assert RETRIED - refused == PERHAPS_BILLED
