"""What a person does on an ordinary day: agenda, saving again, views, imports, entities that are two."""

import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2 as httpx
from playwright.sync_api import expect

from commonplace.security.tokens import Accounts

from .conftest import Opener, Site, words

TODAY = datetime.now(UTC).date()


def test_the_agenda_lists_closes_and_adds(site: Site, browse: Opener, axe: Callable[..., list[str]]) -> None:
    site.book.relate("owner", "owes_followup", "Sara", subject_type="person", object_type="person")
    site.book.remember(f"Follow-up to Sara is due {TODAY - timedelta(days=2)}.", category="context")
    site.book.remember(f"Tax return is due {TODAY + timedelta(days=3)}.", category="context")
    site.book.relate("Marco", "last_contacted_on", "2026-01-02", subject_type="person")
    page = browse()
    card = page.get_by_role("region", name="Agenda")
    expect(card).to_contain_text("Follow up with Sara")
    expect(card).to_contain_text("Overdue since")
    card.get_by_role("link", name="Whole agenda").click()
    expect(page.get_by_role("region", name="Deadlines")).to_contain_text("Tax return")
    assert axe(page) == []
    page.get_by_role("region", name="Follow-ups").get_by_role("button", name="Done").click()
    expect(page.get_by_text("Follow up with Sara")).to_have_count(0)
    page.get_by_role("region", name="Not contacted").get_by_role("button", name="Contacted today").click()
    expect(page.get_by_text("The contact was saved.")).to_be_visible()
    expect(page.get_by_role("region", name="Not contacted")).to_have_count(0)
    page.get_by_role("button", name="Add a follow-up").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Follow up with").fill("Elena")
    dialog.get_by_label(re.compile("^Due")).fill(TODAY.isoformat())
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Follow-ups")).to_contain_text("Due today")
    assert {(item.kind, item.name) for item in site.book.agenda()} == {("owed", "Elena"), ("due", "Tax return")}


def test_a_forgotten_value_is_saved_again_only_when_asked_twice(site: Site, browse: Opener) -> None:
    site.book.forget(site.book.remember("The gate code is on the fridge.").ids[0])
    page = browse("#/memories", errors=True)
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Text").fill("The gate code is on the fridge.")
    dialog.get_by_role("button", name=re.compile("^Save")).click()
    expect(dialog.get_by_role("alert")).to_contain_text("You rejected or forgot this before.")
    assert site.book.browse() == []
    dialog.get_by_role("button", name="Save it anyway").click()
    expect(page.locator(".memory-text.big")).to_contain_text("The gate code")


def test_the_server_says_what_is_wrong_in_the_persons_language(site: Site, browse: Opener) -> None:
    page = browse("#/maintenance/glossary", errors=True, locale="fr")
    page.get_by_role("button", name=words("fr")["glossary.make"]).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").first.fill("x" * 200)
    dialog.get_by_role("button", name=words("fr")["save"]).click()
    expect(page.get_by_text("Le nom a 200 caractères")).to_be_visible()


def test_a_filter_is_saved_as_a_view_and_comes_back(site: Site, browse: Opener) -> None:
    site.book.remember("Never deploy on Fridays.", category="lesson")
    site.book.remember("The office is in Bologna.", category="fact")
    page = browse("#/memories?categories=lesson")
    page.get_by_role("button", name="Save this view").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Lessons")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.goto(f"{site.url}/#/memories")
    rows = page.get_by_role("list", name="Memories").get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.reload()
    page.get_by_role("group", name="Saved views").get_by_role("button", name="Lessons").click()
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Delete the view Lessons").click()
    expect(page.get_by_role("button", name="Lessons", exact=True)).to_have_count(0)


def test_another_programs_export_is_counted_first_and_then_imported(site: Site, browse: Opener, tmp_path: Path) -> None:
    vault = tmp_path / "vault.zip"
    with zipfile.ZipFile(vault, "w") as archive:
        archive.writestr("../../Garden.md", "# Garden\n- The pears ripen in August\n- Water before six\n")
        archive.writestr("picture.png", b"x" * 100)
    page = browse("#/maintenance/data")
    page.get_by_label("From", exact=True).select_option("obsidian")
    page.get_by_label(re.compile("^File")).set_input_files(vault)
    page.get_by_role("button", name="Preview").click()
    counts = page.get_by_role("status").filter(has_text="This would be imported")
    expect(counts).to_contain_text("Memories2")
    assert site.book.browse() == []
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported.")).to_be_visible()
    assert {memory.source for memory in site.book.browse()} == {"import"}
    page.get_by_label("From", exact=True).select_option("mem0")
    memories = tmp_path / "mem0.json"
    memories.write_text(json.dumps({"results": [{"memory": "Ada rows on Sundays."}, {"memory": ""}]}), "utf-8")
    page.get_by_label(re.compile("^File")).set_input_files(memories)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("1 part could not be read")).to_be_visible()


