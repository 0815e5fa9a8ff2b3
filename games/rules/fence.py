"""The one code fence that a reply may stand in."""

from __future__ import annotations

_FENCE = "```"


def unfenced(body: str) -> str | None:
    """Return what stands in a code fence, or the text itself where none begins it.

    Returns
    -------
    str or None
        None where a fence begins the text and is not one fence around all of it, of JSON or of
        nothing named.
    """
    if not body.startswith(_FENCE):
        return body
    opening, _, rest = body.partition("\n")
    within = rest.removesuffix(_FENCE)
    language = opening.removeprefix(_FENCE).strip().casefold()
    if language not in ("", "json") or within == rest or _FENCE in within:
        return None
    return within.strip()
