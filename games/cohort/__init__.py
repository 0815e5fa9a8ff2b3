"""Who plays: built-in policies, language models, and who rules."""

from .builtin import HolderI, HolderII, Player, SeekerI, SeekerII
from .cohort import Cohort, CohortKind, find_cohort, load_cohort
from .imported import ImportedPlayer
from .models import ArbiterModel, Client, Endpoint, ModelPlayer, Price

__all__ = [
    "ArbiterModel",
    "Client",
    "Cohort",
    "CohortKind",
    "Endpoint",
    "HolderI",
    "HolderII",
    "ImportedPlayer",
    "ModelPlayer",
    "Player",
    "Price",
    "SeekerI",
    "SeekerII",
    "find_cohort",
    "load_cohort",
]
