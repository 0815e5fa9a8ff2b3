from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.models.breaker import FAILURES, PAUSES, Breaker
from games.models.chat import Finish, Reply, Settings
from games.models.gate import Gate
from games.models.patience import LONGEST_WAIT, Line, backoff, patiently
from games.models.trouble import RETRIED, STOPPING, Parameter, Trouble, TroubleKind
from games.play.stop import RunStopped

from .virtual_time import play, virtual_clock

REPLY = Reply(text="yes", finish=Finish.STOP, effective=Settings(max_tokens=9))
DEADLINE = 100.0
HANGS = 10**9


def line(limit=8, deadline=DEADLINE, seed=0, **options):
    return Line(Gate(limit, clock=virtual_clock(), **options), deadline, Random(seed))


def now():
    return asyncio.get_running_loop().time()


def scripted(steps):
    """Return a send that goes through (seconds, trouble or None) and then replies at once."""
    rest = iter(steps)

    async def send():
        seconds, trouble = next(rest, (0.0, None))
        await asyncio.sleep(seconds)
        if trouble is not None:
            raise trouble
        return REPLY

    return send


@dataclass
class Heard:
    """What a call came to."""

    troubles: list[tuple[Trouble, float]] = field(default_factory=list)
    reply: Reply | None = None
    seconds: float | None = None
    raised: BaseException | None = None
    ended: float = 0.0

    @property
    def kinds(self):
        return [trouble.kind for trouble, _ in self.troubles]


async def asked(send, line):
    heard = Heard()

    async def on_trouble(trouble, seconds):
        heard.troubles.append((trouble, seconds))

    try:
        heard.reply, heard.seconds = await patiently(send, line, on_trouble)
    except (Trouble, RunStopped) as raised:
        heard.raised = raised
    heard.ended = now()
    return heard


def alone(steps, **options):
    return play(lambda: asked(scripted(steps), line(**options)))


@given(st.integers(1, 10**6), st.integers())
def test_a_wait_is_at_most_twice_as_long_each_time_and_at_most_a_minute(failures, seed):
    assert 0 <= backoff(failures, Random(seed)) <= min(60.0, 2.0 ** min(failures - 1, 9))


@pytest.mark.parametrize(("failures", "ceiling"), [(1, 1), (2, 2), (4, 8), (7, 60), (400, 60)])
def test_waits_are_spread_evenly_below_their_ceiling(failures, ceiling):
    rng = Random(7)
    waits = sorted(backoff(failures, rng) / ceiling for _ in range(4000))
    # Kolmogorov's distance from the uniform; 1.95 / sqrt(n) is passed once in a thousand.
    assert max(abs(wait - rank / 4000) for rank, wait in enumerate(waits)) < 1.95 / 4000**0.5


@pytest.mark.parametrize("kind", sorted(RETRIED))
def test_what_may_pass_by_itself_is_tried_again(kind):
    heard = alone([(2.0, Trouble(kind)), (3.0, Trouble(kind)), (4.0, None)])
    assert heard.reply == REPLY
    assert heard.kinds == [kind, kind]


@pytest.mark.parametrize("kind", sorted(set(TroubleKind) - RETRIED))
def test_what_does_not_pass_is_raised_at_once(
    kind,
):  # tracker#547: exhausted quota is no rate limit
    heard = alone([(2.0, Trouble(kind, "why"))])
    assert heard.raised.kind is kind
    assert heard.kinds == [kind]
    assert heard.ended == 2.0


def test_exhausted_quota_with_a_time_to_wait_is_still_exhausted_quota():  # tracker#547
    heard = alone([(1.0, Trouble(TroubleKind.QUOTA_EXHAUSTED, retry_after=86400.0))])
    assert heard.raised.kind is TroubleKind.QUOTA_EXHAUSTED
    assert heard.ended == 1.0


