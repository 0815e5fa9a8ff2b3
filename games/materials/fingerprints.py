"""Fingerprints of a paper's materials: how a copy is known to be true without keeping its words."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from ..errors import MaterialsError
from ..places import load_toml
from ..records import Record
from ..study.prompts import PromptRole
from ..study.shipped import data_folder

FILE = "fingerprints.toml"
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Part(StrEnum):
    """A part of the paper that is taken over word for word."""

    SEEKER_I_A = "seeker_i_a"
    HOLDER_I = "holder_i"
    SEEKER_II = "seeker_ii"
    HOLDER_II = "holder_ii"
    SECRETS = "secrets"
    NOUNS = "nouns"


LABELS: dict[Part, str] = {
    Part.SEEKER_I_A: "D.1 AIDG-I Seeker prompt",
    Part.HOLDER_I: "D.2 AIDG-I Holder prompt",
    Part.SEEKER_II: "D.3 AIDG-II Seeker prompt",
    Part.HOLDER_II: "D.4 AIDG-II Holder prompt",
    Part.SECRETS: "Table 8 secrets",
    Part.NOUNS: "Table 9 nouns",
}
PROMPTS: dict[Part, PromptRole] = {
    Part.SEEKER_I_A: PromptRole.SEEKER_I_A,
    Part.HOLDER_I: PromptRole.HOLDER_I,
    Part.SEEKER_II: PromptRole.SEEKER_II,
    Part.HOLDER_II: PromptRole.HOLDER_II,
}


class Fingerprints(Record):
    """All of ``fingerprints.toml``.

    Attributes
    ----------
    study : str
        Name of the study whose materials these are.
    source : str
        The paper and its version.
    categories : tuple of str
        Row heads of the noun table, capitals as printed: some copies glue them to the first noun.
    parts : dict
        Part to the SHA-256 of its normalised text; a list's items are normalised one by one.
    """

    study: str
    source: str
    categories: tuple[str, ...] = Field(min_length=1)
    parts: dict[Part, Sha256]

    @model_validator(mode="after")
    def _complete(self) -> Fingerprints:
        missing = [part.value for part in Part if part not in self.parts]
        if missing:
            raise ValueError(f"`parts` must hold {missing[0]}")
        return self


def load_fingerprints(path: Path) -> Fingerprints:
    """Return the fingerprints in a TOML file."""
    return load_toml(path, Fingerprints, MaterialsError)


def shipped_fingerprints() -> Fingerprints:
    """Return the fingerprints that ship with the AIDG study."""
    return load_fingerprints(data_folder() / "aidg" / FILE)
