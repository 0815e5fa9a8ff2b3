"""Where the server is found, what it is given, and how it is told apart from one that fails."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
import time
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from annotation import server_child
from annotation.account import made_account
from annotation.environment import REQUIREMENTS, VERSION, cache_home, install, program
from annotation.server import StudioDied, clean_environment, studio_serving
from annotation.trouble import StudioError
from games.rehearsal.local import healthy

# A program that says what the server says, and answers as much.
FAKE = """\
#!{python}
import http.server, os, sys, pathlib
port = int(sys.argv[sys.argv.index("--port") + 1]) + {shift}
pathlib.Path("seen").write_text("\\n".join(f"{{k}}={{v}}" for k, v in os.environ.items()))
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", port), Handler)
print(f"Starting development server at http://127.0.0.1:{{port}}/", flush=True)
{then}
"""


def fake_program(folder, then="server.serve_forever()", shift=0):
    path = folder / "label-studio"
    path.write_text(FAKE.format(python=sys.executable, then=then, shift=shift), encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_own_environment_comes_before_the_path(tmp_path):
    given = {"XDG_CACHE_HOME": str(tmp_path), "PATH": str(tmp_path)}
    with pytest.raises(
        StudioError, match=r"`label-studio` is not installed: aidg label serve --in"
    ):
        program(given)
    assert (
        program(given | {"PATH": str(fake_program(tmp_path).parent)}) == tmp_path / "label-studio"
    )
    own = cache_home(given) / f"label-studio-{VERSION}" / "bin"
    own.mkdir(parents=True)
    assert program(given) == tmp_path / "label-studio"
    fake_program(own)
    assert program(given) == own / "label-studio"
    assert install(given) == own / "label-studio"  # there already: nothing is fetched


def test_a_cache_home_that_is_relative_is_passed_over(tmp_path):
    assert cache_home({"XDG_CACHE_HOME": "here"}) == Path.home() / ".cache" / "aidg"
    assert cache_home({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "aidg"


def test_an_installer_that_fails_or_lacks_says_so(tmp_path, monkeypatch):
    given = {"XDG_CACHE_HOME": str(tmp_path), "PATH": str(tmp_path)}
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    with pytest.raises(StudioError, match="`aidg label serve --install` needs uv beside this"):
        install(given)
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\necho 'error: no route to host' >&2\nexit 2\n", encoding="ascii")
    uv.chmod(0o755)
    line = rf"`label-studio {VERSION}` was not installed: error: no route to host"
    with pytest.raises(StudioError, match=line):
        install(given)


def test_nothing_of_the_callers_environment_reaches_the_server(tmp_path, monkeypatch):
    for name in ("PORT", "HOST", "DEBUG", "USERNAME", "LABEL_STUDIO_HOST", "HTTP_PROXY"):
        monkeypatch.setenv(name, "evil")
    with studio_serving(fake_program(tmp_path), tmp_path / "data") as studio:
        seen = (tmp_path / "data" / "seen").read_text(encoding="utf-8")
        found = dict(line.split("=", 1) for line in seen.splitlines())
        assert (tmp_path / "data" / "address").read_text(encoding="ascii").strip() == studio.address
        assert stat.S_IMODE((tmp_path / "data" / "seen").stat().st_mode) == 0o600
    program_path, folder = tmp_path / "label-studio", tmp_path / "data"
    wanted = clean_environment(program_path, folder, made_account(folder))
    assert {name: found.get(name) for name in wanted} == wanted
    assert found.keys() - wanted.keys() <= {"LC_CTYPE", "PWD", "SHLVL", "_"}
    assert wanted["HOME"].startswith(str(folder))
    assert not (folder / "address").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(studio.pid, 0)


def test_a_server_that_ends_by_itself_is_told(tmp_path):
    dying = fake_program(tmp_path, "server.handle_request(); server.server_close(); sys.exit(7)")
    line = r"`aidg label serve` lost its server \(7\): see .*server\.log"
    with studio_serving(dying, tmp_path / "data") as studio, pytest.raises(StudioDied, match=line):
        studio.watch()


def test_a_server_that_does_not_start_says_its_last_line(tmp_path):
    broken = tmp_path / "label-studio"
    broken.write_text("#!/bin/sh\necho first\necho 'no such table: x'\nexit 1\n", encoding="ascii")
    broken.chmod(0o755)
    line = r"`aidg label serve` could not start: no such table: x \(see .*server\.log\)"
    with pytest.raises(StudioError, match=line), studio_serving(broken, tmp_path / "data"):
        pytest.fail("it did not start")


def test_a_port_must_be_free_and_stay_so(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = rf"`--port` must be a free port \(.*\), found {port}"
        with (
            pytest.raises(StudioError, match=line),
            studio_serving(fake_program(tmp_path), tmp_path / "data", port),
        ):
            pytest.fail("the port was taken")
    shifted = fake_program(tmp_path, shift=1)  # as the server does where a port is taken
    line = "`--port` was taken by another program meanwhile"
    with pytest.raises(StudioError, match=line), studio_serving(shifted, tmp_path / "data"):
        pytest.fail("that is another port")


def test_a_folder_is_served_once(tmp_path):
    made = fake_program(tmp_path)
    with (
        studio_serving(made, tmp_path / "data") as studio,
        pytest.raises(StudioError, match=f"`--data` is served already, at {studio.address}"),
        studio_serving(made, tmp_path / "data"),
    ):
        pytest.fail("it was served twice")
    with studio_serving(made, tmp_path / "data"):
        pass


SERVES = """\
import sys, time
from pathlib import Path
from annotation.server import studio_serving
with studio_serving(Path(sys.argv[1]), Path(sys.argv[2])) as studio:
    print(studio.address, flush=True)
    time.sleep(60)
