"""Calls of a journal made by hand, and cohorts of models to make them with."""

from __future__ import annotations

from typing import Any

from games.cohort import Cohort
from games.models.chat import ChatRequest, Finish, Reply, Settings, Usage
from games.play.asking import Asking, Call
from games.words import Role

AT = "2026-01-01T00:00:{:02d}.000+00:00"
PRICE = {"input": 1.0, "output": 2.0}


def model(name: str, **said: Any) -> dict[str, Any]:
    """Return one model of a cohort file."""
    plain = {
        "id": name,
        "vendor": f"vendor of {name}",
        "family": f"family of {name}",
        "endpoint": "here",
        "model": f"m/{name}",
        "sampling": {"max_tokens": 100, "temperature": 0.7},
        "price": PRICE,
    }
    return plain | said


def cohort(*players: dict[str, Any], arbiter: dict[str, Any] | None = None, **said: Any) -> Cohort:
    """Return a cohort of models at one scripted endpoint, of two players unless told otherwise."""
    plain = {
        "name": "two",
        "kind": "models",
        "description": "Made by hand.",
        "endpoints": {"here": {"client": "scripted"}},
        "arbiter": arbiter,
        "players": players or (model("ann"), model("bob")),
    }
    return Cohort.model_validate(plain | said)


def call(
    player: str = "ann",
    *,
    match: str = "m0",
    role: Role = Role.SEEKER,
    second: int = 0,
    asked: dict[str, Any] | None = None,
    sent: dict[str, Any] | None = None,
    number: int = 1,
    about: Any = None,
    turn: int = 1,
    **reply: Any,
) -> Call:
    """Return a call that got a reply; ``sent`` are the settings of ``asked`` that differ."""
    settings = {"max_tokens": 100, "temperature": 0.7} | (asked or {})
    usage = Usage(input=10, output=5, reasoning=2)
    schema = {"type": "object"} if role is Role.ARBITER else None
    request = ChatRequest(
        model=f"m/{player}",
        messages=(),
        settings=Settings(**settings),
        reply_schema=schema,
    )
    facts = {"text": "words", "finish": Finish.STOP, "usage": usage, "model": f"m/{player}"}
    effective = Settings(**settings | (sent or {}))
    cost = reply.pop("cost", 0.5)
    at_most = reply.pop("at_most", None)
    from_run = reply.pop("from_run", "")
    return Call(
        at=AT.format(second),
        player=player,
        asking=Asking(match=match, role=role, turn=turn, about=about, number=number),
        attempt=1,
        fingerprint=request.fingerprint,
        request=request,
        reply=Reply(**facts | reply, effective=effective),
        seconds=1.5,
        cost=cost,
        at_most=at_most,
        from_run=from_run,
    )


def lost(player: str = "ann", *, role: Role = Role.SEEKER, **said: Any) -> Call:
    """Return a call that got none."""
    asking = Asking(match="m0", role=role, turn=1)
    return Call(
        at=AT.format(0),
        player=player,
        asking=asking,
        attempt=1,
        fingerprint="f",
        seconds=2.0,
        **said,
    )
