"""What people come to do: sign in, correct, restore, approve, erase, and see an agent write."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Opener, Site, serving, words
from .story import CLAIMS, CORE, FACTS, tell

TRAIN = FACTS[0][0]


def find(site: Site, text: str) -> Any:
    every = site.book.browse(statuses=("candidate", "verified", "rejected", "archived"))
    return next(one for one in every if one.text == text)


def test_a_link_signs_in_and_leaves_no_token_behind(site: Site, browse: Opener) -> None:
    page = browse(signed=False, errors=True)
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Sign in to Commonplace")
    page.get_by_label("Token or sign-in link").fill("cpl_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    page.evaluate(f"location.hash = 'token={site.secret}'")  # the link opened in this very tab
    expect(title).to_have_text("Home")
    assert site.secret not in page.url
    stored = page.evaluate("JSON.stringify(localStorage)")
    assert "commonplace.session" in stored
    assert site.secret not in stored
    assert site.secret not in page.evaluate("document.cookie")
    page.get_by_role("button", name=re.compile("Sign out")).click()
    expect(title).to_have_text("Sign in to Commonplace")
    for text in (f"{site.url}/#token={site.secret}", site.secret):
        page.get_by_label("Token or sign-in link").fill(text)
        page.get_by_role("button", name="Sign in").click()
        expect(title).to_have_text("Home")
        page.get_by_role("button", name=re.compile("Sign out")).click()
        expect(title).to_have_text("Sign in to Commonplace")
    page.goto("about:blank")
    page.goto(f"{site.url}/#token={site.secret}")
    expect(title).to_have_text("Home")


def test_an_ended_session_asks_to_sign_in_again(site: Site, browse: Opener) -> None:
    page = browse(errors=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Home")
    page.context.clear_cookies()
    page.get_by_role("link", name="Memories", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in to Commonplace")
    assert page.evaluate("localStorage.getItem('commonplace.session')") is None


def test_a_core_value_is_edited_added_and_deleted(site: Site, browse: Opener) -> None:
    site.book.core.set("diet", "vegetarian")
    page = browse("#/me")
    page.get_by_role("button", name=re.compile("vegetarian")).click()
    page.get_by_label("Value of diet").fill("vegan")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert site.book.core.get("diet").text == "vegan"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone.", exact=True)).to_be_visible()
    expect(page.get_by_role("row", name="diet")).to_contain_text("vegetarian")
    page.get_by_role("button", name="Add a row").click()
    page.get_by_label("Key").fill("tone")
    page.get_by_label("Value", exact=True).fill("calm")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name="tone")).to_contain_text("calm")
    page.get_by_role("button", name="Delete tone").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Preference deleted.")).to_be_visible()
    expect(page.get_by_role("row", name="tone")).to_have_count(0)
    assert [one.key for one in site.book.core.list()] == ["diet"]


def test_a_relation_is_edited_in_a_drawer(site: Site, browse: Opener) -> None:
    site.book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person", confidence=0.5)
    page = browse("#/me")
    page.get_by_role("button", name="Edit: Giulia reports to Marco").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_label("Object").fill("Elena")
    drawer.get_by_label("Relation").select_option("knows")
    drawer.get_by_label(re.compile("Confidence")).fill("0.9")
    drawer.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name="Giulia")).to_contain_text("knows")
    expect(page.get_by_role("row", name="Giulia")).to_contain_text("Elena")
    expect(page.get_by_role("row", name="Giulia")).to_contain_text("90%")
    page.get_by_role("button", name=re.compile("^Delete: Giulia")).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Relation deleted.")).to_be_visible()
    expect(page.get_by_text("No people or relationships yet")).to_be_visible()
    assert list(site.book.relations()) == []


def test_people_are_hidden_with_a_card_on_the_free_plan(tmp_path: Path, browse: Opener, site: Site) -> None:
    site.book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person")
    page = browse("#/me")
    expect(page.get_by_role("row", name="Giulia")).to_be_visible()
    with serving(f"sqlite:///{tmp_path}/free.db", tmp_path / "free", plan="free") as free:
        page = browse("#/me", on=free)
        expect(page.get_by_text("Relationships are part of the paid plans")).to_be_visible()
        expect(page.get_by_role("columnheader", name="Subject")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "it", "es", "fr", "de"])
def test_forgetting_everything_needs_the_word_in_the_pages_language(language: str, site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    said = words(language)
    before = len(site.book.browse(statuses=("candidate", "verified"), limit=1000))
    page = browse("#/me", locale=language)
    expect(page.get_by_text(CORE["diet"])).to_be_visible()
    expect(page.locator(".card.red")).to_contain_text(str(before))
    button = page.get_by_role("button", name=said["danger.button"])
    expect(button).to_be_disabled()
    expect(page.locator(".card.red").get_by_role("button", name=said["data.export_do"])).to_be_visible()
    field = page.get_by_label(said["danger.type"].replace("{word}", said["danger.word"]))
    field.fill("FORGE")
    expect(button).to_be_disabled()
    field.fill(said["danger.word"].lower())
    expect(button).to_be_enabled()
    button.click()
    expect(page.locator(".receipt")).to_contain_text(re.compile(rf"{said['action.erase']} · {before}\b"))
    expect(page.locator(".card.red")).to_contain_text(str(before))
    expect(page.get_by_text(CORE["diet"])).to_have_count(0)
    assert list(site.book.browse()) == []
    assert site.book.core.list() == []


def test_after_forgetting_everything_the_header_names_no_erased_namespace(site: Site, browse: Opener) -> None:
    site.book.within("orchard").remember("The pump is blue.")
    page = browse("#/me")
    chooser = page.get_by_role("banner").get_by_role("combobox")
    chooser.select_option("orchard")
    page.get_by_label(words("en")["danger.type"].replace("{word}", "FORGET")).fill("forget")
    expect(chooser).to_contain_text("orchard")
    page.get_by_role("button", name=words("en")["danger.button"]).click()
    expect(page.locator(".receipt")).to_be_visible()
    expect(chooser).to_have_value("default")
    expect(page.get_by_role("banner")).not_to_contain_text("orchard")


def test_a_namespace_that_is_erased_elsewhere_is_left(site: Site, browse: Opener) -> None:
    site.book.within("orchard").remember("The pump is blue.")
    page = browse()
    chooser = page.get_by_role("banner").get_by_role("combobox")
    chooser.select_option("orchard")
    expect(page.get_by_text("The pump is blue.").first).to_be_visible()
    site.book.erase(confirm=True, namespace="orchard")
    expect(chooser).to_have_value("default")


def test_a_memory_is_corrected_and_restored(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    memory = find(site, TRAIN)
    page = browse(f"#/memories/{memory.id}")
    detail = page.get_by_role("region", name="Memory", exact=True)
    detail.get_by_role("button", name="Correct").click()
    detail.get_by_label("Text").fill(TRAIN.replace("eight", "ten"))
    detail.get_by_label("Reason").fill("she said ten")
    detail.get_by_role("button", name="Save").click()
    expect(detail.locator(".memory-text.big")).to_contain_text("ten hours")
    newest = detail.locator(".versions > li").first
    expect(newest.locator("del")).to_have_text("eight")
    expect(newest.locator("ins")).to_have_text("ten")
    expect(newest).to_contain_text("she said ten")
    detail.get_by_role("button", name="Restore").click()
    expect(detail.locator(".memory-text.big")).to_contain_text("eight hours")
    assert site.book.get(memory.id).text == TRAIN
    assert len(site.book.history(memory.id)) == 3


def test_a_memory_is_pinned_tagged_confirmed_rejected_and_archived(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    memory = find(site, CLAIMS[0][0])
    page = browse(f"#/memories/{memory.id}")
    detail = page.get_by_role("region", name="Memory", exact=True)
    expect(detail.locator(".detail-head")).to_contain_text("candidate")
    detail.get_by_role("button", name="Confirm").click()
    expect(detail.locator(".detail-head")).to_contain_text("verified")
    detail.get_by_role("button", name="Pin", exact=True).click()
    expect(detail.get_by_role("button", name="Unpin")).to_be_visible()
    detail.get_by_label("Add a tag").fill("health")
    page.keyboard.press("Enter")
    expect(detail.get_by_role("button", name="Remove tag health")).to_be_visible()
    page.wait_for_function("() => !document.querySelector('.notice.bad')")
    expect(page.get_by_text("Saved.")).to_be_visible()
    now = site.book.get(memory.id)
    assert (now.status, now.pinned, now.tags) == ("verified", True, ("health",))
    detail.get_by_role("button", name="Reject").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("wrong nut")
    page.get_by_role("dialog").get_by_role("button", name="Reject").click()
    expect(detail.locator(".detail-head")).to_contain_text("rejected")
    expect(page.get_by_text("will not be added again")).to_be_visible()
    assert site.book.get(memory.id).status == "rejected"


def test_a_memory_is_forgotten_with_a_receipt_that_can_be_verified(site: Site, browse: Opener) -> None:
    memory = site.book.remember("The spare key lies under the blue pot.")
    page = browse(f"#/memories/{memory.ids[0]}", errors=True)
    page.get_by_role("button", name="Forget").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    receipt = page.locator(".receipt")
    expect(receipt).to_contain_text("forgotten")
    receipt.get_by_role("button", name="Verify").click()
    expect(receipt).to_contain_text("nothing is left")
    assert list(site.book.browse()) == []


def test_evidence_is_quoted_with_who_and_when(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    known = next(one for one in site.book.browse() if one.kind != "episodic" and site.book.evidence(one.id))
    page = browse(f"#/memories/{known.id}")
    quote = page.locator(".quotes li").first
    expect(quote.locator("blockquote")).not_to_be_empty()
    expect(quote.locator("figcaption")).to_contain_text("Ada")


def test_the_sliders_look_back_on_both_clocks(site: Site, browse: Opener) -> None:
    made = site.book.remember("The office is in Bologna.")
    site.book.revise(made.ids[0], "The office is in Ferrara.", reason="moved")
    page = browse(f"#/memories/{made.ids[0]}", errors=True)
    expect(page.locator(".memory-text.big")).to_have_text("The office is in Ferrara.")
    known = page.get_by_label(re.compile("^Known on"))
    known.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("Nothing was known or true at that moment")).to_be_visible()
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".memory-text.big")).to_have_text("The office is in Ferrara.")


def test_many_are_archived_at_once_and_taken_back(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    before = len(site.book.browse())
    page = browse("#/memories")
    rows = page.get_by_role("list", name="Memories").get_by_role("checkbox")
    for at in range(3):
        rows.nth(at).check()
    page.get_by_role("toolbar").get_by_role("button", name="Archive").click()
    expect(page.get_by_text("3 memories archived.")).to_be_visible()
    assert len(site.book.browse()) == before - 3
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone.", exact=True)).to_be_visible()
    assert len(site.book.browse()) == before


def test_filters_stand_in_the_address_and_narrow_the_list(site: Site, browse: Opener) -> None:
    tell(site.book, site.agent)
    page = browse("#/memories")
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("dialog").get_by_role("button", name="lesson").click()
    page.get_by_role("dialog").get_by_role("button", name="Show").click()
    items = page.get_by_role("list", name="Memories").get_by_role("listitem")
    expect(items).to_have_count(1)
    expect(items).to_contain_text("Never run the migration")
    assert "categories=lesson" in page.url
    page.reload()
    expect(items).to_have_count(1)
    page.get_by_role("button", name="Remove filter: lesson").click()
    expect(items).not_to_have_count(1)


def test_a_search_looks_back_on_both_clocks(site: Site, browse: Opener) -> None:
    site.book.remember("The office is in Bologna.")
    page = browse("#/memories?q=office+in+Bologna")
    entries = page.get_by_role("list", name="Memories")
    expect(entries).to_contain_text("The office is in Bologna.")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_label(re.compile("^True on"))).to_be_visible()
    page.get_by_label(re.compile("^Known on")).focus()
    page.keyboard.press("Home")
    page.get_by_role("dialog").get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("Nothing relevant found").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Remove filter: Known on")).click()
    expect(entries).to_contain_text("The office is in Bologna.")


def test_a_list_is_sorted_by_importance_and_looks_back(site: Site, browse: Opener) -> None:
    site.book.remember("The office is in Bologna.", importance=0.9)
    site.book.remember("The coffee is on the left.", importance=0.1)
    page = browse("#/memories")
    items = page.get_by_role("list", name="Memories").get_by_role("listitem")
    expect(items.first).to_contain_text("coffee")
    page.get_by_label("Sort").select_option("importance")
    expect(items.first).to_contain_text("office")
    page.get_by_role("button", name="Filter").click()
    page.get_by_label(re.compile("^Known on")).focus()
    page.keyboard.press("Home")
    page.get_by_role("dialog").get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("No memories here")).to_be_visible()
    expect(page.get_by_label("Sort")).to_have_value("newest")
    page.get_by_role("button", name=re.compile("^Remove filter: Known on")).click()
    expect(items.first).to_contain_text("office")


def test_a_memory_says_when_it_was_put_into_a_prompt(site: Site, browse: Opener) -> None:
    made = site.book.remember("The office is in Bologna.")
    site.book.context("where is the office?")
    page = browse(f"#/memories/{made.ids[0]}")
    expect(page.get_by_text("put into a prompt")).to_have_count(1)


def test_what_an_agent_writes_appears_by_itself(site: Site, browse: Opener) -> None:
    page = browse("#/memories")
    expect(page.get_by_text("Nothing here yet")).to_be_visible()
    site.agent.remember("The pump needs a new seal.")
    expect(page.get_by_role("list", name="Memories")).to_contain_text("The pump needs a new seal.")


def test_review_says_how_many_wait_in_all(site: Site, browse: Opener) -> None:
    site.agent.remember_many([f"The sensor {number} reports every {number} minutes." for number in range(2, 72)])
    page = browse("#/review")
    expect(page.get_by_role("link", name="Review 70 to review")).to_be_visible()
    expect(page.get_by_text("70 left")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("69 left")).to_be_visible()
    page.get_by_label("Group by").select_option("source")
    expect(page.get_by_role("heading", level=2, name="Agent 69")).to_be_visible()
    page.goto(f"{site.url}/#/")
    expect(page.get_by_text("69 suggestions to review")).to_be_visible()


def test_review_is_done_with_the_keyboard_alone(site: Site, browse: Opener) -> None:
    for text, category in CLAIMS:
        site.agent.remember(text, category=category)
    page = browse("#/review")
    card = page.get_by_role("group", name="Suggestion")
    expect(card).to_contain_text(CLAIMS[0][0])
    page.keyboard.press("a")
    expect(card).to_contain_text(CLAIMS[1][0])
    page.keyboard.press("c")
    page.keyboard.press("Control+a")
    page.keyboard.type("The growers prefer text messages to anything else.")
    page.keyboard.press("Control+Enter")
    expect(card).to_contain_text(CLAIMS[2][0])
    page.keyboard.press("s")
    expect(page.get_by_text("All caught up")).to_be_visible()
    page.get_by_role("button", name="Show 1 skipped again").click()
    page.keyboard.press("r")
    expect(page.get_by_text("All caught up")).to_be_visible()
    expect(page.get_by_text("Rejected.")).to_be_visible()
    assert find(site, CLAIMS[0][0]).status == "verified"
    assert find(site, "The growers prefer text messages to anything else.").status == "verified"
    assert find(site, CLAIMS[2][0]).status == "rejected"


def test_a_hint_shows_its_evidence_and_stays_away_once_dismissed(site: Site, browse: Opener) -> None:
    site.book.remember("Deploys on Friday fail more often.", kind="proactive", category="pattern", confidence=0.8)
    site.book.remember("Mondays are slow.", kind="proactive", category="pattern", confidence=0.4)
    page = browse()
    noticed = page.get_by_role("region", name="Patterns noticed")
    expect(noticed).to_contain_text("Deploys on Friday fail more often.")
    expect(noticed).not_to_contain_text("Mondays are slow.")
    noticed.get_by_role("button", name="Deploys on Friday fail more often.", exact=True).click()
    expect(noticed).to_contain_text("Based on:")
    noticed.get_by_role("button", name="Dismiss: Deploys").click()
    expect(page.get_by_text("will not be shown again")).to_be_visible()
    expect(noticed).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="New")).to_be_visible()
    expect(noticed).to_have_count(0)


def test_a_memory_added_by_hand_is_verified(site: Site, browse: Opener) -> None:
    page = browse("#/memories")
    page.locator("main").get_by_role("button", name="Add a memory").click()
    page.get_by_role("dialog").get_by_label("Text").fill("The bees arrive in April.")
    page.get_by_role("dialog").get_by_role("combobox", name="Tags").fill("orchard, spring,")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator(".memory-text.big")).to_have_text("The bees arrive in April.")
    kept = find(site, "The bees arrive in April.")
    assert (kept.status, sorted(kept.tags)) == ("verified", ["orchard", "spring"])


def test_the_list_holds_thousands_and_draws_a_few(site: Site, browse: Opener) -> None:
    site.book.remember_many([{"text": f"Row {at} of the ledger."} for at in range(1, 1501)])
    page = browse("#/memories")
    entries = page.get_by_role("list", name="Memories")
    expect(entries).to_contain_text("Row 1500 of the ledger.")
    box = page.locator(".virtual")
    for _ in range(200):
        if entries.get_by_text("Row 1 of the ledger.").count():
            break
        box.evaluate("(one) => { one.scrollTop = one.scrollHeight; }")
        page.wait_for_timeout(30)
    expect(entries).to_contain_text("Row 1 of the ledger.")
    assert page.locator(".memory-row").count() < 40
    page.locator(".memory-row a").last.focus()
    page.keyboard.press("ArrowUp")
    assert "Row 2 of" in page.evaluate("document.activeElement.innerText")


def test_two_who_write_at_once_are_shown_both_and_one_chooses(site: Site, browse: Opener) -> None:
    made = site.book.remember("The meeting is on Monday.")
    page = browse(f"#/memories/{made.ids[0]}", errors=True)
    page.get_by_role("button", name="Correct").click()
    page.get_by_label("Text").fill("The meeting is on Tuesday.")
    site.book.revise(made.ids[0], "The meeting is on Friday.", reason="calendar")
    page.get_by_role("button", name="Save").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Friday")
    expect(dialog).to_contain_text("Tuesday")
    dialog.get_by_role("button", name="Use mine").click()
    expect(page.get_by_text("Corrected.", exact=True)).to_be_visible()
    expect(page.locator(".memory-text.big")).to_have_text("The meeting is on Tuesday.")
    assert site.book.get(made.ids[0]).text == "The meeting is on Tuesday."
    assert len(site.book.history(made.ids[0])) == 3


def test_an_edit_that_fails_is_taken_back_on_the_page(site: Site, browse: Opener) -> None:
    made = site.book.remember("The gate code is on the fridge.")
    page = browse(f"#/memories/{made.ids[0]}", errors=True)
    pin = page.get_by_role("button", name="Pin", exact=True)
    expect(pin).to_be_visible()
    page.route("**/v1/memories/*", lambda one: one.abort() if one.request.method == "PATCH" else one.continue_())
    pin.click()
    expect(page.get_by_text("The server did not answer. Your last change may not have been saved.")).to_be_visible()
    expect(pin).to_be_visible()
    assert not site.book.get(made.ids[0]).pinned


def test_offline_is_said_and_ends_by_itself(site: Site, browse: Opener) -> None:
    page = browse("#/memories", errors=True)
    page.context.set_offline(True)
    page.goto(f"{site.url}/#/me")
    expect(page.get_by_text("The server cannot be reached").first).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_text("No core preferences yet")).to_be_visible()


def test_the_namespace_is_switched_in_the_header(site: Site, browse: Opener) -> None:
    site.book.remember("In the first namespace.")
    site.at("orchard").remember("In the other namespace.")
    page = browse("#/memories")
    entries = page.get_by_role("list", name="Memories")
    expect(entries).to_contain_text("In the first namespace.")
    page.get_by_role("banner").get_by_role("combobox").select_option("orchard")
    expect(entries).to_contain_text("In the other namespace.")
    expect(entries).not_to_contain_text("In the first namespace.")


@pytest.mark.postgres
def test_the_page_works_on_postgresql(postgres_url: str, tmp_path: Path, browse: Opener) -> None:
    with serving(postgres_url, tmp_path / "pg") as site:
        tell(site.book, site.agent)
        page = browse("#/memories?categories=insight&categories=context", on=site)
        page.get_by_role("link", name=re.compile("Soil moisture")).click()
        detail = page.get_by_role("region", name="Memory", exact=True)
        detail.get_by_role("button", name="Correct").click()
        detail.get_by_label("Text").fill("Soil moisture explains the yield.")
        detail.get_by_role("button", name="Save").click()
        expect(detail.locator(".versions > li")).to_have_count(2)
        expect(page.get_by_role("list", name="Memories")).to_contain_text("Soil moisture explains the yield.")
        site.agent.remember("Written by an agent.", category="insight")
        expect(page.get_by_role("list", name="Memories")).to_contain_text("Written by an agent.")
