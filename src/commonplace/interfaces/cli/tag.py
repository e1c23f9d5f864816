"""``tag``: the glossary of the namespace."""

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several


def tag(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "every tag, what it means and how often it is used", _list)
    group.command("show", "one tag, by its name or a synonym", _show).add_argument("name")
    command = group.write(
        "create",
        "make a tag",
        lambda call: call.book.glossary.create(
            call.given.name, description=call.given.description, synonyms=listed(call.given.synonym)
        ),
    )
    command.add_argument("name")
    command.add_argument("--description", metavar="TEXT")
    several(command, "--synonym", "another name it is found by")
    command = group.write(
        "revise",
        "rename or describe a tag, or give it other synonyms",
        lambda call: call.book.glossary.revise(
            **call.arguments("name", "rename", "description"), synonyms=listed(call.given.synonym) or None
        ),
    )
    command.add_argument("name")
    command.add_argument("--rename", metavar="NAME")
    command.add_argument("--description", metavar="TEXT")
    several(command, "--synonym", "instead of the ones it has")
    command = group.write(
        "merge", "merge two tags", lambda call: call.book.glossary.merge(call.given.name, into=call.given.into)
    )
    command.add_argument("name")
    command.add_argument("--into", required=True, metavar="NAME", help="the tag that stays")
    help = "remove a tag; tagged memories stay"
    group.write("delete", help, lambda call: call.book.glossary.delete(call.given.name)).add_argument("name")


def _list(call: Call) -> None:
    columns = {"tag": "name", "used": "links", "synonyms": "synonyms", "meaning": "description"}
    call.table(call.book.glossary.list(), columns)


def _show(call: Call) -> None:
    tag = call.book.glossary.get(call.given.name)
    facts = {"name": tag.name, "id": tag.id, "meaning": tag.description, "synonyms": ", ".join(tag.synonyms)}
    call.answer(tag, lambda paper: paper.facts({**facts, "used": tag.links}))
