"""The watch over a server's connections sees what there is to see, and tells near from far."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .watched import Watched, on_this_machine, remote

CONNECTS = """\
import socket, sys, time
with socket.create_connection(("localhost", int(sys.argv[1]))) as one:
    print(one.getpeername()[0], flush=True)
    sys.stdin.read()
"""


def test_names_and_addresses_are_told_apart():
    near = (
        "localhost",
        "127.0.0.1",
        "127.8.0.9",
        "::1",
        "::ffff:127.0.0.1",
        "/run/x",
        "0.0.0.0",
        "",
    )
    far = ("example.test", "192.0.2.1", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.1", "localhost.")
    assert [on_this_machine(host) for host in near] == [True] * len(near)
    assert [on_this_machine(host) for host in far] == [False] * len(far)


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("0100007F:1F90", "127.0.0.1"),
        ("010200C0:0050", "192.0.2.1"),
        ("00000000000000000000000001000000:0050", "::1"),
        ("B80D0120000000000000000001000000:0050", "2001:db8::1"),
    ],
)
def test_an_address_is_read_from_the_kernels_table(told, address):
    assert str(remote(told)) == address


def test_a_connection_is_seen_both_ways(tmp_path):
    """The connection is to this machine; that it would count as another's is told above."""
    watched = Watched.made(tmp_path / "watched", Path(sys.executable))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = [str(watched.folder / Path(sys.executable).name), "-c", CONNECTS, str(port)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
            with watched.sampling(process.pid):
                assert process.stdout.readline().strip() == "127.0.0.1"
                with server.accept()[0]:  # open until it was looked at
                    begun = watched.samples
                    while watched.samples < begun + 3:
                        time.sleep(0.01)
            process.stdin.close()
    assert watched.begun == 1
    assert watched.seen == {"127.0.0.1"}
    noted = (watched.folder / "seen.jsonl").read_text(encoding="utf-8")
    assert '["socket.getaddrinfo", "localhost"]' in noted
    assert '["socket.connect", "127.0.0.1"]' in noted
    assert watched.outside() == []
    with (watched.folder / "seen.jsonl").open("a", encoding="utf-8") as file:
        file.write('["socket.getaddrinfo", "example.test"]\n')
    watched.seen.add("192.0.2.1")
    assert watched.outside() == ["192.0.2.1", "example.test"]
