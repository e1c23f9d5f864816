"""``recall``, ``get``, ``list``, ``why``, ``core``, ``walk`` and ``predicate``."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.show import Paper, words
from commonplace.interfaces.json import core_value

if TYPE_CHECKING:
    from commonplace.learning.trace import Trace
    from commonplace.memories.graph import Walk


NO_FILTERS = ("query", "limit", "recipe", "explain")
"""Keywords of ``recall`` that filter nothing."""


def recall(call: Call) -> None:
    explain = call.given.explain
    keywords = {**call.keywords(), "explain": explain or not call.json}  # tell a person if none is relevant
    asked = bool(keywords.get("query", "").strip())
    hits = call.book.recall(**keywords)
    call.answer(
        [{"id": hit.memory.id, "score": hit.score, "memory": hit.memory, "why": hit.why} for hit in hits],
        lambda paper: [
            *(() if asked else [paper.paint(_without_question(call, keywords, bool(hits)), "dim")]),
            *(paper.hits(hits, asked=asked, explain=explain) if asked or hits else ()),
        ],
    )


def _without_question(call: Call, keywords: Mapping[str, Any], any_hits: bool) -> str:
    """The message for recall without a question, and how to ask one."""
    if any_hits:
        return "The latest memories. To search: commonplace recall 'how does Ada travel?'"
    if not set(keywords) <= set(NO_FILTERS):
        return "No memory matches these filters."
    where = f"There are no memories in the namespace {call.place.namespace} yet."
    return f"{where} Add one: commonplace remember 'Ada likes trains'"


def get(call: Call) -> None:
    arguments = call.given
    memory = call.book.get(call.id(arguments.id), as_of=call.time("as_of"), known_at=call.time("known_at"))
    if not arguments.evidence and not arguments.uses:
        call.answer(memory, lambda paper: paper.memory(memory))
        return
    rests = call.book.evidence(memory.id) if arguments.evidence else []
    used = call.book.uses(memory.id) if arguments.uses else []
    evidence = (
        {"evidence": [{"episode": episode, "quote": quote} for episode, quote in rests]} if arguments.evidence else {}
    )
    call.answer(
        {"id": memory.id, "memory": memory, **evidence, **({"uses": used} if arguments.uses else {})},
        lambda paper: [
            *paper.memory(memory),
            *(f"evidence: {episode.id}  {quote or episode.text}" for episode, quote in rests),
            *(f"used: {paper.time(use.at)}, one of {use.memories}" for use in used),
        ],
    )


def list_(call: Call) -> None:
    columns = {"id": "id", "recorded": "recorded_at:day", "kind": "kind", "category": "category", "status": "status"}
    memories = call.book.browse(**call.keywords())
    call.table(memories, {**columns, "text": words}, more="--after", spare=("kind", "category", "status"))


def trace_lines(paper: Paper, traces: "Sequence[Trace]") -> Iterator[str]:
    if not traces:
        yield paper.paint("It was stated directly, not learned.", "dim")
    for trace in traces:
        tokens = f", {trace.tokens:,} tokens" if trace.tokens else ""
        took = f", {trace.seconds:.2f} s" if trace.seconds else ""
        yield paper.paint(f"{paper.second(trace.at)}  run {trace.run}{tokens}{took}", "bold")
        for step in trace.steps:
            yield f"    {step.action} {step.type} by {step.by}: {step.reason}"
            statements = [step.statement, step.memory and f"memory {step.memory}", f"said in {step.episode}"]
            yield "        " + paper.paint(" · ".join(statement for statement in statements if statement), "dim")
            if step.near:
                yield "        " + paper.paint(f"beside {', '.join(step.near)}", "dim")
            if step.opinion:
                yield "        " + paper.paint(f"second opinion: {step.opinion}", "dim")


def get_value(call: Call) -> None:
    value = call.book.core.get(**call.keywords())
    call.answer(core_value(value), [value.text])


def list_values(call: Call) -> None:
    values = call.book.core.list(**call.keywords())
    columns = {"key": "key", "since": lambda value: call.paper.day(value.valid_from or value.recorded_at)}
    columns = {**columns, "namespace": "namespace", "value": "text"}
    call.table(values, columns, value=[core_value(value) for value in values])


def walk_lines(paper: Paper, walk: "Walk") -> Iterator[str]:
    for entity in sorted(walk.entities, key=lambda entity: (walk.distance[entity.id], entity.label)):
        yield f"{'  ' * walk.distance[entity.id]}{entity.label} {paper.paint(f'({entity.type})', 'dim')}"
    yield ""
    for tie in walk.relations:
        yield f"{tie.subject.label} --{tie.predicate}--> {tie.object.label}"


def predicates(call: Call) -> None:
    predicates = call.book.graph.predicates()
    call.answer(
        [{"id": name, "built_in": built_in} for name, built_in in predicates],
        [name if built_in else f"{name} (declared here)" for name, built_in in predicates],
    )
