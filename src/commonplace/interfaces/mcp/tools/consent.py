"""Asking before what cannot be undone: the person through their client where it can ask, else ``confirm=true``."""

from typing import Annotated

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field


class Consent(BaseModel):
    yes: Annotated[bool, Field(description="Go on? It cannot be undone.")]


class NotAsked(Consent):
    """There is nobody to ask through the client, or nothing to ask about."""

    yes: bool = False


Answer = ElicitationResult[Consent]


def ask(question: str, context: Context) -> Consent | Elicit[Consent]:
    """The client asks the person, if it can; otherwise there is no consent yet."""
    capabilities = context.client_capabilities
    if capabilities is not None and capabilities.elicitation is not None:
        return Elicit(question, Consent)
    return NotAsked()


def agreed(answer: Answer) -> bool:
    """Whether to go on. Raises ``ToolError`` if the person was asked and does not agree."""
    consent = answer.data if isinstance(answer, AcceptedElicitation) else None
    if consent is None or not (consent.yes or isinstance(consent, NotAsked)):
        raise ToolError("Nothing was changed: the person was asked and does not agree. Do not try it again")
    return consent.yes
