"""Every fault of the fake server while a panel judges: a ruling, or an abstention with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.cohort.models import Client
from games.errors import RunStopped
from games.models.trouble import RETRIED, STOPPING, TroubleKind
from games.panels.folder import PanelFolder
from games.panels.judging import judge_items
from games.panels.put import Put
from games.play.account import Account
from games.play.accounting import account_of_judges
from games.play.journal import read_journal
from games.play.terms import Terms
from games.rehearsal.faults import REJECTED, FakeFault
from games.run import RunFolder
from games.words import Abstention

from .hearings import Kept, played, put_of, study_with
from .servers import fake_server
from .test_fault_matrix import CLIENTS, Comes, expected

pytestmark = pytest.mark.integration
ADDRESS = "AIDG_FAKE"
# Whatever strikes once is over at the second attempt; what never ends is a model of its own.
FOR_EVER = "-for-ever"
# What a rehearsed judge rules, now and then that it cannot tell.
RULED = (None, Abstention.CANNOT_TELL)
SHORT = 4.0  # seconds that a judge is waited for

JUDGE = """
[endpoints.{name}]
client = "{client}"
base_url = "${{AIDG_FAKE}}"
deadline = {deadline}

[[judges]]
id = "{name}"
vendor = "none"
family = "{name}"
endpoint = "{name}"
model = "{model}"
wordings = ["terse"]

