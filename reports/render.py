"""The page as one file: template, style and script put together, nothing fetched.

The template escapes everything. Style and script are ours and are allowed by their hashes in the
page's own policy, so that a script which came in with a transcript would not run even if it got
through. Traces travel as JSON whose angle brackets are escaped, so that no text ends the element.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from audit.whole import Audit, audit_run
from games.run import RunFolder
from games.study.study import PrintStudy
from games.trace import write_atomically

from .print_page import print_page
from .robustness import Page, page_of
from .transcripts import browsable

TEMPLATES = Path(__file__).parent / "templates"


def write_report(run: RunFolder, out: Path | None = None, moved_to: str | None = None) -> Path:
    """Write a run's page and return its path, ``report.html`` in the run by default."""
    audit = audit_run(run, moved_to)
    path = run.path / "report.html" if out is None else out
    write_atomically(path, render(page_of(audit), audit).encode("utf-8", "replace"))
    return path


def write_print_report(study: PrintStudy, out: Path) -> Path:
    """Write a study's print-only page and return its path."""
    html = _rendered("print", {"page": print_page(study)})
    write_atomically(out, html.encode("utf-8", "replace"))
    return out


def render(page: Page, audit: Audit) -> str:
    """Return a run's page as HTML."""
    return _rendered("report", {"page": page, "traces": Markup(inert_json(browsable(audit)))})


def _rendered(name: str, context: dict[str, Any]) -> str:
    """Return a template filled, with its own script and the common style."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["slug"] = slug
    style = (TEMPLATES / "report.css").read_text("utf-8")
    script = (TEMPLATES / f"{name}.js").read_text("utf-8")
    return environment.get_template(f"{name}.html.j2").render(
        style=Markup(style),
        script=Markup(script),
        style_hash=policy_hash(style),
        script_hash=policy_hash(script),
        **context,
    )


def slug(text: str) -> str:
    """Return a text as a class name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def policy_hash(text: str) -> str:
    """Return the hash by which a content security policy allows an inline element."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def inert_json(payload: Any) -> str:
    """Return JSON that can stand inside a script element: ASCII, no angle bracket, no ampersand."""
    text = json.dumps(payload, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
