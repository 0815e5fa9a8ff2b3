"""A picture of the HIDDEN SIGNAL page: one drawing as SVG and PNG, its words, or why there is none.

Every picture is drawn narrow enough to be read on a phone, agent one and agent two apart by hue,
by lightness and by mark.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from games.rules.hidden_signal_world import Agent

from .figures import HOLDER, SEEKER, styled

WIDTH = 6.6  # inches
QUIET = "#78716c"
HUE = {Agent.ONE: SEEKER, Agent.TWO: HOLDER}
MARK = {Agent.ONE: "o", Agent.TWO: "s"}
_DPI = 144


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    Attributes
    ----------
    name : str
        What it shows, as the name of its files.
    title, caption : str
    alt : str
        What is to be seen, for who does not see it.
    reason : str
        Why there is none; blank where there is one.
    svg, png : bytes
        Empty where there is none.
    """

    name: str
    title: str
    caption: str
    alt: str
    reason: str = ""
    svg: bytes = b""
    png: bytes = b""

    @property
    def address(self) -> str:
        """Return the drawing as an address that an image can carry: no script in it can run."""
        return "data:image/svg+xml;base64," + base64.b64encode(self.svg).decode("ascii")


def picture(
    name: str,
    title: str,
    *,
    caption: str,
    alt: str,
    height: float,
    draw: Callable[[Figure], None],
) -> Picture:
    """Return a picture drawn in the one style of all figures.

    Parameters
    ----------
    name, title, caption, alt : str
    height : float
        Inches.
    draw : callable
        Draws into an empty figure.
    """
    with styled():
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure)
        svg = _saved(figure, "svg", metadata={"Date": None})
        # Laid out once: to find the room for every label again would take as long as to draw.
        figure.set_layout_engine("none")
        png = _saved(figure, "png", dpi=_DPI, metadata={"Software": None})
    return Picture(name, title, caption, alt, svg=svg, png=png)


def no_picture(name: str, title: str, reason: str) -> Picture:
    """Return a picture that is not there, with its reason."""
    return Picture(name, title, "", "", reason)


def _saved(figure: Figure, form: str, **how: Any) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, **how)
    return buffer.getvalue()