def test_each_refused_parameter_is_left_out_once_without_a_wait():
    def refused(parameter):
        return Trouble(TroubleKind.PARAMETER_REJECTED, parameter=parameter)

    names = list(Parameter)
    heard = alone([(1.0, refused(name)) for name in names])
    assert heard.reply == REPLY
    assert heard.ended == len(names)
    again = alone([(1.0, refused(names[0])), (1.0, refused(names[1])), (1.0, refused(names[0]))])
    assert again.raised.parameter is names[0]
    assert again.ended == 3.0
    unnamed = alone([(1.0, refused(None))])
    assert unnamed.raised.kind is TroubleKind.PARAMETER_REJECTED


@pytest.mark.parametrize("retry_after", [None, 0.01])
@pytest.mark.parametrize("seed", range(5))
def test_waits_grow_however_short_the_endpoint_says(retry_after, seed):  # openai/evals#1818
    trouble = Trouble(TroubleKind.SERVER_ERROR, retry_after=retry_after)
    heard = alone([(0.0, trouble)] * 9999, deadline=600.0, seed=seed)
    assert heard.raised is trouble
    # Six waits below a minute's ceiling, 31 s in the mean, then 30 s each in the mean.
    assert 12 <= len(heard.troubles) <= 45


def test_a_try_that_hangs_ends_and_another_follows():  # inspect_ai#2487, openai/evals#1292
    heard = alone([(HANGS, None), (3.0, None)])
    assert heard.reply == REPLY
    assert heard.kinds == [TroubleKind.TIMEOUT]
    assert heard.troubles[0][1] == DEADLINE / 2
    assert str(heard.troubles[0][0]) == "timeout: no reply within 50 s"


def test_an_endpoint_that_hangs_ends_with_the_deadline():  # inspect_ai#2487, openai/evals#1292
    heard = alone([(HANGS, None)] * 9)
    assert heard.raised.kind is TroubleKind.TIMEOUT
    assert len(heard.kinds) == 2
    assert DEADLINE / 2 < heard.ended <= DEADLINE


def test_a_timeout_of_the_sender_is_typed_too():
    async def send():
        raise TimeoutError

    assert set(play(lambda: asked(send, line())).kinds) == {TroubleKind.TIMEOUT}


def test_seconds_of_a_reply_hold_no_wait():  # inspect_ai#2902
    steps = [(2.0, Trouble(TroubleKind.RATE_LIMITED, retry_after=30.0)), (3.0, None)]
    heard = alone(steps)
    assert (heard.troubles[0][1], heard.seconds) == (2.0, 3.0)
    assert heard.ended >= 2.0 + 30.0 + 3.0


troubles = st.builds(
    Trouble,
    st.sampled_from(sorted(RETRIED)),
    retry_after=st.none() | st.floats(-5, 120),
)
steps = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 7.0, 40.0, HANGS]), troubles), min_size=1, max_size=40
)


@given(steps, st.integers())
def test_one_call_ends_within_its_deadline_and_every_failed_try_is_heard_of(steps, seed):
    """Tries are neither endless (openai/evals#1818) nor invisible (inspect_ai#1277)."""
    sent = []

    async def main():
        script = scripted(steps)

        async def send():
            sent.append(now())
            return await script()

        breaker = Breaker(failures=10**9)
        return await asked(send, line(seed=seed, breaker=breaker))

    heard = play(main)
    assert len(sent) == len(heard.troubles) + (heard.reply is not None)
    # A lone gate holds nobody but this call, so that the clock shows what the deadline counts,
    # but for the breath after a refusal.
    assert heard.ended <= DEADLINE + len(sent)
    begun = zip(sent[1:], heard.troubles, sent, strict=False)
    for after, (trouble, seconds), before in begun:
        assert after >= before + seconds + max(0.0, trouble.retry_after or 0.0) - 1e-9
    if heard.raised is not None:
        assert heard.raised is heard.troubles[-1][0]
        assert heard.raised.kind in RETRIED | {TroubleKind.UNREACHABLE}


def test_what_the_caller_does_with_a_trouble_comes_before_the_next_try():
    async def main():
        order = []

        async def send():
            order.append("send")
            if len(order) < 3:
                raise Trouble(TroubleKind.OVERLOADED)
            return REPLY

        async def on_trouble(trouble, seconds):
            await asyncio.sleep(5.0)
            order.append("journalled")

        await patiently(send, line(), on_trouble)
        return order

    assert play(main) == ["send", "journalled", "send"]


