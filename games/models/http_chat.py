"""A chat model behind an official client: one request, one reply or one trouble."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from .capabilities import Learned
from .chat import ChatRequest, ChatRole, Finish, Reply, Settings
from .complaint import Complaint, complaint_of
from .retry_after import retry_after
from .trouble import Parameter, TroubleKind
from .wire import Wire


@dataclass(frozen=True, slots=True)
class Spelt:
    """A request as it is sent.

    Attributes
    ----------
    body : dict
        In the endpoint's dialect.
    settings : Settings
        Effective ones.
    sent : frozenset of Parameter
        What it holds; only that can be rejected.
    """

    body: dict[str, object]
    settings: Settings
    sent: frozenset[Parameter]


class HttpChat(ABC):
    """What the clients have in common; a dialect says how a request and a reply are spelt.

    Parameters
    ----------
    wire : Wire
        Shared by the models of an endpoint.
    learned : Learned
        What this model refuses.
    """

    def __init__(self, wire: Wire, learned: Learned) -> None:
        self._wire, self._learned = wire, learned

    @property
    def wire(self) -> Wire:
        """The connections over which it is asked."""
        return self._wire

    @property
    def learned(self) -> frozenset[Parameter]:
        """What the endpoint has rejected so far."""
        return self._learned.learned

    def learn(self, parameter: Parameter) -> None:
        """Leave a parameter out from now on, as if the endpoint had just rejected it."""
        self._learned.learn(parameter)

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        """Return the reply to a request, sent once.

        A parameter that the endpoint rejects is learned before ``PARAMETER_REJECTED`` is raised,
        so that the same request, asked again, goes without it. What a filter withheld is a reply:
        the endpoint answered, and asking it again is for the rules to decide.

        Raises
        ------
        Trouble
            There is no reply.
        """
        spelt = self.spell(request)
        answer = await self._wire.post(self.path, spelt.body, attempt)
        wait = retry_after(answer.headers, time.time())
        return self.hear(spelt, answer.status, answer.body(), wait)

    def spell(self, request: ChatRequest) -> Spelt:
        """Return a request as it is sent, without what the endpoint is known to refuse."""
        settings = self._effective(request)
        return Spelt(self._body(request, settings), settings, self._sent(request, settings))

    def hear(self, spelt: Spelt, status: int, body: object, wait: float | None = None) -> Reply:
        """Return the reply in an answer to a request, wherever the answer came from.

        Parameters
        ----------
        spelt : Spelt
        status : int
            HTTP status.
        body : object
            JSON, or text where it was none.
        wait : float, optional
            Seconds that the endpoint asks to wait.

        Raises
        ------
        Trouble
            There is no reply; a parameter that was rejected is learned.
        """
        heard = self._read(body, spelt.settings) if status < 300 else complaint_of(status, body)
        if isinstance(heard, Reply):
            return heard
        if heard.filtered:
            return Reply(text="", finish=Finish.FILTER, effective=spelt.settings)
        trouble = heard.trouble(spelt.sent, self._wire.told(heard.message), wait)
        if trouble.kind is TroubleKind.PARAMETER_REJECTED and trouble.parameter is not None:
            self._learned.learn(trouble.parameter)
        raise trouble

    async def close(self) -> None:
        """Release the connections, those of all models on the same wire."""
        await self._wire.close()

    def _sent(self, request: ChatRequest, settings: Settings) -> frozenset[Parameter]:
        """Return the parameters that a request holds when sent under these settings."""
        held = {
            Parameter.TEMPERATURE: settings.temperature is not None,
            Parameter.SEED: settings.seed is not None,
            Parameter.REASONING_EFFORT: settings.reasoning_effort is not None,
            Parameter.STRUCTURED: settings.structured,
            # Its other name can be tried, once.
            Parameter.MAX_TOKENS: Parameter.MAX_TOKENS not in self._learned.learned,
            Parameter.SYSTEM_ROLE: Parameter.SYSTEM_ROLE not in self._learned.refused
            and any(message.role is ChatRole.SYSTEM for message in request.messages),
        }
        return frozenset(parameter for parameter, there in held.items() if there)

    path: str

    @abstractmethod
    def _effective(self, request: ChatRequest) -> Settings:
        """Return the settings under which a request is sent."""

    @abstractmethod
    def _body(self, request: ChatRequest, settings: Settings) -> dict[str, object]:
        """Return a request in the endpoint's dialect."""

    @abstractmethod
    def _read(self, body: object, settings: Settings) -> Reply | Complaint:
        """Return what a body of status 200 holds."""
