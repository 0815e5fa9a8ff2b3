"""Which Label Studio is spoken to, and by what token: never an argument, never in a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from games.materials.save import data_home
from games.records import ID_LENGTH, digest

from .account import account_in, address_in
from .trouble import NOT_ONE, StudioError, in_one_line

if TYPE_CHECKING:
    from label_studio_sdk.client import LabelStudio

URL, TOKEN = "LABEL_STUDIO_URL", "LABEL_STUDIO_API_KEY"
SDK = "label_studio_sdk"
TIMEOUT = 300.0  # seconds; an export of 10,000 tasks took 22
_VISIBLE = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Connection:
    """Where a Label Studio listens, and what opens it; the token shows in no message.

    Attributes
    ----------
    address : str
        Without a slash at its end.
    token : str
        A legacy token or a personal access token.
    """

    address: str
    token: str = field(repr=False)


def data_folder(environ: Mapping[str, str]) -> Path:
    """Return where ``aidg label serve`` keeps its data by default."""
    return data_home(environ) / "label-studio"


def connection(environ: Mapping[str, str], folder: Path | None = None) -> Connection:
    """Return the connection that the environment names, else the one that ``serve`` left.

    Parameters
    ----------
    environ : mapping
        ``LABEL_STUDIO_URL`` and ``LABEL_STUDIO_API_KEY``, both or neither.
    folder : Path, optional
        The data folder of ``serve``; where it is given, it comes first.

    Raises
    ------
    StudioError
        Neither is there, one of the two is missing or empty, or either cannot be one.
    """
    named = [environ.get(name) for name in (URL, TOKEN)]
    if folder is not None or named == [None, None]:
        return _left_in(folder or data_folder(environ))
    for name, value in zip((URL, TOKEN), named, strict=True):
        if not (value or "").strip():
            other = TOKEN if name == URL else URL
            raise StudioError(name, f"must be set and not empty, as {other} is")
    address, token = ((value or "").strip() for value in named)
    return Connection(_checked_address(address), _checked_token(token))


def check_client() -> None:
    """Refuse, with what to do about it, where the client's package is not installed."""
    if find_spec(SDK) is None:
        raise StudioError("label-studio-sdk", "is not installed: pip install 'aidg-audit[label]'")


@contextmanager
def client(to: Connection) -> Iterator[LabelStudio]:
    """Yield a client of a Label Studio that has accepted the token.

    Raises
    ------
    StudioError
        The client is not installed, or anything goes wrong within the block; in one line.
    """
    check_client()
    import httpx
    from label_studio_sdk.client import LabelStudio

    # A proxy of the environment is no way to this machine; a redirect would turn a POST into a GET.
    trust = not _on_loopback(to.address)
    with httpx.Client(timeout=TIMEOUT, trust_env=trust) as wire, in_one_line(to.address):
        make: Any = LabelStudio
        studio: LabelStudio = make(base_url=to.address, api_key=to.token, httpx_client=wire)
        _check_studio(studio, to.address)
        yield studio


def server_mark(studio: LabelStudio) -> str:
    """Return what tells a server from every other, whatever address it listens at.

    It is made from the moment at which the server's organization began; empty where the server does
    not say that.
    """
    began = [organization.created_at for organization in studio.organizations.list()]
    known = sorted(moment.isoformat() for moment in began if moment is not None)
    return digest(f"label studio of {known[0]}")[:ID_LENGTH] if known else ""


def _check_studio(studio: LabelStudio, address: str) -> None:
    """Refuse what answers like no Label Studio; the client itself takes any JSON for an answer."""
    try:
        known = isinstance(studio.users.whoami().id, int)
    except (TypeError, AttributeError):
        known = False
    if not known:
        raise StudioError(address, NOT_ONE)


def _left_in(folder: Path) -> Connection:
    address = address_in(folder)
    if address is None:
        rule = f"must run (aidg label serve), or {URL} and {TOKEN} be set"
        raise StudioError("Label Studio", rule)
    return Connection(address, account_in(folder).token)


def _checked_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        whole = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        whole = False
    if not whole or parts.username or parts.password or parts.query or parts.fragment:
        raise StudioError(URL, "must be an address such as http://127.0.0.1:8080")
    return text.rstrip("/")


def _checked_token(text: str) -> str:
    if not _VISIBLE.fullmatch(text):
        raise StudioError(TOKEN, "must be a token: one word of ASCII characters")
    return text


def _on_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
