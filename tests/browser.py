"""A headless Chromium, driven through its driver's own protocol: W3C WebDriver over HTTP.

Only what the tests of a page need: open, find, click, press, look.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
PATIENCE = 60.0  # seconds
ENTER, CONTROL = "\ue007", "\ue009"
_READY = re.compile(r"successfully on port (\d+)")
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the standard gives to elements
_FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
Found = TypeVar("Found")


def need_browser() -> None:
    """Skip a test where there is no browser; fail it where one is required."""
    if CHROMIUM is None or DRIVER is None:
        if os.environ.get("AIDG_REQUIRE_BROWSER"):
            pytest.fail("chromium and chromedriver are required here and are not installed")
        pytest.skip("chromium or chromedriver is not installed")


class Browser:
    """One window."""

    def __init__(self, wire: httpx.Client, session: str) -> None:
        self._wire, self._path = wire, f"/session/{session}"

    def ask(self, what: str, **given: Any) -> Any:
        """Send one command and return its value."""
        answer = self._wire.post(f"{self._path}/{what}", json=given)
        assert answer.status_code == 200, answer.json()["value"]["message"]
        return answer.json()["value"]

    def open(self, address: str) -> None:
        self.ask("url", url=address)

    def run(self, script: str, *given: Any) -> Any:
        return self.ask("execute/sync", script=script, args=list(given))

    def all(self, xpath: str) -> list[str]:
        """Return the elements that a path finds now."""
        found = self.ask("elements", using="xpath", value=xpath)
        return [element[_ELEMENT] for element in found]

    def one(self, xpath: str) -> str:
        """Return the first element that a path finds, as soon as it is there."""
        return self.until(lambda: next(iter(self.all(xpath)), None), xpath)

    def click(self, xpath: str) -> None:
        """Click on the middle of an element as a mouse does, whatever lies on top."""
        element = self.one(xpath)
        self.run("arguments[0].scrollIntoView({block: 'center'})", {_ELEMENT: element})
        over = {"type": "pointerMove", "origin": {_ELEMENT: element}, "x": 0, "y": 0, "duration": 0}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.ask("actions", actions=[mouse | {"actions": [over, *press]}])

    def press(self, *keys: str) -> None:
        """Press keys together, wherever the focus is."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.ask("actions", actions=[{"type": "key", "id": "keys", "actions": [*down, *up]}])

    def write(self, xpath: str, text: str) -> None:
        self.ask(f"element/{self.one(xpath)}/value", text=text)

    def picture(self) -> bytes:
        """Return what the window shows, as PNG."""
        return base64.b64decode(self._wire.get(f"{self._path}/screenshot").json()["value"])

    def until(self, check: Callable[[], Found | None], what: str) -> Found:
        """Return what a check finds, as soon as it finds something."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = check()
            except AssertionError as fault:  # the page was redrawn meanwhile
                if "stale" not in str(fault):
                    raise
            else:
                if found:
                    return found
            time.sleep(0.1)
        pytest.fail(f"waited {PATIENCE:.0f} s for {what}")


@contextmanager
def browsing(
    profile: Path, width: int = 1280, height: int = 900, *, dark: bool = False
) -> Iterator[Browser]:
    """Yield a window of a size; the driver is ended by its own process id, and it ends the rest."""
    assert DRIVER is not None
    flags = [*_FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"]
    flags += ["--force-dark-mode"] if dark else []
    process = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        port = next(found[1] for line in process.stdout if (found := _READY.search(line)))
        options = {"binary": CHROMIUM, "args": flags}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        address = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as wire:
            session = wire.post("/session", json=wanted).json()["value"]["sessionId"]
            try:
                yield Browser(wire, session)
            finally:
                wire.delete(f"/session/{session}")
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()
