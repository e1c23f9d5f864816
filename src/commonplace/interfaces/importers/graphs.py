"""Exports of services that extract facts into a graph: Zep and Hindsight."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from commonplace.interfaces.importers.found import Found, FoundRelation, Note, Problem, Skipped
from commonplace.interfaces.importers.reading import ImportSource, Turns, moment, talk, texts_of
from commonplace.model import Role

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "human": "user", "ai": "assistant"}
ZEP_LISTS = ("edges", "facts", "nodes", "episodes", "messages", "threads")
THREADS = ("thread_id", "thread_uuid", "session_id")


def zep(source: ImportSource) -> Iterator[Found]:
    """What Zep's API gives for a user, as JSON: edges (facts), nodes, episodes and messages, in one file or several."""
    items: list[tuple[str, dict[str, Any]]] = []
    for place, value in source.documents():
        entries = list(_zep_items(value))
        if not entries:
            yield Problem(place=place, what="has no edges, nodes, episodes or messages")
        items += [(f"{place}#{number}", entry) for number, entry in enumerate(entries)]
    names = {str(item.get("uuid") or item.get("uuid_")): item for _, item in items if "summary" in item}
    threads: dict[str, Turns] = defaultdict(list)
    for place, item in items:
        if item.get("fact"):
            yield from _zep_fact(place, item, names)
        elif item.get("summary") and item.get("name"):
            at = moment(item.get("created_at"))
            yield Note(text=f"{item['name']}: {item['summary']}", place=place, at=at, metadata=_zep_origin(item))
        elif not item.get("content"):
            yield Skipped("entries without text")
        elif item.get("source") in (None, "message"):
            # the role stands in `role_type` up to version 3, where `role` is a name, and in `role` since
            role = ROLES.get(str(item.get("role_type") or item.get("role")).casefold())
            if role is None:
                yield Skipped("messages of tools and the system")
                continue
            thread = next((str(item[name]) for name in THREADS if item.get(name)), "messages")
            said_at = item.get("reference_time") or item.get("created_at")
            threads[thread].append((role, str(item["content"]), said_at))
        elif item.get("source") == "text":
            at = moment(item.get("reference_time") or item.get("created_at"))
            yield Note(text=str(item["content"]), place=place, at=at, metadata=_zep_origin(item))
        else:
            yield Skipped("episodes that are not text")
    for thread, turns in threads.items():
        yield from talk(f"zep {thread}", sorted(turns, key=lambda turn: str(turn[2] or "")), source.path.name)


def _zep_items(value: Any) -> Iterator[dict[str, Any]]:
    """Every entry of a list, or of the lists that an object has; threads hold messages of their own.

    A fact lists the ids of its episodes under the name that an answer lists episodes under.
    """
    if isinstance(value, list):
        for item in value:
            yield from _zep_items(item)
    elif isinstance(value, dict) and value.keys() & {"fact", "summary", "content"}:
        yield value
    elif isinstance(value, dict):
        lists = [name for name in ZEP_LISTS if isinstance(value.get(name), list)]
        thread = {name: value[name] for name in THREADS if value.get(name)}
        for name in lists:
            yield from ({**thread, **item} for item in _zep_items(value[name]))


def _zep_fact(place: str, edge: dict[str, Any], nodes: dict[str, dict[str, Any]]) -> Iterator[Found]:
    at, until = moment(edge.get("valid_at") or edge.get("created_at")), moment(edge.get("invalid_at"))
    yield Note(text=str(edge["fact"]), place=place, at=at, until=until, metadata=_zep_origin(edge))
    ends = []
    for end in ("source", "target"):
        node = nodes.get(str(edge.get(f"{end}_node_uuid")), {})
        labels = texts_of(edge.get(f"{end}_node_labels") or node.get("labels"))
        kind = next((label.casefold() for label in labels if label not in ("Entity", "Node")), "topic")
        ends.append((str(edge.get(f"{end}_node_name") or node.get("name") or ""), kind))
    (subject, subject_type), (object, object_type) = ends
    types = {"subject_type": subject_type, "object_type": object_type}
    if until is not None or edge.get("expired_at"):
        yield Skipped("relations that ended, kept as facts only")
    elif subject and object and edge.get("name"):
        yield FoundRelation(subject=subject, predicate=str(edge["name"]), object=object, place=place, **types)
    else:
        yield Skipped("relations whose ends have no name, kept as facts only")


def _zep_origin(item: dict[str, Any]) -> dict[str, Any]:
    id = item.get("uuid") or item.get("uuid_")
    return {"zep_uuid": id} if id else {}


def hindsight(source: ImportSource) -> Iterator[Found]:
    """Hindsight's transfer archive (zip or folder), or the list of memories that its API gives."""
    for place, value in source.documents():
        document = value if isinstance(value, dict) else {}
        entries, id = document.get("facts"), str(document.get("id") or "")
        if not isinstance(entries, list):
            entries, id = document.get("items") or document.get("observations") if document else value, ""
        if document and not isinstance(entries, list):
            entries = [document] if "text" in document else None
        if not isinstance(entries, list):
            yield Skipped("settings and models of the bank")
            continue
        for number, entry in enumerate(entries):
            yield _hindsight_fact(f"{place}#{number}", entry, id)
        if isinstance(document.get("facts"), list) and (document.get("original_text") or document.get("chunks")):
            yield Skipped("texts of documents, whose facts are imported")


def _hindsight_fact(place: str, fact: Any, document: str) -> Found:
    text = fact.get("text") if isinstance(fact, dict) else None
    if not isinstance(text, str) or not text.strip():
        return Problem(place=place, what="has no text")
    if fact.get("state") == "invalidated":
        return Skipped("facts that were invalidated")
    times = (fact.get(name) for name in ("occurred_start", "mentioned_at", "event_date", "date", "created_at"))
    entities = fact.get("entities") or []
    own = {
        "fact_type": fact.get("fact_type"),
        "context": fact.get("context"),
        "document": fact.get("document_id") or document,
        "entities": entities.split(", ") if isinstance(entities, str) else entities,
        "hindsight_id": fact.get("id") or fact.get("source_id"),
    }
    return Note(
        text=text,
        place=place,
        category="insight" if fact.get("fact_type") == "observation" else "fact",
        at=next((at for time in times if (at := moment(time)) is not None), None),
        tags=tuple(texts_of(fact.get("tags"))),
        metadata={name: value for name, value in own.items() if value},
    )