def test_an_entity_that_was_two_is_split(site: Site, browse: Opener) -> None:
    site.book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person")
    site.book.relate("Giulia", "works_on", "Orchard planner", subject_type="person", object_type="project")
    page = browse(f"#/graph/{site.book.graph.entity('Giulia').id}")
    details = page.get_by_role("complementary", name="Details")
    details.get_by_text("Split into two entities").click()
    details.get_by_label("Name of the new entity").fill("Giulia Neri")
    details.get_by_label("Giulia works on Orchard planner").check()
    details.get_by_role("button", name="Split", exact=True).click()
    expect(page.get_by_text("Split.", exact=True)).to_be_visible()
    assert [relation.subject.label for relation in site.book.relations(predicate="works_on")] == ["Giulia Neri"]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone.")).to_be_visible()
    assert [relation.subject.label for relation in site.book.relations(predicate="works_on")] == ["Giulia"]


def test_the_first_call_of_an_agent_is_noticed(site: Site, browse: Opener) -> None:
    page = browse()
    page.get_by_role("button", name="Show the command").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("Waiting for the first call")
    agent = site.book.acting_as("mcp", source="assistant", person=False)
    agent.audit.record_call("memory_recall")
    expect(dialog.get_by_role("status")).to_contain_text("Agent (MCP)")


def test_a_reading_call_over_http_is_noticed_by_its_token(site: Site, browse: Opener) -> None:
    accounts = Accounts(site.parts.store, site.parts.keychain, site.parts.clock)
    secret = accounts.issue(site.owner, name="Cursor on the laptop", scope="read").secret
    page = browse()
    page.get_by_role("button", name="Show the command").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("Waiting for the first call")
    headers = {"Authorization": f"Bearer {secret}"}
    assert httpx.post(f"{site.url}/v1/recall", json={"query": "anything"}, headers=headers).status_code == 200
    expect(dialog.get_by_role("status")).to_contain_text("Cursor on the laptop")


def test_settings_show_the_person_the_server_and_the_shortcuts(
    shared_server: Site, browse: Opener, axe: Callable[..., list[str]]
) -> None:
    page = browse("#/settings", on=shared_server)
    server = page.get_by_role("region", name="This server")
    expect(server.get_by_role("row", name="Make a change from this probability")).to_contain_text("0.9")
    expect(server.get_by_role("row", name="Embedder", exact=False).first).to_contain_text("default")
    page.get_by_label("Time zone").select_option("Europe/Rome")
    expect(page.get_by_text("Saved")).to_be_visible()
    expect(page.get_by_role("region", name="Keyboard shortcuts")).to_contain_text("Search or run")
    assert axe(page) == []
    page.goto(f"{shared_server.url}/#/maintenance/tokens")
    last_use = page.get_by_role("row").filter(has_text="this is you").get_by_role("cell").nth(4)
    expect(last_use).to_have_text(re.compile(r"now|seconds? ago"))
    page.goto(f"{shared_server.url}/#/maintenance/jobs")
    health = page.get_by_role("region", name="Health")
    expect(health).to_contain_text("Database writable")
    health.get_by_role("button", name="Check now").click()
    expect(health.get_by_role("status")).to_contain_text("checks", timeout=20_000)  # it reads the whole book


def test_another_owner_sees_no_settings_of_the_server(site: Site, browse: Opener) -> None:
    page = browse("#/settings", errors=True)
    expect(page.get_by_role("region", name="Person")).to_contain_text(site.owner)
    expect(page.get_by_role("region", name="This server")).to_have_count(0)


def test_the_agent_view_shows_what_hooks_add(told: Site, browse: Opener) -> None:
    page = browse("#/agent", on=told)
    page.get_by_role("combobox", name=re.compile("^Agent")).select_option("claude-code")
    page.get_by_label("Prompt").fill("frost model")
    text = page.get_by_role("region", name="Code")
    expect(text).to_contain_text("## Recalled for this turn")
    assert text.inner_text().count("<memory_context>") == 2
    start = told.book.context(None, tokens=600, limit=1).strip()
    assert text.inner_text().strip().startswith(start)


def test_sync_is_shown_on_home_and_in_the_settings(site: Site, browse: Opener, tmp_path: Path) -> None:
    site.book.remember("Ada rows on Sundays.")
    page = browse("#/settings", errors=True)
    expect(page.get_by_role("region", name="Sync")).to_contain_text("on this machine only")
    key = site.book.sync(tmp_path.as_uri()).notes[0].partition("COMMONPLACE_SYNC_KEY=")[2]
    site.book.remember("Ada swims on Mondays.")
    page.reload()
    card = page.get_by_role("region", name="Sync")
    expect(card.get_by_role("listitem")).to_contain_text("1 change waiting")
    site.book.sync(tmp_path.as_uri(), key=key)
    page.goto(f"{site.url}/#/")
    expect(page.get_by_role("region", name="Sync").get_by_role("listitem")).to_contain_text("up to date")
