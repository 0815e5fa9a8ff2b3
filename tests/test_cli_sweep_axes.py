"""A file of axes that breaks a rule: one line with subject, rule, value and place."""

from __future__ import annotations

import pytest

from .test_cli import played, refusal  # noqa: F401 — the fixture

LIST = "must be a list with a level or more"
RANGE = "must be a number above 0 and below a million"
CASES = [
    ("k = 24", f"`k` {LIST}, found 24"),
    ("k = []", f"`k` {LIST}"),
    ("[k]", f"`k` {LIST}"),
    ('k = "all"', f"`k` {LIST}, found 'all'"),
    ("k = [true]", "`k` must be a list of words or numbers, found True"),
    ("k = [[24]]", "`k` must be a list of words or numbers, found [24]"),
    ('k = ["24"]', "`k` must hold numbers, found '24'"),
    ("order = [24]", "`order` must hold words, found 24"),
    ("k = [0]", f"`k` {RANGE}, found '0'"),
    ("k = [nan]", f"`k` {RANGE}, found 'nan'"),
    ("k = [24, 24.0]", "`k` must not repeat a level, found 24 2 times"),
    ('carry = ["reset", "reset", "carried"]', "`carry` must not repeat a level, found reset 2"),
    ('carry = ["kept"]', "`carry` must be one of carried, reset, found 'kept'"),
    ("kay = [24]", "`kay` must be an axis: verdicts, experiment, estimator, k, start,"),
    ('verdicts = ["jury"]', "`verdicts` must be all, or some of arbiter, referee"),
]


@pytest.mark.parametrize(("line", "said"), CASES, ids=[line for line, _ in CASES])
def test_a_bad_file_of_axes_is_one_line(
    played,  # noqa: F811
    monkeypatch,
    capsys,
    tmp_path,
    line,
    said,
):
    path = tmp_path / "axes.toml"
    path.write_text(f'# axes\nscope = ["wins_only"]\n{line}\n', encoding="utf-8")
    found = refusal(monkeypatch, capsys, "sweep", played, "--axes", path)
    place = path if "jury" in line else f"{path}:3"
    assert found.startswith(f"aidg: {place}: {said}")
    for words in ("nput should", "valid", "tuple", "Value error"):
        assert words not in found
