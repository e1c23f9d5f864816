"""Pictures of the screens, for people to look at and for the README. `PICTURES=docs/images` says where to keep them."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import ROOT, Opener, Site
from .test_screens import settled

WIDE = {"viewport": {"width": 1440, "height": 900}}
NARROW = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}
PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "home": ("#/", WIDE),
    "home-dark": ("#/", {**WIDE, "color_scheme": "dark", "locale": "it"}),
    "search": ("#/?q=how+does+Ada+travel", WIDE),
    "settings": ("#/settings", WIDE),
    "memory": ("#/memories/{memory}", WIDE),
    "memory-dark": ("#/memories/{memory}", {**WIDE, "color_scheme": "dark", "locale": "de"}),
    "review": ("#/review", WIDE),
    "graph": ("#/graph", WIDE),
    "graph-dark": ("#/graph", {**WIDE, "color_scheme": "dark"}),
    "timeline": ("#/timeline", WIDE),
    "directive": ("#/directives/{directive}", WIDE),
    "notebook": ("#/notebook", WIDE),
    "audit": ("#/maintenance/audit", WIDE),
    "narrow": ("#/memories/{memory}", {**NARROW, "locale": "es"}),
    "narrow-home": ("#/", {**NARROW, "locale": "fr", "color_scheme": "dark"}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_each_screen(name: str, told: Site, browse: Opener, tmp_path: Path) -> None:
    at, look = PICTURES[name]
    if "{directive}" in at:
        at = at.format(directive=planned(told))
    page = settled(browse(at.format(memory=corrected(told)) if "{memory}" in at else at, on=told, **look))
    if "graph" in name:
        expect(page.locator("[data-settled=true]")).to_be_visible(timeout=15_000)
    folder = Path(os.environ["PICTURES"]) if "PICTURES" in os.environ else tmp_path
    target = (ROOT / folder if not folder.is_absolute() else folder) / f"{name}.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=target)
    assert target.stat().st_size > 15_000, "a blank page would be smaller"


def corrected(site: Site) -> str:
    """A memory with a history."""
    found = next(one for one in site.book.browse() if "window seat" in one.text)
    if found.version == 1:
        site.book.revise(found.id, found.text.replace("eight", "ten"), reason="said so on Friday")
    return found.id


def planned(site: Site) -> str:
    """A directive with a plan."""
    made = site.book.directives.create(
        title="Frost warnings for the orchard",
        goal="Warn the growers six hours before frost, by text message, with less than one false alarm a week.",
        memory_enabled=True,
    )
    return str(made.id)
