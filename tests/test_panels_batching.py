"""The rounds of a panel asked in batches, with a provider in memory and no time that passes."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from games.errors import InputError, RunError, RunStopped
from games.models.batches import BatchStage, Result, Results, Seen
from games.models.clock import Clock
from games.models.cost import worst_cost
from games.models.trouble import Parameter, Trouble, TroubleKind
from games.panels import batch_sitting
from games.panels.batch_records import (
    Dropped,
    Intended,
    read_batches,
    refuse_under_way,
    unmarked,
)
from games.panels.batch_sitting import BatchPoint, Pace
from games.panels.wants import panel_wants
from games.play.replay import Replay

from .batching import ask_in_batches, calls, folder_in, judge, opened, put, verdicts
from .mockwire import Endpoint, answer

RULING = json.dumps({"reason": "r", "verdict": "no_leak", "category": "none", "turn": 1})
LOST = Trouble(TroubleKind.TIMEOUT, "no answer within 5 s")
PACE = Pace()


def completion(text: str = RULING, sent: int = 1000, back: int = 100) -> dict[str, Any]:
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": sent, "completion_tokens": back}
    return {"model": "judge-1", "choices": [choice], "usage": usage}


def complains(status: int, message: str, **more: str) -> Callable[[str], Result]:
    return lambda id: Result(id, status, {"error": {"message": message, **more}})


def replies(text: str = RULING) -> Callable[[str], Result]:
    return lambda id: Result(id, 200, completion(text))


class Provider:
    """Batches in memory; whatever is put into ``fails`` is raised in turn, None is no failure.

    ``became`` says what becomes of the requests of one batch after the other; the last of them for
    ever.
    """

    most_requests, most_bytes = 1000, 10**6

    def __init__(self, *became: Callable[[str], Result], marks: bool = True, looks: int = 1):
        self.became, self.marks, self.looks = became or (replies(),), marks, looks
        self.held: dict[str, dict[str, Any]] = {}
        self.asked: Counter[str] = Counter()
        self.fails: dict[str, list[Trouble | None]] = {}
        self.lost_after: list[Trouble | None] = []
        self.refuses: Callable[[int], tuple[str, str] | None] = lambda size: None
        self.spoil: Callable[[Results], Results] = lambda results: results
        self.cancelled: list[str] = []
        self.most_at_a_time = 0

    def _step(self, name: str) -> None:
        waiting = self.fails.get(name, [])
        failure = waiting.pop(0) if waiting else None
        if failure is not None:
            raise failure

    def line(self, custom_id: str, body: Mapping[str, object]) -> bytes:
        return json.dumps([custom_id, body]).encode() + b"\n"

    async def prepare(self, lines: Sequence[bytes], mark: str) -> bytes:
        self._step("prepare")
        return json.dumps([mark, [json.loads(line) for line in lines]]).encode()

    async def submit(self, prepared: bytes, attempt: int) -> Seen:
        self._step("submit")
        mark, lines = json.loads(prepared)
        id = f"b{len(self.held)}"
        self.add(id, [line[0] for line in lines], mark)
        self.held[id]["bodies"] = [line[1] for line in lines]
        for failure in self.lost_after[:1]:
            self.lost_after = self.lost_after[1:]
            if failure is not None:
                raise failure
        return self._seen(id)

    def add(self, id: str, ids: list[str], mark: str | None) -> None:
        refused = self.refuses(len(ids))
        results = []
        for custom_id in [] if refused else ids:
            place = unmarked(custom_id)
            results.append(self.became[min(len(self.held), len(self.became) - 1)](custom_id))
            self.asked[place] += 1
        self.held[id] = {
            "ids": ids, "mark": mark, "results": results, "looks": self.looks,
            "refused": refused, "created": time.time(),
        }  # fmt: skip
        going = [one for one in self.held.values() if one["looks"] > 0]
        self.most_at_a_time = max(self.most_at_a_time, len(going))

    async def look(self, id: str) -> Seen:
        self._step("look")
        self.held[id]["looks"] -= 1
        return self._seen(id)

    async def listed(self, since: float) -> tuple[Seen, ...]:
        self._step("listed")
        for batch in self.held.values():
            batch["looks"] -= 1
        return tuple(self._seen(id) for id in reversed(self.held))

    async def results(self, seen: Seen) -> Results:
        self._step("results")
        return self.spoil(Results(tuple(self.held[seen.id]["results"]), ()))

    async def cancel(self, id: str) -> Seen:
        self.cancelled.append(id)
        batch = self.held[id]
        half = len(batch["results"]) // 2
        rest = [Result(one.custom_id, lost="canceled") for one in batch["results"][half:]]
        batch["results"] = batch["results"][:half] + rest
        return self._seen(id)

    def _seen(self, id: str) -> Seen:
        batch = self.held[id]
        code, problem = batch["refused"] or ("", "")
        stage = BatchStage.FAILED if problem else BatchStage.ENDED
        stage = BatchStage.UNDER_WAY if batch["looks"] > 0 else stage
        return Seen(
            id,
            stage,
            "completed",
            mark=batch["mark"] if self.marks else None,
            size=len(batch["ids"]),
            created=batch["created"],
            code=code,
            problem=problem,
        )


class Waits:
    """A clock whose waits are kept and take no time."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        assert len(self.slept) < 500

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: sum(self.slept), sleep=self._sleep)


