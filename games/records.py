"""Frozen records for what is on disk, their canonical bytes and content ids."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainValidator, WithJsonSchema

ID_LENGTH = 16


class Record(BaseModel):
    """A frozen record; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


def _any_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


# Text that a model wrote: any str, lone surrogates included, which pydantic's own str refuses.
Text = Annotated[str, PlainValidator(_any_text), WithJsonSchema({"type": "string"})]


def canonical(payload: Any) -> bytes:
    """Return the one serialisation of a payload: sorted keys, ASCII escapes, a final newline.

    Parameters
    ----------
    payload : Record or JSON-like
        What to serialise. NaN and infinities are refused, since JSON has no word for them.

    Returns
    -------
    bytes
        ASCII bytes that do not depend on hash seed, platform or insertion order.
    """
    plain = payload.model_dump(mode="python") if isinstance(payload, BaseModel) else payload
    # Written piece by piece: in one go the pieces of a long schedule are all held at a time.
    text = io.StringIO()
    json.dump(plain, text, sort_keys=True, ensure_ascii=True, allow_nan=False, indent=1)
    return text.getvalue().encode("ascii") + b"\n"


def digest(payload: bytes | str) -> str:
    """Return the SHA-256 of bytes, or of text in UTF-8, in hex."""
    raw = payload.encode("utf-8", "surrogatepass") if isinstance(payload, str) else payload
    return hashlib.sha256(raw).hexdigest()


def content_id(payload: Any) -> str:
    """Return a short id that depends on a payload's canonical bytes alone."""
    return digest(canonical(payload))[:ID_LENGTH]
