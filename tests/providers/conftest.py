"""What these tests share: a clock that makes retries wait no time, and a budget that keeps its books."""

from dataclasses import dataclass, field
from datetime import datetime

import pytest

from commonplace.clock import SystemClock
from commonplace.errors import OverBudget


class Patient(SystemClock):
    """The system's time, but chance always says 'at once', so that jittered waits are none."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def now(self) -> datetime:
        return super().now()

    def new_id(self) -> str:
        self.asked += 1
        return "00000000-0000-7000-8000-000000000000"


@dataclass
class Ledger:
    cap: int = 1_000_000
    held: int = 0
    used: int = 0
    entries: list[tuple[int, int]] = field(default_factory=list)

    def reserve(self, tokens: int) -> None:
        assert self.held == 0, "reserved twice without settling"
        if self.used + tokens > self.cap:
            raise OverBudget("cap reached")
        self.held = tokens

    def spent(self, input: int, output: int) -> None:
        assert self.held > 0, "settled without a reservation"
        self.held = 0
        self.used += input + output
        self.entries.append((input, output))


@pytest.fixture
def clock():
    return Patient()


@pytest.fixture
def ledger():
    return Ledger()
