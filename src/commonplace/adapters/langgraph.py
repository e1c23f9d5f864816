"""LangGraph's long-term store: ``CommonplaceStore(book)`` where a graph takes a ``BaseStore``."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from langgraph.store import base
from langgraph.store.base import GetOp, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp

from commonplace.adapters.items import Item, Items, bounded
from commonplace.book import Commonplace

WHOLE = "$"
_FILTER_KEY = re.compile(r"[\w-]+(?:\.[\w-]+)*")
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, operand: bool(value == operand),
    "$ne": lambda value, operand: bool(value != operand),
    "$gt": lambda value, operand: float(value) > float(operand),
    "$gte": lambda value, operand: float(value) >= float(operand),
    "$lt": lambda value, operand: float(value) < float(operand),
    "$lte": lambda value, operand: float(value) <= float(operand),
}


class CommonplaceStore(base.BaseStore):
    """LangGraph's namespaces as items in one namespace of a book, found by words and by meaning.

    ``fields`` are the paths of a value that are searchable (default: the whole value); ``ttl`` as in LangGraph.
    """

    supports_ttl = True

    def __init__(
        self,
        book: Commonplace,
        *,
        namespace: str = "langgraph",
        fields: Sequence[str] = (WHOLE,),
        ttl: base.TTLConfig | None = None,
    ) -> None:
        self._items = Items(book, namespace)
        self._clock, self._fields = book.clock, tuple(fields)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results in the order of the operations; of several puts to one key the last one counts."""
        wanted = list(ops)
        for op in wanted:
            base.validate_op_namespace(op)
        answers = [None if isinstance(op, PutOp) else self._answer(op) for op in wanted]
        last = {_key(op.namespace, op.key): op for op in wanted if isinstance(op, PutOp)}
        for op in last.values():
            self._put(op)
        return answers

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _answer(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            item = self._items.get(_key(op.namespace, op.key))
            if item is not None and op.refresh_ttl:
                self._refresh([item])
            if item is None:
                return None
            namespace, key = _parts(item)
            times = {"created_at": item.created_at, "updated_at": item.updated_at}
            return base.Item(value=item.value["value"], key=key, namespace=namespace, **times)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise TypeError(f"unknown operation {type(op).__name__}")

    def _put(self, op: PutOp) -> None:
        key = _key(op.namespace, op.key)
        if op.value is None:
            self._items.delete(key)
            return
        minutes = op.ttl if op.ttl is not None else (self.ttl_config or {}).get("default_ttl")
        expires = None if minutes is None else self._clock.now() + timedelta(minutes=minutes)
        paths = self._fields if op.index is None else () if op.index is False else tuple(op.index)
        value = json.loads(json.dumps(dict(op.value)))
        texts = (
            [json.dumps(value, ensure_ascii=False)]
            if path == WHOLE
            else base.get_text_at_path(value, base.tokenize_path(path))
            for path in paths
        )
        text = "\n".join(text for group in texts for text in group)
        self._items.put(
            key,
            {"value": value, "ttl": minutes},
            text=text or op.key,
            searchable=bool(paths),
            expires_at=expires,
            labels=[_prefix(op.namespace[:length]) for length in range(1, len(op.namespace) + 1)],
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        """Hits first, then items without a hit, newest first, read only if there are too few hits."""
        label, last = _label(op.namespace_prefix), op.offset + op.limit
        hits = self._items.search(op.query, label) if op.query else []
        fitting: list[tuple[Item, float | None]] = [(item, bounded(score)) for item, score in hits if _chosen(item, op)]
        if len(fitting) < last:
            ids = {item.id for item, _ in fitting}
            others = sorted(self._items.all(label), key=lambda item: item.updated_at, reverse=True)
            fitting += [(item, None) for item in others if item.id not in ids and _chosen(item, op)]
        page = fitting[op.offset : last]
        if op.refresh_ttl:
            self._refresh([item for item, _ in page])
        return [
            SearchItem(*_parts(item), item.value["value"], item.created_at, item.updated_at, score)
            for item, score in page
        ]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        rules = op.match_conditions or ()
        prefixes = (rule.path for rule in rules if rule.match_type == "prefix" and "*" not in rule.path)
        items = self._items.all(_label(next(prefixes, ())))
        namespaces = {_parts(item)[0] for item in items}
        matching = {namespace for namespace in namespaces if all(_matches(namespace, rule) for rule in rules)}
        cut = {namespace[: op.max_depth] for namespace in matching}
        return sorted(cut)[op.offset : op.offset + op.limit]

    def _refresh(self, items: Sequence[Item]) -> None:
        if not (self.ttl_config or {}).get("refresh_on_read", True):
            return
        for item in items:
            minutes = item.value["ttl"]
            if minutes is not None:
                self._items.renew(item, self._clock.now() + timedelta(minutes=minutes))


def _key(namespace: Sequence[str], key: str) -> str:
    return json.dumps([list(namespace), key], ensure_ascii=False)


def _parts(item: Item) -> tuple[tuple[str, ...], str]:
    namespace, key = json.loads(item.key)
    return tuple(namespace), key


def _label(prefix: Sequence[str]) -> tuple[int, str] | None:
    """The label of the items below a prefix."""
    return (len(prefix) - 1, _prefix(prefix)) if prefix else None


def _chosen(item: Item, op: SearchOp) -> bool:
    prefix, value = tuple(op.namespace_prefix), item.value["value"]
    is_under = _parts(item)[0][: len(prefix)] == prefix
    return is_under and all(_holds(_at(value, name), operand) for name, operand in (op.filter or {}).items())


def _at(value: Any, path: str) -> Any:
    """The value at a key, or at keys joined by dots. Raises ``ValueError`` for an invalid key."""
    if not _FILTER_KEY.fullmatch(path):
        raise ValueError(f"Invalid filter key: {path[:80]!r}; letters, digits, _, - and dots between keys")
    if isinstance(value, Mapping) and path in value:
        return value[path]
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _prefix(namespace: Sequence[str]) -> str:
    return json.dumps(list(namespace), ensure_ascii=False)


def _holds(value: Any, condition: Any) -> bool:
    if not isinstance(condition, dict):
        return bool(value == condition)
    if not any(name.startswith("$") for name in condition):
        return isinstance(value, dict) and all(_holds(value.get(name), part) for name, part in condition.items())
    if unknown := condition.keys() - COMPARE.keys():
        raise ValueError(f"unknown operator {min(unknown)!r}; one of {', '.join(COMPARE)}")
    return all(
        (value is not None or name in ("$eq", "$ne")) and COMPARE[name](value, operand)
        for name, operand in condition.items()
    )


def _matches(namespace: Sequence[str], rule: base.MatchCondition) -> bool:
    size = len(rule.path)
    part = namespace[:size] if rule.match_type == "prefix" else namespace[max(len(namespace) - size, 0) :]
    return len(part) == size and all(name in ("*", own) for own, name in zip(part, rule.path, strict=True))
