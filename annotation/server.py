"""A Label Studio on loopback for whoever has none: its own process, home, data and variables."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import IO, NoReturn

from games.errors import AidgError
from games.rehearsal.local import healthy

from .account import Account, forget_address, leave_address, made_account, served_alone
from .trouble import StudioError

COMMAND = "aidg label serve"
LOG = "server.log"
START = 600.0  # seconds; an empty folder is migrated first, which takes about one minute
END = 20.0
_POLL = 0.3
_KEEPER = (sys.executable, "-I", "-S", str(Path(__file__).with_name("server_child.py")))
_STARTED = re.compile(r"Starting development server at (http://127\.0\.0\.1:(\d+))/")


class StudioDied(AidgError):  # noqa: N818 — said as it happened
    """The server's process ended by itself."""


@dataclass(frozen=True, slots=True)
class Studio:
    """A Label Studio that answers.

    Attributes
    ----------
    address : str
        ``http://127.0.0.1:PORT``.
    account : Account
        Of the coordinator.
    folder : Path
        Of its data.
    """

    address: str
    account: Account
    folder: Path
    _process: subprocess.Popen[bytes] = field(repr=False)

    @property
    def pid(self) -> int:
        """Return the id of the process that keeps the server, its only child."""
        return self._process.pid

    def watch(self) -> NoReturn:
        """Wait for as long as the server lives.

        Raises
        ------
        StudioDied
            The server ended by itself.
        """
        code = self._process.wait()
        raise StudioDied(f"`{COMMAND}` lost its server ({code}): see {self.folder / LOG}")


@contextmanager
def studio_serving(program: Path, folder: Path, port: int = 0) -> Iterator[Studio]:
    """Serve for the length of a ``with`` block; what people did stays in the data folder.

    Parameters
    ----------
    program : Path
        The executable ``label-studio``.
    folder : Path
        For its data; made where it is missing.
    port : int
        0 takes a free one.

    Raises
    ------
    StudioError
        The port is taken, a server runs on the folder already, or it did not start.
    """
    folder = folder.resolve()
    account = made_account(folder)
    with (
        served_alone(folder) as lock,
        (folder / LOG).open("wb") as log,
        _child(program, folder, account, wanted := _free_port(port), log, lock=lock) as child,
    ):
        address = _address(child, folder / LOG, wanted)
        leave_address(folder, address)
        try:
            yield Studio(address, account, folder, child)
        finally:
            forget_address(folder)


def clean_environment(program: Path, folder: Path, account: Account) -> dict[str, str]:
    """Return all variables that the server gets: of the caller's own it would obey too many."""
    return {
        "PATH": os.pathsep.join([str(program.parent), os.defpath]),
        "HOME": str(folder / "home"),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LABEL_STUDIO_USERNAME": account.email,
        "LABEL_STUDIO_PASSWORD": account.password,
        "LABEL_STUDIO_USER_TOKEN": account.token,
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "true",
        "LABEL_STUDIO_COLLECT_ANALYTICS": "false",
        "LABEL_STUDIO_LATEST_VERSION_CHECK": "false",
        "LABEL_STUDIO_SENTRY_DSN": "",
        "LABEL_STUDIO_FRONTEND_SENTRY_DSN": "",
    }


@contextmanager
def _child(
    program: Path, folder: Path, account: Account, port: int, log: IO[bytes], *, lock: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the server, in a session of its own so that a terminal's Ctrl-C is ours alone to obey.

    It ends with this process, whatever ends that, and the folder is held until it has.
    """
    (folder / "home").mkdir(exist_ok=True)
    options = ["--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(
        [*_KEEPER, str(program), "start", *options],
        env=clean_environment(program, folder, account),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=(lock,),
        umask=0o077,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(END)
            except subprocess.TimeoutExpired:
                process.kill()


def _free_port(wanted: int) -> int:
    """Return a port that is free now; the server itself would silently take the next one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as fault:
            rule = f"must be a free port ({fault.strerror})"
            raise StudioError("--port", rule, wanted) from None
        return int(probe.getsockname()[1])


def _address(process: subprocess.Popen[bytes], log: Path, wanted: int) -> str:
    """Return the address that the server's log names, once the server is healthy there."""
    end = monotonic() + START
    while process.poll() is None and monotonic() < end:
        found = _STARTED.search(log.read_text(encoding="utf-8", errors="replace"))
        if found and int(found[2]) != wanted:
            raise StudioError("--port", "was taken by another program meanwhile", wanted)
        if found and healthy(found[1]):
            return found[1]
        sleep(_POLL)
    raise StudioError(COMMAND, f"could not start: {_last_line(log)} (see {log})")


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "it did not say why"
