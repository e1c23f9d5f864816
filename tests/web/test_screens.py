"""Every screen, in a browser, on the real server: it shows what the book holds, and axe finds nothing serious."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Opener, Site, words
from .story import CORE, tell

MAINTENANCE = "jobs tidy usage audit data tokens namespaces glossary".split()
SCREENS = {
    "home": "#/",
    "answers": "#/?q=night+train",
    "memory settings": "#/settings",
    "memories": "#/memories",
    "review": "#/review",
    "graph": "#/graph",
    "timeline": "#/timeline",
    "directives": "#/directives",
    "notebook": "#/notebook",
    **{f"maintenance: {one}": f"#/maintenance/{one}" for one in MAINTENANCE},
}
LOOKS = ({}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}})


def settled(page: Any) -> Any:
    """The page once nothing grey is left on it."""
    expect(page.locator(".skeleton")).to_have_count(0)
    return page


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_serious(name: str, site: Site, browse: Opener, axe: Callable[[Any], list[str]]) -> None:
    tell(site.book, site.agent)
    for look in LOOKS:
        page = settled(browse(SCREENS[name], **look))
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"


def test_axe_would_notice(browse: Opener, axe: Callable[[Any], list[str]]) -> None:
    page = browse()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert axe(page) != []


@pytest.mark.parametrize("name", SCREENS)
def test_an_empty_book_says_so_everywhere(name: str, browse: Opener) -> None:
    page = settled(browse(SCREENS[name]))
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.locator("main").inner_text().strip()


def test_home_answers_as_one_types_and_says_why(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse()
    page.get_by_role("searchbox").press_sequentially("frost model", delay=10)
    first = page.locator(".hits > li", has_text="splitting it made the tests flaky")
    expect(first).to_have_count(1)
    expect(first.locator("mark").first).to_have_text("frost")
    expect(first.get_by_role("table")).to_be_hidden()
    first.get_by_text("Why this?").click()
    expect(first.get_by_role("table")).to_be_visible()
    assert page.url.endswith("?q=frost+model"), "an answer can be bookmarked"


def test_home_shows_what_is_new_and_what_waits(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse()
    expect(page.get_by_role("region", name="New")).to_contain_text("Ada lives in Bologna")
    expect(page.get_by_role("region", name="Waiting for review")).to_contain_text("3 candidates wait")
    expect(page.get_by_role("region", name="Forgotten lately")).to_contain_text("Nothing was forgotten")
    gone = site.book.remember("Something to forget.")
    site.book.forget(gone.ids[0])
    expect(page.get_by_role("region", name="Forgotten lately")).to_contain_text("1 memory forgotten")


def test_memory_settings_stand_in_their_order(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse("#/settings")
    expect(page.get_by_role("heading", level=2)).to_have_text(["Core preferences", "People & relationships", "Danger zone"])
    for key, value in CORE.items():
        expect(page.get_by_role("row", name=key)).to_contain_text(value)
    expect(page.get_by_role("row", name="Giulia")).to_have_count(3)


@pytest.mark.parametrize("language", ["en", "it", "es", "fr", "de"])
def test_the_page_speaks_the_browsers_language(language: str, browse: Opener) -> None:
    page = browse("#/settings", locale=language)
    expect(page.get_by_role("heading", level=1)).to_have_text(words(language)["settings.title"])
    assert page.evaluate("document.documentElement.lang") == language


def test_theme_language_and_layout_stay_in_the_browser(site: Site, browse: Opener) -> None:
    page = browse("#/settings")
    background = "getComputedStyle(document.body.parentElement).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Display").click()
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Compact").check()
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", level=1)).to_have_text("Impostazioni della memoria")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Impostazioni della memoria")
    assert page.evaluate(background) != light
    assert page.evaluate("document.documentElement.dataset.layout") == "compact"
    assert site.book.core.list() == []


def test_the_graph_draws_and_tells(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse("#/graph")
    expect(page.locator("[data-settled=true]")).to_be_visible()
    drawn = """() => { const c = document.querySelector('canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                      return d.some((value) => value > 0); }"""
    assert page.evaluate(drawn)
    page.get_by_role("searchbox", name="Find a name").fill("giu")
    page.get_by_role("button", name="Giulia").click()
    details = page.get_by_role("complementary", name="Details")
    expect(details).to_contain_text("reports to")
    details.get_by_role("button", name="Marco").click()
    expect(details.get_by_role("heading", level=2)).to_have_text("Marco")
    page.get_by_role("button", name="person").click()
    expect(page.get_by_role("button", name="person")).to_have_attribute("aria-pressed", "false")


def test_audit_tokens_namespaces_and_glossary(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse("#/maintenance/audit")
    page.get_by_role("button", name="Verify the chain").click()
    expect(page.get_by_role("status").filter(has_text="The chain is sound")).to_be_visible()
    page.get_by_role("link", name="Tokens").click()
    page.get_by_role("button", name="New token").click()
    page.get_by_role("textbox", name="Name").fill("editor")
    page.get_by_role("dialog").get_by_role("button", name="New token").click()
    expect(page.get_by_label("The token")).to_have_value(re.compile("^cpl_.{20,}$"))
    page.get_by_role("link", name="Namespaces").click()
    page.get_by_role("button", name="New namespace").click()
    page.get_by_role("textbox", name="Name").fill("orchard")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("banner").get_by_role("combobox")).to_contain_text("orchard")
    page.get_by_role("link", name="Glossary").click()
    expect(page.get_by_role("link", name="travel")).to_be_visible()
