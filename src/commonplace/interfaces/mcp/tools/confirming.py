"""Asking before what cannot be undone: the person through their client where it can ask, else ``confirm=true``."""

from mcp.server.mcpserver import Context, Elicit
from pydantic import BaseModel, Field

from commonplace.errors import Invalid


class Consent(BaseModel):
    yes: bool = Field(description="Really do it? It cannot be undone.")


def asked_unless_trial(
    confirm: bool, ctx: Context, dry_run: bool = False, archive: bool = False
) -> Consent | Elicit[Consent]:
    """No question where nothing is lost."""
    return Consent(yes=True) if dry_run or archive else asked(confirm, ctx)


def asked(confirm: bool, ctx: Context) -> Consent | Elicit[Consent]:
    """Already confirmed: no question. Otherwise the client asks the person, if it knows how to."""
    if confirm:
        return Consent(yes=True)
    able = ctx.client_capabilities
    if able is not None and able.elicitation is not None:
        return Elicit("This forgets for good and cannot be undone (archiving could be). Go on?", Consent)
    return Consent(yes=False)


def must_agree(consent: Consent) -> None:
    if not consent.yes:
        raise Invalid("this cannot be undone: ask the person, then call again with confirm=true")
