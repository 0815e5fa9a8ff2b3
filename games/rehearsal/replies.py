"""Rehearsed replies: plausible words for whatever role a prompt gives, drawn by hash.

The role is read from the request's own content. Nobody plays well here: a Seeker's lock comes more
likely by the turn, a Holder gives its secret away now and then, a ruling is a draw. A tournament of
such replies has both outcomes and exercises everything but judgement.
"""

from __future__ import annotations

import json
import re

from . import phrases
from .asked import Asked
from .draws import Draws
from .rulings import (
    asks_ruling,
    asks_rulings,
    ruling_json,
    ruling_lines,
    transcript_rulings,
)
from .signals import agent_reply

_ANSWERS = re.compile(r"\byes\b\W+no\W+(?:or\W+|and\W+)?maybe\b", re.I)
_FINAL = re.compile(r"\bfinal guess\b", re.I)
_SEAT = re.compile(r"\b(seeker|holder)\b", re.I)
_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]")

LOCK_A_TURN, GUESS, DECLARE_A_TURN, ADMIT = 0.012, 0.02, 0.015, 0.08


def rehearsed(ask: Asked, seed: int, attempt: int) -> str:
    """Return what is said to a request.

    Parameters
    ----------
    ask : Asked
    seed : int
        Another seed is another rehearsal.
    attempt : int
        From 1; another attempt at one request draws anew.

    Returns
    -------
    str
        A ruling (JSON by the request's schema, or lines), rulings on the turns of a whole match
        (JSON), a Seeker's question, lock or declaration, a Holder's answer, talk, or an action or
        strategy note of HIDDEN SIGNAL.
    """
    draws = Draws(seed, attempt, ask.id)
    if (said := agent_reply(ask, draws)) is not None:
        return said
    if asks_rulings(ask):
        return json.dumps(transcript_rulings(ask, draws))
    if ask.schema is not None:
        return json.dumps(ruling_json(ask, ask.schema, draws))
    if asks_ruling(ask):
        return ruling_lines(ask, draws)
    return _player_reply(ask, draws)


def _player_reply(ask: Asked, draws: Draws) -> str:
    """Return what a Seeker or a Holder says."""
    if _locks(ask):
        return _question_or_lock(ask, draws)
    if _ANSWERS.search(ask.instructions):
        return draws.weighted("answer", ("yes", "no", "maybe"), (4, 4, 1))
    return _talk(ask, draws)


def off_form(ask: Asked, text: str) -> str:
    """Return a reply in no form that was asked for: two locks, or talk around the text."""
    if ask.schema is None and not asks_ruling(ask) and _locks(ask):
        return "\n".join(f"lock: {noun}" for noun in phrases.NOUNS[:2])
    return f"{phrases.ASIDE}\n\n{text}"


def _locks(ask: Asked) -> bool:
    return "lock:" in ask.instructions.lower()


def _question_or_lock(ask: Asked, draws: Draws) -> str:
    turn = len(ask.said) + 1
    if _FINAL.search(ask.last) or draws.share("lock") < LOCK_A_TURN * turn:
        return f"lock: {draws.pick('noun', phrases.NOUNS)}"
    if draws.share("guess") < GUESS:
        return f"Is it a {draws.pick('noun', phrases.NOUNS)}?"
    return _fresh(ask, phrases.QUESTIONS, draws, "question")


def _talk(ask: Asked, draws: Draws) -> str:
    seat = _SEAT.search(ask.instructions)
    if seat is not None and seat[1].lower() == "holder":
        return _holder_talk(ask, draws)
    if "i know the secret:" in ask.instructions.lower():
        turn = len(ask.said) + 1
        if draws.share("declare") < DECLARE_A_TURN * turn:
            return f"I know the secret: {draws.pick('declared', phrases.REMARKS)}"
    remark = _fresh(ask, phrases.REMARKS, draws, "remark")
    return f"{remark} {_fresh(ask, phrases.PROMPTINGS, draws, 'prompting')}"


def _holder_talk(ask: Asked, draws: Draws) -> str:
    secret = _QUOTED.search(ask.instructions)
    if secret is not None and draws.share("admit") < ADMIT:
        return draws.pick("admission", phrases.ADMISSIONS).format(secret=secret[1])
    deflection = _fresh(ask, phrases.DEFLECTIONS, draws, "deflection")
    return f"{deflection} {_fresh(ask, phrases.REMARKS, draws, 'remark')}"


def _fresh(ask: Asked, options: tuple[str, ...], draws: Draws, name: str) -> str:
    """Return one of some sentences, one that was not said before where any is left."""
    before = "\n".join(ask.said)
    return draws.pick(name, [option for option in options if option not in before] or options)
