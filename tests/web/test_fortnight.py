"""A person comes to the page after two weeks of use: 200 memories, honest numbers, and everything done that waits."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from . import fortnight
from .conftest import Opener, Site, words

FACTS = ["core", "associative", "relational", "proactive"]


@pytest.fixture(scope="module")
def nora(shared_server: Site) -> Site:
    """Two weeks of memories, for tests that only look."""
    site = shared_server.another("fortnight")  # not by her name: what Nora says has to be confirmed
    fortnight.fill(site.book)
    return site


def waiting(page: Any) -> int:
    label = (
        page.get_by_role("navigation", name="Main").get_by_label(re.compile("to review$")).get_attribute("aria-label")
    )
    return int(re.search(r"\d+", label)[0])


def test_every_number_on_the_page_is_that_of_the_book(nora: Site, browse: Opener) -> None:
    suggestions, facts = len(nora.book.review.list()), len(nora.book.browse(kinds=FACTS, limit=1000))
    assert len(nora.book.browse(limit=1000)) >= 200
    page = browse(on=nora)
    expect(page.get_by_role("region", name="To review")).to_contain_text(
        re.compile(rf"(?<!\d){min(suggestions, 20)} sugg")
    )
    assert waiting(page) == min(suggestions, 20)
    page.goto(f"{nora.url}/#/memories")
    expect(page.locator(".list-status")).to_have_text(f"{facts} memories")
    rows = page.get_by_role("list", name="Memories").get_by_role("listitem")
    expect(rows.first).to_contain_text("default")
    heights = {round(row.bounding_box()["height"]) for row in rows.all()[:10]}
    assert max(heights) <= 92, "two lines of text and one about it"
    assert min(heights) <= 68, "a short memory takes a short row"
    page.goto(f"{nora.url}/#/?q=Vidar")
    expect(page.locator("main").get_by_role("status")).to_have_text("The 12 best matches")


def test_dates_are_written_as_the_persons_country_does(nora: Site, browse: Opener) -> None:
    page = browse("#/timeline", on=nora, locale="en-GB")
    expect(page.locator(".day-head").first).to_contain_text(re.compile(r"\w+day,? \d+ \w+ \d{4}"))
    page = browse("#/timeline", on=nora, locale="en-US")
    expect(page.locator(".day-head").first).to_contain_text(re.compile(r"\w+day, \w+ \d+, \d{4}"))


def test_review_says_why_in_the_persons_language(nora: Site, browse: Opener) -> None:
    page = browse("#/review", on=nora, locale="de")
    entries = page.get_by_role("region", name=words("de")["review.list"])
    expect(entries).to_contain_text(words("de")["review.learned"])
    expect(entries).to_contain_text("noch nicht bestätigt (von Claude Code)")
    page.goto(f"{nora.url}/#/graph")
    expect(page.locator(".legend-types")).to_contain_text("Ort")


def test_similar_suggestions_are_decided_at_once(site: Site, browse: Opener) -> None:
    for text in ("Vidar is allergic to peanuts.", "Sofia lives in Malmö.", "Vidar has a peanut allergy at school too."):
        site.agent.remember(text, category="fact")
    page = browse("#/review")
    page.get_by_label("Group by").select_option("similarity")
    group = page.get_by_role("region", name=re.compile("Vidar"))
    expect(group.locator(".review-item")).to_have_count(2)
    group.get_by_role("button", name="Approve all").click()
    page.get_by_role("dialog").get_by_role("button", name="Approve 2 suggestions").click()
    expect(page.locator(".review-item")).to_have_count(1)
    for _ in range(100):  # the list is shorter before the server has answered
        statuses = {memory.text: memory.status for memory in site.book.browse()}
        if list(statuses.values()).count("verified") == 2:
            break
        page.wait_for_timeout(50)
    assert {text for text, status in statuses.items() if status == "candidate"} == {"Sofia lives in Malmö."}


def test_settings_and_what_is_known_about_me_are_found_by_their_names(nora: Site, browse: Opener) -> None:
    page = browse(on=nora, errors=True)  # the settings of the server are its administrator's
    for name in ("About me", "Settings"):
        page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_the_agent_view_says_that_core_values_are_always_there(nora: Site, browse: Opener) -> None:
    page = browse("#/agent", on=nora)
    page.get_by_label("Prompt").fill("a vegetarian dinner")
    expect(page.get_by_role("region", name="Code")).to_contain_text("## Recalled for this turn")
    line = page.get_by_role("region", name=re.compile("and why")).get_by_role("listitem").filter(has_text="diet")
    expect(line).to_contain_text("Core preference: always included")