@pytest.fixture
def use(monkeypatch, tmp_path):
    """Ask a panel of one judge in the batches of a provider."""

    def run(provider: Provider, items: int = 4, price: bool = False, **more: Any):
        rates = {"price": {"input": 2.0, "output": 10.0}} if price else {}
        panel = put(items, (judge("a", "first", **rates),))
        chat = Endpoint(answer(completion())).openai("judge-1")
        monkeypatch.setattr(batch_sitting, "batches_of", lambda _model: (chat, provider))
        waits = Waits()
        folder, models = folder_in(tmp_path), {"pair.a": chat}
        given = {"pace": PACE, "clock": waits.clock} | more
        try:
            brought = ask_in_batches(panel, folder, models, **given)
        finally:
            run.waits, run.panel, run.folder, run.chat = waits.slept, panel, folder, chat
            run.records = list(read_batches(folder.batches))
            run.calls = calls(folder) if folder.journal.is_file() else []
        return brought

    return run


def of(records, kind):
    return [record for record in records if isinstance(record, kind)]


# --- rounds


def test_a_batch_brings_every_reply_and_the_journal_says_from_which(use):
    provider = Provider()
    brought = use(provider)
    assert (brought.replies, brought.troubles, brought.refused) == (4, 0, 0)
    assert [call.asking.match for call in use.calls] == ["m000", "m001", "m002", "m003"]
    assert {(c.attempt, c.asking.number, c.detail) for c in use.calls} == {(1, 1, "batch b0")}
    assert [record.kind for record in use.records] == [
        "intended", "submitted", "ended", "collected",
    ]  # fmt: skip
    again = use(provider)
    assert again.collected == ()
    assert set(provider.asked.values()) == {1}


def test_a_faulty_reply_is_asked_for_again_in_the_next_round_numbered_as_live(use):
    provider = Provider(replies("no ruling"), replies())
    assert use(provider).replies == 8
    numbers = [(call.asking.match, call.asking.number, call.attempt) for call in use.calls]
    assert numbers == [(f"m00{n}", k, k) for k in (1, 2) for n in range(4)]
    assert [len(batch["ids"]) for batch in provider.held.values()] == [4, 4]


def test_waits_grow_to_the_longest_and_begin_anew_once_something_moves(use):
    use(Provider(looks=12))
    grown = [min(600.0, 30.0 * 1.5**n) for n in range(11)]
    assert use.waits == grown
    assert grown[-1] == 600.0


def test_a_batch_holds_no_more_than_it_may(use):
    provider = Provider()
    use(provider, items=7, most_requests=3)
    assert [len(batch["ids"]) for batch in provider.held.values()] == [3, 3, 1]


def test_a_model_without_batches_is_left_to_live_asking(tmp_path):
    panel, folder = put(2, (judge("c", "third"),)), folder_in(tmp_path)
    assert ask_in_batches(panel, folder, opened(panel, "")).collected == ()
    assert calls(folder) == []
    assert len(verdicts(panel, folder, "http://127.0.0.1:9")["pair.c"]) == 2


# --- money


def test_a_reply_costs_the_batch_price_or_an_unknown_part_of_the_live_one(use):
    full = 1000 * 2.0e-6 + 100 * 10.0e-6
    use(Provider(), price=True)
    assert [(call.cost, call.at_most) for call in use.calls] == [(None, pytest.approx(full))] * 4


def test_a_reply_costs_the_batch_price_where_it_is_known(use, monkeypatch):
    half = type("Half", (), {"input": 1.0, "output": 5.0})()
    use(Provider(), price=True, rates=lambda _judge: half)
    assert [(c.cost, c.at_most) for c in use.calls] == [(pytest.approx(0.0015), None)] * 4


