"""What a smaller plan hides, in recall and on the page: it is still there, and comes back with the plan."""

from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings

Opener = Callable[..., Commonplace]


@pytest.fixture
def opened(open_book: Opener, tmp_path: Path) -> Callable[[str], Commonplace]:
    return lambda plan: open_book(settings=Settings(home=tmp_path / "home", plan=plan))


def texts(book: Commonplace) -> set[str]:
    return {hit.memory.text for hit in book.recall("Giulia Marco coffee Java", kinds=["relational"], limit=20)}


def related(book: Commonplace) -> None:
    book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person")
    book.relate("Java", "works_with", "Coffee", subject_type="topic", object_type="company")


def test_without_relations_none_is_recalled_or_on_the_page(opened: Callable[[str], Commonplace]) -> None:
    related(opened("team"))
    assert "Giulia" in opened("team").context("who does Giulia report to")
    free = opened("free")
    assert texts(free) == set()
    assert "Giulia" not in free.context("who does Giulia report to")
    assert len(free.browse(kinds=["relational"])) == 2


def test_pro_shows_only_relations_of_people_and_projects(opened: Callable[[str], Commonplace]) -> None:
    related(opened("team"))
    assert len(texts(opened("power"))) == 2
    assert "Java" in opened("power").context("what works with coffee")
    pro = opened("pro")
    assert {text.split()[0] for text in texts(pro)} == {"Giulia"}
    page = pro.context("what works with coffee, and who does Giulia report to")
    assert "Java" not in page and "Giulia" in page


def test_others_take_the_place_of_what_is_hidden(opened: Callable[[str], Commonplace]) -> None:
    team = opened("team")
    for n in range(20):
        team.relate("Acme", "works_with", f"Supplier {n}", subject_type="company", object_type="company")
    team.remember_many([f"Acme pays on the {n}th" for n in range(4, 20)])
    asked = "What does Acme work with?"
    assert {hit.memory.kind for hit in team.recall(asked, limit=8)} == {"relational"}
    free = opened("free")
    assert [hit.memory.kind for hit in free.recall(asked, limit=8)] == ["associative"] * 8
    assert free.context(asked).count("Acme pays") == 16
    team.relate("Giulia", "reports_to", "Marco", subject_type="person", confidence=0.5)
    assert "Giulia" in opened("pro").context() and "Giulia" not in team.context()
