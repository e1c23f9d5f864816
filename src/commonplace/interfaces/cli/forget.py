"""``forget``, ``erase`` and ``verify-receipt``: the acts that cannot be undone, and their proof."""

import sys

from commonplace.describing.proposal import Proposal
from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.mentions import agreed_edits, make, said

FAILED = 1


def forget(call: Call) -> None:
    arguments = call.given
    if bool(arguments.ids) == (arguments.query is not None):
        raise Invalid("name memories by id, or describe what is meant with --query")
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
    """What the words mean is shown before anybody agrees to it."""
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
        raise Invalid("two namespaces are named; name the one to erase")
    name = arguments.name or option
    if bool(name) == arguments.everything:
        raise Invalid("name what to erase: a NAMESPACE, or --everything")
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


def verify(call: Call) -> None:
    verification = call.book.verify_receipt(call.ref(call.given.receipt))
    call.given.exit_code = 0 if verification.gone else FAILED
    call.answer(
        {"id": verification.ref, "gone": verification.gone, "state": verification.state, "found": verification.found},
        [verification.summary, *(f"still there: {residue}" for residue in verification.found)],
    )
