"""The pages of a run of matches and of a study's print, written to a file."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from audit.whole import Audit, audit_run
from games.run import RunFolder
from games.study.study import PrintStudy
from games.trace import write_atomically

from .filled import filled, inert_json
from .print_page import print_page
from .robustness import Page, page_of
from .transcripts import browsable


def write_report(
    run: RunFolder,
    out: Path | None = None,
    moved_to: str | None = None,
    audit: Audit | None = None,
) -> Path:
    """Write a run's page and return its path.

    Parameters
    ----------
    run : RunFolder
    out : Path, optional
        ``report.html`` in the run by default.
    moved_to : str, optional
        Where the study stands now; where it stood by default.
    audit : Audit, optional
        Of the run as it is now, where one was made; one is made by default.
    """
    audit = audit_run(run, moved_to) if audit is None else audit
    path = run.path / "report.html" if out is None else out
    write_atomically(path, render(page_of(audit), audit).encode("utf-8", "replace"))
    return path


def write_print_report(study: PrintStudy, out: Path) -> Path:
    """Write a study's print-only page and return its path."""
    html = filled("print", {"page": print_page(study)})
    write_atomically(out, html.encode("utf-8", "replace"))
    return out


def render(page: Page, audit: Audit) -> str:
    """Return a run's page as HTML."""
    return filled("report", {"page": page, "traces": Markup(inert_json(browsable(audit)))})
