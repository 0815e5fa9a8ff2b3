"""How far a run is, and what a reader is told of its models: in numbers, sentences and tables."""

from __future__ import annotations

import json
import os

import pytest

from games.cohort import CohortKind
from games.models.chat import Finish, Usage
from games.models.trouble import Parameter, TroubleKind
from games.play.accounting import account_of
from games.play.journal import Event, EventKind, Journal
from games.play.lock import held
from games.run import RunFolder
from games.words import Fault, Role
from reports.cli.status_tables import print_status
from reports.likeness import (
    asked_lines,
    drift_lines,
    kinship_lines,
    settings_lines,
    unlike_settings,
)
from reports.players import (
    came_back,
    cost_rows,
    dollars_of,
    kinds_lines,
    money_line,
    notes_of,
    warning_of,
)
from reports.status import status_of

from .calls import call, cohort, lost, model
from .test_cli import aidg
from .test_watch import made, run  # noqa: F401 — fixtures

REJECTED = {"trouble": TroubleKind.PARAMETER_REJECTED}
LONG = "a/name_of:a-model 2026"


def models(records, *players, **more):
    return account_of(records, cohort(*players, **more)).models


def test_the_papers_request_to_gpt_5_reads_as_it_was():
    gpt = model("GPT-5", model="openai/gpt-5")
    refused = lost("GPT-5", parameter=Parameter.TEMPERATURE, **REJECTED)
    sent = call("GPT-5", sent={"temperature": None})
    learned = models([refused, sent], gpt, model("bob"))
    assert settings_lines(learned) == [
        "GPT-5: temperature 0.7 requested, not sent: refused by its endpoint"
    ]
    known = models([sent], gpt, model("bob"))
    assert settings_lines(known) == [
        "GPT-5: temperature 0.7 requested, not sent: models of this id are known to refuse it"
    ]


@pytest.mark.parametrize(
    ("asked", "sent", "said"),
    [
        ({"seed": 3}, {"seed": None}, "a seed requested, not sent: its client has no such setting"),
        (
            {"reasoning_effort": "low"},
            {"reasoning_effort": None},
            "reasoning effort low requested, not sent: its client has no such setting",
        ),
    ],
)
def test_every_setting_that_was_left_out_is_named(asked, sent, said):
    who = model("ann", sampling={"max_tokens": 100, **asked})
    assert settings_lines(models([call(asked=asked, sent=sent)], who, model("bob"))) == [
        f"ann: {said}"
    ]


def test_some_replies_and_other_places_are_said():
    records = [
        call(),
        lost(parameter=Parameter.TEMPERATURE, **REJECTED),
        lost(parameter=Parameter.SYSTEM_ROLE, **REJECTED),
        lost(parameter=Parameter.MAX_TOKENS, **REJECTED),
        call(sent={"temperature": None}),
    ]
    assert settings_lines(models(records)) == [
        "ann: temperature 0.7 requested, not sent in 1 of 2 replies: refused by its endpoint",
        "ann: limit of tokens sent under its other name: refused by its endpoint",
        "ann: system message sent as part of the first user message: refused by its endpoint",
    ]


def test_a_schema_that_was_not_sent_is_the_arbiters():
    judge = model("judge", sampling={"max_tokens": 9, "structured": True})
    record = call(
        "judge", role=Role.ARBITER, asked={"structured": True}, sent={"structured": False}
    )
    assert settings_lines(models([record], arbiter=judge)) == [
        "judge (arbiter): a reply held to its schema requested, not sent: "
        "its client has no such setting"
    ]


def test_players_under_unlike_settings_are_named_with_them():
    records = [
        call("ann"),
        call("bob", sent={"temperature": None}),
        call("cho", asked={"reasoning_effort": "low", "seed": 1, "max_tokens": 400}),
        call("judge", role=Role.ARBITER, asked={"temperature": 0.0}),
    ]
    found = account_of(
        records, cohort(*(model(n) for n in ("ann", "bob", "cho", "dee")), arbiter=model("judge"))
    )
    assert unlike_settings(found.players) == (
        "Players are compared under unlike effective settings: "
        "temperature: 0.7 (ann, cho), the provider's own (bob); "
        "reasoning effort: the provider's own (ann, bob), low (cho); "
        "seed: none (ann, bob), sent (cho); "
        "most tokens of a reply: 100 (ann, bob), 400 (cho)."
    )


