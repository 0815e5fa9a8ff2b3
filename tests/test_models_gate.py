from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.models.breaker import Breaker
from games.models.gate import BREATH, COOL_DOWN, Gate
from games.models.trouble import RETRIED, Trouble, TroubleKind
from games.play.stop import RunStopped

from .virtual_time import play, virtual_clock

KINDS = st.sampled_from([None, *sorted(RETRIED), TroubleKind.REJECTED])
works = st.lists(st.tuples(st.floats(0, 5), st.floats(0, 20), KINDS), min_size=1, max_size=25)
NEVER_OPENS = 10**9


def gate(limit, **options):
    return Gate(limit, clock=virtual_clock(), **options)


def patient(limit, **options):
    return gate(limit, breaker=Breaker(failures=NEVER_OPENS), **options)


def now():
    return asyncio.get_running_loop().time()


async def pass_through(gate, lasts=0.0, kind=None, retry_after=None, tokens=0):
    """Take a slot for a while; return when it was got."""
    try:
        async with gate.slot(object(), tokens) as began:
            await asyncio.sleep(lasts)
            if kind is not None:
                raise Trouble(kind, retry_after=retry_after)
    except Trouble as trouble:
        if trouble.kind is not kind:
            raise
    return began


@given(works, st.integers(1, 6))
def test_no_more_than_the_limit_are_in_flight_and_all_get_through(works, limit):
    async def main():
        gate, most = patient(limit), 0

        async def one(after, lasts, kind):
            nonlocal most
            await asyncio.sleep(after)
            try:
                async with gate.slot(object()):
                    most = max(most, gate.in_flight)
                    assert gate.in_flight <= limit
                    await asyncio.sleep(lasts)
                    if kind is not None:
                        raise Trouble(kind)
            except Trouble:
                pass
            assert 1 <= gate.limit <= limit

        await asyncio.gather(*(one(*work) for work in works))
        return gate.in_flight, most

    left, most = play(main)
    assert left == 0
    assert most >= 1


def test_first_come_is_first_served():
    async def main():
        gate, order = patient(2), []

        async def one(number):
            async with gate.slot(object()):
                order.append(number)
                await asyncio.sleep(1 + number % 3)

        await asyncio.gather(*(one(number) for number in range(20)))
        return order

    assert play(main) == list(range(20))


def test_the_limit_is_halved_once_a_cool_down_and_grows_by_one_a_round():
    async def main():
        gate, limits = patient(16), []

        async def fail(times):
            for _ in range(times):
                await pass_through(gate, kind=TroubleKind.RATE_LIMITED)
            limits.append(gate.limit)

        async def answer(times):
            for _ in range(times):
                await pass_through(gate)
            limits.append(gate.limit)

        await fail(5)  # one burst, one cut
        await asyncio.sleep(COOL_DOWN)
        await fail(1)
        await answer(3)  # not yet a round of 4
        await answer(1)
        await answer(5)
        await asyncio.sleep(COOL_DOWN)
        await fail(1)
        for _ in range(4):
            await asyncio.sleep(COOL_DOWN)
            await fail(1)
        await answer(1 + 2 + 3)
        await answer(10_000)
        return limits

    assert play(main) == [8, 4, 4, 5, 6, 3, 1, 1, 1, 1, 4, 16]


def test_a_refusal_breaks_a_run_of_answers():
    async def main():
        gate = patient(8)
        for kind in [TroubleKind.RATE_LIMITED, None, None, None, TroubleKind.RATE_LIMITED, None]:
            await pass_through(gate, kind=kind)
        before = gate.limit
        for _ in range(3):
            await pass_through(gate)
        return before, gate.limit

    assert play(main) == (4, 5)


def test_requests_sent_before_a_cut_do_not_cut_again():
    async def main():
        gate = patient(8)
        lasts = [COOL_DOWN * k for k in range(8)]
        kind = TroubleKind.OVERLOADED
        await asyncio.gather(*(pass_through(gate, seconds, kind) for seconds in lasts))
        return gate.limit

    assert play(main) == 4


