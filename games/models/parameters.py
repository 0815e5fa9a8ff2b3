"""Which part of a request an endpoint rejects, read out of its complaint."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .trouble import Parameter

_UNSUPPORTED = re.compile(
    r"unsupported|not\s+(?:yet\s+)?support|n't\s+support|deprecated|no longer (?:accept|support)"
    r"|unrecogni[sz]ed|unknown (?:parameter|field|name|argument|key)|unexpected keyword"
    r"|extra (?:inputs|fields)|not (?:permitted|allowed|enabled|implemented)|does not accept",
    re.IGNORECASE,
)
_NAMED: Mapping[Parameter, re.Pattern[str]] = {
    Parameter.TEMPERATURE: re.compile(r"\btemperature\b", re.IGNORECASE),
    Parameter.SEED: re.compile(r"\bseed\b", re.IGNORECASE),
    Parameter.REASONING_EFFORT: re.compile(
        r"\breasoning[_.]effort\b|\beffort\b|\bthinking\b", re.IGNORECASE
    ),
    Parameter.STRUCTURED: re.compile(
        r"\bresponse_format\b|\bjson_schema\b|\boutput_config\.format\b|\boutput_format\b"
        r"|\bstructured[ _]outputs?\b",
        re.IGNORECASE,
    ),
    Parameter.MAX_TOKENS: re.compile(r"\bmax_(?:completion_)?tokens\b", re.IGNORECASE),
    Parameter.SYSTEM_ROLE: re.compile(
        r"\bmessages?\[0\]\.role\b|\bsystem['\"]? role\b"
        r"|\brole['\"]? [^.]{0,30}\bsystem\b|\b(?:system|developer) (?:instruction|message|prompt)",
        re.IGNORECASE,
    ),
}


def rejected_parameter(param: str, message: str, sent: frozenset[Parameter]) -> Parameter | None:
    """Return the parameter that a complaint rejects as such, or None where it rejects none.

    A value out of range is no such rejection: leaving the parameter out would hide the mistake.

    Parameters
    ----------
    param : str
        What the complaint blames by a field of its own; it goes before its words.
    message : str
        What it says; of several parameters the one named first counts.
    sent : frozenset of Parameter
        What the request held. Nothing else can have been rejected, so that leaving out what was
        rejected always makes a smaller request.
    """
    if not _UNSUPPORTED.search(message):
        return None
    for text in (param, message):
        at = {found.start(): p for p in sent if (found := _NAMED[p].search(text))}
        if at:
            return at[min(at)]
    return None