[judges.sampling]
temperature = 0.7
max_tokens = 512
seed = 3
reasoning_effort = "low"
structured = true
"""


def rule(fault: FakeFault, attempts: int, model: str) -> str:
    more = {FakeFault.RATE_LIMITED_WAIT: "retry_after = 1.0", FakeFault.SLOW_STREAM: "lasts = 60"}
    often = "" if attempts == 1 else f"attempts = {attempts}\n"
    head = f'[[fault]]\nkind = "{fault.value}"\nmodels = ["{model}"]\n'
    return f"{head}{often}{more.get(fault, '')}\n"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server at which the name of a model is the fault that strikes it, once or for ever."""
    rules = [
        rule(fault, attempts, fault.value + ending)
        for fault in FakeFault
        for ending, attempts in (("", 1), (FOR_EVER, 1000))
        if not ending or fault not in REJECTED  # which never ends
    ]
    with fake_server(seed=1, faults="\n".join(rules)) as listening:
        yield listening


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    return study_with(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def source(study, tmp_path_factory) -> RunFolder:
    return played(study, tmp_path_factory.mktemp("source") / "run")


def put(study: Path, source: RunFolder, client: Client, faults: dict[FakeFault, str]) -> Put:
    """Return one item put to a panel of a judge for each fault, each at its own endpoint."""
    head = f'name = "faults-{client.value}"\nkind = "plumbing"\ndescription = "Struck."\n'
    each = [
        JUDGE.format(
            name=fault.value.replace("_", "-"),
            client=client.value,
            model=fault.value + ending,
            deadline=SHORT if fault is FakeFault.SLOW_STREAM or ending else 60.0,
        )
        for fault, ending in faults.items()
    ]
    path = study / "panels" / f"faults-{client.value}.toml"
    path.write_text(head + "".join(each), encoding="utf-8")
    whole = put_of(source, path.stem, matches=1)
    return Put(whole.items[:1], whole.panel, whole.texts, whole.study, whole.choices)


def struck(put: Put, run: RunFolder, address: str) -> tuple[Kept, dict[FakeFault, Account]]:
    """Return what a panel says, and the account of each judge by the fault that struck it."""
    folder, shelf = PanelFolder(run, put.panel.name), Kept()
    try:
        judge_items(put, folder, shelf, Terms(environ={ADDRESS: address}))
    except RunStopped as stop:
        shelf.stop = stop.reason
    found = account_of_judges(read_journal(folder.journal), put.panel.asked())
    return shelf, {FakeFault(one.model.family.replace("-", "_")): one for one in found}


def verdict_of(shelf: Kept, put: Put, fault: FakeFault):
    (verdict,) = shelf.verdicts[f"{put.panel.name}.{fault.value.replace('_', '-')}"]
    return verdict


def passes(comes: Comes) -> bool:
    return comes.kind is None or comes.kind in RETRIED or comes.parameter is not None


@pytest.mark.parametrize("client", CLIENTS)
def test_what_passes_ends_in_a_ruling(study, source, address, tmp_path, client):
    faults = {fault: "" for fault in FakeFault if passes(expected(fault, client))}
    asked = put(study, source, client, faults)
    shelf, accounts = struck(asked, RunFolder(tmp_path), address)
    assert shelf.times == [True]
    for fault in faults:
        wanted, account = expected(fault, client), accounts[fault]
        verdict = verdict_of(shelf, asked, fault)
        assert verdict.abstention in RULED, (fault, verdict)
        troubles = {} if wanted.kind is None else {wanted.kind: 1}
        assert account.troubles == troubles, fault
        again = wanted.fault is not None or fault is FakeFault.OFF_FORM
        assert account.faults == ({wanted.fault: 1} if wanted.fault else {}), fault
        # Half a pair may fall into the words that count, or between them.
        assert account.re_asks == again or fault is FakeFault.LONE_SURROGATE, fault
        if wanted.parameter is not None:
            assert wanted.parameter in account.not_sent, fault
        returned = {epoch.model for epoch in account.epochs}
        assert (fault.value not in returned) is (fault is FakeFault.WRONG_MODEL), fault
    assert PanelFolder(RunFolder(tmp_path), asked.panel.name).manifest().ended is not None


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reply_that_never_rules_is_unparsable_and_no_reply_is_missing(
    study, source, address, tmp_path, client
):
    bad = {
        fault: "" if fault in REJECTED else FOR_EVER
        for fault in FakeFault
        if expected(fault, client).fault is not None
        or fault is FakeFault.OFF_FORM
        or expected(fault, client).kind in (TroubleKind.TOO_LONG, TroubleKind.REJECTED)
    }
    asked = put(study, source, client, bad)
    shelf, accounts = struck(asked, RunFolder(tmp_path), address)
    for fault in bad:
        wanted, account = expected(fault, client), accounts[fault]
        verdict = verdict_of(shelf, asked, fault)
        assert verdict.label is None
        if wanted.kind is not None:
            assert verdict.abstention is Abstention.MISSING
            assert verdict.reason.startswith(wanted.kind.value)
            assert account.replies == 0
        else:
            assert verdict.abstention is Abstention.UNPARSABLE
            named = wanted.fault.value if wanted.fault else ""
            assert verdict.reason.startswith(named)
            assert account.replies == 3
            assert account.faults == ({wanted.fault: 3} if wanted.fault else {})
    assert {v.abstention for said in shelf.verdicts.values() for v in said} == {
        Abstention.MISSING,
        Abstention.UNPARSABLE,
    }


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "fault", [fault for fault in FakeFault if expected(fault, CLIENTS[0]).kind in STOPPING]
)
def test_what_only_a_person_can_mend_stops_with_nothing_but_missing(
    study, source, address, tmp_path, client, fault
):
    asked = put(study, source, client, {fault: ""})
    run = RunFolder(tmp_path)
    shelf, _ = struck(asked, run, address)
    kind = expected(fault, client).kind
    assert shelf.stop.startswith(f"endpoint {fault.value.replace('_', '-')}: {kind.value}")
    verdict = verdict_of(shelf, asked, fault)
    assert (verdict.label, verdict.abstention) == (None, Abstention.MISSING)
    assert shelf.times == [False]
    # It struck once, as when somebody has paid since: the same call goes on.
    shelf, _ = struck(asked, run, address)
    assert verdict_of(shelf, asked, fault).abstention in RULED


def test_every_fault_is_among_these():
    for client in CLIENTS:
        for fault in FakeFault:
            comes = expected(fault, client)
            lost = comes.kind in (TroubleKind.TOO_LONG, TroubleKind.REJECTED)
            assert passes(comes) or lost or comes.kind in STOPPING
