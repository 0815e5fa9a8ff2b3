"""From a user's own copies to the user's own data folder: what was read, compared and kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..study.study import PROMPT_SET, load_study
from ..trace import write_trace
from .compare import compare_lists
from .paper import extract_paper
from .printed import extract_games
from .save import Whose, data_home, save_verbatim

GAMES = "printed_games"


def read_materials(paper: Path, page: Path | None, study: str) -> Iterator[str]:
    """Yield one line a step while a paper's materials are read, checked and saved.

    Parameters
    ----------
    paper : Path
        The user's copy of the paper, as text or HTML.
    page : Path, optional
        The user's copy of its web page, which holds the two printed games.
    study : str
        The study whose own prompts stand in where the paper prints none.

    Raises
    ------
    MaterialsError
        Something is missing from a document, or differs from what its fingerprint says.
    """
    loaded = load_study(study)
    home = data_home(os.environ)
    # Everything is read before anything is saved: a fault in either document leaves no trace.
    materials = extract_paper(paper)
    games = () if page is None else extract_games(page, loaded)
    yield from (str(check) for check in compare_lists(materials, loaded))
    saved = save_verbatim(materials, loaded.folder / "prompts" / PROMPT_SET, home)
    yield f"prompt set verbatim in {saved.folder}"
    yield from (f"  {prompt.role.value}: {prompt.whose}" for prompt in saved.prompts)
    yield f"  notices: {Whose.OURS.value}"
    for trace in games:
        path = write_trace(home / loaded.config.study.name / GAMES, trace)
        outcome = trace.outcome
        elided = ", some messages shortened by its publisher" if trace.elided else ""
        yield f"printed game {trace.match.id}: {outcome.winner} wins at turn {outcome.turn}{elided}"
        yield f"  {path}"
