"""``recall``, ``context``, ``get``, ``list``, ``why`` and ``hints``."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, filters, moments, positive
from commonplace.interfaces.cli.show import Paper, words

if TYPE_CHECKING:
    from commonplace.learning.trace import Trace


def recall(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what to look for (default: the latest that match the filters)")
    parser.add_argument("--limit", type=positive, default=8, metavar="N", help="maximum (default 8)")
    parser.add_argument("--explain", action="store_true", help="show why each memory was found")
    parser.add_argument(
        "--recipe", metavar="NAME", help="how words and meaning are weighted: balanced, words or meaning"
    )
    filters(parser)
    parser.runs(_recall)


def context(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what the model is about to answer")
    parser.add_argument("--tokens", type=positive, default=2000, metavar="N", help="maximum length (default 2000)")
    parser.add_argument("--limit", type=positive, metavar="N", help="maximum number of memories (default: what fits)")
    parser.add_argument("--session", metavar="NAME", help="repeat the last turns of this conversation")
    parser.add_argument("--guidance", action="store_true", help="add when to memorize, recall and correct")
    moments(parser)
    parser.runs(_context)


def get(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--evidence", action="store_true", help="show the evidence: what was said")
    parser.add_argument("--uses", action="store_true", help="show which prompts it was used in")
    moments(parser)
    parser.runs(_get)


def list_(parser: Parser) -> None:
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="maximum (default 50)")
    parser.add_argument("--after", metavar="ID", help="the last id of the previous page")
    order = parser.add_mutually_exclusive_group()
    order.add_argument("--oldest", action="store_true", help="oldest first")
    order.add_argument("--important", action="store_true", help="most important first")
    filters(parser)
    parser.runs(_list)


def why(parser: Parser) -> None:
    parser.add_argument("id", help="a memory, a receipt, or the trace that one names")
    parser.runs(_why)


def hints(parser: Parser) -> None:
    parser.runs(_hints)


def _recall(call: Call) -> None:
    arguments = call.given
    fields = call.filters()
    if arguments.recipe:
        fields["recipe"] = arguments.recipe
    text = call.text(arguments.text)
    explain = arguments.explain or not call.json  # a person is told when none is near
    hits = call.book.recall(text, limit=arguments.limit, explain=explain, **fields)
    call.answer(
        [{"id": hit.memory.id, "score": hit.score, "memory": hit.memory, "why": hit.why} for hit in hits],
        lambda paper: paper.hits(hits, asked=bool(text), explain=arguments.explain),
    )


def _context(call: Call) -> None:
    arguments = call.given
    page = call.book.page(
        call.text(arguments.text) or None,
        tokens=arguments.tokens,
        limit=arguments.limit,
        session=arguments.session,
        guidance=arguments.guidance,
        as_of=call.time("as_of"),
        known_at=call.time("known_at"),
    )
    call.answer(page, [page.text] if page.text else [])


def _get(call: Call) -> None:
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


def _list(call: Call) -> None:
    arguments = call.given
    memories = call.book.browse(
        after=call.after(),
        newest=not arguments.oldest,
        important=arguments.important,
        limit=arguments.limit,
        **call.filters(),
    )
    columns = {"id": "id", "recorded": lambda row: call.paper.day(row.recorded_at), "kind": "kind"}
    columns = {**columns, "category": "category", "status": "status", "text": words}
    call.table(memories, columns, more="--after", spare=("kind", "category", "status"))


def _hints(call: Call) -> None:
    columns = {"id": "id", "confidence": lambda hint: f"{hint.confidence:.2f}"}
    since = {"since": lambda hint: call.paper.day(hint.recorded_at)}
    call.table(call.book.hints(), {**columns, **since, "pattern": "text"})


def _why(call: Call) -> None:
    traces = call.book.why(call.id(call.given.id))
    call.answer(traces, lambda paper: _steps(paper, traces))


def _steps(paper: Paper, traces: "Sequence[Trace]") -> Iterator[str]:
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
