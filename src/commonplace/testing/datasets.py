"""Converts LongMemEval and BEAM to LoCoMo's form. The data itself is not in this repository.

LongMemEval is one JSON list: a question with its own history (``haystack_sessions``), whose turns with the answer have
``has_answer``. BEAM is a folder per conversation (``chat.json`` and ``probing_questions/probing_questions.json``), or a
JSON list of rows with ``chat`` and ``probing_questions``; questions name their evidence by message id
(``source_chat_ids``). Questions without evidence (abstention) are not counted.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

LOCOMO_TIME = "%I:%M %p on %d %B, %Y"
NO_TIME = datetime(2024, 1, 1)  # noqa: DTZ001 — LoCoMo's times have no zone


def from_longmemeval(instances: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One sample per question, because each has its own history."""
    return [_longmemeval_sample(instance) for instance in instances]


def _longmemeval_sample(instance: dict[str, Any]) -> dict[str, Any]:
    conversation: dict[str, Any] = {}
    evidence = []
    history = zip(instance["haystack_dates"], instance["haystack_sessions"], strict=True)
    for number, (date, turns) in enumerate(history, start=1):
        at = datetime.strptime(re.sub(r"\s*\(\w+\)", "", date), "%Y/%m/%d %H:%M")  # noqa: DTZ007
        conversation[f"session_{number}_date_time"] = at.strftime(LOCOMO_TIME)
        conversation[f"session_{number}"] = [
            {"role": turn["role"], "dia_id": f"D{number}:{place}", "text": turn["content"]}
            for place, turn in enumerate(turns, start=1)
        ]
        evidence += [f"D{number}:{place}" for place, turn in enumerate(turns, start=1) if turn.get("has_answer")]
    question = {"question": instance["question"], "category": instance["question_type"], "evidence": evidence}
    return {"sample_id": instance["question_id"], "conversation": conversation, "qa": [question]}


def from_beam(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One sample per conversation; a session is a run of messages with the same time anchor."""
    return [_beam_sample(row, number) for number, row in enumerate(rows, start=1)]


def read_beam_folder(folder: Path) -> list[dict[str, Any]]:
    """The rows below a folder of BEAM's repository, such as ``chats/100K``, or of a single conversation."""
    return [
        {
            "conversation_id": chat.parent.name,
            "chat": json.loads(chat.read_text("utf-8")),
            "probing_questions": (chat.parent / "probing_questions" / "probing_questions.json").read_text("utf-8"),
        }
        for chat in sorted(folder.rglob("chat.json"))
    ]


def _beam_sample(row: dict[str, Any], number: int) -> dict[str, Any]:
    conversation: dict[str, Any] = {}
    places: dict[int, str] = {}
    session, anchor = 0, None
    for message in _leaves(row["chat"], _is_message):
        if session == 0 or (message.get("time_anchor") and message["time_anchor"] != anchor):
            session, anchor = session + 1, message.get("time_anchor") or anchor
            conversation[f"session_{session}"] = []
            conversation[f"session_{session}_date_time"] = _anchor(anchor).strftime(LOCOMO_TIME)
        turns = conversation[f"session_{session}"]
        places.setdefault(message["id"], f"D{session}:{len(turns) + 1}")
        turns.append({"role": message["role"], "dia_id": f"D{session}:{len(turns) + 1}", "text": message["content"]})
    questions = [
        {
            "question": question["question"],
            "category": ability,
            "evidence": [
                places[id] for id in dict.fromkeys(_leaves(question.get("source_chat_ids"), _is_id)) if id in places
            ],
        }
        for ability, probes in _mapping(row["probing_questions"]).items()
        for question in probes
    ]
    return {"sample_id": str(row.get("conversation_id", number)), "conversation": conversation, "qa": questions}


def _leaves(node: Any, wanted: Callable[[Any], bool]) -> Iterator[Any]:
    """The matching nodes of nested lists and objects, whose nesting differs between sizes."""
    if wanted(node):
        yield node
    elif isinstance(node, (list, dict)):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _leaves(child, wanted)


def _is_message(node: Any) -> bool:
    return isinstance(node, dict) and {"role", "id", "content"} <= node.keys()


def _is_id(node: Any) -> bool:
    return isinstance(node, int)


def _mapping(text: Any) -> dict[str, Any]:
    """Parse JSON, as in the repository, or a Python literal, as in the published tables."""
    if isinstance(text, dict):
        return text
    try:
        content = json.loads(text)
    except ValueError:
        content = ast.literal_eval(text)
    return dict(content)


def _anchor(text: str | None) -> datetime:
    for form in ("%B-%d-%Y", "%B %d, %Y", "%Y-%m-%d"):
        try:
            return datetime.strptime(text or "", form)  # noqa: DTZ007
        except ValueError:
            continue
    return NO_TIME
