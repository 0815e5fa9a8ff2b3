"""The words of a panel: judge prompts and rubrics, each under the name that a seat gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..rules.rubric import Rubric
from ..study.prompts import Prompt
from ..words import ItemKind
from .panel import Seat, Unit

TRANSCRIPT = ".transcript"


@dataclass(frozen=True, slots=True)
class Texts:
    """Every word in which a panel's judges are asked, as far as its seats use them.

    Attributes
    ----------
    prompts : mapping
        Name of a wording to the prompt that asks about one line.
    transcripts : mapping
        Name of a wording to the prompt that asks about lines of a whole match.
    rubrics : mapping
        Name of a set of rubrics to the rubric of each kind that is put to the panel.
    """

    prompts: Mapping[str, Prompt]
    transcripts: Mapping[str, Prompt]
    rubrics: Mapping[str, Mapping[ItemKind, Rubric]]

    def prompt(self, seat: Seat) -> Prompt:
        """Return the prompt in which a seat is asked."""
        asked = self.prompts if seat.unit is Unit.TURN else self.transcripts
        return asked[seat.wording]

    def rubric(self, seat: Seat, kind: ItemKind) -> Rubric:
        """Return the rubric that a seat is asked about a kind of item."""
        return self.rubrics[seat.rubric][kind]

    def wording_prints(self) -> dict[str, str]:
        """Return the fingerprint of every prompt; one for whole matches is named so."""
        single = {name: prompt.fingerprint for name, prompt in self.prompts.items()}
        whole = {f"{name}{TRANSCRIPT}": each.fingerprint for name, each in self.transcripts.items()}
        return single | whole

    def rubric_prints(self) -> dict[str, dict[str, str]]:
        """Return the fingerprint of every rubric, by set and kind."""
        return {
            name: {kind.value: rubric.fingerprint() for kind, rubric in rubrics.items()}
            for name, rubrics in self.rubrics.items()
        }
