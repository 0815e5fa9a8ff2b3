"""A HIDDEN SIGNAL study: one folder of experiment, open choices, points, prompts and cohorts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..cohort.signal import SignalCohort, load_signal_cohort
from ..errors import Place, StudyError
from ..places import read_text, toml_line
from ..records import content_id, digest
from ..rules.hidden_signal_choices import Scoring, SignalChoices
from .choices import OpenChoice, load_open_choices, rules_choices
from .config import load_config
from .shipped import CONFIG, find_study
from .signal_config import SignalConfig
from .signal_prompts import SignalPrompts, load_signal_prompts
from .study import PROMPT_SET

OPEN_CHOICES = "open_choices.toml"


@dataclass(frozen=True, slots=True)
class SignalStudy:
    """Everything that a HIDDEN SIGNAL study's folder says, but its printed claims.

    Attributes
    ----------
    folder : Path
    config : SignalConfig
    open_choices : tuple of OpenChoice
    choices : SignalChoices
        The setting that the rules act on.
    scoring : Scoring
    prompts : SignalPrompts
    files : dict
        Digest of every file that decides how a round is played, by name; prompts are beside.
    """

    folder: Path
    config: SignalConfig
    open_choices: tuple[OpenChoice, ...]
    choices: SignalChoices
    scoring: Scoring
    prompts: SignalPrompts
    files: dict[str, str]

    @property
    def fingerprint(self) -> str:
        """Return the id of all that decides how a round is played."""
        return content_id(self.files)

    def cohort(self) -> SignalCohort:
        """Return the cohort that plays unless a user names another."""
        return load_signal_cohort(self.folder / self.config.study.cohort)

    def prompt_prints(self) -> dict[str, str]:
        """Return the fingerprint of every prompt by name, and of the notices."""
        return self.prompts.prints()


def is_signal_study(study: str | Path) -> bool:
    """Return whether a study, given as a folder or by a shipped name, plays HIDDEN SIGNAL.

    Raises
    ------
    StudyError
        There is no such study, or its ``study.toml`` breaks a rule.
    """
    return isinstance(load_config(find_study(str(study)) / CONFIG), SignalConfig)


def load_signal_study(study: str | Path, prompts: Path | None = None) -> SignalStudy:
    """Return a HIDDEN SIGNAL study, given as a folder or as a shipped study's name.

    Parameters
    ----------
    study : str or Path
    prompts : Path, optional
        The folder of another prompt set than the study's own.

    Raises
    ------
    StudyError
        Something in the folder breaks a rule; the first fault, with file and line. A study of
        matches, or of printed claims alone, is none to this function.
    """
    folder = find_study(str(study))
    config = load_config(folder / CONFIG)
    if not isinstance(config, SignalConfig):
        place = Place(folder / CONFIG, toml_line(read_text(folder / CONFIG), ("study",)))
        raise StudyError(
            "study.game", "must be hidden_signal to play series of rounds", place=place
        )
    open_choices = load_open_choices(folder / OPEN_CHOICES, SignalChoices)
    choices = rules_choices(open_choices, SignalChoices)
    own = folder / "prompts" / PROMPT_SET
    return SignalStudy(
        folder=folder,
        config=config,
        open_choices=open_choices,
        choices=choices,
        scoring=config.scoring,
        prompts=load_signal_prompts(own if prompts is None else prompts, choices, config.scoring),
        files={name: digest((folder / name).read_bytes()) for name in (OPEN_CHOICES, CONFIG)},
    )
