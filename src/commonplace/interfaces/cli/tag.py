"""``tag``: the glossary of the namespace."""

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several


def tag(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "every tag, what it means and how often it is used", _list)
    group.command("show", "one tag, by its name or a synonym", _show).add_argument("name")
    one = group.command("create", "make a tag", _create)
    one.add_argument("name")
    one.add_argument("--description", metavar="TEXT")
    several(one, "--synonym", "another name it is found by")
    one = group.command("revise", "rename or describe a tag, or give it other synonyms", _revise)
    one.add_argument("name")
    one.add_argument("--rename", metavar="NAME")
    one.add_argument("--description", metavar="TEXT")
    several(one, "--synonym", "instead of the ones it has")
    one = group.command("merge", "make one tag of two", _merge)
    one.add_argument("name")
    one.add_argument("--into", required=True, metavar="NAME", help="the tag that stays")
    group.command("delete", "remove a tag; what it was tied to stays", _delete).add_argument("name")


def _list(call: Call) -> None:
    tags = call.book.glossary.list()
    call.answer(
        tags,
        lambda paper: paper.table(
            ("tag", "used", "synonyms", "meaning"),
            ((one.name, one.links, ", ".join(one.synonyms), one.description) for one in tags),
        ),
    )


def _show(call: Call) -> None:
    found = call.book.glossary.get(call.given.name)
    call.answer(
        found,
        lambda paper: paper.facts(
            {
                "name": found.name,
                "id": found.id,
                "meaning": found.description,
                "synonyms": ", ".join(found.synonyms),
                "used": found.links,
            }
        ),
    )


def _create(call: Call) -> None:
    given = call.given
    call.receipt(call.book.glossary.create(given.name, description=given.description, synonyms=listed(given.synonym)))


def _revise(call: Call) -> None:
    given = call.given
    call.receipt(
        call.book.glossary.revise(
            given.name, rename=given.rename, description=given.description, synonyms=listed(given.synonym) or None
        )
    )


def _merge(call: Call) -> None:
    call.receipt(call.book.glossary.merge(call.given.name, into=call.given.into))


def _delete(call: Call) -> None:
    call.receipt(call.book.glossary.delete(call.given.name))
