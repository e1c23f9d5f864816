"""``revise``, ``archive``, ``reject``, ``review``, ``forget`` and ``erase``."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonplace.context.render import author
from commonplace.describing.proposal import Proposal
from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, named
from commonplace.interfaces.cli.show import MARGIN, Paper
from commonplace.notebook.paths import notebook_paths

if TYPE_CHECKING:
    from commonplace.memories.review import Waiting
    from commonplace.notebook.mentions import Edit


def said(call: Call, ids: Sequence[str]) -> list[str]:
    """Every present and earlier text of the memories."""
    return [version.memory.text for id in ids for version in call.book.history(id)]


def agreed_edits(call: Call, values: Sequence[str]) -> "list[Edit]":
    """The confirmed edits of this project's files; none if no file contains one of the values."""
    if call.remote or not any(True for _ in notebook_paths(Path.cwd(), call.settings).files()):
        return []
    edits = call.book.notebook.mentions_in_files(list(dict.fromkeys(values)))
    for edit in edits:
        print(edit.diff, file=sys.stderr)
    if not edits or call.given.yes:
        return edits
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        print("these lines stay in the files; --yes removes them too", file=sys.stderr)
        return []
    print("Remove these lines from the files too? [y/N] ", end="", file=sys.stderr, flush=True)
    return edits if sys.stdin.readline().strip().casefold() in ("y", "yes") else []


def make(call: Call, edits: "Sequence[Edit]") -> None:
    if edits:
        word = call.book.notebook.make(edits)
        print("; ".join(["removed from the files", *([word] if word else [])]), file=sys.stderr)


def revise(call: Call) -> None:
    arguments = call.given
    fields = call.keywords("id", "text", "query", "choose", "dry_run", "reason", "expected")
    further: dict[str, Any] = {
        "dry_run": arguments.dry_run,
        "reason": arguments.reason,
        "expected": arguments.expected,
        **fields,
    }
    if arguments.query is None:
        if arguments.id is None:
            raise Invalid("pass the memory's id, or --query 'a description'")
        id, words = call.id(arguments.id), arguments.text
    else:
        id, words = None, [word for word in (arguments.id,) if word] + arguments.text
    text = call.text(words) if words else None
    if text is None and not fields:
        raise Invalid("pass what to change: a text, or a field such as --category")
    choose = None if arguments.query is None or arguments.choose is None else call.id(arguments.choose)
    call.proposal_or_receipt(call.book.revise(id, text, query=arguments.query, choose=choose, **further))


def archive(call: Call) -> None:
    call.receipt(call.book.archive(*map(call.id, call.given.ids), reason=call.given.reason))


def reject(call: Call) -> None:
    arguments = call.given
    id = call.id(arguments.id)
    edits = agreed_edits(call, [call.book.get(id).text])
    receipt = call.book.reject(id, reason=arguments.reason, expected=arguments.expected)
    make(call, edits)
    call.receipt(receipt)


FAILED = 1


def forget(call: Call) -> None:
    arguments = call.given
    if bool(arguments.ids) == (arguments.query is not None):
        raise Invalid("pass memory ids, or a description with --query")
    if arguments.query is not None:
        _forget_described(call)
        return
    ids = list(map(call.id, arguments.ids))
    edits = [] if arguments.dry_run else agreed_edits(call, said(call, ids))
    receipts = [call.book.forget(id, dry_run=arguments.dry_run) for id in ids]
    make(call, edits)
    if len(receipts) == 1:
        call.receipt(receipts[0])
        return
    call.answer(receipts, lambda paper: [line for receipt in receipts for line in paper.receipt(receipt)])


def _forget_described(call: Call) -> None:
    """Show what the description means before asking for confirmation."""
    arguments = call.given
    query, choose = call.text(arguments.query), [call.id(id) for id in arguments.choose or ()] or None
    shown = call.book.forget(query=query, dry_run=True, all=arguments.all, yes=arguments.yes, choose=choose)
    if arguments.dry_run or isinstance(shown, Proposal):
        call.proposal_or_receipt(shown)
        return
    if not arguments.yes:
        for change in shown.changes:
            print(f"{change.reason}: {change.statement}", file=sys.stderr)
    call.agreed("Forget this, for good?")
    edits = agreed_edits(call, [edit.statement for edit in shown.changes if edit.action == "DELETE" and edit.statement])
    receipt = call.book.forget(query=query, all=arguments.all, yes=arguments.yes, choose=choose)
    make(call, edits)
    call.proposal_or_receipt(receipt)


def erase(call: Call) -> None:
    arguments = call.given
    option = getattr(arguments, "namespace", None)
    if arguments.name and option and arguments.name != option:
        raise Invalid("two namespaces were passed; pass the one to erase")
    name = arguments.name or option
    if bool(name) == arguments.everything:
        raise Invalid("pass what to erase: a NAMESPACE, or --everything")
    owner = call.settings.owner
    stats = call.book.stats()
    counts = {row.name: row.memories for row in stats.namespaces}
    memories = counts.get(name, 0) if name else stats.memories
    target = f"namespace {name!r} of {owner!r}" if name else f"everything that {owner!r} has, and the keys"
    question = f"Erase {target}: {memories:,} memories, for good?"
    if arguments.yes:
        print(question, file=sys.stderr)
    call.agreed(question)
    call.receipt(call.book.erase(confirm=True, namespace=name))


def verify_receipt(call: Call) -> None:
    verification = call.book.verify_receipt(call.ref(call.given.receipt))
    call.given.exit_code = 0 if verification.gone else FAILED
    call.answer(
        {"id": verification.ref, "gone": verification.gone, "state": verification.state, "found": verification.found},
        [verification.summary, *(f"still there: {residue}" for residue in verification.found)],
    )


def review(call: Call) -> None:
    waiting = call.book.review.list(**call.keywords())
    limit = call.given.limit
    total = call.book.review.count() if len(waiting) >= limit and not call.given.after else None
    call.answer(
        [named(candidate.memory.id, candidate) for candidate in waiting],
        lambda paper: [*_review_lines(paper, waiting), *paper.more(waiting, limit, "--after", total=total)],
    )


def _review_lines(paper: Paper, waiting: "Sequence[Waiting]") -> Iterator[str]:
    if not waiting:
        yield paper.paint("All caught up.", "dim")
    for candidate in waiting:
        yield paper.paint(candidate.memory.text, "bold")
        yield "    " + paper.paint(paper.joined([candidate.reason, *paper.about(candidate.memory)], MARGIN), "dim")
        yield from (f"    said: {quote or episode.text}" for episode, quote in candidate.quotes)
        if candidate.conflict is not None:
            by = f" ({who})" if (who := author(candidate.conflict)) else ""
            id = paper.paint(paper.id(candidate.conflict.id), "dim")
            yield f"    against: {candidate.conflict.text}{by}  {id}"


def lift(call: Call) -> None:
    lifted = call.book.review.lift(call.text(call.given.text))
    call.answer({"lifted": lifted}, [f"{lifted} lifted"])
