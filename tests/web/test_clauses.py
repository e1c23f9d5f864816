"""What else the page promises, one by one: filters, clocks, bulk acts, the feed, the graph, trouble, the keyboard."""

import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from commonplace import Message
from commonplace.interfaces.web import POLICY

from .conftest import Opener, Site, serving
from .story import CLAIMS, pursue, tell
from .test_screens import SCREENS, settled, through

NOW = datetime.now(UTC)


def rows(page: Any) -> Any:
    return page.get_by_role("list", name="Memories").get_by_role("listitem")


def until(page: Any, condition: str) -> None:
    """Wait until the condition holds. Playwright's own wait needs eval, which the page's policy forbids."""
    page.evaluate(f"new Promise((end) => {{ const look = () => {condition} ? end() : setTimeout(look, 50); look(); }})")


def test_each_filter_narrows_the_list(site: Site, browse: Opener) -> None:
    site.earlier(days=400).remember("An old lesson.", category="lesson", tags=["bees"])
    site.book.remember("The sky was green.", category="pattern", kind="proactive", confidence=0.9)
    site.agent.remember("An agent claims this.")
    site.at("orchard").remember("In the orchard.")
    site.book.archive(site.book.remember("Put away.").ids[0])
    page = browse("#/memories")
    wanted = {
        ("Kind", "pattern"): "The sky was green.",
        ("Category", "lesson"): "An old lesson.",
        ("Status", "archived"): "Put away.",
        ("Source", "assistant"): "An agent claims this.",
        ("Tags", "bees"): "An old lesson.",
        ("Namespaces", "orchard"): "In the orchard.",
    }
    for (group, name), text in wanted.items():
        page.get_by_role("button", name="Filter", exact=True).click()
        choices = page.get_by_role("dialog").get_by_role("group", name=group, exact=True)
        choices.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Show", exact=True).click()
        expect(rows(page)).to_have_count(1)
        expect(rows(page)).to_contain_text(text)
        page.get_by_role("button", name="Clear filters").click()
        expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_label("To", exact=True).fill((NOW - timedelta(days=300)).date().isoformat())
    page.get_by_role("dialog").get_by_role("button", name="Show", exact=True).click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("An old lesson.")


def test_the_other_clock_looks_at_when_a_thing_was_true(site: Site, browse: Opener) -> None:
    made = site.book.remember("The office is in Bologna.", valid_from=NOW - timedelta(days=10))
    old = site.book.remember("The office is in Oslo.", valid_from=NOW - timedelta(days=1000))
    page = browse(f"#/memories/{made.ids[0]}", errors=True)
    true = page.get_by_label(re.compile("^True on"))
    true.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("At that time:")).to_be_visible()
    expect(page.locator(".then .memory-text")).to_have_text("The office is in Bologna.")
    page.get_by_role("button", name="Back to now").click()
    page.goto(f"{site.url}/#/memories")
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_label(re.compile("^True on")).focus()
    page.keyboard.press("Home")
    page.get_by_role("dialog").get_by_role("button", name="Show", exact=True).click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text(site.book.get(old.ids[0]).text)


def test_many_are_confirmed_tagged_and_rejected_at_once_and_taken_back(site: Site, browse: Opener) -> None:
    for text, category in CLAIMS:
        site.agent.remember(text, category=category)
    site.book.glossary.create("checked")
    page = browse("#/memories")
    bar = page.get_by_role("toolbar")

    def pick(*, all: bool = False) -> None:
        rows(page).get_by_role("checkbox").first.check()
        if all:
            page.get_by_role("button", name="Select all shown").click()
            expect(bar).to_contain_text("3 selected")

    def undo(said: str) -> None:
        expect(page.get_by_text(said)).to_be_visible()
        page.locator(".notice", has_text=said).get_by_role("button", name="Undo").click()
        expect(page.locator(".notice", has_text=said)).to_have_count(0)

    pick(all=True)
    bar.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("3 memories confirmed.")).to_be_visible()
    assert {one.status for one in site.book.browse()} == {"verified"}
    undo("3 memories confirmed.")
    expect(page.get_by_text("Undone.", exact=True).first).to_be_visible()
    assert {one.status for one in site.book.browse()} == {"candidate"}
    pick(all=True)
    bar.get_by_label("Tag with").select_option("checked")
    expect(page.get_by_text("3 memories tagged.")).to_be_visible()
    assert {one.tags for one in site.book.browse()} == {("checked",)}
    pick()
    bar.get_by_role("button", name="Reject").click()
    page.get_by_role("dialog").get_by_role("button", name="reject").click()
    expect(page.get_by_text("1 memory rejected.")).to_be_visible()
    assert len(site.book.browse()) == 2
    undo("1 memory rejected.")
    expect(rows(page)).to_have_count(3)
    assert len(site.book.browse()) == 3


