"""Routes that are written by hand: docs/rest.md lists each of them with the reason."""

import re
from pathlib import Path

import pytest

from commonplace.interfaces.rest.routes import MODULES, built

PAGE = Path(__file__).parents[3] / "docs" / "rest.md"


@pytest.mark.one_engine("looks at routes, not at a book")
def test_the_docs_list_every_route_that_is_not_made_from_the_table() -> None:
    section = PAGE.read_text("utf-8").partition("## Routes written by hand")[2].partition("\nNot available")[0]
    rows = [row.split("|") for row in section.splitlines() if row.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row[1])]
    by_hand = [route.name for module in MODULES if module is not built for route in module.router.routes]  # type: ignore[attr-defined]
    assert sorted(listed) == sorted(by_hand)
    assert all(row[2].strip() for row in rows)
    assert len(built.router.routes) > len(by_hand)
