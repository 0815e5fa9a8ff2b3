"""A chat model behind an official client: one request, one reply or one trouble."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod

from .capabilities import Learned
from .chat import ChatRequest, ChatRole, Finish, Reply, Settings
from .complaint import Complaint, complaint_of
from .retry_after import retry_after
from .trouble import Parameter, Trouble, TroubleKind
from .wire import Answer, Wire


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
        settings = self._effective(request)
        sent = self._sent(request, settings)
        answer = await self._wire.post(self.path, self._body(request, settings), attempt)
        if answer.status < 300:
            heard = self._read(answer.body(), settings)
        else:
            heard = complaint_of(answer.status, answer.body())
        if isinstance(heard, Reply):
            return heard
        if heard.filtered:
            return Reply(text="", finish=Finish.FILTER, effective=settings)
        raise self._trouble(heard, answer, sent)

    async def close(self) -> None:
        """Release the connections, those of all models on the same wire."""
        await self._wire.close()

    def _trouble(self, complaint: Complaint, answer: Answer, sent: frozenset[Parameter]) -> Trouble:
        wait = retry_after(answer.headers, time.time())
        trouble = complaint.trouble(sent, self._wire.told(complaint.message), wait)
        if trouble.kind is TroubleKind.PARAMETER_REJECTED and trouble.parameter is not None:
            self._learned.learn(trouble.parameter)
        return trouble

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