def test_standing_in_line_is_no_part_of_a_deadline():
    async def main():
        way = line(limit=1)
        return await asyncio.gather(*(asked(scripted([(20.0, None)]), way) for _ in range(50)))

    everyone = play(main)
    assert [one.seconds for one in everyone] == [20.0] * 50
    assert max(one.ended for one in everyone) == 50 * 20.0


def test_a_dead_endpoint_is_asked_a_few_times_and_then_stops_the_run():  # promptfoo#145
    async def main(kind, lasts, calls, limit):
        sent = []

        async def send():
            sent.append(now())
            await asyncio.sleep(lasts)
            raise Trouble(kind)

        way = line(limit=limit)
        return sent, await asyncio.gather(*(asked(send, way) for _ in range(calls)))

    for kind in sorted(RETRIED):
        for lasts in (0.0, 3.0):
            sent, everyone = play(lambda kind=kind, lasts=lasts: main(kind, lasts, 450, 8))
            assert {one.raised.kind for one in everyone} == {TroubleKind.UNREACHABLE}
            assert len(sent) <= FAILURES + 8 + len(PAUSES)


def test_an_endpoint_that_answers_nobody_and_hangs_loses_one_match_at_most():
    async def hang():
        await asyncio.sleep(HANGS)

    async def main():
        way = line(limit=1)
        return [await asked(hang, way) for _ in range(3)]

    kinds = [one.raised.kind for one in play(main)]
    assert kinds == [TroubleKind.TIMEOUT, TroubleKind.UNREACHABLE, TroubleKind.UNREACHABLE]


@pytest.mark.parametrize("limit", [2, 8, 64])
def test_an_endpoint_that_hangs_for_several_loses_none(limit):
    async def hang():
        await asyncio.sleep(HANGS)

    async def main():
        way = line(limit=limit)
        return await asyncio.gather(*(asked(hang, way) for _ in range(100)))

    assert {one.raised.kind for one in play(main)} == {TroubleKind.UNREACHABLE}


@given(st.floats(1, 200), st.integers(1, 30), st.sampled_from(sorted(RETRIED)))
@settings(max_examples=40)
def test_nothing_is_lost_to_an_outage_that_passes(lasts, calls, kind):
    """Not even where it takes longer than a deadline."""

    async def main():
        way = line(limit=8, deadline=60.0)

        async def send():
            await asyncio.sleep(1.0)
            if now() < lasts:
                raise Trouble(kind)
            return REPLY

        return await asyncio.gather(*(asked(send, way) for _ in range(max(2, calls))))

    assert all(one.reply == REPLY for one in play(main))


def test_a_dead_model_behind_a_living_router_stops_the_run_before_it_costs_many_matches():
    async def main():
        shared = Gate(8, clock=virtual_clock())
        dead, living = (line(within=shared) for _ in range(2))
        bad = scripted([(1.0, Trouble(TroubleKind.SERVER_ERROR, "no upstream"))] * 10**4)
        good = [asked(scripted([(9.0, None)]), living) for _ in range(200)]
        found = await asyncio.gather(*(asked(bad, dead) for _ in range(150)), *good)
        return found[:150], found[150:]

    dead, living = play(main)
    assert {one.raised.kind for one in dead} == {TroubleKind.UNREACHABLE}
    assert sum(len(one.troubles) for one in dead) <= FAILURES + 8 + len(PAUSES)
    assert all(one.reply == REPLY for one in living)


@pytest.mark.parametrize("others", [0, 30])
def test_a_request_that_fails_by_itself_voids_its_match_and_stops_nothing(others):
    async def main():
        way = line()
        bad = asked(scripted([(0.1, Trouble(TroubleKind.SERVER_ERROR))] * 999), way)
        good = [asked(scripted([(5.0, None)]), way) for _ in range(others)]
        return await asyncio.gather(bad, *good), await asked(scripted([]), way)

    (bad, *good), after = play(main)
    assert bad.raised.kind is TroubleKind.SERVER_ERROR
    assert all(one.reply == REPLY for one in [*good, after])