def worst(panel) -> float:
    wants = list(panel_wants(panel, Replay()))
    return sum(worst_cost(want.request, want.who.price) or 0.0 for want in wants)


def test_a_batch_that_may_pass_the_budget_is_not_handed_in(use):
    provider = Provider()
    with pytest.raises(RunStopped, match=r"has no room for a batch of 4 requests that may cost"):
        use(provider, price=True, budget=0.01)
    assert provider.held == {}
    assert use.records == []
    most = worst(use.panel)
    assert use(provider, price=True, budget=most + 1e-6).replies == 4


def test_a_budget_without_a_price_is_refused(use):
    with pytest.raises(InputError, match="needs a price for every model that is asked"):
        use(Provider(), budget=1.0)


def test_what_one_batch_leaves_of_its_worst_case_goes_to_the_next(use):
    provider = Provider()
    most = worst(put(4, (judge("a", "first", price={"input": 2.0, "output": 10.0}),)))
    use(provider, price=True, budget=most * 0.9, most_requests=2)
    assert [len(batch["ids"]) for batch in provider.held.values()] == [2, 2]
    assert provider.most_at_a_time == 1
    assert len(use.calls) == 4


def test_a_budget_that_holds_not_even_what_is_under_way_stops_with_nothing_lost(use):
    provider = Provider()

    def die(point, _mark):
        if point is BatchPoint.SUBMITTED:
            raise KeyError

    with pytest.raises(KeyError):
        use(provider, price=True, budget=10.0, on_point=die)
    with pytest.raises(RunStopped, match="no room for a batch of 4 requests"):
        use(provider, price=True, budget=0.01)
    assert use(provider, price=True, budget=10.0).replies == 4
    assert set(provider.asked.values()) == {1}


# --- what a provider refuses


def test_a_queue_that_is_full_takes_smaller_batches_one_after_the_other(use):
    provider = Provider()
    provider.refuses = lambda size: ("token_limit_exceeded", "Too much.") if size > 2 else None
    use(provider, items=7)
    sizes = [len(batch["ids"]) for batch in provider.held.values()]
    assert sizes == [7, 3, 1, 1, 1, 1, 1, 1, 1]
    assert provider.most_at_a_time == 1
    assert set(provider.asked.values()) == {1}
    assert [record.reason for record in of(use.records, Dropped)] == [
        "token_limit_exceeded: Too much."
    ] * 2


def test_a_file_that_is_refused_stops_with_what_was_said_and_nothing_is_a_verdict(use):
    provider = Provider()
    provider.refuses = lambda size: ("invalid_json_line", "Line 2 is none.")
    rule = (
        r"endpoint first refused a batch of 4 requests \(invalid_json_line: Line 2 is none\.\); "
        "none of them was asked"
    )
    with pytest.raises(RunStopped, match=rule):
        use(provider)
    assert use.calls == []
    assert provider.asked == Counter()
    provider.refuses = lambda size: None
    assert use(provider).replies == 4


def status(code: int, kind: TroubleKind, told: str = "no") -> Trouble:
    return Trouble(kind, told, status=code)


def test_a_body_too_large_is_cut_in_halves(use):
    provider = Provider()
    provider.fails["submit"] = [status(413, TroubleKind.TOO_LONG)]
    use(provider)
    assert [len(batch["ids"]) for batch in provider.held.values()] == [2, 2]


@pytest.mark.parametrize(
    ("step", "trouble", "rule"),
    [
        ("prepare", status(404, TroubleKind.UNKNOWN_MODEL, "Not Found"),
         r"endpoint first takes no batches \(Not Found\); without --batch its judges are asked"),
        ("prepare", status(401, TroubleKind.UNAUTHORIZED), "endpoint first: unauthorized: no"),
        ("submit", status(402, TroubleKind.QUOTA_EXHAUSTED), "endpoint first: quota_exhausted"),
        ("submit", status(413, TroubleKind.TOO_LONG), "endpoint first: too_long: no"),
    ],
)  # fmt: skip
def test_what_only_a_person_can_see_to_stops_and_the_same_call_goes_on(use, step, trouble, rule):
    provider = Provider()
    provider.fails[step] = [trouble]
    with pytest.raises(RunStopped, match=rule):
        use(provider, items=1)
    assert provider.held == {}
    assert use(provider, items=1).replies == 1


