"""Complaints: what an endpoint says in place of a reply, and the trouble that it makes.

Providers agree on a status and on little else. What is read here, in this order of trust: the
status, the error's own code, type and parameter, and only then its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from .parameters import rejected_parameter
from .trouble import RETRIED, Parameter, Trouble, TroubleKind

# Statuses that providers' names for errors stand for where the HTTP status is 200.
_STATUS_OF_NAME: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "invalid_api_key": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "timeout_error": 408,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "api_error": 500,
    "server_error": 500,
    "overloaded_error": 529,
}
_KIND_OF_STATUS: Mapping[int, TroubleKind] = {
    # It names another address, and only a person may say whether that is to be asked.
    **dict.fromkeys((301, 302, 303, 307, 308), TroubleKind.UNREACHABLE),
    401: TroubleKind.UNAUTHORIZED,
    402: TroubleKind.QUOTA_EXHAUSTED,
    403: TroubleKind.UNAUTHORIZED,
    404: TroubleKind.UNKNOWN_MODEL,
    408: TroubleKind.TIMEOUT,
    409: TroubleKind.SERVER_ERROR,  # a lock on the provider's side, which passes
    413: TroubleKind.TOO_LONG,
    429: TroubleKind.RATE_LIMITED,
    503: TroubleKind.OVERLOADED,
    529: TroubleKind.OVERLOADED,
}
_QUOTA = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"}
)
_QUOTA_WORDS = re.compile(
    r"credit balance is too low|reached your specified .{0,20}usage limit", re.IGNORECASE
)
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_TOO_LONG_WORDS = re.compile(
    r"maximum context length|prompt is too long"
    r"|exceeds? the (?:available )?context (?:size|window)",
    re.IGNORECASE,
)
_UNKNOWN_MODEL = frozenset({"model_not_found", "invalid_model"})
_UNKNOWN_MODEL_WORDS = re.compile(r"is not a valid model id", re.IGNORECASE)
# "invalid_prompt" is how OpenAI's reasoning models say that a prompt was flagged.
_FILTERED = frozenset(
    {"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation", "invalid_prompt"}
)
_FILTERED_WORDS = re.compile(r"content (?:filtering|management) policy", re.IGNORECASE)
_FILTERING_STATUSES = frozenset({400, 403, 422})


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an endpoint says in place of a reply.

    Attributes
    ----------
    message : str
    status : int, optional
        HTTP status, or of a body under 200 the number that it names.
    names : frozenset of str
        Its code and type, and those of the error within, as the provider spells them.
    param : str
        The part of the request that it blames.
    flagged : bool
        Whether a moderator's findings come with it.
    in_text : bool
        Whether it stands where a model's text should be. A model may write anything, so that such
        a complaint is never more than a passing trouble: no text stops a run.
    """

    message: str
    status: int | None = None
    names: frozenset[str] = frozenset()
    param: str = ""
    flagged: bool = False
    in_text: bool = False

    @property
    def filtered(self) -> bool:
        """Whether the provider's filter withheld the reply: then the model was heard, and mute."""
        if self.in_text or self._meant not in _FILTERING_STATUSES:
            return False
        return bool(self.flagged or self.names & _FILTERED or _FILTERED_WORDS.search(self.message))

    @property
    def _meant(self) -> int | None:
        """The status, or the one that its names stand for; 400 of a filter's name alone."""
        if self.status is not None:
            return self.status
        if self.names & (_FILTERED | _QUOTA | _TOO_LONG | _UNKNOWN_MODEL):
            return 400
        return next((_STATUS_OF_NAME[n] for n in sorted(self.names) if n in _STATUS_OF_NAME), None)

    def kind(self) -> TroubleKind:
        """Return what trouble it is, a rejected parameter apart."""
        found = _kind(self._meant, self.names, self.message)
        return found if not self.in_text or found in RETRIED else TroubleKind.MALFORMED

    def trouble(
        self, sent: frozenset[Parameter], detail: str, retry_after: float | None = None
    ) -> Trouble:
        """Return the trouble that it makes.

        Parameters
        ----------
        sent : frozenset of Parameter
            What the request held; only that can have been rejected.
        detail : str
            What may be told of its message.
        retry_after : float, optional
            Seconds that the endpoint asks to wait.
        """
        kind, parameter = self.kind(), None
        if kind is TroubleKind.REJECTED:
            parameter = rejected_parameter(self.param, self.message, sent)
        if parameter is not None:
            kind = TroubleKind.PARAMETER_REJECTED
        return Trouble(
            kind, detail, status=self.status, retry_after=retry_after, parameter=parameter
        )


