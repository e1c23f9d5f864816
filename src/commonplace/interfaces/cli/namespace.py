"""``namespace``: the workspaces of the owner."""

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several


def namespace(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "every namespace", _list)
    one = group.command("create", "make a namespace", _create)
    one.add_argument("name")
    one.add_argument("--description", metavar="TEXT")
    one = group.command("revise", "rename or describe a namespace, or declare its predicates", _revise)
    one.add_argument("name")
    one.add_argument("--rename", metavar="NAME")
    one.add_argument("--description", metavar="TEXT")
    several(one, "--predicate", "a predicate declared here, instead of the ones it has")
    one = group.command("move", "take memories to another namespace", _move)
    one.add_argument("ids", nargs="+", metavar="ID")
    one.add_argument("--to", required=True, metavar="NAME")
    one = group.command("delete", "erase a namespace with all that is in it", _delete)
    one.add_argument("name")
    one.add_argument("--yes", action="store_true", help="do not ask")


def _list(call: Call) -> None:
    found = call.book.namespaces.list()
    call.answer(
        found,
        lambda paper: paper.table(
            ("namespace", "since", "id", "description"),
            ((one.name, paper.day(one.created_at), one.id, one.description) for one in found),
        ),
    )


def _create(call: Call) -> None:
    call.receipt(call.book.namespaces.create(call.given.name, description=call.given.description))


def _revise(call: Call) -> None:
    given = call.given
    call.receipt(
        call.book.namespaces.revise(
            given.name, rename=given.rename, description=given.description, predicates=listed(given.predicate) or None
        )
    )


def _move(call: Call) -> None:
    call.receipt(call.book.namespaces.move([call.id(one) for one in call.given.ids], to=call.given.to))


def _delete(call: Call) -> None:
    name = call.given.name
    call.agreed(f"Erase namespace {name!r} with all that is in it, for good?")
    call.receipt(call.book.namespaces.delete(name))
