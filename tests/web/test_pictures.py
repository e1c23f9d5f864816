"""Pictures of the screens, for people to look at and for the README. `PICTURES=docs/images` says where to keep them."""

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from commonplace import Commonplace, Message
from commonplace.testing.clock import StoppedClock

from . import story
from .conftest import ROOT, Opener, Site, serving
from .test_screens import settled

WIDE = {"viewport": {"width": 1440, "height": 900}}
NARROW = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2}
PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "home": ("#/", WIDE),
    "home-dark": ("#/", {**WIDE, "color_scheme": "dark", "locale": "it"}),
    "search": ("#/?q=frost+model", WIDE),
    "about-me": ("#/me", WIDE),
    "settings": ("#/settings", WIDE),
    "memory": ("#/memories/{memory}", WIDE),
    "memory-dark": ("#/memories/{memory}", {**WIDE, "color_scheme": "dark", "locale": "de"}),
    "agent": ("#/agent", WIDE),
    "review": ("#/review", WIDE),
    "review-dark": ("#/review", {**WIDE, "color_scheme": "dark", "locale": "de"}),
    "graph": ("#/graph", WIDE),
    "graph-dark": ("#/graph", {**WIDE, "color_scheme": "dark"}),
    "timeline": ("#/timeline", WIDE),
    "directive": ("#/directives/{directive}", WIDE),
    "notebook": ("#/notebook/MEMORY.md", WIDE),
    "audit": ("#/maintenance/audit", WIDE),
    "large": ("#/", {"viewport": {"width": 2560, "height": 1440}}),
    "narrow": ("#/memories/{memory}", {**NARROW, "locale": "es"}),
    "narrow-home": ("#/", {**NARROW, "locale": "fr", "color_scheme": "dark"}),
}


NOTES = """# Orchard planner

Warns the growers of frost, by text message, six hours ahead.

## Decisions

| date | decision | rationale |
|---|---|---|
| 2 March | the frost model stays in one file | splitting it made tests flaky |
| 11 April | text messages, no e-mail | the growers are outside |

## Next

- [x] read the sensors
- [ ] thresholds **by plot**, see `model/frost.py`
- [ ] quiet hours
"""


class Walking(StoppedClock):
    """Goes on a little with every look, and never beyond now."""

    def now(self) -> datetime:
        self.at = min(self.at + timedelta(seconds=25), datetime.now(UTC))
        return self.at


def at_another_time(site: Site, clock: StoppedClock) -> Commonplace:
    return Commonplace(replace(site.parts, clock=clock), replace(site.book._scope, clock=clock))


@pytest.fixture(scope="module")
def studio(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server in a project with a notebook, on a book with weeks behind it."""
    project, home = tmp_path_factory.mktemp("orchard"), tmp_path_factory.mktemp("studio")
    (project / "MEMORY.md").write_text(NOTES, "utf-8")
    (project / "memory").mkdir()
    (project / "memory/working-buffer.md").write_text("# Now\n\nThresholds by plot; waiting for Giulia.\n", "utf-8")
    before = Path.cwd()
    os.chdir(project)  # the notebook is that of the folder the server was started in
    try:
        with serving(f"sqlite:///{home}/book.db", home) as site:
            clock = StoppedClock(datetime.now(UTC))
            past = at_another_time(site, clock)
            clock.advance(days=-36)
            story.people(past)
            clock.advance(days=36)
            story.weeks(past, clock)
            today = at_another_time(site, Walking(datetime.now(UTC) - timedelta(hours=5)))
            today.observe("My sister Marta lives in Ferrara")
            today.observe(Message("I live in Modena", speaker="Marta", at=datetime.now(UTC) - timedelta(hours=4)))
            story.tell(today, today.acting_as("agent", source="assistant", person=False))
            today.remember("Deploys on Friday fail more often.", kind="proactive", category="pattern", confidence=0.8)
            yield site
    finally:
        os.chdir(before)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_each_screen(name: str, studio: Site, browse: Opener, tmp_path: Path) -> None:
    at, look = PICTURES[name]
    for place, make in (("{directive}", lambda site: story.pursue(site.book)), ("{memory}", corrected)):
        if place in at:
            at = at.replace(place, make(studio))
    page = settled(browse(at, on=studio, **look))
    if "graph" in name:
        expect(page.locator("[data-settled=true]")).to_be_visible(timeout=15_000)
    if name == "agent":
        page.get_by_label("Prompt").fill("Plan my trip to Berlin")
        expect(page.get_by_role("region", name="Code")).to_contain_text("Berlin")
    if name == "timeline":
        page.locator(".day-head").first.click()
        settled(page)
    target = ROOT / os.environ.get("PICTURES", str(tmp_path)) / f"{name}.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=target)
    assert target.stat().st_size > 15_000, "a blank page would be smaller"


def corrected(site: Site) -> str:
    """A memory with a history."""
    found = next(one for one in site.book.browse() if "window seat" in one.text)
    if found.version == 1:
        site.book.revise(found.id, found.text.replace("eight", "ten"), reason="said so on Friday")
    return found.id
