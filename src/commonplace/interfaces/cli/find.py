"""``recall``, ``context``, ``get``, ``list``, ``why`` and ``hints``."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, filters, moments, positive
from commonplace.interfaces.cli.show import Paper, words

if TYPE_CHECKING:
    from commonplace.extraction.trace import Trace


def recall(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what to look for; nothing: the latest that the filters let through")
    parser.add_argument("--limit", type=positive, default=8, metavar="N", help="at most so many (8)")
    parser.add_argument("--explain", action="store_true", help="show how each hit came to be")
    parser.add_argument("--recipe", metavar="NAME", help="the mix of recall's parts")
    filters(parser)
    parser.runs(_recall)


def context(parser: Parser) -> None:
    parser.add_argument("text", nargs="*", help="what the model is about to answer")
    parser.add_argument("--tokens", type=positive, default=2000, metavar="N", help="at most so long (2000)")
    parser.add_argument("--limit", type=positive, default=8, metavar="N", help="at most so many memories (8)")
    parser.add_argument("--session", metavar="NAME", help="repeat the last turns of this conversation")
    parser.add_argument("--guidance", action="store_true", help="add when to memorize, recall and correct")
    parser.runs(_context)


def get(parser: Parser) -> None:
    parser.add_argument("id")
    parser.add_argument("--evidence", action="store_true", help="show what was said that it rests on")
    parser.add_argument("--uses", action="store_true", help="show when it was on a page made for a prompt")
    moments(parser)
    parser.runs(_get)


def list_(parser: Parser) -> None:
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="at most so many (50)")
    parser.add_argument("--after", metavar="ID", help="where the last page ended")
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
    given = call.given
    fields = call.filters()
    if given.recipe:
        fields["recipe"] = given.recipe
    hits = call.book.recall(call.text(given.text), limit=given.limit, explain=given.explain, **fields)
    call.answer(
        [{"id": hit.memory.id, "score": hit.score, "memory": hit.memory, "why": hit.why} for hit in hits],
        lambda paper: paper.hits(hits),
    )


def _context(call: Call) -> None:
    given = call.given
    page = call.book.page(
        call.text(given.text) or None,
        tokens=given.tokens,
        limit=given.limit,
        session=given.session,
        guidance=given.guidance,
    )
    call.answer(page, [page.text] if page.text else [])


def _get(call: Call) -> None:
    given = call.given
    memory = call.book.get(call.id(given.id), as_of=call.time("as_of"), known_at=call.time("known_at"))
    if not given.evidence and not given.uses:
        call.answer(memory, lambda paper: paper.memory(memory))
        return
    rests = call.book.evidence(memory.id) if given.evidence else []
    used = call.book.uses(memory.id) if given.uses else []
    told = {"evidence": [{"episode": one, "quote": quote} for one, quote in rests]} if given.evidence else {}
    call.answer(
        {"id": memory.id, "memory": memory, **told, **({"uses": used} if given.uses else {})},
        lambda paper: [
            *paper.memory(memory),
            *(f"evidence: {episode.id}  {quote or episode.text}" for episode, quote in rests),
            *(f"used: {paper.time(one.at)}, one of {one.memories}" for one in used),
        ],
    )


def _list(call: Call) -> None:
    given = call.given
    found = call.book.browse(
        after=given.after,
        newest=not given.oldest,
        important=given.important,
        limit=given.limit,
        **call.filters(),
    )
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "recorded", "kind", "category", "status", "text"),
            ((one.id, paper.day(one.recorded_at), one.kind, one.category, one.status, words(one)) for one in found),
        ),
    )


def _hints(call: Call) -> None:
    found = call.book.hints()
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "sure", "since", "pattern"),
            ((one.id, f"{one.confidence:.2f}", paper.day(one.recorded_at), one.text) for one in found),
        ),
    )


def _why(call: Call) -> None:
    traces = call.book.why(call.id(call.given.id))
    call.answer(traces, lambda paper: _steps(paper, traces))


def _steps(paper: Paper, traces: "Sequence[Trace]") -> Iterator[str]:
    if not traces:
        yield paper.paint("somebody stated it; nothing was concluded", "dim")
    for trace in traces:
        tokens = f", {trace.tokens:,} tokens" if trace.tokens else ""
        took = f", {trace.seconds:.2f} s" if trace.seconds else ""
        yield paper.paint(f"{paper.second(trace.at)}  run {trace.run}{tokens}{took}", "bold")
        for step in trace.steps:
            yield f"    {step.action} {step.type} by {step.by}: {step.reason}"
            said = [step.statement, step.memory and f"memory {step.memory}", f"said in {step.episode}"]
            yield "        " + paper.paint(" · ".join(one for one in said if one), "dim")
            if step.near:
                yield "        " + paper.paint(f"beside {', '.join(step.near)}", "dim")
            if step.opinion:
                yield "        " + paper.paint(f"second opinion: {step.opinion}", "dim")
