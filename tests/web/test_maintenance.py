"""Looking after the book from the page: tidying and undoing it, dead letters, copies in and out, keys, places, tags.

Each flow runs once per engine.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from commonplace.memories import jobs

from .conftest import Opener, Site
from .story import CORE, tell


def texts(site: Site) -> list[str]:
    return sorted(one.text for one in site.book.browse())


def test_pruning_is_shown_first_then_done_then_taken_back(either: Site, browse: Opener) -> None:
    either.earlier(days=60).remember("The printer on floor two hums.", importance=0.1)
    either.book.remember("The contract ends in June.", importance=0.8)
    page = browse("#/maintenance/tidy", on=either)
    prune = page.get_by_role("region", name="Archive unimportant memories")
    prune.get_by_role("button", name="Preview").click()
    expect(prune.locator(".receipt")).to_contain_text("1 entry would change")
    expect(prune.locator(".receipt")).to_contain_text("The printer on floor two hums.")
    assert len(texts(either)) == 2, "looking changes nothing"
    prune.get_by_role("button", name="Run").click()
    expect(prune.locator(".receipt")).to_contain_text("1 entry changed")
    assert texts(either) == ["The contract ends in June."]
    log = page.get_by_role("region", name="History")
    expect(log.get_by_role("listitem")).to_contain_text("pruned")
    prune.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone.", exact=True).first).to_be_visible()
    assert len(texts(either)) == 2
    expect(prune.locator(".receipt")).to_have_count(0)
    expect(log.get_by_role("button", name="Undo")).to_have_count(0)


def test_merging_is_shown_first_then_done_then_taken_back_from_the_log(either: Site, browse: Opener) -> None:
    either.book.remember("The pump is blue.")
    twin = either.book.remember("The pump is green.")
    either.book.revise(twin.ids[0], "The pump is  BLUE.")
    either.book.remember("The valve is red.")
    before = texts(either)
    page = browse("#/maintenance/tidy", on=either)
    merge = page.get_by_role("region", name="Merge duplicates")
    merge.get_by_role("button", name="Preview").click()
    expect(merge.locator(".receipt")).to_contain_text("1 entry would change")
    merge.get_by_role("button", name="Run").click()
    expect(merge.locator(".receipt")).to_contain_text("1 entry changed")
    assert texts(either) == ["The pump is blue.", "The valve is red."]
    page.reload()
    log = page.get_by_role("region", name="History")
    log.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone.", exact=True).first).to_be_visible()
    assert texts(either) == before


def die(scope: Any, payload: Mapping[str, Any]) -> None:
    raise RuntimeError("the valve is stuck")


def test_a_dead_letter_is_tried_again(either: Site, browse: Opener) -> None:
    either.book.remember("Something to begin with.")
    with either.parts.store.write(either.owner) as tx:
        jobs.enqueue(either.book._scope, tx, "open the valve", {})
    for day in range(jobs.MOST_ATTEMPTS, 0, -1):  # each try a day later than the one before, the last one tomorrow
        jobs.run_due(either.earlier(days=day - jobs.MOST_ATTEMPTS - 1)._scope, {"open the valve": die}, holder="one")
    page = browse("#/maintenance/jobs", on=either)
    page.get_by_role("radio", name="failed for good").check()
    row = page.get_by_role("row", name="open the valve")
    expect(row).to_contain_text("the valve is stuck")
    row.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("It will be tried again.")).to_be_visible()
    done: list[object] = []
    jobs.run_due(either.book._scope, {"open the valve": lambda scope, payload: done.append(payload)}, holder="two")
    assert done == [{}]
    page.get_by_role("radio", name="done").check()
    expect(page.get_by_role("row", name="open the valve")).to_be_visible()


def test_everything_is_exported_and_brought_into_an_empty_book(
    either: Site, site: Site, browse: Opener, tmp_path: Path
) -> None:
    tell(either.book, either.agent)
    page = browse("#/maintenance/data", on=either)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download everything").click()
    target = tmp_path / "taken.ndjson"
    saved.value.save_as(target)
    assert CORE["diet"] in target.read_text("utf-8")
    expect(page.get_by_text(re.compile("^Saved, "))).to_be_visible()
    page = browse("#/maintenance/data", on=site, fresh=True)
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": 20_000}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)  # so that the way is seen
    page.get_by_label(re.compile("^File")).set_input_files(target)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("progressbar", name="Import")).to_be_visible()
    expect(page.get_by_text("This would be imported:")).to_be_visible()
    assert texts(site) == []
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Imported.")).to_be_visible()
    assert texts(site) == texts(either) != []
    assert {one.key: one.text for one in site.book.core.list()} == CORE


def test_a_file_that_is_no_export_is_refused_in_words(either: Site, browse: Opener, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.ndjson"
    wrong.write_text('{"nothing": "of ours"}\n', "utf-8")
    page = browse("#/maintenance/data", on=either, errors=True)
    page.get_by_label(re.compile("^File")).set_input_files(wrong)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_role("button", name="Import")).to_be_disabled()


def test_a_backup_is_made_by_the_servers_administrator_and_by_nobody_else(
    shared_server: Site, site: Site, browse: Opener
) -> None:
    page = browse("#/maintenance/data", on=shared_server)
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_text(re.compile("^Backup made"))).to_be_visible()
    assert list((shared_server.parts.settings.home / "backups").iterdir())
    page = browse("#/maintenance/data", on=site, errors=True)
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_text("Only the administrator of this server may do this.")).to_be_visible()


def test_a_token_is_made_shown_once_used_and_revoked(either: Site, browse: Opener) -> None:
    either.at("orchard").remember("The bees arrive in April.")
    page = browse("#/maintenance/tokens", on=either)
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("editor")
    dialog.get_by_role("checkbox", name="write").check()
    dialog.get_by_role("checkbox", name="orchard").check()
    dialog.get_by_role("button", name="New token").click()
    secret = page.get_by_label("The token").input_value()
    row = page.get_by_role("row", name="editor")
    expect(row).to_contain_text("write")
    expect(row).to_contain_text("orchard")
    asked = page.request.get(
        f"{either.url}/v1/memories?namespace=orchard", headers={"Authorization": f"Bearer {secret}"}
    )
    assert [one["text"] for one in asked.json()["items"]] == ["The bees arrive in April."]
    page.reload()
    expect(row).to_be_visible()
    assert secret not in page.content(), "it is shown once"
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_contain_text("Revoked")
    asked = page.request.get(
        f"{either.url}/v1/memories?namespace=orchard", headers={"Authorization": f"Bearer {secret}"}
    )
    assert asked.status == 401


def test_a_namespace_is_made_renamed_gone_to_and_deleted(either: Site, browse: Opener) -> None:
    either.book.remember("In the first namespace.")
    page = browse("#/maintenance/namespaces", on=either)
    page.get_by_role("button", name="New namespace").click()
    page.get_by_role("textbox", name="Name").fill("orchard")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("banner").get_by_role("combobox")).to_contain_text("orchard")
    page.get_by_role("button", name="Edit orchard").click()
    page.get_by_role("textbox", name="Name").fill("garden")
    page.get_by_role("textbox", name="Description").fill("Apples and pears")
    page.get_by_role("button", name="Save").click()
    line = page.get_by_role("listitem").filter(has_text="garden")
    expect(line).to_contain_text("Apples and pears")
    line.get_by_role("button", name="Open").click()
    expect(page.get_by_role("banner").get_by_role("combobox")).to_have_value("garden")
    either.at("garden").remember("The pears are ripe.")
    page.get_by_role("button", name="Delete garden").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("banner").get_by_role("combobox")).to_have_value("default")
    assert [one.name for one in either.book.namespaces.list()] == ["default"]
    assert texts(either) == ["In the first namespace."]


def test_a_tag_is_made_described_joined_with_another_and_deleted(either: Site, browse: Opener) -> None:
    either.book.remember("Night trains leave from platform two.", tags=["trains"])
    either.book.remember("The Berlin trip is in May.", tags=["travel"])
    page = browse("#/maintenance/glossary", on=either)
    page.get_by_role("button", name="New tag").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name", exact=True).fill("bees")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="bees")).to_be_visible()
    page.get_by_role("button", name="Edit travel").click()
    page.get_by_role("dialog").get_by_label("Description").fill("Going places")
    page.get_by_role("dialog").get_by_label("Other names").fill("journeys, trips")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("listitem").filter(has_text="Going places")).to_contain_text("journeys")
    page.get_by_role("button", name="Edit trains").click()
    page.get_by_role("dialog").get_by_role("combobox").select_option("travel")
    page.get_by_role("dialog").get_by_role("button", name="Merge").click()
    expect(page.get_by_role("link", name="trains", exact=True)).to_have_count(0)
    assert {tag for one in either.book.browse() for tag in one.tags} == {"travel"}
    page.get_by_role("button", name="Delete bees").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Tag deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="bees")).to_have_count(0)
    assert [one.name for one in either.book.glossary.list()] == ["travel"]
    page.get_by_role("link", name="travel").click()
    expect(page.get_by_role("list", name="Memories").get_by_role("listitem")).to_have_count(2)


def test_a_broken_chain_is_said(either: Site, browse: Opener) -> None:
    either.book.remember("Something to begin with.")
    page = browse("#/maintenance/audit", on=either)
    page.get_by_role("button", name="Check the log").click()
    expect(page.get_by_role("status").filter(has_text="lines checked")).to_be_visible()
    broken = json.dumps({"ok": False, "lines": 1, "problem": "line 1 was changed"})
    page.route("**/v1/audit/verify*", lambda one: one.fulfill(body=broken, content_type="application/json"))
    page.get_by_role("button", name="Check the log").click()
    expect(page.get_by_role("status").filter(has_text="line 1 was changed")).to_be_visible()
