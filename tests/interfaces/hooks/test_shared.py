"""Hooks in a project whose namespace is shared: what is said goes there, unless its person may only read it."""

import pytest
from tests.interfaces.hooks.conftest import Call, Place

from commonplace import Commonplace

NOTE = "Remember that the demo laptop is in the blue bag"


def joined(place: Place, role: str) -> tuple[Commonplace, Commonplace, Commonplace]:
    """The book of the project, the same person's own, and that of the team's admin."""
    book = place.book()
    name, person = book.namespace, book.owner
    boss = Commonplace(book._parts, book._parts.scope("boss", name))
    boss.remember("The projector is in room four")
    invitation = boss.sharing.share(name, person=person, role=role)
    own = Commonplace(book._parts, book._parts.scope(person, "default"))
    own.sharing.join(str(invitation.code))
    return book.within(name), own, boss.within(name)


def kept(book: Commonplace) -> list[str]:
    return [memory.text for memory in book.browse(kinds=["episodic"])]


@pytest.mark.one_engine("a hook opens only a file by itself")
def test_a_writer_and_the_team_know_what_is_said(place: Place, call: Call) -> None:
    project, own, team = joined(place, "writer")
    own.within("personal").remember("I keep my own projector at home")
    answer = call("prompt", "UserPromptSubmit", prompt=f"{NOTE}. Where is the projector?")
    assert "room four" in str(answer) and "at home" in str(answer)
    assert len(kept(team)) == 1 and kept(project) == kept(team) and kept(own) == []
    assert {memory.author for memory in team.browse(kinds=["episodic"])} == {own.owner}


@pytest.mark.one_engine("a hook opens only a file by itself")
@pytest.mark.parametrize("ended", [False, True])
def test_what_a_reader_or_a_former_member_says_stays_their_own(place: Place, call: Call, ended: bool) -> None:
    _, own, team = joined(place, "reader")
    if ended:
        team.sharing.remove(team.namespace, own.owner)
    answer = call("prompt", "UserPromptSubmit", prompt=NOTE)
    assert "only read" not in str(answer) and "member" not in str(answer)
    assert kept(team) == [] and len(kept(own)) == 1
    assert [hit.memory.text for hit in own.recall("demo laptop")]
