"""``aidg local``: a small real model on this machine, to rehearse a cohort without a key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from games.rehearsal.local import LocalServing


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(local)


def local(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 picks a free one.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Of the processor.")] = 1,
    ctx: Annotated[int, typer.Option(min=256, help="Tokens of context, for all slots.")] = 8192,
    slots: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 4,
    alias: Annotated[str, typer.Option(help="The model id in replies.")] = "smollm2-135m",
    model: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="A GGUF file; the installed by default."),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Install the pinned model and end.")
    ] = False,
    with_parent: Annotated[
        bool, typer.Option("--with-parent", help="End when stdin does, as with a parent's pipe.")
    ] = False,
) -> None:
    """Serve a small real model on loopback: it shows the plumbing and nothing about models."""
    from games.rehearsal.local import LocalServing
    from games.rehearsal.local_model import install_model, pinned

    if install:
        print(f"{pinned()} in {install_model()}")
        return
    given = LocalServing(alias, model, port, threads, ctx, slots)
    _serve(given, with_parent=with_parent)


def _serve(given: LocalServing, *, with_parent: bool) -> None:
    """Serve until SIGTERM or Ctrl-C, or until the parent lets go of our stdin."""
    from games.rehearsal.local import local_serving

    from .ending import until_ended

    with until_ended(with_parent=with_parent), local_serving(given) as server:
        print(f"LISTENING {server.address}", flush=True)
        server.watch()
