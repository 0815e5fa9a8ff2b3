"""Which server, which token, and one clear line for all that can be wrong with either."""

from __future__ import annotations

import json
import socket
import stat
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

import annotation.connection
from annotation.account import (
    ACCOUNT,
    account_in,
    address_in,
    forget_address,
    leave_address,
    made_account,
    served_alone,
)
from annotation.connection import Connection, client, connection, data_folder
from annotation.trouble import DETAIL, StudioError, in_one_line

HOME = "http://127.0.0.1:9"
SECRET = "s3cret-token-of-a-person"
PAGE = "<!DOCTYPE html><html><body><h1>Something & <b>long</b></h1></body></html>"


def named(url=HOME, token=SECRET):
    return {"LABEL_STUDIO_URL": url, "LABEL_STUDIO_API_KEY": token}


def test_the_environment_comes_first(tmp_path):
    given = {"XDG_DATA_HOME": str(tmp_path), **named(f" {HOME}/ ", f"{SECRET}\n")}
    with serve_left(tmp_path / "aidg" / "label-studio"):
        assert connection(given) == Connection(HOME, SECRET)
        assert SECRET not in repr(connection(given))


@contextmanager
def serve_left(folder):
    """Leave what a server leaves for as long as it runs; yield how it is reached."""
    account = made_account(folder)
    with served_alone(folder):
        leave_address(folder, "http://127.0.0.1:19999")
        yield Connection("http://127.0.0.1:19999", account.token)


def test_else_what_serve_left(tmp_path):
    given = {"XDG_DATA_HOME": str(tmp_path)}
    assert data_folder(given) == tmp_path / "aidg" / "label-studio"
    with pytest.raises(
        StudioError, match=r"`Label Studio` must run \(aidg label serve\), or LABEL"
    ):
        connection(given)
    with serve_left(tmp_path / "aidg" / "label-studio") as left:
        assert connection(given) == left


def test_a_folder_that_is_named_comes_before_the_environment(tmp_path):
    with serve_left(tmp_path) as left:
        assert connection(named(), tmp_path) == left
        forget_address(tmp_path)
        assert address_in(tmp_path) is None
        with pytest.raises(StudioError, match="must run"):
            connection(named(), tmp_path)


def test_an_address_that_nobody_holds_is_not_believed(tmp_path):
    with serve_left(tmp_path) as left:
        assert address_in(tmp_path) == left.address
    assert (tmp_path / "address").exists()  # as after a kill: the note stays, the lock does not
    assert address_in(tmp_path) is None
    with pytest.raises(StudioError, match="must run"):
        connection(named(), tmp_path)
    (tmp_path / "lock").unlink()
    assert address_in(tmp_path) is None
    with served_alone(tmp_path):
        assert not (tmp_path / "address").exists()


def test_a_folder_that_is_held_is_served_already_be_its_address_known_or_not(tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.account._PATIENCE", 0.1)
    with serve_left(tmp_path) as left:
        for line in (f"`--data` is served already, at {left.address}, found", "already, found"):
            with pytest.raises(StudioError, match=line), served_alone(tmp_path):
                pytest.fail("it was held twice")
            forget_address(tmp_path)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"LABEL_STUDIO_URL": HOME}, "`LABEL_STUDIO_API_KEY` must be set and not empty, as LABEL"),
        (named(token=" "), "`LABEL_STUDIO_API_KEY` must be set and not empty, as LABEL_STUDIO_URL"),
        ({"LABEL_STUDIO_API_KEY": SECRET}, "`LABEL_STUDIO_URL` must be set and not empty"),
        (named(url=""), "`LABEL_STUDIO_URL` must be set and not empty, as LABEL_STUDIO_API_KEY is"),
        (named(url="localhost:8080"), "`LABEL_STUDIO_URL` must be an address such as http://"),
        (named(url="http://"), "`LABEL_STUDIO_URL` must be an address such as http://"),
        (named(url="http://h:99999"), "`LABEL_STUDIO_URL` must be an address such as http://"),
        (named(url="http://u:p@h"), "`LABEL_STUDIO_URL` must be an address such as http://"),
        (named(token="two words"), "`LABEL_STUDIO_API_KEY` must be a token: one word of ASCII"),
        (named(token="tökén"), "`LABEL_STUDIO_API_KEY` must be a token: one word of ASCII"),
    ],
)
def test_half_a_connection_is_refused(given, line):
    with pytest.raises(StudioError) as fault:
        connection(given)
    assert str(fault.value).startswith(line)
    assert SECRET not in str(fault.value)
    assert "u:p" not in str(fault.value)


