"""The hard cap on what a language model may cost: per owner and day, and per operation."""

from commonplace.errors import OverBudget
from commonplace.memories.scope import Scope

WHAT = "llm"
"""Under which name the tokens are counted in ``usage``."""


class DailyBudget:
    """A cap that several processes share: what is about to be spent is counted before it is, and settled after."""

    def __init__(self, scope: Scope, *, daily: int, operation: int) -> None:
        self._scope, self._daily, self._operation = scope, daily, operation
        self._reserved = 0
        self.used = 0
        """Tokens of this operation so far."""
        self.day_is_full = False
        """The last refusal was the day's, as against the operation's."""

    @property
    def day(self) -> str:
        return self._scope.clock.now().date().isoformat()

    def reserve(self, tokens: int) -> None:
        if self.used + tokens > self._operation:
            raise OverBudget(
                f"one operation may use {self._operation:,} tokens and this one would use more; "
                "raise `llm_operation_tokens` to read longer turns"
            )
        with self._scope.store.write(self._scope.owner) as tx:
            today = sum(row.tokens for row in tx.usage.of(self.day) if row.what == WHAT)
            if today + tokens > self._daily:
                self.day_is_full = True
                raise OverBudget(
                    f"{today:,} of today's {self._daily:,} tokens are used; "
                    "raise `llm_daily_tokens` or wait until tomorrow"
                )
            tx.usage.add(self.day, WHAT, calls=1, tokens=tokens)
        self._reserved = tokens

    def spent(self, input: int, output: int) -> None:
        with self._scope.store.write(self._scope.owner) as tx:
            tx.usage.add(self.day, WHAT, calls=0, tokens=input + output - self._reserved)
        self.used += input + output
        self._reserved = 0
