"""A real Label Studio, started and ended as a person would, for the tests that need it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from annotation.account import Account, account_in
from annotation.connection import SDK, Connection, client
from annotation.environment import VERSION, cache_home, program
from annotation.trouble import StudioError

COMMAND = (sys.executable, "-m", "reports.cli", "label", "serve", "--with-parent")
START = 300.0  # seconds; an empty folder is migrated first
END = 30.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running ``aidg label serve``.

    Attributes
    ----------
    address : str
    folder : Path
        Of its data.
    said : list of str
        All that it printed before the first link.
    process : Popen
        The command; the server is the only child of its only child.
    """

    address: str
    folder: Path
    said: list[str]
    process: subprocess.Popen[str]

    @property
    def account(self) -> Account:
        """Return the coordinator's."""
        return account_in(self.folder)

    @property
    def connection(self) -> Connection:
        """Return the coordinator's."""
        return Connection(self.address, self.account.token)

    @property
    def invite(self) -> str:
        """Return the link by which raters sign up."""
        return next(line.split()[-1] for line in self.said if "sign up" in line)

    def child(self) -> int:
        """Return the process id of the server."""
        return _only_child(_only_child(self.process.pid))


def _only_child(pid: int) -> int:
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return int(child)


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who signed up; ``id`` is the server's number for them."""

    email: str
    password: str
    id: int
    connection: Connection


def need_label_studio() -> None:
    """Skip a test where Label Studio is not installed; fail it where it is required."""
    try:
        program(os.environ)
        __import__(SDK)
    except (StudioError, ImportError) as fault:
        if os.environ.get("AIDG_REQUIRE_LABEL_STUDIO"):
            pytest.fail(f"Label Studio and its client are required here: {fault}")
        pytest.skip(str(fault))


def migrated(folder: Path) -> Path:
    """Return a copy of a data folder that has been migrated; that is done once a machine."""
    kept = cache_home(os.environ) / f"label-studio-{VERSION}-migrated"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.is_dir():
            scratch = folder.with_name(f"{folder.name}-migrating")
            with serving(scratch):
                pass
            shutil.copytree(scratch, kept.with_suffix(".part"), dirs_exist_ok=True)
            kept.with_suffix(".part").rename(kept)
    shutil.copytree(kept, folder)
    return folder


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    """Serve a data folder on a free port; the command is ended by its own process id."""
    pipe = subprocess.PIPE  # for stdin too: the command ends with this process
    process = subprocess.Popen(
        [*COMMAND, "--data", str(folder), *options], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )
    try:
        said = _said(process)
        word, address = said[0].split()
        assert word == "LISTENING"
        yield Server(address, folder, said, process)
    finally:
        alive = process.poll() is None
        process.terminate()
        assert process.wait(END) == 0 or not alive
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _said(process: subprocess.Popen[str]) -> list[str]:
    """Return the lines that a command says once it serves, or fail with what it said instead."""
    assert process.stdout is not None
    assert process.stderr is not None
    late = threading.Timer(START, process.kill)
    late.start()
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.strip())
        if "name and password" in line:
            break
    late.cancel()
    if not lines or "name and password" not in lines[-1]:
        pytest.fail(f"it ended with {process.wait(END)}: {process.stderr.read()}")
    return lines


def signed_up(server: Server, email: str) -> Rater:
    """Return a rater who came by the invite link and made a token of their own."""
    password, home = f"password of {email}", server.address
    with httpx.Client(base_url=home, trust_env=False) as browser:
        browser.get(server.invite)
        form = {"email": email, "password": password, "allow_newsletters": "false"}
        form["csrfmiddlewaretoken"] = browser.cookies["csrftoken"]
        done = browser.post(server.invite, data=form, headers={"Referer": server.invite})
        assert done.status_code == 302, done.text
        headers = {"X-CSRFToken": browser.cookies["csrftoken"], "Referer": home}
        token = browser.post("/api/token/", headers=headers).json()["token"]
    own = Connection(home, token)
    with client(own) as studio:
        user = studio.users.whoami().id
    return Rater(email, password, user, own)
