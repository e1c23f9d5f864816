"""Shared by the agents' adapters: a page for the prompt, two tools, and learning from messages."""

from collections.abc import Sequence
from dataclasses import replace

from commonplace.adapters.foreign_ids import session_name
from commonplace.book import Commonplace
from commonplace.context.render import Section, page
from commonplace.errors import CommonplaceError, Refused
from commonplace.model import Hit, Memory, Message, Receipt
from commonplace.security.fence import escape

TOKENS, LIMIT = 1500, 8
RECALL = "Search what was learned in earlier conversations. Nothing found means nothing is known: do not guess."
MEMORIZE = "Save one lasting thing as a self-contained sentence with full names and dates. No secrets, no guesses."


class AgentMemory:
    """One book for an agent. What the agent saves is a candidate until a person confirms it."""

    def __init__(self, book: Commonplace, framework: str, *, tokens: int = TOKENS, limit: int = LIMIT) -> None:
        self.book, self.tokens, self.limit = book, tokens, limit
        self.agent = book.acting_as(framework, source="assistant", person=False)

    def context(self, query: str | None) -> str:
        """A fenced page for a prompt."""
        return self.book.context(query, tokens=self.tokens, limit=self.limit)

    def memory_recall(self, query: str) -> str:
        """Search what was learned in earlier conversations. Nothing found means nothing is known: do not guess.

        Args:
            query: A question in full words.
        """
        hits = self.agent.recall(query, limit=self.limit)
        lines = tuple((f"- {plain(hit)} ({hit.memory.status})", hit.memory.id) for hit in hits)
        return page([Section("Recalled", lines)], tokens=self.tokens).text if lines else "Nothing is known about that."

    def memory_memorize(self, text: str) -> str:
        """Save one lasting thing as a self-contained sentence with full names and dates. No secrets, no guesses.

        Args:
            text: One sentence that is clear without this conversation.
        """
        try:
            receipt = self.agent.remember(text)
        except CommonplaceError as error:
            return f"Not stored: {error}"
        return "Stored as a candidate." if receipt.action == "ADD" else "Already known."

    def observe(self, messages: Sequence[Message], *, session: str | None = None) -> None:
        observe(self.book, messages, session=session)


def observe(book: Commonplace, messages: Sequence[Message], *, session: str | None = None) -> Receipt | None:
    """Learn from messages of person and agent, from any framework.

    Empty and private messages and lone surrogates are skipped without an error.
    """
    turns = [
        replace(message, text=message.text.encode("utf-8", "replace").decode())
        for message in messages
        if message.text.strip() and message.role in ("user", "assistant")
    ]
    if not turns:
        return None
    try:
        return book.observe(turns, session=session_name(session))
    except Refused as refusal:
        if refusal.code != "nothing_to_keep":
            raise
        return None


def plain(hit: Hit) -> str:
    """A hit as one line of data, for frameworks that build the prompt themselves."""
    return escape(" ".join(statement(hit.memory).split()))


def statement(memory: Memory) -> str:
    """A memory's statement without context: a core value with its name, such as "home city: Bern"."""
    return f"{memory.key.replace('_', ' ')}: {memory.text}" if memory.key else memory.text