def test_players_asked_alike_need_no_sentence():
    records = [call("ann", asked={"seed": 1}), call("bob", asked={"seed": 2})]
    assert unlike_settings(models(records)) == ""
    assert unlike_settings(models([])) == ""
    split = [call("ann"), call("ann", sent={"temperature": None}), call("bob")]
    assert "0.7 and the provider's own (ann), 0.7 (bob)" in unlike_settings(models(split))


def test_how_each_was_asked():
    judge = call("judge", role=Role.ARBITER, asked={"structured": True, "temperature": 0.0})
    records = [call(asked={"seed": 1, "reasoning_effort": "high"}), call(), judge]
    assert asked_lines(models(records, arbiter=model("judge"))) == [
        "ann: temperature 0.7, reasoning effort high, seeded (1 replies); "
        "temperature 0.7, no seed (1 replies)",
        "judge (arbiter): temperature 0.0, held to a schema, no seed (1 replies)",
    ]


def test_another_id_than_asked_for_and_drift():
    records = [
        call(second=1, fingerprint="a", model="m/ann-2026-01-01"),
        call(second=2, fingerprint="b", model="m/ann-2026-01-01"),
        call(second=3, model="", fingerprint="a"),
        call("bob", model="m/BOB"),
    ]
    assert drift_lines(models(records)) == [
        "ann: asked for m/ann, answered as m/ann-2026-01-01 in 2 of 3 replies",
        "ann: DRIFT, 3 ids or fingerprints: "
        "1. m/ann-2026-01-01, a: 1 replies from 2026-01-01T00:00:01 to 2026-01-01T00:00:01; "
        "2. m/ann-2026-01-01, b: 1 replies from 2026-01-01T00:00:02 to 2026-01-01T00:00:02; "
        "3. no id, a: 1 replies from 2026-01-01T00:00:03 to 2026-01-01T00:00:03",
        "bob: asked for m/bob, answered as m/BOB in all 1 replies",
    ]
    assert drift_lines(models([call(), call("bob")])) == []


def test_kin_are_named_together():
    judge = model("judge", vendor="V", family="F", model="m/judge")
    players = (
        model("same", model="M/JUDGE"),
        model("near", family="f"),
        model("ann", vendor="v"),
        model("bob", vendor="V"),
        model("far"),
    )
    assert kinship_lines(cohort(*players, arbiter=judge)) == [
        "judge rules on same, the same model (M/JUDGE)",
        "judge rules on near, of the same family (f)",
        "judge rules on ann, of the same vendor (v)",
        "judge rules on bob, of the same vendor (V)",
    ]
    assert kinship_lines(cohort(*players)) == []


def test_money_is_said_as_far_as_it_is_known():
    free = models([call(cost=0.0), call("bob", cost=0.25)])
    assert [dollars_of(one) for one in free] == ["$0.0000", "$0.2500"]
    assert money_line(free) == "It cost $0.2500."
    perhaps = models([call(), lost(trouble=TroubleKind.TIMEOUT, at_most=0.5)])
    assert dollars_of(perhaps[0]) == "$0.5000 to $1.0000"
    assert money_line(perhaps) == (
        "It cost $0.5000, and at most $1.0000: "
        "a reply that was lost on its way may have been billed."
    )
    unknown = models([call(), call(cost=None), call("bob", cost=None)])
    assert [dollars_of(one) for one in unknown] == ["≥ $0.5000 + 1 UNPRICED", "1 UNPRICED"]
    assert money_line(unknown) == (
        "COST IS NOT KNOWN: at least $0.5000; ann and bob without a price."
    )


def test_what_went_wrong_is_said_by_kind():
    records = [
        call(text="", finish=Finish.LENGTH, usage=Usage(reasoning=9)),
        call(finish=Finish.REFUSAL),
        call(),
        call(),
        lost(trouble=TroubleKind.RATE_LIMITED),
    ]
    assert kinds_lines(models(records)) == [
        "ann: faults reasoning exhausted 1, refused 1; no reply rate limited 1; "
        "25.0% of askings ended in reasoning alone; 1 replies do not say their tokens"
    ]
    ann = models(records)[0]
    assert came_back([ann]) == [("ann", 4, 2, 1, 0, 8.0)]
    assert cost_rows([ann])[0][:4] == ("ann", 30, 15, 15)
    assert ann.faults == {Fault.REASONING_EXHAUSTED: 1, Fault.REFUSED: 1}


