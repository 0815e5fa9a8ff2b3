"""A page as one file: template, style and script put together, nothing fetched.

The template escapes everything. Style and script are ours and are allowed by their hashes in the
page's own policy, so that a script which came in with a transcript would not run even if it got
through. Data travels as JSON whose angle brackets are escaped, so that no text ends the element.
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

TEMPLATES = Path(__file__).parent / "templates"


def filled(name: str, context: dict[str, Any], *, styles: tuple[str, ...] = ()) -> str:
    """Return a template filled, with its own script and the common style.

    Parameters
    ----------
    name : str
        Of the template and of its script.
    context : dict
    styles : tuple of str
        Style sheets of its own, after the common one.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["slug"] = slug
    sheets = ("report.css", *styles)
    style = "".join((TEMPLATES / sheet).read_text("utf-8") for sheet in sheets)
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