def test_an_account_is_made_once_and_for_its_owner_alone(tmp_path):
    made = made_account(tmp_path / "new")
    assert made_account(tmp_path / "new") == made == account_in(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new" / ACCOUNT).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    (tmp_path / "new").chmod(0o755)  # as an earlier version left it
    made_account(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert made.token not in repr(made)
    assert made.password not in repr(made)
    assert made_account(tmp_path / "other").token != made.token


def test_data_without_an_account_are_refused(tmp_path):
    (tmp_path / "label_studio.sqlite3").touch()
    with pytest.raises(StudioError, match=r"`account.json` is missing beside a server's data"):
        made_account(tmp_path)


@contextmanager
def answering(status, body, kind="application/json"):
    """Yield the address of a web server that answers everything alike, and what it was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            if status is None:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


def complaint_of(address, token=SECRET):
    with pytest.raises(StudioError) as fault, client(Connection(address, token)):
        pytest.fail("such a server was accepted")
    line = str(fault.value)
    assert "\n" not in line
    assert len(line) < 500
    assert token not in line
    assert "<" not in line
    return line.replace(address, "HOME")


NOT_ONE = "`HOME` must be the address of a Label Studio, and something else answers there"
TOKEN = "`LABEL_STUDIO_API_KEY` must be a token that HOME accepts"


@pytest.mark.parametrize(
    ("status", "body", "line"),
    [
        (200, PAGE, NOT_ONE),
        (200, '{"hello": []}', NOT_ONE),
        (200, "[]", NOT_ONE),
        (302, "", NOT_ONE),
        (401, '{"detail": "Invalid token."}', f"{TOKEN} (Invalid token.)"),
        (403, PAGE, TOKEN),
        (404, PAGE, "`HOME` answered 404 Not Found"),
        (
            400,
            '{"validation_errors": {"a": ["b"]}}',
            '`HOME` answered 400 Bad Request ({"a": ["b"]})',
        ),
    ],
)
def test_whatever_a_web_server_answers_is_one_line(status, body, line):
    pytest.importorskip("label_studio_sdk")
    with answering(status, body) as (address, _):
        assert complaint_of(address) == line


def test_a_port_on_which_nobody_listens_is_one_line(monkeypatch):
    pytest.importorskip("label_studio_sdk")
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")  # no way to this machine
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}"
    line = "`HOME` must be a Label Studio that runs; nobody listens (then the same command goes on)"
    assert complaint_of(address) == line


def test_a_server_that_hangs_up_is_one_line(monkeypatch):
    pytest.importorskip("label_studio_sdk")
    monkeypatch.setattr("time.sleep", lambda _: None)
    with answering(None, "") as (address, _):
        line = complaint_of(address)
    assert line == "`HOME` ended the connection; once it runs again, the same command goes on"


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (httpx.ReadTimeout("x"), f"`{HOME}` gave no answer in time; the same command goes on"),
        (httpx.ConnectError("x"), f"`{HOME}` must be a Label Studio that runs; nobody listens"),
        (httpx.RemoteProtocolError("x"), f"`{HOME}` ended the connection; once it runs again, the"),
        (json.JSONDecodeError("x", "y", 0), f"`{HOME}` must be the address of a Label Studio, and"),
    ],
)
def test_what_the_wire_raises_names_the_server(fault, line):
    pytest.importorskip("label_studio_sdk")
    with pytest.raises(StudioError) as told, in_one_line(HOME):
        raise fault
    assert str(told.value).startswith(line)


def test_a_long_reason_is_cut(monkeypatch):
    pytest.importorskip("label_studio_sdk")
    monkeypatch.setattr("time.sleep", lambda _: None)
    with answering(500, json.dumps({"detail": "word " * 1_000})) as (address, asked):
        line = complaint_of(address)
    assert line.startswith("`HOME` answered 500 Internal Server Error (word word")
    assert len(line) < DETAIL + 60
    assert len(asked) == 3  # asking who we are creates nothing and may be repeated


def test_a_missing_client_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(annotation.connection, "SDK", "no_such_package")
    line = r"`label-studio-sdk` is not installed: pip install 'aidg-audit\[label\]'"
    with pytest.raises(StudioError, match=line), client(Connection(HOME, SECRET)):
        pytest.fail("there is no client")


def test_no_module_imports_the_client_at_once():
    for path in Path(annotation.__file__).parent.glob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not line.startswith(("from label_studio_sdk", "import label_studio_sdk")), path
