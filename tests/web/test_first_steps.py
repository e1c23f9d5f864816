"""What a new user meets: an empty Home, sample data, the palette, shortcuts, and what an agent would see."""

import re
from typing import Any

from playwright.sync_api import expect

from .conftest import Opener, Site
from .story import CLAIMS


def test_an_empty_home_leads_on_without_blank_scroll(site: Site, browse: Opener) -> None:
    page = browse(viewport={"width": 1440, "height": 900})
    steps = page.locator(".first-steps > li")
    expect(steps).to_have_count(4)
    assert page.evaluate("document.querySelector('main').scrollHeight <= document.querySelector('main').clientHeight")
    steps.filter(has_text="Connect an agent").get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("commonplace init --host claude-code")
    dialog.get_by_role("button", name="Cursor").click()
    expect(dialog).to_contain_text("commonplace init --host cursor")
    expect(dialog).to_contain_text("Waiting for the first call")
    site.book.acting_as("mcp", source="assistant", person=False).remember("The pump is blue.")
    expect(dialog).to_contain_text("Connected.")


def test_home_ends_where_its_content_ends(told: Site, browse: Opener) -> None:
    page = browse(on=told)
    page.get_by_role("region", name="New").wait_for()
    expect(page.locator(".skeleton")).to_have_count(0)
    left = page.evaluate("""() => { const main = document.querySelector('main');
        return main.scrollHeight - document.querySelector('.screen').offsetHeight; }""")
    assert left <= 1


def test_sample_data_is_loaded_and_removed_in_one_click(site: Site, browse: Opener) -> None:
    page = browse()
    page.get_by_role("button", name="Load sample data").click()
    expect(page.get_by_role("region", name="New")).to_contain_text("Utrecht", timeout=15_000)
    assert site.book.browse() == []
    sample = site.at("sample")
    assert len(sample.browse(kinds=["associative"])) >= 12
    # Every screen has something to show: days, suggestions, a history, a person who is owed an answer.
    assert len([day for day in sample.timeline.days() if day.episodes]) >= 3
    assert sample.review.list()
    corrected = next(memory for memory in sample.browse() if "weekly report" in memory.text)
    assert [version.memory.text.split()[1] for version in sample.history(corrected.id)] == ["Thursday", "Friday"]
    assert [item.name for item in sample.agenda()] == ["Priya"]
    assert not [memory for memory in sample.browse(limit=100) if "Owner" in memory.text and "owes" not in memory.text]
    page.get_by_role("button", name="Remove sample data").click()
    expect(page.locator(".first-steps > li")).to_have_count(4)
    assert "sample" not in [space.name for space in site.book.namespaces.list()]


def test_empty_screens_lead_on_and_say_what_is_true(site: Site, browse: Opener) -> None:
    page = browse("#/memories", viewport={"width": 1440, "height": 900})
    main = page.locator("main")
    expect(main).to_contain_text("Nothing here yet")
    expect(main).not_to_contain_text("Change the filters")
    expect(main).not_to_contain_text("Choose a memory")
    expect(main.locator(".state").get_by_role("link", name="Home")).to_have_attribute("href", "#/")
    main.get_by_role("button", name="Add a memory").click()
    page.get_by_role("dialog").get_by_label("Text").fill("The hens lay at dawn.")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator(".memory-text.big")).to_contain_text("hens")
    page.goto(f"{site.url}/#/memories?categories=lesson")
    expect(main).to_contain_text("Change the filters")
    expect(main).to_contain_text("Choose a memory")
    page.goto(f"{site.url}/#/notebook")
    expect(main).to_contain_text("commonplace init --notebook")


def test_no_row_and_no_choice_is_cut_on_a_phone(told: Site, browse: Opener) -> None:
    for language in ("de", "fr"):
        page = browse("#/memories", on=told, locale=language, viewport={"width": 390, "height": 844})
        page.locator(".memory-row").first.wait_for()
        page.goto(f"{told.url}/#/memories?categories=preference&show=all")
        page.locator(".memory-row").first.wait_for()
        assert page.locator(".memory-row .facts").evaluate_all(
            "all => all.every(one => one.scrollWidth <= one.clientWidth)"
        )
        for at in ("", "agent"):  # what is known about a memory goes on in the next line
            page.goto(f"{told.url}/#/{at}")
            page.locator(".memory-link .facts").first.wait_for()
            assert page.locator(".facts").evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
        page.goto(f"{told.url}/#/maintenance/jobs")
        choices = page.locator(".segments > div")
        choices.wait_for()
        assert choices.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_a_claim_names_the_agent_that_made_it(site: Site, browse: Opener) -> None:
    agent = site.book.acting_as("mcp", source="assistant", person=False, agent="claude-code")
    agent.remember("The staging host will be replaced in June.")
    page = browse("#/memories")
    expect(page.locator(".memory-row").first).to_contain_text("Claude Code")
    page.goto(f"{site.url}/#/review")
    expect(page.locator(".review-item").first).to_contain_text("not confirmed yet (from Claude Code)")


