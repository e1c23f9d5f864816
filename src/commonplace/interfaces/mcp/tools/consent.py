"""Asking before what cannot be undone: the person through their client where it can ask, else ``confirm=true``."""

from mcp.server.mcpserver import Context, Elicit
from pydantic import BaseModel, Field


class Consent(BaseModel):
    yes: bool = Field(description="Go on? It cannot be undone.")


def ask(question: str, context: Context) -> Consent | Elicit[Consent]:
    """The client asks the person, if it can; otherwise there is no consent yet."""
    capabilities = context.client_capabilities
    if capabilities is not None and capabilities.elicitation is not None:
        return Elicit(question, Consent)
    return Consent(yes=False)
