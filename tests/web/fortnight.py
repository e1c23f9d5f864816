"""Two weeks of an invented person: 200 memories, told through the book's own verbs from ``fortnight.txt``."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from commonplace import Commonplace, Message
from commonplace.testing.clock import StoppedClock

CORE = {"name": "Nora Lindqvist", "diet": "vegetarian on weekdays", "tone": "summary first, no jargon"}
LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()


def fill(book: Commonplace) -> None:
    """Fill an empty book; the person states the facts, an agent claims some of its own."""
    end = book._parts.clock.now()
    clock = StoppedClock(end)
    past = Commonplace(replace(book._parts, clock=clock), replace(book._scope, clock=clock))
    agent = past.acting_as("claude-code", source="assistant", person=False)
    for key, value in CORE.items():
        book.core.set(key, value)
    known = {name for name, _ in book.graph.predicates()}
    for day, lines in _days():
        clock.at = end - timedelta(days=day, hours=1)
        messages = [match for line in lines if (match := re.fullmatch(r"(\w+): (.+)", line))]
        past.observe([_message(match, clock) for match in messages], session=f"Day {15 - day}")
        for line in lines:
            clock.advance(seconds=40)
            if match := re.fullmatch(r"- (\w+) #(\w+) (.+)", line):
                past.remember(match[3], category=match[1], tags=[match[2]])
            elif line.startswith("? "):
                agent.remember(line[2:], category="fact")
            elif match := re.fullmatch(r"(.+):(\w+) > (\w+) > (.+):(\w+)", line):
                if match[3] not in known:
                    book.graph.declare(match[3])
                    known.add(match[3])
                past.relate(match[1], match[3], match[4], subject_type=match[2], object_type=match[5])


def _days() -> list[tuple[int, list[str]]]:
    days: list[tuple[int, list[str]]] = []
    for line in LINES:
        if match := re.fullmatch(r"day (\d+)", line):
            days.append((int(match[1]), []))
        elif line and not line.startswith("#"):
            days[-1][1].append(line)
    return days


def _message(match: re.Match[str], clock: StoppedClock) -> Message:
    role = "assistant" if match[1] == "Assistant" else "user"
    return Message(match[2], speaker=match[1], role=role, at=clock.advance(minutes=2))