@pytest.mark.parametrize("step", ["prepare", "submit"])
def test_what_passes_is_waited_for(use, step):
    provider = Provider()
    limited = Trouble(TroubleKind.RATE_LIMITED, "slow", status=429, retry_after=77.0)
    provider.fails[step] = [limited, limited]
    assert use(provider).replies == 4
    assert use.waits == [77.0, 77.0]
    provider = Provider()
    provider.fails[step] = [limited] * 8
    with pytest.raises(RunStopped, match="endpoint first: rate_limited: slow"):
        use(provider, items=5)


# --- what may have been taken


def test_a_batch_whose_answer_was_lost_is_found_by_its_mark_and_not_handed_in_again(use):
    provider = Provider(looks=3)
    provider.lost_after = [LOST]
    assert use(provider).replies == 4
    assert use.waits[0] == PACE.settle
    assert set(provider.asked.values()) == {1}
    assert of(use.records, Dropped) == []


def test_a_batch_that_was_never_taken_is_looked_for_and_handed_in_again(use):
    provider = Provider()
    provider.fails["submit"] = [LOST]
    assert use(provider).replies == 4
    (dropped,) = of(use.records, Dropped)
    assert dropped.reason == "the endpoint's list of batches does not hold it"
    assert len(provider.held) == 1


@pytest.mark.parametrize("taken", [True, False])
def test_without_marks_a_batch_is_known_by_the_ids_in_its_results(use, taken):
    provider = Provider(marks=False, looks=4)
    provider.add("old", [f"x-{n}" for n in range(4)], None)
    provider.held["old"]["created"] = 0.0
    provider.add("others", [f"y-{n}" for n in range(4)], None)
    provider.add("larger", [f"z-{n}" for n in range(5)], None)
    if taken:
        provider.lost_after = [LOST]
    else:
        provider.fails["submit"] = [LOST]
    assert use(provider).replies == 4
    ours = {place: times for place, times in provider.asked.items() if len(place) > 2}
    assert set(ours.values()) == {1}
    assert len(of(use.records, Dropped)) == (not taken)


@pytest.mark.parametrize("trouble", [LOST, status(403, TroubleKind.UNAUTHORIZED)])
def test_where_the_list_does_not_tell_nothing_is_handed_in(use, trouble):
    provider = Provider()
    provider.lost_after, provider.fails["listed"] = [LOST], [trouble] * PACE.failures
    rule = r"endpoint first may have taken batch \w{16} of 4 requests, and its list of batches does"
    with pytest.raises(RunStopped, match=rule):
        use(provider)
    with pytest.raises(RunError, match="holds 1 batches under way with 4 requests; --batch coll"):
        refuse_under_way(use.folder.batches)
    provider.fails.clear()
    assert use(provider).replies == 4
    assert set(provider.asked.values()) == {1}
    refuse_under_way(use.folder.batches)


@pytest.mark.parametrize("step", ["look", "results"])
def test_a_batch_that_cannot_be_seen_stays_and_the_same_call_goes_on(use, step):
    provider = Provider()
    provider.fails[step] = [LOST] * (PACE.failures - 1)
    assert use(provider).replies == 4
    provider = Provider()
    provider.fails[step] = [LOST] * PACE.failures
    rule = r"endpoint first does not tell of batch b0 with 1 requests \(timeout: .*; the same comm"
    with pytest.raises(RunStopped, match=rule):
        use(provider, items=5)
    assert use(provider, items=5).replies == 1


def test_a_record_of_other_requests_than_are_asked_now_is_refused(use):
    provider = Provider()
    provider.fails["look"] = [status(404, TroubleKind.UNKNOWN_MODEL)]
    with pytest.raises(RunStopped, match="does not tell of batch b0"):
        use(provider)
    text = use.folder.batches.read_text()
    (intended,) = of(use.records, Intended)
    first = next(iter(intended.requests.values()))
    use.folder.batches.write_text(text.replace(first, "0" * 16))
    with pytest.raises(RunError, match="holds another request at m000/t01/arbiter/holder_reply/p"):
        use(provider)


# --- what becomes of single requests


def test_what_fails_for_a_while_goes_into_one_more_batch_and_then_is_left(use):
    provider = Provider(complains(500, "oops"))
    brought = use(provider)
    assert (brought.replies, brought.troubles) == (0, 8)
    assert set(provider.asked.values()) == {2}
    assert [len(batch.again) for batch in brought.collected] == [4, 0]
    assert [len(batch.left) for batch in brought.collected] == [0, 4]
    assert {call.trouble for call in use.calls} == {TroubleKind.SERVER_ERROR}
    assert use(provider).collected == ()
    assert {call.at_most for call in use.calls} == {None}


