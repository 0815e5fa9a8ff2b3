"""``aidg explain``: how one claim was checked, from the printed string to its standing."""

from __future__ import annotations

import shlex
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import AsJson, MovedTo

if TYPE_CHECKING:
    from reports.derivation import Part

_NARROWEST = 40
# Of more variants than this, those that print so are listed and the others counted.
_LISTED = 16


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(explain)


def explain(
    source: Annotated[
        str, typer.Argument(metavar="STUDY|RUN", help="A study as elsewhere, or a run's folder.")
    ],
    claim: Annotated[str, typer.Argument(help="The claim's id, as `study paper` lists it.")],
    every: Annotated[bool, typer.Option("--all", help="List every variant tried.")] = False,
    moved_to: MovedTo = None,
    as_json: AsJson = False,
) -> None:
    """Show how a claim was checked: what it rests on, what was tried, what came of it."""
    from games.errors import RunError
    from games.run import MANIFEST
    from reports.derivation import visible

    from .show import print_json

    run = (Path(source) / MANIFEST).is_file()
    if moved_to is not None and not run:
        raise RunError("--study", "must stand beside a run's folder", source)
    most = None if every else _LISTED
    parts = _of_run(Path(source), claim, moved_to, most) if run else _of_study(source, claim, most)
    moved = [] if moved_to is None else ["--study", moved_to]
    command = visible(shlex.join(["aidg", "explain", source, claim, *moved]))
    if as_json:
        print_json({part.label: part.lines for part in parts} | {"command": [command]})
    else:
        _print_parts(parts, command)


def _of_study(study: str, name: str, most: int | None) -> tuple[Part, ...]:
    from audit.claims.check import check_print
    from audit.claims.file import load_claims
    from games.study.study import load_print
    from reports.derivation import derive, named
    from reports.derivation_system import only_about

    claims = load_claims(load_print(study).claims)
    claim = named(claims, name)
    checks = check_print(only_about(claim, claims))
    check = next(check for check in checks if check.id == claim.id)
    return derive(claims, check, most)


def _of_run(path: Path, name: str, moved_to: str | None, most: int | None) -> tuple[Part, ...]:
    """Return the derivation from print, and after it what the run makes of the claim."""
    from audit.claims.file import load_claims
    from audit.claims.standing import spoken_for
    from audit.whole import audit_run
    from games.run import RunFolder
    from games.study.shipped import CLAIMS
    from reports.derivation import derive_rerun, named

    run = RunFolder(path)
    study, cohort = run.study(moved_to), run.manifest().cohort
    claim = named(load_claims(study.folder / CLAIMS), name)
    audit = audit_run(run, moved_to)
    agreed, spoken = audit.sweep.agreements.get(claim.id), spoken_for(cohort, study.config.models)
    estimate = audit.section.values.get(claim.estimand)
    support = agreed.support if agreed else None
    after = derive_rerun(claim, estimate, cohort.kind, spoken, support)
    return (*_of_study(str(study.folder), name, most), *after)


def _print_parts(parts: Sequence[Part], command: str) -> None:
    """Print lines beside their labels, wrapped to the terminal, and the command whole."""
    indent = max(len(label) for label in ("command", *(part.label for part in parts))) + 2
    width = max(shutil.get_terminal_size().columns - indent, _NARROWEST)
    for part in parts:
        margin = part.label
        for line in part.lines:
            for row in _wrapped(line, width):
                print(f"{margin:<{indent}}{row}")
                margin = ""
    print(f"{'command':<{indent}}{command}")


def _wrapped(line: str, width: int) -> list[str]:
    """Return a line in rows that start below its own first word, a long word left whole."""
    begin = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(
        line.lstrip(),
        width,
        initial_indent=begin,
        subsequent_indent=f"{begin}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
