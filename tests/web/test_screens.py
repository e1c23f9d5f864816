"""Every screen, in a browser, on the real server: it shows what the book holds, and axe finds nothing serious."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Opener, Site, serving, words
from .story import CORE, PLAN, pursue, tell

MAINTENANCE = "jobs tidy usage audit data tokens namespaces glossary".split()
SCREENS = {
    "agent view": "#/agent",
    "home": "#/",
    "agenda": "#/agenda",
    "answers": "#/?q=night+train",
    "about me": "#/me",
    "memories": "#/memories",
    "review": "#/review",
    "graph": "#/graph",
    "timeline": "#/timeline",
    "directives": "#/directives",
    "notebook": "#/notebook",
    "shared": "#/shared",
    **{f"maintenance: {one}": f"#/maintenance/{one}" for one in MAINTENANCE},
}
SHIFTS = """(() => { window.shift = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
  }).observe({ type: 'layout-shift', buffered: true }); })()"""


def settled(page: Any) -> Any:
    """The page once its screen is there and nothing grey is left on it."""
    page.locator("h1:visible, h2:visible").first.wait_for()
    expect(page.locator(".skeleton")).to_have_count(0)
    return page


def through(page: Any, site: Site) -> Iterator[str]:
    """Every screen in turn, once nothing grey is left on it."""
    for name, at in SCREENS.items():
        page.goto(f"{site.url}/{at}")
        page.get_by_role("heading", level=1).wait_for()
        settled(page)
        yield name


@pytest.mark.parametrize("width", [360, 1280])
def test_every_screen_comes_without_a_jump_and_fits_and_axe_finds_nothing_serious(
    width: int, told: Site, browse: Opener, axe: Callable[..., list[str]]
) -> None:
    page = browse(on=told, fresh=True, viewport={"width": width, "height": 800})
    page.add_init_script(SHIFTS)
    jumped = {}
    for at, (name, place) in enumerate(SCREENS.items()):
        page.goto(f"{told.url}/?{at}{place}")  # a new address loads the whole page anew
        page.get_by_role("heading", level=1).wait_for()
        settled(page)
        assert (name, axe(page)) == (name, [])
        assert (name, page.evaluate("document.documentElement.scrollWidth <= innerWidth")) == (name, True)
        if (shift := page.evaluate("window.shift")) >= 0.1:
            jumped[name] = shift
    assert jumped == {}


def test_a_jump_would_be_noticed(told: Site, browse: Opener) -> None:
    page = browse(on=told, fresh=True)
    page.add_init_script(SHIFTS)
    page.goto(f"{told.url}/?x#/me")
    settled(page)
    page.evaluate("document.querySelector('.screen').style.paddingTop = '400px'")
    page.evaluate(
        "new Promise((end) => { const look = () => window.shift > 0.1 ? end() : setTimeout(look, 50); look(); })"
    )


def test_in_the_dark_everything_can_be_read(told: Site, browse: Opener, axe: Callable[..., list[str]]) -> None:
    page = browse(on=told, color_scheme="dark")
    for name in through(page, told):
        assert (name, axe(page, "color-contrast")) == (name, [])
    page.evaluate("document.querySelector('h1').style.color = '#333'")
    assert axe(page, "color-contrast") != [], "dark grey on black would be noticed"


def test_axe_would_notice(browse: Opener, axe: Callable[..., list[str]]) -> None:
    page = browse()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert axe(page) != []


def test_an_empty_book_says_so_everywhere(site: Site, browse: Opener) -> None:
    page = browse()
    for name in through(page, site):
        assert (name, page.get_by_role("alert").count()) == (name, 0)
        assert page.locator("main").inner_text().strip()


def test_home_answers_as_one_types_and_says_why(told: Site, browse: Opener) -> None:
    page = browse(on=told)
    page.get_by_role("searchbox").press_sequentially("frost model", delay=10)
    first = page.locator(".hits > li", has_text="splitting it made tests flaky")
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
    for text in ("The pump needs a new seal.", "The valves are checked in April."):
        site.agent.remember(text)
    review, waiting = page.get_by_role("region", name="To review"), site.book.review.list()
    assert len(waiting) == 5
    expect(review).to_contain_text("5 suggestions to review")
    site.book.confirm(waiting[-1].memory.id)
    expect(review).to_contain_text("4 suggestions to review")
    expect(page.get_by_role("region", name="Recently forgotten")).to_contain_text("Nothing was forgotten")
    gone = site.book.remember("Something to forget.")
    site.book.forget(gone.ids[0])
    expect(page.get_by_role("region", name="Recently forgotten")).to_contain_text("1 memory forgotten")


def test_what_is_known_about_me_stands_in_its_order(told: Site, browse: Opener) -> None:
    page = browse("#/me", on=told)
    order = ["Core preferences", "People & relationships", "Allow a rejected value again", "Danger zone"]
    expect(page.get_by_role("heading", level=2)).to_have_text(order)
    for key, value in CORE.items():
        expect(page.get_by_role("row", name=key)).to_contain_text(value)
    expect(page.get_by_role("row", name="Giulia")).to_have_count(3)


@pytest.mark.parametrize("language", ["en", "it", "es", "fr", "de"])
def test_the_page_speaks_the_browsers_language(language: str, browse: Opener) -> None:
    page = browse("#/me", locale=language)
    expect(page.get_by_role("heading", level=1)).to_have_text(words(language)["nav.me"])
    assert page.evaluate("document.documentElement.lang") == language


def test_theme_language_and_layout_stay_in_the_browser(site: Site, browse: Opener) -> None:
    page = browse("#/me")
    background = "getComputedStyle(document.body.parentElement).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Display").click()
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Compact").check()
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", level=1)).to_have_text("Su di me")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Su di me")
    assert page.evaluate(background) != light
    assert page.evaluate("document.documentElement.dataset.layout") == "compact"
    assert site.book.core.list() == []


DRAWN = """() => { const canvas = document.querySelector('canvas');
  const picture = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return picture.data.some((value) => value > 0); }"""


def test_the_graph_draws_and_tells(told: Site, browse: Opener) -> None:
    page = browse("#/graph", on=told)
    expect(page.locator("[data-settled=true]")).to_be_visible()
    assert page.evaluate(DRAWN)
    page.get_by_role("searchbox", name="Find a name").fill("giu")
    page.get_by_role("button", name="Giulia").click()
    details = page.get_by_role("complementary", name="Details")
    expect(details).to_contain_text("reports to")
    details.get_by_role("button", name="Marco").click()
    expect(details.get_by_role("heading", level=2)).to_have_text("Marco")
    page.get_by_role("button", name="person").click()
    expect(page.get_by_role("button", name="person")).to_have_attribute("aria-pressed", "false")


def test_the_graph_is_not_emptied_while_its_size_changes(told: Site, browse: Opener) -> None:
    page = browse("#/graph", on=told)
    expect(page.locator("[data-settled=true]")).to_be_visible()
    page.evaluate(f"""() => new MutationObserver(() => document.body.dataset.drawn = ({DRAWN})()).observe(
        document.querySelector('canvas'), {{ attributes: true, attributeFilter: ['width'] }})""")
    page.set_viewport_size({"width": 1100, "height": 700})
    body = page.locator("body")
    expect(body).to_have_attribute("data-drawn", "true")
    page.evaluate("document.querySelector('canvas').width = 500")
    expect(body).to_have_attribute("data-drawn", "false")  # a new width does empty it


def test_audit_tokens_namespaces_and_glossary(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse("#/maintenance/audit")
    page.get_by_role("button", name="Check the log").click()
    expect(page.get_by_role("status").filter(has_text="lines checked")).to_be_visible()
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


def test_the_timeline_tells_a_day(told: Site, browse: Opener) -> None:
    page = settled(browse("#/timeline", on=told))
    page.locator(".day-head").first.click()
    day = page.locator(".day-body")
    expect(day).to_contain_text("Morning planning")
    expect(day).to_contain_text("I would rather take the night train")
    assert "day=" in page.url


def test_a_directive_is_drawn_as_its_plan(site: Site, browse: Opener) -> None:
    pursue(site.book)
    page = browse("#/directives")
    page.get_by_role("link", name=re.compile("Frost warnings")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Frost warnings for the orchard")
    board = page.get_by_role("region", name="The plan")
    expect(board.get_by_role("button")).to_have_count(len(PLAN))
    assert board.locator("path.arrow").count() == sum(len(before) for _, _, before in PLAN)
    left = {one: board.get_by_role("button", name=one).bounding_box()["x"] for one, _, _ in PLAN}
    for name, _, before in PLAN:
        assert all(left[PLAN[at][0]] < left[name] for at in before)
    memories = page.get_by_role("region", name="Memories", exact=True)
    expect(memories).to_contain_text("The frost model stays in one file.")
    board.get_by_role("button", name="Choose thresholds").click()
    mine = page.get_by_role("region", name=re.compile("^Memories of"))
    expect(mine).to_contain_text("three false alarms")
    expect(mine).not_to_contain_text("one file")
    page.get_by_role("region", name="Prompt of this step").get_by_role("button", name="Show").click()
    expect(page.locator(".pre")).to_contain_text("MEMORY CONTEXT")


def test_tidying_shows_first_then_does_then_is_taken_back(site: Site, browse: Opener) -> None:
    for text in ("The pump is blue.", "the pump is BLUE"):
        site.book.remember(text)
    page = browse("#/maintenance/tidy")
    card = page.get_by_role("region", name="Merge duplicates")
    card.get_by_role("button", name="Preview").click()
    expect(card.locator(".receipt")).to_contain_text("would change")
    prune = page.get_by_role("region", name="Archive unimportant memories")
    prune.get_by_role("button", name="Preview").click()
    expect(prune.locator(".receipt")).to_contain_text("0 entries would change")


def test_usage_is_shown_against_the_cap(browse: Opener) -> None:
    page = settled(browse("#/maintenance/usage"))
    expect(page.locator("main")).to_contain_text("The daily limit is 0")


def test_everything_can_be_taken_along_and_brought_in(site: Site, browse: Opener, tmp_path: Path) -> None:
    tell(site.book, site.agent)
    page = browse("#/maintenance/data")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download everything").click()
    target = tmp_path / saved.value.suggested_filename
    saved.value.save_as(target)
    assert CORE["diet"] in target.read_text("utf-8")
    page.get_by_label(re.compile("^File")).set_input_files(target)
    expect(page.get_by_role("button", name="Import")).to_be_disabled()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("This would be imported:")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Imported.")).to_be_visible()


def test_the_notebook_is_drawn_from_its_markdown(
    tmp_path: Path, browse: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    (project / "memory").mkdir(parents=True)
    (project / ".git").mkdir()
    long_term = "# Orchard planner\n\nWarns of **frost**.\n\n| date | decision |\n|---|---|\n| 2 March | one file |\n\n"
    hostile = "<script>window.hacked = 1</script>\n\n[x](javascript:alert(1))\n"
    (project / "MEMORY.md").write_text(long_term + hostile, "utf-8")
    monkeypatch.chdir(project)
    with serving(f"sqlite:///{tmp_path}/nb.db", tmp_path / "nb") as site:
        page = settled(browse("#/notebook", on=site))
        paper = page.get_by_role("article")
        expect(paper.get_by_role("heading", name="Orchard planner")).to_be_visible()
        expect(paper.locator("strong")).to_have_text("frost")
        expect(paper.get_by_role("cell", name="one file")).to_be_visible()
        expect(paper).to_contain_text("<script>window.hacked = 1</script>")
        assert page.evaluate("window.hacked") is None
        expect(paper.get_by_role("link")).to_have_count(0)
        page.goto(f"{site.url}/#/notebook/MEMORY.md")
        page.reload()
        expect(paper.get_by_role("heading", name="Orchard planner")).to_be_visible()
        expect(page.get_by_text(str(project))).to_be_visible()
        paper.get_by_role("button", name="Edit").click()
        paper.get_by_label("Text (Markdown)").fill("# Orchard planner\n\nWarns of *hail*.\n")
        expect(paper.get_by_role("region", name="Preview").locator("em")).to_have_text("hail")
        paper.get_by_role("button", name="Save").click()
        expect(paper.get_by_role("button", name="Edit")).to_be_visible()
        assert (project / "MEMORY.md").read_text("utf-8") == "# Orchard planner\n\nWarns of *hail*.\n"


def test_an_edit_of_the_notebook_does_not_overwrite_another(
    tmp_path: Path, browse: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    file = tmp_path / "project" / "MEMORY.md"
    file.write_text("# Memory\n", "utf-8")
    monkeypatch.chdir(tmp_path / "project")
    with serving(f"sqlite:///{tmp_path}/nb.db", tmp_path / "nb") as site:
        page = browse("#/notebook", on=site, errors=True)
        paper = page.get_by_role("article")
        paper.get_by_role("button", name="Edit").click()
        paper.get_by_label("Text (Markdown)").fill("# Mine\n")
        file.write_text("# Theirs\n", "utf-8")
        paper.get_by_role("button", name="Save").click()
        expect(paper.get_by_role("alert")).to_contain_text("changed meanwhile")
        assert file.read_text("utf-8") == "# Theirs\n"
