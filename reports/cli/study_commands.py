"""``aidg study``: check a study, plan its schedule, read a paper's materials, audit its print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .options import DEFAULT_SEED, AsJson, CohortFile, Seed, StudyName

group = typer.Typer(help="A study: what is played and what was printed.", no_args_is_help=True)


@group.command()
def check(study: StudyName) -> None:
    """Check every file of a study; say the first fault with file, line and rule."""
    from audit.claims.file import load_claims
    from audit.specification import specification_of
    from games.study.study import load_study

    loaded = load_study(study)
    loaded.cohort()
    specification_of(loaded)
    claims = load_claims(loaded.folder / "claims.toml")
    config = loaded.config
    print(
        f"{config.study.name}: {len(loaded.secrets)} secrets, {len(loaded.nouns.names)} nouns × "
        f"{len(loaded.nouns.questions)} properties, {len(loaded.open_choices)} open choices, "
        f"{len(claims.claim)} claims. All files are in order."
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
    from games.study.shipped import find_study

    from .show import print_json, print_table

    checks = check_print(load_claims(find_study(study) / "claims.toml"))
    rows = [check.row() for check in checks]
    if as_json:
        print_json(rows)
        return
    columns = ("claim", "printed", "recomputed", "standing")
    print_table(columns, [_brief(row) for row in rows])


def _brief(row: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return a print check as four cells."""
    standing = f"{row['standing']} {row['assumption']}".strip()
    if row["conflicts_with"]:
        others = ", ".join(row["conflicts_with"])
        standing += f" {others}" if standing == "conflicts with" else f"; {others} differs"
    return row["id"], row["printed"], row["recomputed"], standing
