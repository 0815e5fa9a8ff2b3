"""Loading a panel: its file, and beside it the wordings and rubrics that its seats name.

::

    panels/<name>.toml                      the panel
    panels/wordings/<name>.txt              a judge prompt about one line
    panels/wordings/<name>.transcript.txt   the same about the lines of a whole match
    panels/rubrics-<name>/<kind>.toml       a set of rubrics
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import Place, StudyError
from ..places import load_toml
from ..rules.rubric import Rubric
from ..study.prompts import Prompt, PromptRole, load_judge_prompt, load_transcript_prompt
from ..study.study import Study
from ..words import ItemKind
from .panel import STUDY, Panel, Unit
from .texts import TRANSCRIPT, Texts

FOLDER = "panels"
_RUBRICS = "rubrics-"


def load_panel(path: Path) -> Panel:
    """Return the panel that a TOML file describes.

    Raises
    ------
    StudyError
        The first fault, with file and line.
    """
    return load_toml(path, Panel)


def find_panel(name: str, study_folder: Path) -> Path:
    """Return a panel's file, given as a path or as the name of one in a study's ``panels/``.

    Raises
    ------
    StudyError
        There is neither.
    """
    shipped = study_folder / FOLDER / f"{name}.toml"
    if shipped.is_file():
        return shipped
    if Path(name).is_file():
        return Path(name)
    known = _listed(path.stem for path in (study_folder / FOLDER).glob("*.toml"))
    raise StudyError("--panel", f"must be a panel file or one of the study's ({known})", name)


def load_texts(panel: Panel, study: Study, folder: Path) -> Texts:
    """Return the words in which a panel's judges are asked.

    Parameters
    ----------
    panel : Panel
    study : Study
        Whose own arbiter prompt and rubrics go by the name ``study``; the prompt for whole matches
        that goes by it stands among the wordings of the study's own panels.
    folder : Path
        In which the panel's file stands.

    Raises
    ------
    StudyError
        A wording, a set of rubrics or one of its kinds is missing, or breaks a rule.
    """
    seats = panel.seats()
    single = dict.fromkeys(seat.wording for seat in seats if seat.unit is Unit.TURN)
    whole = dict.fromkeys(seat.wording for seat in seats if seat.unit is Unit.TRANSCRIPT)
    sets = dict.fromkeys(seat.rubric for seat in seats)
    return Texts(
        prompts={name: _single(name, study, folder) for name in single},
        transcripts={name: _whole(name, study, folder) for name in whole},
        rubrics={name: _rubrics(name, panel.kinds, study, folder) for name in sets},
    )


def _single(name: str, study: Study, folder: Path) -> Prompt:
    if name == STUDY:
        return study.prompts.prompts[PromptRole.ARBITER]
    return load_judge_prompt(_wording(name, "", folder))


def _whole(name: str, study: Study, folder: Path) -> Prompt:
    beside = study.folder / FOLDER if name == STUDY else folder
    return load_transcript_prompt(_wording(name, TRANSCRIPT, beside))


def _wording(name: str, form: str, folder: Path) -> Path:
    wordings = folder / "wordings"
    path = wordings / f"{name}{form}.txt"
    if not path.is_file():
        stems = (each.stem for each in wordings.glob(f"*{form}.txt"))
        names = (stem.removesuffix(form) for stem in stems)
        known = _listed(each for each in names if "." not in each)
        raise StudyError("wordings", f"must stand beside the panel ({known})", name, Place(path))
    return path


def _rubrics(
    name: str, kinds: tuple[ItemKind, ...], study: Study, folder: Path
) -> Mapping[ItemKind, Rubric]:
    if name == STUDY:
        return {kind: study.rubrics[kind] for kind in kinds}
    beside = folder / f"{_RUBRICS}{name}"
    if not beside.is_dir():
        known = _listed(path.name.removeprefix(_RUBRICS) for path in folder.glob(f"{_RUBRICS}*/"))
        raise StudyError("rubrics", f"must stand beside the panel ({known})", name, Place(beside))
    return {kind: _rubric(beside / f"{kind.value}.toml", kind) for kind in kinds}


def _rubric(path: Path, kind: ItemKind) -> Rubric:
    rubric = load_toml(path, Rubric)
    if rubric.kind is not kind:
        raise StudyError("kind", f"must be {kind.value}", rubric.kind.value, Place(path))
    return rubric


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
