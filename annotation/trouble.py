"""What goes wrong between this machine and a Label Studio, each in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from textwrap import shorten
from typing import Any

from games.errors import InputError

DETAIL = 200  # characters of a server's own words
_TOKEN = "LABEL_STUDIO_API_KEY"
_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
NOT_ONE = "must be the address of a Label Studio, and something else answers there"


class StudioError(InputError):
    """A Label Studio is not there, is not one, or does not do what was asked."""


@contextmanager
def in_one_line(address: str) -> Iterator[None]:
    """Turn whatever the client raises into a ``StudioError`` that names the server.

    Raises
    ------
    StudioError
        The token is refused, nobody listens, the answer is none of Label Studio's, or the server
        went away; a body is never shown but for a short reason that the server itself names.
    """
    import httpx
    from label_studio_sdk.core.api_error import ApiError
    from pydantic import ValidationError

    try:
        yield
    except ApiError as fault:
        raise _of_answer(address, fault.status_code, fault.body) from None
    except httpx.ConnectError:
        rule = "must be a Label Studio that runs; nobody listens (then the same command goes on)"
        raise StudioError(address, rule) from None
    except httpx.TimeoutException:
        raise StudioError(address, "gave no answer in time; the same command goes on") from None
    except (httpx.HTTPError, httpx.InvalidURL):
        rule = "ended the connection; once it runs again, the same command goes on"
        raise StudioError(address, rule) from None
    except (ValidationError, json.JSONDecodeError, UnicodeDecodeError):
        raise StudioError(address, NOT_ONE) from None


def _of_answer(address: str, status: int | None, body: Any) -> StudioError:
    if status in _REFUSED:
        rule = f"must be a token that {address} accepts{_reason(body)}"
        return StudioError(_TOKEN, rule)
    if status is None or status < HTTPStatus.BAD_REQUEST:
        return StudioError(address, NOT_ONE)
    known = {known.value: known.phrase for known in HTTPStatus}
    return StudioError(address, f"answered {status} {known.get(status, '')}{_reason(body)}".strip())


def _reason(body: Any) -> str:
    """Return the reason in an answer; a page of HTML, or anything else, holds none."""
    told = body.get("validation_errors") or body.get("detail") if isinstance(body, dict) else None
    said = told if isinstance(told, str) else json.dumps(told) if told else ""
    return f" ({shorten(said, DETAIL, placeholder=' …')})" if said else ""