WRITE = """
import sys
from pathlib import Path
from commonplace import Commonplace, Settings
settings = Settings(home=Path(sys.argv[2]))
with Commonplace.open(sys.argv[1], owner=sys.argv[3], namespace="default", settings=settings) as book:
    book.remember("Written by another process.")
"""


def test_what_another_process_writes_appears_by_itself(site: Site, browse: Opener) -> None:
    page = browse("#/memories")
    expect(page.get_by_text("Nothing here yet")).to_be_visible()
    home = site.parts.settings.home
    subprocess.run(
        [sys.executable, "-c", WRITE, f"sqlite:///{home}/book.db", str(home), site.owner], check=True, timeout=60
    )
    expect(rows(page)).to_contain_text("Written by another process.", timeout=10_000)


def test_review_shows_the_quote_and_the_memory_it_is_against(either: Site, browse: Opener) -> None:
    either.book.observe("My brother Marco lives in Paris")
    either.book.observe(Message("I live in Rome", speaker="Marco"))
    page = browse("#/review", on=either)
    card = page.get_by_role("group", name="Suggestion")
    expect(card.locator(".memory-text.big")).to_have_text("Marco lives in Rome")
    expect(card.locator("blockquote")).to_contain_text("I live in Rome")
    against = card.locator(".conflict")
    expect(against).to_contain_text("Marco lives in Paris")
    expect(against.locator("del")).to_have_text("Paris")
    expect(against.locator("ins")).to_have_text("Rome")
    page.keyboard.press("a")
    expect(page.get_by_text("All caught up")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(card.locator(".memory-text.big")).to_have_text("Marco lives in Rome")
    assert len(either.book.review.list()) == 1


def test_the_graph_is_filtered_by_time(site: Site, browse: Opener) -> None:
    kinds = {"subject_type": "person", "object_type": "person"}
    site.book.relate("Giulia", "reports_to", "Marco", valid_from=NOW - timedelta(days=1000), **kinds)
    site.book.relate("Giulia", "works_with", "Elena", valid_from=NOW - timedelta(days=10), **kinds)
    page = browse("#/graph")
    expect(page.get_by_text("3 entities · 2 relations")).to_be_visible()
    page.get_by_label(re.compile("^True on")).focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("2 entities · 1 relation")).to_be_visible()
    expect(page.get_by_role("complementary", name="Details")).not_to_contain_text("Elena")
    page.keyboard.press("End")
    expect(page.get_by_text("3 entities · 2 relations")).to_be_visible()


def test_thousands_of_nodes_are_drawn_found_and_filtered(site: Site, browse: Opener) -> None:
    """The server's answer is made up here, because stating so many relations takes longer than the whole test."""
    page = browse("#/me")
    kinds = ("person", "project", "place")
    drawing = {
        "types": kinds,
        "predicates": ["knows"],
        "ids": [f"e{at}" for at in range(4000)],
        "labels": [f"Name {at}" for at in range(4000)],
        "type": [at % 3 for at in range(4000)],
        "aliases": {"e1234": ["Somebody"]},
        "relations": [f"r{at}" for at in range(5000)],
        "subject": [at % 4000 for at in range(5000)],
        "predicate": [0] * 5000,
        "object": [at * 7 % 3989 for at in range(5000)],
        "confidence": [0.7] * 5000,
    }
    page.route("**/v1/graph*", lambda route: route.fulfill(json=drawing))
    entity = {"id": "e1234", "recorded_at": NOW.isoformat(), "notes": "Chairs the board", "aliases": ["Somebody"]}
    page.route("**/v1/entities/e1234*", lambda route: route.fulfill(json=entity))
    page.goto(f"{site.url}/#/graph")
    expect(page.get_by_text("4,000 entities · 5,000 relations")).to_be_visible(timeout=30_000)
    expect(page.locator("[data-settled=true]")).to_be_visible(timeout=60_000)
    page.get_by_role("searchbox", name="Find a name").fill("somebody")
    page.get_by_role("complementary", name="Details").get_by_role("button", name="Name 1234").click()
    expect(page.get_by_role("complementary", name="Details").get_by_role("heading", level=2)).to_have_text("Name 1234")
    expect(page.get_by_role("complementary", name="Details")).to_contain_text("Chairs the board")
    page.get_by_role("button", name="person").click()
    expect(page.get_by_role("button", name="person")).to_have_attribute("aria-pressed", "false")