def test_what_can_come_to_nothing_else_is_left_at_once(use):
    provider = Provider(complains(400, "maximum context length is 10"))
    assert use(provider).troubles == 4
    assert set(provider.asked.values()) == {1}


def test_what_expired_or_was_withheld_is_no_verdict(use):
    provider = Provider(lambda id: Result(id, lost="batch_expired: too late"))
    use(provider, items=1)
    assert [(c.trouble, c.detail, c.at_most) for c in use.calls] == [
        (TroubleKind.TIMEOUT, "batch_expired: too late", None)
    ] * 2


def test_a_rejected_parameter_is_learned_and_left_out_of_the_next_round(use):
    rejected = complains(400, "Unsupported parameter: temperature", param="temperature")
    provider = Provider(rejected, replies())
    use(provider)
    assert ["temperature" in batch["bodies"][0] for batch in provider.held.values()] == [
        True,
        False,
    ]
    assert [call.attempt for call in use.calls] == [1] * 8, "no try was used up"
    assert {call.parameter for call in use.calls[:4]} == {Parameter.TEMPERATURE}
    assert {call.reply.effective.temperature for call in use.calls[4:]} == {None}


def test_an_empty_purse_in_single_results_stops_after_all_are_kept(use):
    broke = complains(429, "no money", code="insufficient_quota")
    provider = Provider(broke, replies())
    with pytest.raises(RunStopped, match="endpoint first: quota_exhausted: no money"):
        use(provider)
    assert len(use.calls) == 4
    assert use(provider).replies == 4


def spoilt(results: Results) -> Results:
    one, two, three = results.found[:3]
    unknown = Result("0" * 16 + "-" + "1" * 16, 200, completion())
    return Results((one, two, two, unknown), ('{"custom_id": "torn', three.custom_id))


def test_what_is_garbled_is_kept_counted_and_nobodys_reply(use):
    provider = Provider()
    provider.spoil = spoilt
    first = use(provider, price=True).collected[0]
    assert (first.replies, first.troubles, first.missing) == (1, 3, 2)
    assert (first.strange, first.torn, len(first.kept)) == (3, 2, 5)
    assert first.kept[-2] == '{"custom_id": "torn'
    details = Counter(call.detail for call in use.calls if call.trouble)
    assert details["2 results under one id"] >= 1
    assert details["no result under its id"] >= 2
    assert all(call.at_most for call in use.calls if call.trouble), "it may have been paid for"


def test_results_that_lack_some_are_fetched_once_more(use):
    provider, times = Provider(), []

    def torn_once(results: Results) -> Results:
        times.append(1)
        return Results(results.found[:-1], ("half",)) if len(times) == 1 else results

    provider.spoil = torn_once
    assert use(provider).refused == 0
    assert len(times) == 2


def test_a_cancelled_batch_keeps_what_was_done_and_nothing_is_handed_in(use):
    provider = Provider(looks=5)

    def die(point, _mark):
        if point is BatchPoint.LOOKED:
            raise KeyError

    with pytest.raises(KeyError):
        use(provider, on_point=die)
    brought = use(provider, cancel=True)
    assert provider.cancelled == ["b0"]
    assert (brought.replies, brought.troubles) == (2, 2)
    assert len(provider.held) == 1
    assert use(provider).replies == 2


def test_an_interrupt_leaves_what_is_under_way_where_it_is(use):
    provider = Provider(looks=3)

    def interrupt(point, _mark):
        if point is BatchPoint.LOOKED:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(RunStopped, match="interrupted"):
        use(provider, on_point=interrupt, clock=None)
    assert use(provider).replies == 4
    assert set(provider.asked.values()) == {1}


def test_every_record_is_heard_of_after_it_is_on_disk(use):
    heard = []
    use(Provider(), on_record=heard.append)
    assert heard == use.records


def test_records_that_are_none_are_refused(use):
    use(Provider())
    path = use.folder.batches
    whole = path.read_text()
    path.write_text(whole + '{"kind": "x"}\n')
    with pytest.raises(RunError, match=r"batches.jsonl:5: .* must be one JSON object a line, of"):
        list(read_batches(path))
    path.write_text(whole + whole.splitlines()[-1] + "\n")
    with pytest.raises(RunError, match="holds a batch that is collected and was not under way"):
        refuse_under_way(path)
    path.write_text(whole + '{"kind": "inten')
    refuse_under_way(path)
    assert use(Provider()).collected == ()
    assert path.read_text() == whole, "a torn line is cut off"