def test_an_endpoint_that_asks_for_more_than_the_deadline_stops_the_run():
    why = Trouble(TroubleKind.RATE_LIMITED, "come back tomorrow", status=429, retry_after=3600.0)

    async def main():
        way = line()
        first = await asked(scripted([(1.0, why)]), way)
        return first, await asked(scripted([]), way)

    first, second = play(main)
    assert str(first.raised) == (
        "unreachable: asks to wait 3600 s, and a call waits 90 s at most "
        "(rate_limited: come back tomorrow)"
    )
    assert first.raised.status == 429
    assert (str(second.raised), second.ended) == (str(first.raised), 1.0)


@pytest.mark.parametrize("retry_after", [float("nan"), float("inf")])
def test_a_time_to_wait_that_is_none_is_not_waited_for(retry_after):
    heard = alone([(1.0, Trouble(TroubleKind.OVERLOADED, retry_after=retry_after))])
    assert heard.raised.kind is TroubleKind.UNREACHABLE
    assert heard.ended == 1.0


def test_no_try_is_begun_with_too_little_time_for_a_reply():
    heard = alone([(1.0, Trouble(TroubleKind.RATE_LIMITED, retry_after=89.5)), (5.0, None)])
    assert heard.raised.kind is TroubleKind.RATE_LIMITED
    assert heard.ended == 1.0


@pytest.mark.parametrize("said", [True, False])
def test_a_rate_limited_endpoint_starves_nobody(said):
    """A simulation: 20 requests a minute are answered, 32 matches of 8 calls each ask."""

    async def main():
        way, taken = line(limit=32, deadline=600.0), []

        async def send():
            fresh = [at for at in taken if at > now() - 60.0]
            if len(fresh) >= 20:
                await asyncio.sleep(0.1)
                wait = fresh[0] + 60.0 - now() if said else None
                raise Trouble(TroubleKind.RATE_LIMITED, retry_after=wait)
            taken.append(now())
            await asyncio.sleep(4.0)
            return REPLY

        async def match():
            return [await asked(send, way) for _ in range(8)]

        return await asyncio.gather(*(match() for _ in range(32))), now()

    matches, took = play(main)
    calls = [call for match in matches for call in match]
    assert all(call.reply == REPLY for call in calls)
    assert took < 1.5 * len(calls) / 20 * 60.0


def test_tokens_are_paced_by_the_endpoints_limit():
    async def main():
        way = line(tokens_per_minute=600)
        for _ in range(4):
            await patiently(scripted([]), way, lambda *_: None, tokens=100)
        return now()

    assert play(main) == pytest.approx(3 * 10.0)


def test_other_exceptions_pass_and_free_their_slot():
    async def stop():
        raise RunStopped("enough")

    async def main():
        way = line(limit=1)
        return await asked(stop, way), await asked(scripted([]), way)

    stopped, after = play(main)
    assert isinstance(stopped.raised, RunStopped)
    assert stopped.troubles == []
    assert after.reply == REPLY


def test_a_wait_can_be_broken_off():
    async def broken(seconds):
        raise RunStopped("enough")

    async def main():
        gate = Gate(1, clock=replace(virtual_clock(), sleep=broken))
        way = Line(gate, DEADLINE, Random(0))
        return await asked(scripted([(1.0, Trouble(TroubleKind.OVERLOADED))]), way)

    heard = play(main)
    assert isinstance(heard.raised, RunStopped)
    assert heard.kinds == [TroubleKind.OVERLOADED]


def test_a_cancelled_call_frees_its_slot():
    async def main():
        way = line(limit=1)
        task = asyncio.create_task(asked(scripted([(HANGS, None)]), way))
        await asyncio.sleep(5.0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asked(scripted([(1.0, None)]), way)

    assert play(main).ended == 6.0


def test_waits_are_capped():
    assert max(backoff(50, Random(seed)) for seed in range(200)) > 0.9 * LONGEST_WAIT


def test_every_kind_is_retried_stopping_or_of_one_match():
    one_match = {TroubleKind.PARAMETER_REJECTED, TroubleKind.TOO_LONG, TroubleKind.REJECTED}
    assert set(TroubleKind) - one_match == RETRIED | STOPPING