def test_a_day_says_what_was_learned_from_what_was_said(told: Site, browse: Opener) -> None:
    page = settled(browse("#/timeline", on=told))
    page.locator(".day-head").first.click()
    said = page.locator(".episode", has_text="I live in Bologna")
    expect(said.get_by_role("list", name="Facts")).to_contain_text("lives in Bologna")


def test_home_draws_what_was_said_and_learned_on_each_day(told: Site, browse: Opener) -> None:
    page = settled(browse(on=told))
    chart = page.get_by_role("region", name="The last 30 days")
    days = {one.day: one for one in told.book.timeline.days()}
    today = days[max(days)]
    expect(chart.locator("svg rect.series-0")).to_have_count(30)
    last = chart.get_by_role("row").last
    expect(last).to_contain_text(f"Facts: {today.learned}")
    expect(last).to_contain_text(f"Messages: {today.episodes}")


def test_usage_is_shown_against_a_cap(built: Path, tmp_path: Path, browse: Opener) -> None:
    with serving(f"sqlite:///{tmp_path}/b.db", tmp_path / "home", llm_daily_tokens=1000) as site:
        site.book.remember("Something to begin with.")
        with site.parts.store.write(site.owner) as tx:
            tx.usage.add(datetime.now(UTC).date().isoformat(), "extraction", calls=3, tokens=900)
        page = settled(browse("#/maintenance/usage", on=site))
        expect(page.locator("main")).to_contain_text("900 of 1,000 tokens used today.")
        expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "90")
        expect(page.get_by_role("row", name="extraction")).to_contain_text("3")


QUIET = {"maintenance: data"}
"""Screens that ask for nothing before one does something."""


def test_a_server_in_trouble_is_said_on_every_screen(site: Site, browse: Opener) -> None:
    page = browse(errors=True)
    page.route("**/v1/**", lambda one: one.fulfill(status=500, json={"title": "Broken", "status": 500}))
    page.reload()
    for name in through(page, site):
        if name not in QUIET:
            expect(page.get_by_role("alert").first).to_contain_text("Something went wrong")
            expect(page.get_by_role("button", name="Try again").first).to_be_visible()
    page.unroute("**/v1/**")
    page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_no_connection_is_said_on_every_screen_and_its_end_is_noticed(site: Site, browse: Opener) -> None:
    page = browse("#/directives", errors=True)
    until(page, "performance.getEntriesByType('resource').some((entry) => entry.name.includes('/Maintenance-'))")
    page.context.set_offline(True)
    for name, at in SCREENS.items():
        page.goto(f"{site.url}/{at}")
        if name not in QUIET | {"directives", "maintenance: namespaces"}:  # these two were read before
            expect(page.get_by_role("alert").first).to_contain_text("The server cannot be reached")
    expect(page.get_by_role("banner")).to_contain_text("Offline")
    expect(page.get_by_role("main")).to_contain_text("changes are not saved")
    page.context.set_offline(False)
    expect(page.get_by_role("banner")).to_contain_text("Connected", timeout=10_000)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_memory_that_cannot_be_saved_offline_waits_in_its_dialog(site: Site, browse: Opener) -> None:
    page = browse(errors=True)
    until(page, "performance.getEntriesByType('resource').some((entry) => entry.name.includes('/NewMemory-'))")
    page.context.set_offline(True)
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Text").fill("The night train leaves at nine.")
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("The server did not answer")
    assert site.book.browse() == []
    page.context.set_offline(False)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".memory-text.big")).to_have_text("The night train leaves at nine.")
    assert [memory.text for memory in site.book.browse()] == ["The night train leaves at nine."]