@pytest.mark.parametrize(
    "kind", sorted(RETRIED - {TroubleKind.RATE_LIMITED, TroubleKind.OVERLOADED})
)
def test_other_trouble_cuts_nothing(kind):
    async def main():
        gate = patient(8)
        await pass_through(gate, kind=kind)
        return gate.limit

    assert play(main) == 8


@given(st.floats(0.001, 500), works)
def test_nobody_is_sent_before_the_endpoint_said_so(retry_after, works):
    async def main():
        gate = patient(4)
        await pass_through(gate, 1.0, TroubleKind.RATE_LIMITED, retry_after)
        asked = now()
        began = await asyncio.gather(*(pass_through(gate, lasts) for _, lasts, _ in works))
        return asked, began

    asked, began = play(main)
    assert min(began) >= asked + retry_after
    assert min(began) == pytest.approx(asked + max(retry_after, BREATH))


def test_a_shorter_wait_does_not_end_a_longer_one():
    async def main():
        gate = patient(4)
        late = pass_through(gate, 2.0, TroubleKind.RATE_LIMITED, 1.0)
        await asyncio.gather(pass_through(gate, 1.0, TroubleKind.RATE_LIMITED, 60.0), late)
        return await pass_through(gate)

    assert play(main) == pytest.approx(61.0)


@given(st.integers(1, 120), st.integers(1, 60), st.integers(1, 8))
@settings(max_examples=30)
def test_no_minute_holds_more_requests_than_allowed(per_minute, count, limit):
    async def main():
        gate = patient(limit, requests_per_minute=per_minute)
        return sorted(await asyncio.gather(*(pass_through(gate, 1.0) for _ in range(count))))

    began = play(main)
    for index, start in enumerate(began):
        within = sum(start <= other < start + 60 - 1e-6 for other in began[index:])
        assert within <= per_minute


@given(st.lists(st.integers(0, 5000), min_size=2, max_size=20), st.integers(100, 10_000))
def test_tokens_are_paced_by_those_sent_before(sizes, per_minute):
    async def main():
        gate = patient(8, tokens_per_minute=per_minute)
        return await asyncio.gather(*(pass_through(gate, tokens=size) for size in sizes))

    began = play(main)
    gaps = [after - before for before, after in pairwise(began)]
    assert gaps == pytest.approx([size * 60 / per_minute for size in sizes[:-1]], abs=1e-6)


@given(works, st.integers(1, 3), st.data())
def test_whoever_is_cancelled_takes_no_place_along(works, limit, data):
    doomed = data.draw(st.lists(st.floats(0, 30), min_size=len(works), max_size=len(works)))

    async def main():
        gate = patient(limit, requests_per_minute=60)
        tasks = [asyncio.create_task(pass_through(gate, lasts)) for _, lasts, _ in works]
        loop = asyncio.get_running_loop()
        for task, at in zip(tasks, doomed, strict=True):
            loop.call_at(at, task.cancel)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert gate.in_flight == 0
        last = await asyncio.gather(*(pass_through(gate, 1.0) for _ in range(limit + 1)))
        return gate.in_flight, len(last)

    assert play(main) == (0, limit + 1)


def test_a_clock_that_refuses_to_wait_ends_those_who_stand_in_line_and_nobody_else():
    async def refuse(seconds):
        raise RunStopped("enough")

    async def main():
        gate = Gate(4, clock=replace(virtual_clock(), sleep=refuse))
        await pass_through(gate, kind=TroubleKind.RATE_LIMITED, retry_after=9.0)
        found = await asyncio.gather(
            *(pass_through(gate) for _ in range(3)), return_exceptions=True
        )
        assert [type(one) for one in found] == [RunStopped] * 3
        await asyncio.sleep(9.0)
        return await pass_through(gate), gate.in_flight

    assert play(main) == (9.0, 0)


