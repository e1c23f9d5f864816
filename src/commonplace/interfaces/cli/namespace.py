"""``namespace``: the workspaces of the owner."""

from collections.abc import Iterator, Sequence

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several
from commonplace.interfaces.cli.show import Paper
from commonplace.sharing.member_store import ROLES
from commonplace.sharing.sharing import RULES, Invitation, SharedNamespace


def namespace(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "every namespace", _list)
    command = group.write(
        "create",
        "make a namespace",
        lambda call: call.book.namespaces.create(**call.arguments("name", "description")),
    )
    command.add_argument("name")
    command.add_argument("--description", metavar="TEXT")
    command = group.write(
        "revise",
        "rename or describe a namespace, or declare its predicates",
        lambda call: call.book.namespaces.revise(
            **call.arguments("name", "rename", "description"), predicates=listed(call.given.predicate) or None
        ),
    )
    command.add_argument("name")
    command.add_argument("--rename", metavar="NAME")
    command.add_argument("--description", metavar="TEXT")
    several(command, "--predicate", "a predicate declared here, instead of the ones it has")
    command = group.write(
        "move",
        "move memories to another namespace",
        lambda call: call.book.namespaces.move([call.id(id) for id in call.given.ids], to=call.given.to),
    )
    command.add_argument("ids", nargs="+", metavar="ID")
    command.add_argument("--to", required=True, metavar="NAME")
    command = group.command("share", "invite a person to a namespace", _share)
    command.add_argument("name")
    command.add_argument("--with", dest="person", metavar="PERSON", help="only this person can join with the code")
    command.add_argument("--role", choices=ROLES, default="writer", help="what they may do (default: writer)")
    command.add_argument(
        "--on-leaving", dest="rule", choices=RULES, default="stays", help="whether their memories stay when they leave"
    )
    command = group.command("join", "join a shared namespace by an invitation code", _join)
    command.add_argument("code")
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    command = group.command("withdraw", "end an open invitation", _withdraw)
    command.add_argument("name")
    command.add_argument("invitation", help="its id (see `namespace members`) or its code")
    group.command("members", "members of a shared namespace, and open invitations", _members).add_argument("name")
    help = "leave a shared namespace"
    group.write("leave", help, lambda call: call.book.sharing.leave(call.given.name)).add_argument("name")
    command = group.command("remove", "remove a member from a shared namespace", _remove)
    command.add_argument("name")
    command.add_argument("person")
    command = group.command("role", "give a member of a shared namespace another role", _role)
    command.add_argument("name")
    command.add_argument("person")
    command.add_argument("role", choices=ROLES)
    command = group.command("transfer", "make another member the admin of a shared namespace", _transfer)
    command.add_argument("name")
    command.add_argument("person")
    command = group.command("delete", "erase a namespace with all that is in it", _delete)
    command.add_argument("name")
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def _list(call: Call) -> None:
    columns = {"namespace": "name", "since": lambda row: call.paper.day(row.created_at)}
    if shared := {one.name: one for one in call.book.sharing.list()}:
        columns["shared"] = lambda row: _role_and_others(shared[row.name]) if row.name in shared else ""
    call.table(call.book.namespaces.list(), {**columns, "id": "id", "description": "description"})


def _role_and_others(shared: SharedNamespace) -> str:
    return f"{shared.role}, {len(shared.members)} members" if shared.members else "no longer a member"


def _delete(call: Call) -> None:
    name = call.given.name
    call.agreed(f"Erase namespace {name!r} with all that is in it, for good?")
    call.receipt(call.book.erase(confirm=True, namespace=name))


def _share(call: Call) -> None:
    given = call.given
    invitation = call.book.sharing.share(given.name, person=given.person, role=given.role, rule=given.rule)
    call.answer(
        invitation,
        lambda paper: [
            *paper.facts(_terms(invitation)),
            f"They join with: commonplace namespace join {invitation.code}",
        ],
    )


def _join(call: Call) -> None:
    offer = call.book.sharing.preview(call.given.code)
    written = "are forgotten" if offer.rule == "goes" else "stay for the others"
    call.agreed(
        f"Join {offer.namespace!r} of {offer.invited_by} as {offer.role}? When you leave, memories you wrote {written}."
    )
    _show(call, call.book.sharing.join(call.given.code))


def _withdraw(call: Call) -> None:
    _show(call, call.book.sharing.withdraw(call.given.name, call.given.invitation))


def _members(call: Call) -> None:
    _show(call, call.book.sharing.get(call.given.name))


def _remove(call: Call) -> None:
    _show(call, call.book.sharing.remove(call.given.name, call.given.person))


def _role(call: Call) -> None:
    _show(call, call.book.sharing.set_role(call.given.name, call.given.person, call.given.role))


def _transfer(call: Call) -> None:
    _show(call, call.book.sharing.transfer(call.given.name, call.given.person))


def _show(call: Call, shared: SharedNamespace) -> None:
    call.answer(
        shared,
        lambda paper: [
            *paper.table(
                ("member", "role", "since"),
                ((member.person, member.role, paper.day(member.since)) for member in shared.members),
            ),
            *(_invited(paper, shared.invitations) if shared.invitations else ()),
        ],
    )


def _invited(paper: Paper, invitations: Sequence[Invitation]) -> Iterator[str]:
    yield ""
    yield from paper.table(
        ("invited", "role", "until", "invitation"),
        (
            (invited.person or "anyone with the code", invited.role, paper.day(invited.expires_at), invited.id)
            for invited in invitations
        ),
    )


def _terms(invitation: Invitation) -> dict[str, object]:
    return {
        "namespace": invitation.namespace,
        "role": invitation.role,
        "for": invitation.person or "anyone with the code",
        "on leaving": f"what they wrote {invitation.rule}",
        "expires": f"{invitation.expires_at:%Y-%m-%d %H:%M} UTC",
    }
