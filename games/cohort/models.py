"""Language models as players and arbiter: where each is asked, how, and at what price.

A cohort file holds the *name* of the environment variable with a key, never the key.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from ..models.chat import Settings
from ..models.trouble import Parameter
from ..records import Record
from .names import PlainLine

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FROM_ENVIRONMENT = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Client(StrEnum):
    """What carries a request."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    SCRIPTED = "scripted"


def _variable(value: str) -> str:
    if not _VARIABLE.fullmatch(value):
        raise ValueError("must be the name of an environment variable, not a key")
    return value


def _address(value: str) -> str:
    if not value.startswith(("http://", "https://")) and not _FROM_ENVIRONMENT.fullmatch(value):
        raise ValueError("must be an http(s) address, or ${NAME} of an environment variable")
    return value


class Endpoint(Record):
    """An address at which models are asked, and what it bears.

    Attributes
    ----------
    client : Client
    base_url : str, optional
        An address, or ``${NAME}``: the environment variable that holds one; the client's own
        address where it is left out.
    key_env : str, optional
        Name of the environment variable that holds the key.
    concurrency : int
        Most requests in flight at a time; fewer are sent while the endpoint says it is too much.
    requests_per_minute, tokens_per_minute : int, optional
        Limits known beforehand; the plan's time is worked out from them.
    deadline : float
        Seconds that one place of a match may take, every retry and wait included.
    """

    client: Client
    base_url: Annotated[str, AfterValidator(_address)] | None = None
    key_env: Annotated[str, AfterValidator(_variable)] | None = None
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    requests_per_minute: Annotated[int, Field(gt=0)] | None = None
    tokens_per_minute: Annotated[int, Field(gt=0)] | None = None
    deadline: Annotated[float, Field(gt=0)] = 600.0

    @property
    def address_variable(self) -> str | None:
        """Return the environment variable that holds the address, where one does."""
        found = _FROM_ENVIRONMENT.fullmatch(self.base_url or "")
        return found[1] if found else None


class Price(Record):
    """Dollars a million tokens; reasoning is paid as output. A stated 0 is a price."""

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Capabilities(Record):
    """What a cohort file says that a model bears or refuses, beside what is known of its id.

    Attributes
    ----------
    refuses, bears : tuple of Parameter
        Left out of every request; sent though the id is known to refuse it.
    """

    refuses: tuple[Parameter, ...] = ()
    bears: tuple[Parameter, ...] = ()

    @model_validator(mode="after")
    def _apart(self) -> Capabilities:
        both = sorted(set(self.refuses) & set(self.bears))
        if both:
            raise ValueError(f"`bears` must not name {both[0].value}, which `refuses` names")
        return self


class ArbiterModel(Record):
    """A language model: whose it is, where and how it is asked, at what price.

    Attributes
    ----------
    id : str
        Its name in every table; opaque.
    vendor, family : str
        Who makes it and which line of models it belongs to; compared, never read out of a name.
    endpoint : str
        Name of one of the cohort's endpoints.
    model : str
        The provider's id.
    sampling : Settings
    price : Price, optional
        Where it is left out, cost is unknown, which is said and never taken for 0.
    capabilities : Capabilities
    """

    id: PlainLine
    vendor: PlainLine
    family: PlainLine
    endpoint: str
    model: PlainLine
    sampling: Settings
    price: Price | None = None
    capabilities: Capabilities = Capabilities()


class ModelPlayer(ArbiterModel):
    """A language model in both seats of every game."""