def test_a_refused_memory_says_so_in_the_dialog(site: Site, browse: Opener) -> None:
    site.book.forget(site.book.remember("The gate code is on the fridge.").ids[0])
    page = browse(errors=True, locale="de")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").first.fill("AKIA" + "ABCDEFGHIJKLMNOP")
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("nur ein Passwort oder Schlüssel")


def test_nonsense_finds_nothing_relevant(told: Site, browse: Opener) -> None:
    page = browse("#/?q=xqzzt+wibble", on=told)
    expect(page.locator("main").get_by_role("status")).to_have_text("Nothing relevant found")
    expect(page.locator(".hits > li")).to_have_count(0)
    page.goto(f"{told.url}/#/?q=where+does+the+frost+model+live")
    marks = page.locator(".hits mark")
    expect(marks.first).to_be_visible()
    assert not {"the", "does", "where"} & {text.lower() for text in marks.all_inner_texts()}


def test_the_palette_goes_finds_and_acts(told: Site, browse: Opener) -> None:
    page = browse(on=told)
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Command palette")
    palette.get_by_role("searchbox").fill("timel")
    expect(palette.get_by_role("menuitem", name="Timeline")).to_have_attribute("data-focused", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
    page.keyboard.press("Control+k")
    palette.get_by_role("searchbox").fill("night train")
    palette.get_by_role("menuitem", name=re.compile("I would rather take")).click()
    expect(page.locator(".memory-text.big")).to_contain_text("night train")
    page.keyboard.press("Control+k")
    palette.get_by_role("searchbox").fill("timel")
    page.keyboard.press("Escape")
    expect(palette).to_have_count(0)
    page.keyboard.press("+")
    expect(page.get_by_role("dialog", name="Add a memory")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search in memories")).to_be_focused()


def test_facts_and_messages_stand_apart_with_counts(told: Site, browse: Opener) -> None:
    page = browse("#/memories", on=told)
    kinds = page.get_by_role("group", name="Kind")
    messages = len(told.book.browse(kinds=["episodic"]))
    facts = len(told.book.browse(kinds=["core", "associative", "relational", "proactive"]))
    expect(kinds.get_by_role("button", name="Messages")).to_have_text(re.compile(rf"Messages {messages}$"))
    expect(kinds.get_by_role("button", name="Facts")).to_have_text(re.compile(rf"Facts {facts}$"))
    entries = page.get_by_role("list", name="Memories")
    expect(entries).not_to_contain_text("Via Roma 14")
    kinds.get_by_role("button", name="Messages").click()
    expect(entries).to_contain_text("Via Roma 14")
    expect(entries.get_by_role("listitem").first).to_contain_text("Ada")
    expect(entries.get_by_role("listitem")).to_have_count(messages)


def test_the_bulk_bar_is_not_clipped(told: Site, browse: Opener) -> None:
    for width in (1440, 1100, 390):
        page = browse("#/memories", on=told, viewport={"width": width, "height": 900})
        page.get_by_role("list", name="Memories").get_by_role("checkbox").first.check()
        bar = page.get_by_role("toolbar")
        expect(bar).to_be_visible()
        frame = page.locator(".split-list").bounding_box()
        for button in bar.get_by_role("button").all():
            box = button.bounding_box()
            assert box["x"] >= frame["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1


def test_a_whole_group_is_approved_at_once(site: Site, browse: Opener) -> None:
    for text, category in CLAIMS:
        site.agent.remember(text, category=category)
    page = browse("#/review")
    expect(page.get_by_role("navigation", name="Main").get_by_label("3 to review")).to_be_visible()
    page.get_by_label("Group by").select_option("source")
    page.get_by_role("button", name="Approve all").click()
    page.get_by_role("dialog").get_by_role("button", name="Approve 3 suggestions").click()
    expect(page.get_by_text("3 memories confirmed.")).to_be_visible()
    expect(page.get_by_text("All caught up")).to_be_visible()
    assert {memory.status for memory in site.book.browse()} == {"verified"}


def test_history_names_people_and_agents(site: Site, browse: Opener) -> None:
    page = browse("#/memories")
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_label("Text").fill("The bees arrive in April.")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    history: Any = page.locator(".versions")
    expect(history).to_contain_text("You")
    assert not re.search(r"[0-9a-f]{8}-", history.inner_text())
    page.goto(f"{site.url}/#/maintenance/audit")
    expect(page.get_by_role("row").nth(1)).to_contain_text("You")
    site.agent.remember("A later line.")
    page.reload()
    expect(page.get_by_role("row").nth(1)).to_contain_text("Agent")


def test_what_the_agent_sees_is_the_very_page(told: Site, browse: Opener) -> None:
    page = browse("#/agent", on=told)
    page.get_by_label("Prompt").fill("frost model")
    text = page.get_by_role("region", name="Code")
    expect(text).to_contain_text("## Recalled for this turn")
    expect(text).to_contain_text("frost model")
    assert text.inner_text().strip() == told.book.context("frost model").strip()
    expect(page.get_by_role("region", name=re.compile("and why"))).to_contain_text("Core preference: always included")


def test_a_rejected_value_is_allowed_again(site: Site, browse: Opener) -> None:
    site.book.reject(site.book.remember("Ada is allergic to walnuts.").ids[0], reason="wrong nut")
    page = browse("#/me")
    page.get_by_label("Exact text of the memory").fill("Ada is allergic to walnuts.")
    page.get_by_role("button", name="Allow again").click()
    expect(page.get_by_text("1 value is allowed again.")).to_be_visible()
    assert site.book.remember("Ada is allergic to walnuts.").action


def test_two_names_of_one_person_are_merged_and_taken_apart(site: Site, browse: Opener) -> None:
    site.book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person")
    site.book.relate("Giulia Rossi", "works_on", "Orchard planner", subject_type="person", object_type="project")
    page = browse("#/graph")
    page.get_by_role("searchbox", name="Find a name").fill("giulia")
    page.get_by_role("button", name=re.compile("^Giulia person")).click()
    details = page.get_by_role("complementary", name="Details")
    expect(details).to_contain_text("reports to")
    details.get_by_text("Merge with another entity").click()
    details.get_by_label("Same as").select_option("Giulia Rossi (person)")
    details.get_by_role("button", name="Merge", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Merge").click()
    expect(details).to_contain_text("works on")
    expect(details).to_contain_text("Also called")
    page.get_by_role("button", name="Undo").click()
    expect(details.get_by_role("heading", level=3).first).to_have_text("1 relation")
    expect(details).not_to_contain_text("Also called")


def test_a_directive_is_made_changed_paused_and_resumed(site: Site, browse: Opener) -> None:
    page = browse("#/directives")
    page.get_by_role("button", name="New directive").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Frost warnings")
    dialog.get_by_label("Goal").fill("Warn the growers six hours before frost.")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Frost warnings")
    page.get_by_role("button", name="Activate").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_role("button", name="Memory: on").click()
    expect(page.get_by_role("button", name="Memory: off")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    dialog.get_by_label("Title").fill("Frost and hail warnings")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Frost and hail warnings")
    made = site.book.directives.list()[0]
    assert (made.title, made.status, made.memory_enabled) == ("Frost and hail warnings", "paused", False)


def test_tokens_and_sessions_say_which_one_you_are(site: Site, browse: Opener) -> None:
    page = browse("#/maintenance/tokens")
    own = page.get_by_role("row").filter(has_text="this is you")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("Browser session")
    expect(page.get_by_role("columnheader", name="Permissions")).to_be_visible()


def test_an_agents_proposal_is_shown_before_and_after_and_approved(site: Site, browse: Opener) -> None:
    made = site.book.remember("The meeting is on Monday.")
    site.agent.revise(made.ids[0], "The meeting is on Friday.", reason="calendar")
    assert site.book.get(made.ids[0]).text == "The meeting is on Monday."
    page = browse("#/review")
    card = page.get_by_role("group", name="Suggestion")
    expect(card).to_contain_text("An agent suggests: change the text")
    expect(card.locator("del")).to_have_text("Monday")
    expect(card.locator("ins")).to_have_text("Friday")
    page.keyboard.press("a")
    expect(page.get_by_text("Approved.")).to_be_visible()
    assert site.book.get(made.ids[0]).text == "The meeting is on Friday."
