"""Small edits to another program's JSON file: what is not ours keeps every byte, comments included."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.errors import Invalid

_BLANK = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ATOM = re.compile(r"[^\s,\]}/]+")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands. ``items``: of an object (key, node), of an array ("", node)."""

    start: int
    end: int
    items: tuple[tuple[str, int, "Node"], ...] = ()
    """(key or "", where the item starts, its value)"""

    def find(self, *path: str) -> "Node | None":
        node: Node | None = self
        for name in path:
            node = next((value for key, _, value in node.items if key == name), None) if node else None
        return node


def parse(text: str) -> Node:
    """The tree of spans. Raises ``Invalid`` for what is not JSON (comments are fine)."""
    node, at = _value(text, _blank(text, 0))
    if _blank(text, at) != len(text):
        raise Invalid("the file goes on after its JSON ends; put it right first")
    return node


def with_member(text: str, path: Sequence[str], value: Any) -> str:
    """The text with ``value`` at ``path``; objects on the way are made. What stands there already is replaced."""
    text = text if text.strip() else "{}\n"
    root = parse(text)
    for depth in range(len(path), -1, -1):
        node = root.find(*path[:depth])
        if node is not None:
            break
    assert node is not None
    if depth == len(path):
        return text[: node.start] + _dumped(value, _indent(text, node.start)) + text[node.end :]
    if text[node.start] != "{":
        raise Invalid("a value stands where the settings need an object; put it right first")
    for name in reversed(path[depth + 1 :]):
        value = {name: value}
    return _added(text, node, f"{json.dumps(path[depth])}: ", value)


def with_element(text: str, path: Sequence[str], value: Any) -> str:
    """The text with ``value`` at the end of the array at ``path``, which is made where there is none."""
    node = parse(text).find(*path) if text.strip() else None
    if node is None:
        return with_member(text, path, [value])
    if text[node.start] != "[":
        raise Invalid(f"{'.'.join(path)} is not a list; put it right first")
    return _added(text, node, "", value)


def without(text: str, path: Sequence[str], index: int | None = None) -> str:
    """The text without the member at ``path``, or without that element of the array there."""
    root = parse(text)
    holder = root.find(*path) if index is not None else root.find(*path[:-1])
    if holder is None:
        return text
    keys = [key for key, _, _ in holder.items]
    at = index if index is not None else keys.index(path[-1]) if path[-1] in keys else None
    if at is None:
        return text
    _, start, node = holder.items[at]
    if len(holder.items) == 1:
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if at:
        return text[: holder.items[at - 1][2].end] + text[node.end :]
    return text[:start] + text[holder.items[1][1] :]


def value_of(text: str, node: Node) -> Any:
    """What a node says, comments left out."""
    if text[node.start] == "{":
        return {key: value_of(text, item) for key, _, item in node.items}
    if text[node.start] == "[":
        return [value_of(text, item) for _, _, item in node.items]
    return json.loads(text[node.start : node.end])


def _added(text: str, node: Node, label: str, value: Any) -> str:
    if node.items:
        inner, last = _indent(text, node.items[0][1]), node.items[-1][2].end
        joint = f",\n{inner}" if "\n" in text[node.start : node.end] else ", "
        return text[:last] + joint + label + _dumped(value, inner) + text[last:]
    outer = _indent(text, node.start)
    inner = outer + ("\t" if outer.startswith("\t") else "  ")
    return text[: node.start + 1] + f"\n{inner}{label}{_dumped(value, inner)}\n{outer}" + text[node.end - 1 :]


def _dumped(value: Any, indent: str) -> str:
    step = "\t" if indent.startswith("\t") else "  "
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> tuple[Node, int]:
    if at >= len(text):
        raise Invalid("the file ends in the middle of its JSON; put it right first")
    if text[at] in "{[":
        return _container(text, at)
    match = (_STRING if text[at] == '"' else _ATOM).match(text, at)
    try:
        if match is None:
            raise ValueError
        json.loads(match[0])
    except ValueError:
        raise Invalid("the file is not valid JSON; put it right first") from None
    return Node(at, match.end()), match.end()


def _container(text: str, start: int) -> tuple[Node, int]:
    close = "}" if text[start] == "{" else "]"
    items: list[tuple[str, int, Node]] = []
    at = _blank(text, start + 1)
    while text[at : at + 1] != close:
        first, key = at, ""
        if close == "}":
            match = _STRING.match(text, at)
            if match is None:
                raise Invalid("the file is not valid JSON; put it right first")
            key = json.loads(match[0])
            at = _blank(text, match.end())
            if text[at : at + 1] != ":":
                raise Invalid("the file is not valid JSON; put it right first")
            at = _blank(text, at + 1)
        node, at = _value(text, at)
        items.append((key, first, node))
        at = _blank(text, at)
        if text[at : at + 1] == ",":
            at = _blank(text, at + 1)
        elif text[at : at + 1] != close:
            raise Invalid("the file is not valid JSON; put it right first")
    return Node(start, at + 1, tuple(items)), at + 1
