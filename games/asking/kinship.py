"""Kinship: whether a judge is near kin of a player on whom it rules.

What a cohort file states is compared; nothing is ever read out of a name.
"""

from __future__ import annotations

from enum import StrEnum

from ..cohort.models import ArbiterModel


class Kinship(StrEnum):
    """How near a judge is to a player, the nearest first."""

    MODEL = "same_model"
    FAMILY = "same_family"
    VENDOR = "same_vendor"


def kin(judge: ArbiterModel, player: ArbiterModel) -> Kinship | None:
    """Return how a judge is akin to a player, or None.

    Parameters
    ----------
    judge, player : ArbiterModel
        The provider's id of the model, the family and the vendor are compared, in that order and
        without regard to case; the first that is equal names the kinship.
    """
    for kinship, name in (
        (Kinship.MODEL, "model"),
        (Kinship.FAMILY, "family"),
        (Kinship.VENDOR, "vendor"),
    ):
        if getattr(judge, name).casefold() == getattr(player, name).casefold():
            return kinship
    return None
