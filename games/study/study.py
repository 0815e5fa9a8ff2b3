"""A study: one folder of design, materials and open choices, or of printed claims alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..cohort import Cohort, load_cohort
from ..errors import Place, StudyError
from ..places import load_csv, load_toml, read_text, toml_line
from ..records import content_id, digest
from ..rules.choices import Choices
from ..rules.game import Setup
from ..rules.rubric import Rubric
from ..rules.schedule import Match, Schedule, round_robin
from ..words import RULED, Game, ItemKind
from .choices import OpenChoice, load_open_choices, rules_choices
from .config import PrintConfig, StudyConfig, load_config
from .nouns import Nouns, Secret, load_nouns
from .prompts import PromptSet, load_prompts
from .shipped import CLAIMS, CONFIG, find_study

PROMPT_SET = "ours"


@dataclass(frozen=True, slots=True)
class Study:
    """Everything that a study's folder says, but its printed claims.

    Attributes
    ----------
    folder : Path
    config : StudyConfig
    secrets : dict
        Secret id to secret.
    nouns : Nouns
    open_choices : tuple of OpenChoice
    choices : Choices
        The setting that the rules act on.
    rubrics : dict
        Item kind to rubric.
    prompts : PromptSet
        Role to prompt, and what the game itself tells a player.
    files : dict
        Digest of every file that decides how a match is played, by name.
    """

    folder: Path
    config: StudyConfig
    secrets: dict[str, Secret]
    nouns: Nouns
    open_choices: tuple[OpenChoice, ...]
    choices: Choices
    rubrics: dict[ItemKind, Rubric]
    prompts: PromptSet
    files: dict[str, str]

    @property
    def fingerprint(self) -> str:
        """Return the id of all that decides how a match is played."""
        return content_id(self.files)

    def cohort(self) -> Cohort:
        """Return the cohort that plays unless a user names another."""
        return load_cohort(self.folder / self.config.study.cohort)

    def schedule(self, cohort: Cohort, seed: int) -> Schedule:
        """Return the study's design for a cohort."""
        return round_robin(
            [player.id for player in cohort.players],
            tournaments=self.config.design.tournaments,
            modes=self.config.games.aidg_i.modes,
            secrets=tuple(self.secrets),
            nouns=self.nouns.names,
            seed=seed,
            allotment=self.choices.secret_allotment,
        )

    def horizons(self) -> dict[Game, int]:
        """Return the horizon of each game, in turns."""
        games = self.config.games
        return {Game.AIDG_I: games.aidg_i.horizon, Game.AIDG_II: games.aidg_ii.horizon}

    def setup(self, match: Match) -> Setup:
        """Return what is fixed before a match's first message."""
        games = self.config.games
        if match.game is Game.AIDG_I:
            secret = self.secrets[match.secret]
            return Setup(
                match=match.id,
                game=match.game,
                mode=match.mode,
                secret=secret.text,
                topic=secret.topic,
                horizon=games.aidg_i.horizon,
                choices=self.choices,
            )
        return Setup(
            match=match.id,
            game=match.game,
            mode=None,
            secret=match.secret,
            horizon=games.aidg_ii.horizon,
            vocabulary=self.nouns.names,
            categories=tuple(dict.fromkeys(self.nouns.categories)),
            choices=self.choices,
        )

    def prompt_prints(self) -> dict[str, str]:
        """Return the fingerprint of every prompt by role, and of the notices."""
        return self.prompts.prints()


@dataclass(frozen=True, slots=True)
class PrintStudy:
    """What a study is called and where it comes from: all that its printed claims need.

    Attributes
    ----------
    folder : Path
    name, title, source : str
    print_only : bool
        Whether printed claims are all that it holds.
    """

    folder: Path
    name: str
    title: str
    source: str
    print_only: bool

    @property
    def claims(self) -> Path:
        """Return the path of the printed claims."""
        return self.folder / CLAIMS


def load_print(study: str | Path) -> PrintStudy:
    """Return the head of a study of either kind, given as a folder or as a shipped study's name.

    Raises
    ------
    StudyError
        There is no such study, or its ``study.toml`` breaks a rule.
    """
    folder = find_study(str(study))
    head = load_config(folder / CONFIG).study
    return PrintStudy(folder, head.name, head.title, head.source, head.print_only)


def load_study(study: str | Path, prompts: Path | None = None) -> Study:
    """Return a study, given as a folder or as a shipped study's name.

    Parameters
    ----------
    study : str or Path
    prompts : Path, optional
        The folder of another prompt set than the study's own, such as a saved ``verbatim``.

    Raises
    ------
    StudyError
        Something in the folder breaks a rule; the first fault, with file and line. A print-only
        study has no games, so it is no study to this function.
    """
    folder = find_study(str(study))
    config = _with_games(folder / CONFIG)
    games = config.games
    open_choices = load_open_choices(folder / "open_choices.toml", Choices)
    rubrics = {
        kind: load_toml(folder / "rubrics" / f"{kind.value}.toml", Rubric) for kind in ItemKind
    }
    _check_kinds(folder, rubrics)
    secrets = load_csv(folder / games.aidg_i.secrets, Secret, unique="id")
    return Study(
        folder=folder,
        config=config,
        secrets={secret.id: secret for secret in secrets},
        nouns=load_nouns(
            folder / games.aidg_ii.nouns,
            folder / games.aidg_ii.properties,
            folder / games.aidg_ii.questions,
        ),
        open_choices=open_choices,
        choices=rules_choices(open_choices, Choices),
        rubrics=rubrics,
        prompts=load_prompts(folder / "prompts" / PROMPT_SET if prompts is None else prompts),
        files=_digests(folder, config),
    )


def _with_games(path: Path) -> StudyConfig:
    config = load_config(path)
    if isinstance(config, StudyConfig):
        return config
    key, rule = "game", "is HIDDEN SIGNAL: this study has series of rounds, and no matches"
    if isinstance(config, PrintConfig):
        key, rule = "print_only", "is set: this study holds printed claims, and no games to play"
    place = Place(path, toml_line(read_text(path), ("study", key)))
    raise StudyError(f"study.{key}", rule, place=place)


def _check_kinds(folder: Path, rubrics: dict[ItemKind, Rubric]) -> None:
    for kind, rubric in rubrics.items():
        if rubric.kind is not kind:
            place = Place(folder / "rubrics" / f"{kind.value}.toml")
            raise StudyError("kind", f"must be {kind.value}", rubric.kind.value, place)


def _digests(folder: Path, config: StudyConfig) -> dict[str, str]:
    games = config.games
    names = [CONFIG, "open_choices.toml", games.aidg_i.secrets]
    names += [games.aidg_ii.nouns, games.aidg_ii.properties, games.aidg_ii.questions]
    names += [f"rubrics/{kind.value}.toml" for kind in RULED]
    return {name: digest((folder / name).read_bytes()) for name in sorted(names)}
