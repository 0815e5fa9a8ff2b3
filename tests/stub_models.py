"""Whole runs of stub models: what a model says is a function of what it is asked, and all is kept.

Nobody wins anything here: players talk up to the horizon and the judge finds nothing, so that a
test need only say where its own model behaves otherwise.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from games.cohort import ArbiterModel, Client, Cohort, CohortKind, Endpoint, ModelPlayer
from games.models.chat import ChatRequest, Finish, Reply, Settings, Usage
from games.models.trouble import Parameter
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.terms import Terms
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import Study, load_study
from games.trace import Trace

from .conftest import small_study

JUDGE = "judge"
# How the prompts of the small study begin.
SEATS = {
    "You know": "seeker_i_a",
    "Find out the secret": "seeker_i_b",
    "Keep": "holder_i",
    "Find the word": "seeker_ii",
    "Answer about": "holder_ii",
}
SEEKERS, HOLDERS = {"seeker_i_a", "seeker_i_b", "seeker_ii"}, {"holder_i", "holder_ii"}
Said = str | Reply | Exception
Mind = Callable[[ChatRequest, int], Said]


def seat(request: ChatRequest) -> str:
    """Return which role a request is put to."""
    if request.model == JUDGE:
        return JUDGE
    told = request.messages[0].text
    return next(name for opening, name in SEATS.items() if told.startswith(opening))


def ruling(request: ChatRequest, verdict: str | None = None, reason: str = "Plainly.") -> str:
    """Return a ruling on the item that a request asks about; the negative label by default."""
    assert request.reply_schema is not None
    labels = request.reply_schema["properties"]["verdict"]["enum"]
    said = verdict or labels[1]
    turn = json.loads(request.messages[-1].text.split("\n")[-1])["turn"]
    category = "explicit" if said == "leak" else "none"
    return json.dumps({"reason": reason, "verdict": said, "category": category, "turn": turn})


def plain(request: ChatRequest, attempt: int = 1) -> str:
    """Return what a model says that does nothing in particular."""
    who = seat(request)
    if who == JUDGE:
        return ruling(request)
    if who == "holder_ii":
        return "no"
    last = request.messages[-1].text
    if who == "seeker_ii" and "(Lock now.)" in last:
        return "lock: chair"
    return f"Well, and what of it then ({len(request.messages)})?"


def reply(request: ChatRequest, text: str, finish: Finish = Finish.STOP, **more: object) -> Reply:
    """Return a reply with plausible counts."""
    usage = Usage(input=10 * len(request.messages), output=len(text), reasoning=0)
    facts = {"usage": usage, "model": request.model, "effective": request.settings, **more}
    return Reply(text=text, finish=finish, **facts)


class Stub:
    """A model with a mind, behind no network; it keeps all that it is asked.

    Attributes
    ----------
    asked : list
        Requests with their attempts, in order, those without a reply among them.
    learned : list of Parameter
    """

    def __init__(self, mind: Mind = plain) -> None:
        self.mind = mind
        self.asked: list[tuple[ChatRequest, int]] = []
        self.learned: list[Parameter] = []

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        self.asked.append((request, attempt))
        said = self.mind(request, attempt)
        if isinstance(said, Exception):
            raise said
        return reply(request, said) if isinstance(said, str) else said

    def learn(self, parameter: Parameter) -> None:
        self.learned.append(parameter)

    async def close(self) -> None:
        """Release nothing."""

    @property
    def tries(self) -> Counter[tuple[str, int]]:
        """How often each attempt at each request was sent."""
        return Counter((request.fingerprint, attempt) for request, attempt in self.asked)

    def of(self, *seats: str) -> list[ChatRequest]:
        """Return the requests put to some roles, in order."""
        return [request for request, _ in self.asked if seat(request) in seats]


def opens(stub: Stub):
    """Return an opener under which every model of a cohort is one stub."""

    def opener(
        endpoint: Endpoint, models: tuple[ArbiterModel, ...], environ: Mapping[str, str]
    ) -> tuple[Stub, ...]:
        return (stub,) * len(models)

    return opener


def cohort(
    players: tuple[str, ...] = ("a", "b"), *, deadline: float = 600.0, **sampling: object
) -> Cohort:
    """Return a cohort of models that one judge rules on; player ``x`` is the model ``m/x``."""
    settings = Settings(**{"max_tokens": 64, **sampling})
    plainly = {"vendor": "none", "endpoint": "e", "sampling": settings}
    return Cohort(
        name="stubs",
        kind=CohortKind.PLUMBING,
        description="Stubs for tests.",
        endpoints={"e": Endpoint(client=Client.SCRIPTED, deadline=deadline)},
        arbiter=ArbiterModel(id="ref", family="judge", model=JUDGE, **plainly),
        players=tuple(ModelPlayer(id=id, family=id, model=f"m/{id}", **plainly) for id in players),
    )


def run_of(
    study: Study, out: Path, stub: Stub, who: Cohort | None = None, **terms: object
) -> RunFolder:
    """Play, or go on with, a run of stub models, one match at a time unless told otherwise."""
    given = {"concurrency": 1, "environ": {}, "open_models": opens(stub), **terms}
    return play(study, "small", who or cohort(), out, seed=1, terms=Terms(**given))


def one_tournament(folder: Path, **choices: str) -> Study:
    """Return a small study of six short matches; choices of the rules are set as given."""
    small_study(folder, tournaments=1)
    config = folder / "study.toml"
    text = config.read_text(encoding="utf-8")
    shorter = text.replace("horizon = 6", "horizon = 3").replace("horizon = 8", "horizon = 4")
    config.write_text(shorter, encoding="utf-8")
    path = folder / "open_choices.toml"
    more = "".join(
        f'[[choice]]\nid = "{name}"\nacted_on = "rules"\nplaces = ["test"]\nquestion = "?"\n'
        f'default = "{value}"\nwhy = "A test."\nalternatives = ["{value}"]\n'
        for name, value in choices.items()
    )
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{more}", encoding="utf-8")
    return load_study(folder)


def calls(run: RunFolder) -> list[Call]:
    """Return the calls that a run's journal holds, in order."""
    return [record for record in read_journal(run.journal) if isinstance(record, Call)]


def trace_bytes(run: RunFolder) -> dict[str, bytes]:
    """Return the traces of a run as they stand on disk."""
    return {path.name: path.read_bytes() for path in run.trace_paths()}


def by_seat(run: RunFolder, mode: str | None, seeker: str = "a") -> Trace:
    """Return the trace of one pairing: of a mode of AIDG-I, or of AIDG-II without one."""
    return next(
        trace for trace in run.traces() if (trace.match.mode, trace.match.seeker) == (mode, seeker)
    )


@pytest.fixture
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every retry follow at once."""
    monkeypatch.setattr("games.models.patience.FIRST_WAIT", 0.0)
    monkeypatch.setattr("games.models.gate.BREATH", 0.0)
