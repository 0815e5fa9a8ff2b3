"""``aidg study``: check a study, plan its schedule, read a paper's materials, audit its print."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from .options import DEFAULT_SEED, AsJson, CohortFile, Seed, StudyName

group = typer.Typer(help="A study: what is played and what was printed.", no_args_is_help=True)


@group.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Where to begin; empty, or not there yet.")],
) -> None:
    """Begin a study of another paper's print: an example of every part, ready to be replaced."""
    from games.study.scaffold import scaffold

    for path in scaffold(folder):
        print(f"wrote {path}")
    shown = shlex.quote(str(folder))
    print("Put the paper's tables and sentences in the place of the examples. Then:")
    print(f"  aidg study check {shown}   is the file in order? the first fault with its line")
    print(f"  aidg study paper {shown}   what follows from what is printed")
    print(f"  aidg explain {shown} cured_drug   how one claim was checked")


@group.command()
def check(study: StudyName) -> None:
    """Check every file of a study; say the first fault with file, line and rule."""
    from audit.claims.file import load_claims
    from games.study.study import load_print

    head = load_print(study)
    played = "" if head.print_only else _checked_games(study)
    claims = load_claims(head.claims)
    print(
        f"{head.name}: {played}{_counted(len(claims.tables), 'printed table')}, "
        f"{_counted(len(claims.claim), 'claim')}. All files are in order."
    )


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _checked_games(study: str) -> str:
    """Return what a study with games holds, every file of it checked."""
    from audit.specification import specification_of
    from games.study.study import load_study

    loaded = load_study(study)
    loaded.cohort()
    specification_of(loaded)
    return (
        f"{len(loaded.secrets)} secrets, {len(loaded.nouns.names)} nouns × "
        f"{len(loaded.nouns.questions)} properties, {len(loaded.open_choices)} open choices, "
    )


@group.command()
def plan(
    study: StudyName,
    cohort: CohortFile = None,
    seed: Seed = DEFAULT_SEED,
    as_json: AsJson = False,
) -> None:
    """Show the schedule that a seed gives: matches by game and mode, and its fingerprint."""
    from collections import Counter

    from games.cohort import load_cohort
    from games.study.study import load_study

    from .show import print_json, print_table

    loaded = load_study(study)
    players = loaded.cohort() if cohort is None else load_cohort(cohort)
    schedule = loaded.schedule(players, seed)
    if as_json:
        print_json(schedule.model_dump(mode="json"))
        return
    cells = Counter((m.game.value, m.mode.value if m.mode else "") for m in schedule.matches)
    rows = [(game, mode, n) for (game, mode), n in sorted(cells.items())]
    print_table(
        ("game", "mode", "matches"), rows, f"{players.name} plays {loaded.config.study.name}"
    )
    print(f"{len(schedule.matches)} matches, schedule {schedule.fingerprint()}, seed {seed}")


@group.command()
def materials(
    paper: Annotated[Path, typer.Argument(help="Your own copy of the paper: text or HTML.")],
    page: Annotated[
        Path | None, typer.Option("--page", help="Your own copy of the paper's web page.")
    ] = None,
    study: Annotated[str, typer.Option("--study", help="The study they belong to.")] = "aidg",
) -> None:
    """Read prompts, secrets, nouns and printed games from your own copy of the paper."""
    from games.materials.read import read_materials

    for line in read_materials(paper, page, study):
        print(line)


@group.command()
def paper(study: StudyName, as_json: AsJson = False) -> None:
    """Recompute every claim from other printed numbers; no run is needed."""
    from audit.claims.check import check_print
    from audit.claims.file import load_claims
    from games.study.study import load_print

    from .show import print_json, print_table

    checks = check_print(load_claims(load_print(study).claims))
    rows = [check.row() for check in checks]
    if as_json:
        print_json(rows)
        return
    columns = ("claim", "printed", "recomputed", "standing")
    print_table(columns, [_brief(row) for row in rows])


def _brief(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a print check as four cells, every character of them shown and none acted on."""
    from reports.derivation import visible

    standing = f"{row['standing']} {row['assumption']}".strip()
    if row["conflicts_with"]:
        others = ", ".join(row["conflicts_with"])
        standing += f" {others}" if standing == "conflicts with" else f"; {others} differs"
    cells = (row["id"], row["printed"], row["recomputed"], standing)
    return tuple(visible(cell) for cell in cells)