"""


def test_a_server_ends_with_a_parent_that_is_killed(tmp_path):
    command = [sys.executable, "-c", SERVES, str(fake_program(tmp_path)), str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        address = parent.stdout.readline().strip()
        assert healthy(address)
        parent.kill()
    end = time.monotonic() + 10
    while healthy(address) and time.monotonic() < end:
        time.sleep(0.05)
    assert not healthy(address)
    # Nothing that the dead one left stands in the way.
    with studio_serving(tmp_path / "label-studio", tmp_path / "data"):
        pass


def test_a_server_that_ignores_the_signal_is_killed(tmp_path, monkeypatch):
    ignores = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    stubborn = f"{ignores}; server.serve_forever()"
    child = tmp_path / "child.py"
    text = Path(server_child.__file__).read_text(encoding="utf-8")
    child.write_text(text.replace("END = 15.0", "END = 0.3"), encoding="utf-8")
    monkeypatch.setattr("annotation.server._KEEPER", (sys.executable, "-I", "-S", str(child)))
    with studio_serving(fake_program(tmp_path, stubborn), tmp_path / "data") as studio:
        assert healthy(studio.address)
    assert not healthy(studio.address)


@pytest.mark.parametrize(
    ("words", "code"), [("exit 7", 7), ("kill -9 $$", 128 + 9), ("exec sleep 60", 128 + 15)]
)
def test_the_keeper_ends_as_its_server_does(words, code):
    keeper = [sys.executable, "-I", "-S", server_child.__file__, "/bin/sh", "-c", words]
    with subprocess.Popen(keeper, stdin=subprocess.PIPE) as process:
        if "sleep" in words:
            time.sleep(0.5)
            process.terminate()
        assert process.wait(10) == code


def test_what_is_installed_is_pinned_by_digests_and_names_no_index():
    text = (files("annotation") / REQUIREMENTS).read_text(encoding="ascii")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    pins = [line for line in lines if not line.startswith(" ")]
    assert f"label-studio=={VERSION} \\" in pins
    assert all(re.match(r"[A-Za-z0-9._\[\]-]+==\S+( ; .*)? \\$", pin) for pin in pins)
    assert "://" not in text
    digests = re.findall(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$", text, re.MULTILINE)
    assert len(pins) + len(digests) == len(lines)
    # Every pin is followed by a digest of its own.
    for pin, following in pairwise(lines):
        assert pin.startswith(" ") or following.startswith("    --hash=sha256:")


def test_the_installer_is_told_to_check_every_digest(tmp_path, monkeypatch):
    given = {"XDG_CACHE_HOME": str(tmp_path), "PATH": str(tmp_path)}
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    uv, said = tmp_path / "uv", tmp_path / "said"
    uv.write_text(f'#!/bin/sh\necho "$@" >> {said}\n', encoding="ascii")
    uv.chmod(0o755)
    install(given)
    made, filled = said.read_text(encoding="ascii").splitlines()
    assert made.startswith("venv ")
    assert "--require-hashes -r " in filled
    assert filled.endswith(REQUIREMENTS)