def test_while_the_breaker_is_open_one_probe_at_a_time_is_sent():  # promptfoo#145
    async def main():
        gate = gate_of(failures=2, pauses=(10.0, 20.0))
        began = []

        async def one(call):
            async with gate.slot(call) as start:
                began.append(start)
                await asyncio.sleep(1.0)
                raise Trouble(TroubleKind.CONNECTION)

        found = await asyncio.gather(*(one(call) for call in range(9)), return_exceptions=True)
        return began, [one.kind for one in found], str(found[-1])

    def gate_of(**options):
        return gate(3, breaker=Breaker(**options))

    began, kinds, said = play(main)
    assert began == [0.0, 0.0, 0.0, 11.0, 32.0]
    assert kinds == [TroubleKind.CONNECTION] * 5 + [TroubleKind.UNREACHABLE] * 4
    assert said == "unreachable: 5 tries in a row got no answer, 2 probes last"


def test_a_probe_that_is_answered_lets_everybody_in_again():
    async def main():
        gate_ = gate(3, breaker=Breaker(failures=1, pauses=(10.0,)))
        await pass_through(gate_, kind=TroubleKind.CONNECTION)
        return await asyncio.gather(*(pass_through(gate_, 1.0) for _ in range(4)))

    assert play(main) == [10.0, 11.0, 11.0, 11.0]


def test_a_refused_request_shows_that_the_endpoint_lives():
    async def main():
        gate_ = gate(1, breaker=Breaker(failures=2))
        kinds = [TroubleKind.CONNECTION, TroubleKind.REJECTED] * 20
        return [await pass_through(gate_, kind=kind) for kind in kinds]

    assert play(main) == [0.0] * 40


def test_a_gate_of_one_model_stands_within_its_endpoints():
    async def main():
        shared = patient(3)
        dead = gate(3, breaker=Breaker(failures=1, pauses=()), within=shared)
        living = gate(2, within=shared)
        await pass_through(dead, kind=TroubleKind.SERVER_ERROR)
        await pass_through(dead, kind=TroubleKind.CONNECTION)
        with pytest.raises(Trouble, match="unreachable"):
            await pass_through(dead)
        mine = asyncio.gather(*(pass_through(living, 1.0) for _ in range(4)))
        others = asyncio.gather(*(pass_through(shared, 1.0) for _ in range(2)))
        return await mine, await others, shared.in_flight, living.in_flight

    mine, others, *left = play(main)
    assert mine == [0.0, 0.0, 1.0, 1.0]
    assert others == [0.0, 1.0]
    assert left == [0, 0]


def test_one_models_wait_holds_its_endpoint_too():
    async def main():
        shared = patient(3)
        mine = patient(3, within=shared)
        await pass_through(mine, kind=TroubleKind.RATE_LIMITED, retry_after=30.0)
        return shared.limit, mine.limit, await pass_through(shared)

    assert play(main) == (1, 1, 30.0)


def test_whoever_is_refused_without_a_time_to_wait_leaves_others_a_breath():
    async def main():
        gate_ = patient(1)
        await pass_through(gate_, kind=TroubleKind.RATE_LIMITED)
        return await pass_through(gate_)

    assert play(main) == BREATH


def test_an_endpoint_that_bears_four_at_a_time_is_soon_asked_by_about_four():
    """A simulation: whoever comes fifth is refused at once, 32 are allowed."""

    async def main():
        gate_, inside, refused = patient(32), 0, 0

        async def one():
            nonlocal inside, refused
            async with gate_.slot(object()):
                if inside >= 4:
                    refused += 1
                    raise Trouble(TroubleKind.RATE_LIMITED)
                inside += 1
                await asyncio.sleep(10.0)
                inside -= 1

        async def until_answered():
            while True:
                try:
                    return await one()
                except Trouble:
                    await asyncio.sleep(1.0)

        await asyncio.gather(*(until_answered() for _ in range(1000)))
        return refused, now()

    refused, took = play(main)
    assert refused < 0.15 * 1000
    assert took < 1.2 * 1000 * 10.0 / 4