@pytest.mark.parametrize("kind", CohortKind)
def test_only_plumbing_is_warned_of(kind):
    found = warning_of(cohort().model_copy(update={"kind": kind}))
    assert bool(found) == (kind is CohortKind.PLUMBING)
    assert not found or "nothing about models" in found


def put(folder: RunFolder, *records) -> None:
    with Journal(folder.journal) as journal:
        for record in records:
            journal.append(record)


def event(kind, match=None, note=""):
    return Event(kind=kind, at="2026-01-01T00:00", ended=0, total=18, match=match, note=note)


def test_progress_of_a_run_that_is_played_and_that_broke_off(made):  # noqa: F811
    first = made.manifest().schedule.matches[0].id
    put(
        made, event(EventKind.RUN_STARTED), event(EventKind.MATCH_STARTED, first), call(match=first)
    )
    with held(made.path):
        made.write_manifest(made.manifest().model_copy(update={"ended": None}))
        found = status_of(made)
        assert found.progress() == [
            "0 of 18 matches have ended, 1 in play",
            f"played now by process {os.getpid()}",
            "last: match started at 2026-01-01T00:00",
        ]
    put(made, event(EventKind.RUN_STOPPED, note="the budget is reached"))
    assert status_of(made).progress() == [
        "0 of 18 matches have ended, 1 begun and broken off",
        "nobody plays it now; `aidg run play` goes on where it stood",
        "last: run stopped at 2026-01-01T00:00: the budget is reached",
    ]
    payload = status_of(made).payload()
    assert (payload["in_play"], payload["traces"]) == ([first], 0)
    assert payload["last"]["note"] == "the budget is reached"
    assert {row["played"] for row in payload["matches"]} == {0}


def test_json_holds_every_count(run, monkeypatch, capsys):  # noqa: F811
    assert aidg(monkeypatch, "run", "status", run.path, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "plumbing"
    assert found["scheduled"] == found["traces"] == 18
    assert [one["id"] for one in found["models"]] == ["ann", "bob", "cho", "judge"]
    for one in found["models"]:
        assert one["replies"] == sum(way["replies"] for way in one["sampled"])
        assert one["requested"]["max_tokens"] == 200
        assert one["spent"]["known"] > 0
        assert [epoch["number"] for epoch in one["epochs"]] == [1]
        assert (one["drifted"], one["model"]) == (False, f"m/{one['id']}")
    assert sum(row["decided"] + row["void"] for row in found["matches"]) == 18


@pytest.mark.parametrize("width", [80, 120])
def test_tables_fit_the_terminal_and_stay_tables(made, monkeypatch, capsys, width):  # noqa: F811
    players = (model(LONG, price=None), model("bob"), model("cho"))
    who = cohort(*players, arbiter=model("judge of all", vendor="Y"), kind="plumbing")
    manifest = made.manifest()
    made.write_manifest(manifest.model_copy(update={"cohort": who}))
    big = {"usage": Usage(input=12_345_678, output=1_234_567, reasoning=999_999)}
    put(
        made,
        call(LONG, cost=None, **big),
        call("bob", at_most=None, cost=1234.5, **big),
        call("judge of all", role=Role.ARBITER, **big),
        lost("bob", trouble=TroubleKind.TIMEOUT, at_most=20.0),
    )
    monkeypatch.setenv("COLUMNS", str(width))
    print_status(status_of(made))
    said = capsys.readouterr().out
    title, *rest = said.splitlines()  # a path is never broken, however long
    assert title == f"{made.path}: two"
    assert max(map(len, rest)) <= width
    assert said.count("─" * 20) > 2, "a table fell apart into lines"
    for words in ("UNPRICED", "COST IS NOT KNOWN", "12345.7k", "nothing about models", LONG):
        assert words in " ".join(said.split())


def test_text_from_outside_is_shown_as_text(made, capsys):  # noqa: F811
    who = cohort(model("ann", model="m/ann"), model("bob"))
    made.write_manifest(made.manifest().model_copy(update={"cohort": who}))
    put(
        made,
        call(model="m\x1b[2J\u202e", fingerprint="\n[red]"),
        event(EventKind.RUN_STOPPED, note="\x07"),
    )
    print_status(status_of(made))
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\x07" not in said
    assert "\\x1b[2J" in said


def test_notes_stand_under_their_headings_in_order():
    found = notes_of(account_of([], cohort()), cohort())
    assert list(found) == [
        "settings requested and not sent",
        "unlike settings",
        "what went wrong",
        "drift",
        "kinship",
    ]
    assert not any(found.values())