def _kind(status: int | None, names: frozenset[str], message: str) -> TroubleKind:
    if status is None or status < 300:
        return TroubleKind.MALFORMED
    if names & _QUOTA or (status < 500 and _QUOTA_WORDS.search(message)):
        return TroubleKind.QUOTA_EXHAUSTED
    if status in {400, 422}:
        if names & _TOO_LONG or _TOO_LONG_WORDS.search(message):
            return TroubleKind.TOO_LONG
        if names & _UNKNOWN_MODEL or _UNKNOWN_MODEL_WORDS.search(message):
            return TroubleKind.UNKNOWN_MODEL
    if status in _KIND_OF_STATUS:
        return _KIND_OF_STATUS[status]
    return TroubleKind.SERVER_ERROR if status >= 500 else TroubleKind.REJECTED


def complaint_of(status: int, body: object) -> Complaint:
    """Return what an answer other than a success says; ``body`` is its JSON, or its text."""
    read = read_error(body, status)
    return read if read is not None else Complaint(_words(body), status=status)


def complaint_in(body: object) -> Complaint | None:
    """Return the complaint in the body of a success, or None where it is no error."""
    if not isinstance(body, dict):
        return None
    errs = body.get("object") == "error" or body.get("type") == "error" or bool(body.get("error"))
    return read_error(body) if errs else None


def complaint_as_text(text: str) -> Complaint | None:
    """Return the complaint that stands as a model's whole text, or None where it is no error body.

    It must be one JSON object whose ``error`` holds a message and a code or type.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return None
    if error.get("code") is None and error.get("type") is None:
        return None
    return _read(error, None, in_text=True)


def read_error(body: object, status: int | None = None) -> Complaint | None:
    """Return the error that a body holds in any of the shapes that providers give it, or None."""
    if isinstance(body, list) and len(body) == 1:  # one of them wraps it in a list
        body = body[0]
    if not isinstance(body, dict):
        return None
    error = body["error"] if body.get("error") else body
    if isinstance(error, str):
        return Complaint(error, status=status)
    return _read(error, status) if isinstance(error, dict) else None


def _read(error: Mapping[str, object], status: int | None, *, in_text: bool = False) -> Complaint:
    inner = error.get("innererror")
    details = error.get("metadata")
    inner = inner if isinstance(inner, dict) else {}
    details = details if isinstance(details, dict) else {}
    codes = (error.get("code"), error.get("type"), inner.get("code"))
    if status is None:
        status = next((n for c in (*codes, error.get("status")) if (n := _number(c))), None)
    # What the provider behind a router said comes as text of its own.
    message = next((error[k] for k in ("message", "detail", "title") if error.get(k)), error)
    message = f"{_words(message)} {_words(details['raw'])}" if details.get("raw") else message
    param = error.get("param")
    return Complaint(
        _words(message),
        status=status,
        names=frozenset(c for c in codes if isinstance(c, str)),
        param=param if isinstance(param, str) else "",
        flagged="flagged_input" in details,
        in_text=in_text,
    )


def _words(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _number(code: object) -> int | None:
    """Return a status that a code spells, or None."""
    digits = str(code) if isinstance(code, int | str) and not isinstance(code, bool) else ""
    return int(digits) if re.fullmatch(r"[1-5][0-9][0-9]", digits) else None
