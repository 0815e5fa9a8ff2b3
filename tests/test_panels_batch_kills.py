"""A panel asked in batches and killed anywhere pays nothing twice and rules as a live one does."""

from __future__ import annotations

import json
import multiprocessing
import signal
import urllib.request

import pytest

from games.panels.batch_records import read_batches
from games.panels.batch_sitting import BatchPoint

from .batching import ask_in_batches, calls, die_at, folder_in, opened, put, verdicts
from .servers import fake_server

ITEMS = 70  # more than share one wait for the disk
FAULTS = "".join(
    f'[[fault]]\nkind = "{kind}"\nshare = {share}\n'
    for kind, share in {
        "null_content": 0.1,
        "truncated": 0.1,
        "refusal": 0.05,
        "server_error": 0.05,
    }.items()
)


def asked(address: str) -> dict[str, dict[str, int]]:
    with urllib.request.urlopen(f"{address}/requests") as answer:
        return json.load(answer)["requests"]


def forget(address: str) -> None:
    urllib.request.urlopen(urllib.request.Request(f"{address}/requests", method="DELETE")).close()


@pytest.fixture(scope="module")
def address():
    with fake_server(seed=5, faults=FAULTS) as address:
        yield address


@pytest.fixture(scope="module")
def live(address, tmp_path_factory):
    """The verdicts of a live panel, and how often it asked what."""
    forget(address)
    said = verdicts(put(ITEMS), folder_in(tmp_path_factory.mktemp("live")), address)
    return said, asked(address)


@pytest.mark.integration
def test_a_panel_asked_in_batches_asks_as_a_live_one_does_and_rules_the_same(
    address, live, tmp_path
) -> None:
    panel, folder = put(ITEMS), folder_in(tmp_path)
    forget(address)
    brought = ask_in_batches(panel, folder, opened(panel, address))
    in_batches = asked(address)
    assert verdicts(panel, folder, address) == live[0]
    assert asked(address) == in_batches == live[1], "nothing was left to be asked live"
    replies = [call for call in calls(folder) if call.reply is not None]
    assert len(replies) == brought.replies > 2 * ITEMS
    assert {call.detail.split()[0] for call in replies} == {"batch"}
    assert brought.troubles
    assert not brought.refused


@pytest.mark.integration
def test_what_a_model_refuses_is_learned_in_one_round_and_the_verdicts_are_the_same(
    tmp_path,
) -> None:
    refusing = '[[fault]]\nkind = "temperature_rejected"\nshare = 1\n'
    panel, folder = put(8), folder_in(tmp_path / "batches")
    with fake_server(seed=5, faults=refusing) as address:
        live_ones = verdicts(panel, folder_in(tmp_path / "live"), address)
        ask_in_batches(panel, folder, opened(panel, address))
        assert verdicts(panel, folder, address) == live_ones
    replies = [call.reply for call in calls(folder) if call.reply is not None]
    assert {reply.effective.temperature for reply in replies} == {None}


@pytest.mark.slow
@pytest.mark.integration
@pytest.mark.parametrize("point", list(BatchPoint))
@pytest.mark.parametrize("visits", [1, 2])
def test_killed_at_any_point_a_panel_goes_on_and_nothing_is_asked_twice(
    address, live, tmp_path, point, visits
) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.batching"])
    forget(address)
    process = context.Process(target=die_at, args=(str(tmp_path), address, ITEMS, point, visits))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    panel, folder = put(ITEMS), folder_in(tmp_path)
    ask_in_batches(panel, folder, opened(panel, address))
    assert verdicts(panel, folder, address) == live[0]
    # Each attempt at each request as often as live: once.
    assert asked(address) == live[1]
    kinds = [record.kind for record in read_batches(folder.batches)]
    assert kinds.count("intended") == kinds.count("collected") + kinds.count("dropped")
