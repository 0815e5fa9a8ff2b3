"""What results come to: every request of a batch one call, and nothing strange anybody's reply."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from games.models.batches import BatchStage, Result, Results, Seen
from games.models.chat import Settings
from games.models.trouble import RETRIED, Parameter, TroubleKind
from games.panels.batch_cut import custom_id
from games.panels.batch_records import Intended, unmarked
from games.panels.batch_results import as_sent, collected, outcomes, placed
from games.panels.wants import Want, panel_wants
from games.play.replay import Replay

from .batching import judge, put
from .mockwire import Endpoint, answer

MARK = "f" * 16
PANEL = put(5, (judge("a", "first", price={"input": 1.0, "output": 1.0}),))
WANTS = list(panel_wants(PANEL, Replay()))
IDS = [custom_id(MARK, want.asking) for want in WANTS]
STRANGE = ["0" * 16 + "-" + unmarked(IDS[0]), "x", ""]
CHAT = Endpoint(answer({})).openai("judge-1")
SOUND = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
BODIES = st.sampled_from(
    [SOUND, {}, None, "<html>", [], {"error": {"message": "no"}}, {"choices": [{}]}]
)
RESULTS = st.builds(
    Result,
    st.sampled_from([*IDS, *STRANGE]),
    st.sampled_from([200, 400, 401, 429, 500, 999]),
    BODIES,
    st.sampled_from(["", "", "", "expired"]),
)
SAID = st.sampled_from(["completed", "ended", "expired", "cancelled"])


def intended(**more) -> Intended:
    asked = {id: want.request.fingerprint for id, want in zip(IDS, WANTS, strict=True)}
    given = {"mark": MARK, "at": "now", "endpoint": "first", "model": "judge-1", "attempt": 1}
    return Intended.model_validate({**given, "requests": asked, **more})


def heard(results: Results, said: str = "completed", replay: Replay | None = None, **more):
    batch, seen = intended(**more), Seen("b", BatchStage.ENDED, said)
    wants = placed(batch, {(w.asking.seat, w.asking.number): w for w in WANTS})
    given = {"chat_of": lambda _who: CHAT, "replay": replay or Replay(), "at": "now"}
    return batch, list(outcomes(batch, seen, results, wants, **given))


@given(st.lists(RESULTS, max_size=12), st.lists(st.text(max_size=4), max_size=3), SAID)
def test_each_request_has_one_call_and_a_reply_only_of_one_sound_result(found, torn, said):
    results = Results(tuple(found), tuple(torn))
    batch, came = heard(results, said)
    assert [one.custom_id for one in came] == IDS
    named = Counter(result.custom_id for result in found)
    for one in came:
        (call, own) = one.call, [r for r in found if r.custom_id == one.custom_id]
        sound = len(own) == 1 and own[0].status == 200 and own[0].body == SOUND and not own[0].lost
        assert (call.reply is not None) == sound == (call.trouble is None)
        assert one.missing == (not own)
        if call.reply is not None:
            assert call.reply.text == "hi"
            assert call.cost is None
        unread = len(own) != 1 and not (not own and said in ("expired", "cancelled"))
        assert not unread or call.at_most is not None, "it may have been made, and billed"
    record = collected(batch, results, came, set(), "later")
    assert record.replies + record.troubles == len(IDS)
    assert record.strange == sum(r.custom_id in STRANGE or named[r.custom_id] > 1 for r in found)
    assert record.torn == len(torn)
    assert len(record.kept) == min(20, record.strange + record.torn)
    assert not set(record.again) & set(record.left)
    passing = {one.custom_id for one in came if one.call.trouble in RETRIED}
    assert set(record.again) == passing
    tried = {unmarked(id) for id in IDS}
    assert set(collected(batch, results, came, tried, "later").left) >= passing


@given(st.lists(RESULTS, max_size=8))
def test_the_order_of_results_decides_nothing(found):
    forwards = heard(Results(tuple(found), ()))[1]
    assert heard(Results(tuple(reversed(found)), ()))[1] == forwards


def test_a_try_that_the_journal_holds_is_not_put_there_again():
    replay = Replay()
    lost = Results(tuple(Result(id, lost="expired") for id in IDS), ())
    _, came = heard(lost, replay=replay)
    for one in came[:2]:
        replay.note(one.call)
    assert [one.custom_id for one in heard(lost, replay=replay)[1]] == IDS[2:]


def test_a_reply_tells_what_was_sent_then_and_not_what_would_be_sent_now():
    who = WANTS[0].who
    sound = Results((Result(IDS[0], 200, SOUND),), ())
    _, came = heard(sound, learned=(Parameter.TEMPERATURE, Parameter.SEED))
    reply = came[0].call.reply
    assert reply is not None
    sampling = WANTS[0].request.settings
    left = Settings(max_tokens=sampling.max_tokens, structured=sampling.structured)
    assert reply.effective == left
    assert as_sent(CHAT, who, ()).spell(WANTS[0].request).settings == sampling


def test_a_batch_that_was_cancelled_or_expired_did_not_bill_what_it_lacks():
    for said in ("cancelled", "expired"):
        call = heard(Results((), ()), said)[1][0].call
        assert (call.trouble, call.at_most) == (TroubleKind.TIMEOUT, None)
        assert call.detail == f"the batch was {said} first"


def test_only_requests_of_the_batch_are_placed():
    other = Want(WANTS[0].asking.model_copy(update={"number": 2}), WANTS[0].request, WANTS[0].who)
    keyed = {(w.asking.seat, w.asking.number): w for w in (*WANTS, other)}
    assert list(placed(intended(), keyed)) == IDS
