"""``aidg run import``: anyone's transcripts become a run that can be judged and audited."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(group: typer.Typer) -> None:
    """Add the command to the group of a run."""
    group.command("import")(import_)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Transcripts: JSONL, JSON or CSV.")],
    map_file: Annotated[
        Path, typer.Option("--map", metavar="MAP", help="What stands where in them; a TOML file.")
    ],
    study: Annotated[str, typer.Option("--study", help="Whose games, secrets and rubrics.")],
    out: Annotated[Path, typer.Option("--out", help="The run's folder; new or empty.")],
    void_conflicts: Annotated[
        bool,
        typer.Option("--void-conflicts", help="Make a match that contradicts itself void."),
    ] = False,
) -> None:
    """Make a run of transcripts: every match goes through the rules, or nothing is imported."""
    from games.imports.run import IMPORT, import_run
    from games.study.study import load_study

    loaded = load_study(study)
    done = import_run(file, map_file, loaded, study, out, void_conflicts=void_conflicts)
    void = ", ".join(f"{reason.value} {n}" for reason, n in done.void.items() if n)
    print(f"{done.matches} matches of {done.records} records in {out}; void: {void or 'none'}")
    rulings = ", ".join(f"{origin.value} {n}" for origin, n in done.rulings.items())
    print(f"rulings: {rulings}, not asked for {done.rulings_unasked}")
    if done.utterances_left_out or done.parts_of_nobody:
        print(
            f"left out: {done.utterances_left_out} utterances after the end by the rules, "
            f"{done.parts_of_nobody} parts of neither player"
        )
    for one in done.differences[:10]:
        print(f"match {one.key!r}: {one.note}")
    if len(done.differences) > 10:
        print(f"and {len(done.differences) - 10} more, in {out / IMPORT}")
