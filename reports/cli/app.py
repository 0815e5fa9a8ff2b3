"""The command ``aidg``: its groups in the order of the flow, and the one place where errors end.

Nothing heavy is imported here: each command imports what it needs when it runs.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import typer
import typer.core

from games.errors import AidgError, RunStopped

from . import (
    audit_commands,
    demo_command,
    explain_command,
    judge_command,
    label_commands,
    local_command,
    report_command,
    run_commands,
    serve_commands,
    study_commands,
    sweep_command,
)

# As the work goes: play, judge, ask people, estimate, report.
ORDER = (
    "demo",
    "study",
    "run",
    "judge",
    "label",
    "audit",
    "sweep",
    "explain",
    "report",
    "local",
    "fake-server",
)


class InOrder(typer.core.TyperGroup):
    """A command group that lists its commands in the order of the flow."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the flow; one that is not in it comes first."""
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: ORDER.index(name) if name in ORDER else -1)


app = typer.Typer(
    name="aidg",
    cls=InOrder,
    help="How far may a printed number from LLM-against-LLM dialogue games be believed?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
demo_command.add_to(app)
app.add_typer(study_commands.group, name="study")
app.add_typer(run_commands.group, name="run")
judge_command.add_to(app)
app.add_typer(label_commands.group, name="label")
audit_commands.add_to(app)
sweep_command.add_to(app)
explain_command.add_to(app)
report_command.add_to(app)
local_command.add_to(app)
serve_commands.add_to(app)

USER_ERROR = 2
STOPPED = 3
INTERRUPTED = 130


# The command-line parser's own complaint, whatever package it lives in.
Complaint: Any = typer.BadParameter.__mro__[2]


def main() -> None:
    """Run the command line; what a person did wrong is one line on stderr and exit code 2."""
    _print_what_can_be(sys.stdout, sys.stderr)
    try:
        code = app(standalone_mode=False)
    except RunStopped as stop:
        _end(f"stopped: {stop.reason}; the same command goes on from here", STOPPED)
    except AidgError as fault:
        _end(str(fault), USER_ERROR)
    except Complaint as fault:
        if type(fault).__name__ == "NoArgsIsHelpError":
            print(fault.format_message())
            sys.exit(USER_ERROR)
        _end(f"{fault.format_message()} (see --help)", USER_ERROR)
    except OSError as fault:
        _end(f"`{fault.filename or 'file'}` cannot be used: {fault.strerror or fault}", USER_ERROR)
    except RecursionError:
        _end("a file is nested too deeply to be read", USER_ERROR)
    except typer.Abort:
        code = INTERRUPTED
    if code == INTERRUPTED:  # the parser turns Ctrl-C into this code and says nothing
        _end("stopped; the same command goes on from here", INTERRUPTED)
    sys.exit(code)


def _print_what_can_be(*streams: Any) -> None:
    """Let a character that a stream's encoding lacks be printed as ``?`` and end nothing."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):  # a stream put in the place of the real one may lack it
            stream.reconfigure(errors="replace")


def _end(said: str, code: int) -> NoReturn:
    line = " ".join(said.split())
    if not line.isprintable():  # rarely so: what shows such characters takes long to import
        from reports.derivation import visible

        line = visible(line)
    print("aidg:", line, file=sys.stderr)
    sys.exit(code)