def test_a_part_of_the_page_that_cannot_be_fetched_does_not_take_the_page_with_it(browse: Opener) -> None:
    page = browse(errors=True, fresh=True)
    page.route("**/NewMemory-*", lambda route: route.abort())
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    page.keyboard.press("n")
    expect(page.get_by_text("The server cannot be reached").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
    page.unroute("**/NewMemory-*")
    page.keyboard.press("n")
    expect(page.get_by_role("dialog").get_by_label("Text")).to_be_visible()


def test_hard_text_turns_nothing_around(site: Site, browse: Opener) -> None:
    made = site.book.remember("Send it to \u202egro.elpmaxe\u202c now")
    site.book.core.set("note", "a\u202eb")
    page = browse(f"#/memories/{made.ids[0]}")
    expect(page.locator(".memory-text.big .trick")).to_have_text(["U+202E", "U+202C"])
    page.goto(f"{site.url}/#/me")
    expect(page.locator(".trick")).to_have_text(["U+202E"])


def test_the_policy_allows_nothing_unsafe(site: Site, browse: Opener) -> None:
    page = browse()
    answer = page.request.get(f"{site.url}/")
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'")


def test_every_screen_fits_a_tablet_and_4k(told: Site, browse: Opener) -> None:
    page = browse(on=told)
    for name in through(page, told):
        for width, height in ((768, 1024), (3840, 2160)):
            page.set_viewport_size({"width": width, "height": height})
            assert (name, page.evaluate("document.documentElement.scrollWidth <= innerWidth")) == (name, True)
            used = page.evaluate("document.querySelector('.screen')?.getBoundingClientRect().width")
            assert used is None or min(width, 1100) * 0.6 < used <= 2400, (name, used)


def test_dialogs_are_sound_too(site: Site, browse: Opener, axe: Callable[..., list[str]]) -> None:
    tell(site.book, site.agent)
    page = browse("#/memories")
    for place, button in {
        "#/memories": "Filter",
        "#/memories?": "Add a memory",
        "#/me": re.compile("^Edit: Giulia reports"),
        "#/": "Display",
        "#/maintenance/tokens": "New token",
        "#/maintenance/glossary": "Edit travel",
    }.items():
        page.goto(f"{site.url}/{place}")
        page.get_by_role("button", name=button, exact=isinstance(button, str)).first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert (place, axe(page)) == (place, [])
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_details_and_what_keys_open_are_sound_too(site: Site, browse: Opener, axe: Callable[..., list[str]]) -> None:
    tell(site.book, site.agent)
    directive = pursue(site.book)
    memory = site.book.browse(kinds=["associative"], limit=1)[0].id
    site.book.revise(memory, "The staging host is replaced in June.", reason="said so")
    entity = site.book.graph.entities()[0].id
    page = browse()
    for place in (f"memories/{memory}", f"directives/{directive}", f"graph/{entity}"):
        page.goto(f"{site.url}/#/{place}")
        page.get_by_role("heading", level=2).first.wait_for()
        settled(page)
        for summary in page.locator("summary").all():
            summary.click()
        assert (place, axe(page)) == (place, [])
    page.goto(f"{site.url}/#/")
    settled(page)
    for key in ("Control+k", "n", "?"):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        assert (key, axe(page)) == (key, [])
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


FOCUSED = """() => { const one = document.activeElement;
  return one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? ''; }"""


def tab_to(page: Any, name: str) -> None:
    """Press Tab until something has the focus whose name begins like this."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).strip().startswith(name):
            return
    raise AssertionError(f"nothing named {name!r} can be reached with the Tab key")


def test_everything_is_reached_without_a_mouse(site: Site, browse: Opener) -> None:
    site.book.remember("The meeting is on Monday.")
    page = browse()
    page.keyboard.press("Tab")
    assert "Skip" in page.evaluate(FOCUSED)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    tab_to(page, "Memories")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    tab_to(page, "The meeting is on Monday.")
    page.keyboard.press("Enter")
    detail = page.get_by_role("region", name="Memory", exact=True)
    expect(detail.get_by_role("heading", level=2).first).to_be_focused()
    tab_to(page, "Correct")
    page.keyboard.press("Enter")
    expect(detail.get_by_label("Text")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("The meeting is on Tuesday.")
    tab_to(page, "Save")
    page.keyboard.press("Enter")
    expect(detail.locator(".memory-text.big")).to_have_text("The meeting is on Tuesday.")


def test_the_prompt_of_a_directive_is_shown_as_it_is_sent(either: Site, browse: Opener) -> None:
    made = pursue(either.book)
    page = browse(f"#/directives/{made}", on=either)
    page.get_by_role("region", name="The plan").get_by_role("button", name="Choose thresholds").click()
    page.get_by_role("region", name="Prompt of this step").get_by_role("button", name="Show").click()
    expect(page.locator(".pre")).to_contain_text("MEMORY CONTEXT")
    expect(page.locator(".pre")).to_contain_text("three false alarms")
