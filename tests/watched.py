"""Whom a server speaks to: every connection that it, or a child of it, makes or tries to make.

Two ways at once. An audit hook in each Python process of the server notes every name looked up and
every address connected or sent to, whether anybody answers or not. And all sockets of the process
tree are read from ``/proc`` every few milliseconds, for what does not go through Python.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

HOOK = """
import json, os, sys

LOG = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
EVENTS = {{"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1,
          "socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}}

def note(event, args):
    if event in EVENTS:
        told = args[EVENTS[event]]
        host = told[0] if isinstance(told, tuple) else told
        line = json.dumps([event, host.decode() if isinstance(host, bytes) else host])
        os.write(LOG, (line + "\\n").encode())

os.write(LOG, b'["begun", null]\\n')
sys.addaudithook(note)
"""
PROGRAM = '#!/bin/sh\nPYTHONPATH="{folder}" exec "{program}" "$@"\n'
PAUSE = 0.01  # seconds
_TABLES = ("tcp", "tcp6", "udp", "udp6")


@dataclass(slots=True)
class Watched:
    """What was seen of a server."""

    folder: Path
    seen: set[str] = field(default_factory=set)
    samples: int = 0
    sockets: int = 0

    @classmethod
    def made(cls, folder: Path, program: Path) -> Watched:
        """Return a watch; its folder holds a program of the same name, that runs under it."""
        folder.mkdir()
        hook = HOOK.format(log=str(folder / "seen.jsonl"))
        (folder / "sitecustomize.py").write_text(hook, encoding="utf-8")
        wrapper = folder / program.name
        wrapper.write_text(PROGRAM.format(folder=folder, program=program), encoding="utf-8")
        wrapper.chmod(0o755)
        return cls(folder)

    @contextmanager
    def sampling(self, pid: int) -> Iterator[None]:
        """Read the sockets of a process and all its children while a block runs."""
        over = threading.Event()
        thread = threading.Thread(target=self._sample, args=(pid, over))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    @property
    def begun(self) -> int:
        """Return how many Python processes noted what they do."""
        return sum(event == "begun" for event, _ in self._noted())

    def outside(self) -> list[str]:
        """Return everything that is not on this machine."""
        named = {str(host) for event, host in self._noted() if event != "begun" and host}
        return sorted(host for host in named | self.seen if not on_this_machine(host))

    def _noted(self) -> list[list[str | None]]:
        lines = (self.folder / "seen.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def _sample(self, pid: int, over: threading.Event) -> None:
        while not over.wait(PAUSE):
            inodes = set().union(*(_inodes(one) for one in _tree(pid)))
            found = [remote for inode, remote in _remotes() if inode in inodes]
            self.samples += 1
            self.sockets = max(self.sockets, len(found))
            self.seen.update(str(remote) for remote in found if not remote.is_unspecified)


def on_this_machine(host: str) -> bool:
    """Return whether a name, an address or the path of a socket is this machine's own."""
    if host in {"localhost", ""} or host.startswith("/"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback or address.is_unspecified


def _tree(pid: int) -> list[int]:
    """Return a process and all its children, and theirs."""
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, task.read_text(encoding="ascii").split())
    return found


def _inodes(pid: int) -> set[str]:
    """Return the sockets that a process holds; none of one that is gone."""
    found = set()
    with suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                name = str(link.readlink())
                if name.startswith("socket:["):
                    found.add(name[len("socket:[") : -1])
    return found


def _remotes() -> list[tuple[str, IPv4Address | IPv6Address]]:
    """Return every socket of the machine's by inode, with the address at its other end."""
    found = []
    for table in _TABLES:
        lines = Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]
        for line in lines:
            parts = line.split()
            found.append((parts[9], remote(parts[2])))
    return found


def remote(told: str) -> IPv4Address | IPv6Address:
    """Return the address in a column of ``/proc/net``: 32 bits at a time, low byte first."""
    raw = bytes.fromhex(told.partition(":")[0])
    turned = b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4))
    return ip_address(turned)
