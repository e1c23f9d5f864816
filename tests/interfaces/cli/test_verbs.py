"""Each command does what its verb does, prints lines for people, and with --json what a program reads."""

import json

import pytest

pytestmark = pytest.mark.usefixtures("on_both_engines")


def test_what_is_remembered_is_recalled_with_everything_it_was_given(cli):
    said = cli(
        "remember", "Ada", "prefers", "trains", "--category", "preference", "--tag", "travel,trips", "--tag", "rail",
        "--importance", "0.9", "--confidence", "0.8", "--valid-from", "2024-05-01", "--expires-at", "2090-01-01",
        "--pinned", "--metadata", "trip=7", "--metadata", "city=Turin", "--json",
    )  # fmt: skip
    hit = cli("recall", "what does she ride?", "trains", "--json").json[0]
    memory = hit["memory"]
    assert hit["id"] == memory["id"] == said.json["id"]
    assert memory["text"] == "Ada prefers trains"
    assert memory["tags"] == ["rail", "travel", "trips"] and memory["metadata"] == {"trip": 7, "city": "Turin"}
    assert (memory["category"], memory["importance"], memory["confidence"]) == ("preference", 0.9, 0.8)
    assert memory["pinned"] is True
    assert memory["valid_from"] == "2024-04-30T22:00:00Z", "a day begins by the owner's clock"


def test_lines_for_people_name_the_id(cli, kept):
    id = kept("Ada prefers trains")
    for words in (["recall", "trains"], ["get", id], ["list"]):
        said = cli(*words).out
        assert "Ada prefers trains" in said and id in said
        assert "\x1b[" not in said, "no colours where nobody sees them"


def test_a_text_comes_from_standard_input(cli):
    cli("remember", "-", stdin="Ada likes\nquinces\n")
    assert cli("recall", "-", "--json", stdin="quinces").json[0]["memory"]["text"] == "Ada likes\nquinces"


def test_many_lines_are_kept_in_one_go(cli, place):
    lines = ["Ada likes plums", json.dumps({"text": "Ada likes pears", "tags": ["fruit"], "valid_from": "2024-01-01"})]
    (place / "fruit.jsonl").write_text("\n".join(lines), "utf-8")
    said = cli("remember", "--lines", "fruit.jsonl", "--category", "preference")
    assert "2 kept" in said.out
    found = cli("recall", "--tag", "fruit", "--json").json
    assert [one["memory"]["text"] for one in found] == ["Ada likes pears"]
    assert found[0]["memory"]["category"] == "preference"


@pytest.mark.parametrize(
    ("lines", "complaint"), [("{oops", "line 1"), ('{"text": "x", "valid_from": "soon"}', "valid_from")]
)
def test_a_bad_line_is_named_and_nothing_is_kept(cli, lines, complaint):
    done = cli("remember", "--lines", "-", stdin=f"{lines}\nAda likes plums", code=7)
    assert complaint in done.err
    assert cli("list", "--json").json == []


def test_a_conversation_is_observed_word_for_word(cli):
    talk = [
        {"text": "I met Marco in Vienna", "speaker": "Ada", "at": "2026-03-01T10:00:00+01:00", "metadata": {"n": 1}},
        {"role": "assistant", "content": "How is he?"},
    ]
    receipt = cli("observe", "--messages", "-", "--session", "tuesday", "--json", stdin=json.dumps(talk)).json
    assert len(receipt["ids"]) >= 2
    found = cli("recall", "Marco", "--kind", "episodic", "--session", "tuesday", "--json").json
    turn = next(one["memory"] for one in found if one["memory"]["text"] == "I met Marco in Vienna")
    assert turn["turn"]["speaker"] == "Ada" and turn["turn"]["said_at"] == "2026-03-01T09:00:00Z"
    assert turn["metadata"] == {"n": 1}


def test_messages_may_be_one_object_a_line(cli):
    cli("observe", "--messages", "-", stdin='{"text": "Hello Ada"}\n\n"and a bare text"\n')
    assert len(cli("list", "--kind", "episodic", "--json").json) == 2


@pytest.mark.parametrize("text", ["[", '[{"speaker": "Ada"}]', '{"text": "x", "at": "later"}', "nonsense", "[7]"])
def test_messages_that_cannot_be_read_are_refused(cli, text):
    assert "message" in cli("observe", "--messages", "-", stdin=text, code=7).err
    assert cli("list", "--json").json == []


def test_the_parts_of_a_score_are_explained(cli, kept):
    kept("Ada prefers trains")
    said = cli("recall", "trains", "--explain").out
    assert "score: " in said and "found by: words (place 1)" in said and "words: train" in said
    assert cli("recall", "trains", "--json").json[0]["why"] is None
    why = cli("recall", "trains", "--explain", "--json").json[0]["why"]
    assert why["parts"] and why["lists"]


def test_recall_asks_as_of_either_clock(cli, kept):
    kept("Ada lives in Oslo", "--valid-from", "2020-01-01", "--valid-to", "2022-01-01")
    assert cli("recall", "Oslo", "--json").json == []
    assert len(cli("recall", "Oslo", "--as-of", "2021-06-01", "--json").json) == 1
    assert cli("recall", "Oslo", "--as-of", "2021-06-01", "--known-at", "yesterday", "--json").json == []


def test_every_filter_of_a_query_narrows(cli, kept):
    kept("Ada likes plums", "--category", "preference", "--tag", "fruit", "--metadata", "n=1")
    kept("Ada ships parcels", "--category", "routine", "--tag", "post")
    for words in (
        ["--category", "preference"],
        ["--tag", "fruit"],
        ["--glossary-tag", "fruit"],
        ["--metadata", "n=1"],
        ["--kind", "associative", "--category", "preference,fact"],
    ):
        found = cli("recall", "Ada", *words, "--json").json
        assert [one["memory"]["text"] for one in found] == ["Ada likes plums"], words
    assert len(cli("recall", "Ada", "--since", "yesterday", "--source", "user", "--json").json) == 2
    assert cli("recall", "Ada", "--until", "2020-01-01", "--json").json == []
    assert cli("recall", "Ada", "--status", "rejected", "--json").json == []
    assert cli("recall", "Ada", "--namespaces", "elsewhere", "--json").json == []
    assert len(cli("recall", "Ada", "--limit", "1", "--json").json) == 1


def test_a_page_for_a_model_is_fenced(cli, kept):
    kept("Ada prefers trains")
    assert cli("context", "travel").out.startswith("<memory_context")
    page = cli("context", "--tokens", "200", "--json").json
    assert "Ada prefers trains" in page["text"]


def test_a_memory_is_corrected_and_its_history_tells_how(cli, kept):
    id = kept("Ada lives in Oslo")
    cli("revise", id, "Ada lives in Turin", "--reason", "moved", "--expected", "1")
    assert cli("get", id, "--json").json["text"] == "Ada lives in Turin"
    versions = cli("history", id, "--json").json
    assert [one["memory"]["text"] for one in versions] == ["Ada lives in Oslo", "Ada lives in Turin"]
    assert versions[1]["reason"] == "moved" and versions[0]["id"] == id
    assert "by owner: moved" in cli("history", id).out
    assert "version 2" in cli("revise", id, "x", "--expected", "1", code=4).err


def test_fields_are_revised_without_the_text(cli, kept):
    id = kept("Ada lives in Oslo")
    cli("revise", id, "--category", "fact", "--importance", "0.1", "--tag", "home", "--pinned", "--metadata", "a=b")
    memory = cli("get", id, "--json").json
    assert (memory["category"], memory["importance"], memory["tags"], memory["pinned"]) == ("fact", 0.1, ["home"], True)
    cli("revise", id, "--unpinned")
    assert cli("get", id, "--json").json["pinned"] is False
    assert "pass what to change" in cli("revise", id, code=7).err


def test_rollback_and_undo_take_back(cli, kept):
    id = kept("Ada lives in Oslo")
    cli("revise", id, "Ada lives in Turin")
    receipt = cli("rollback", id, "--to", "1", "--json").json
    assert cli("get", id, "--json").json["text"] == "Ada lives in Oslo"
    cli("undo", receipt["ref"])
    assert cli("get", id, "--json").json["text"] == "Ada lives in Turin"


def test_an_at_sign_is_what_was_done_last(cli, kept):
    first, second = kept("Ada likes plums"), kept("Ada likes pears")
    assert cli("get", "@", "--json").json["id"] == second
    assert cli("get", "@2", "--json").json["id"] == first
    cli("undo", "@")
    assert [one["id"] for one in cli("list", "--json").json] == [first]
    assert "@9" in cli("get", "@9", code=3).err


def test_judgements_change_the_status(cli, kept):
    for verb, status in (("reject", "rejected"), ("archive", "archived"), ("end", "stale")):
        id = kept(f"Ada owns a {verb}")
        cli(verb, id, "--reason", "because")
        assert cli("get", id, "--json").json["status"] == status
        assert id not in cli("list").out
    id = kept("Ada likes plums")
    before = cli("get", id, "--json").json
    cli("confirm", id)
    cli("useful", id)
    after = cli("get", id, "--json").json
    assert after["confidence"] > before["confidence"] and after["importance"] > before["importance"]
    cli("useful", id, "--no")
    assert cli("get", id, "--json").json["importance"] < after["importance"]


def test_forgetting_gives_a_receipt_that_can_be_verified(cli, kept, scrubbed):
    id, neighbour = kept("Ada likes quinces"), kept("Ada likes plums")
    receipt = cli("forget", id, "--json").json
    assert receipt["state"] == scrubbed
    assert cli("get", id, code=3).out == ""
    assert cli("get", neighbour, "--json").json["text"] == "Ada likes plums"
    checked = cli("verify-receipt", receipt["ref"], "--json", code=None).json
    assert (checked["gone"], checked["state"], checked["found"]) == (scrubbed == "scrubbed", scrubbed, [])
    summary = {"scrubbed": "gone, scrubbed", "scrub pending": "gone from the book, scrub pending"}[scrubbed]
    assert cli("verify-receipt", "@", code=None).out.strip() == summary
    refused = cli("remember", "ada likes  QUINCES", code=5)
    assert "forgotten before" in refused.err and "quinces" not in refused.err.casefold()
    assert cli("undo", receipt["ref"], code=None).code != 0
    cli("get", id, code=3)


def test_forgetting_by_description_shows_asks_and_takes_only_that_part(cli, kept, scrubbed):
    id = kept("Ada lives in Oslo and likes quinces")
    shown = cli("forget", "--query", "Ada likes quinces", "--dry-run", "--json").json
    assert shown["state"] == "dry run" and shown["changes"][0]["statement"] == "Ada likes quinces"
    refused = cli("forget", "--query", "Ada likes quinces", code=7)
    assert "would be forgotten: Ada likes quinces" in refused.err and "--yes" in refused.err
    assert "quinces" in cli("get", id, "--json").json["text"]
    assert cli("forget", id, "--dry-run", "--json").json["state"] == "dry run"
    assert cli("forget", "--query", "-", "--yes", "--json", stdin="Ada likes quinces").json["state"] == scrubbed
    assert cli("get", id, "--json").json["text"] == "Ada lives in Oslo"
    assert "pass memory ids" in cli("forget", code=7).err
    assert "pass memory ids" in cli("forget", id, "--query", "x", code=7).err


def test_a_description_that_fits_several_lists_them(cli, kept):
    ids = [kept(f"Ada likes {fruit}") for fruit in ("green plums", "yellow plums")]
    done = cli("forget", "--query", "Ada likes plums", "--yes")
    assert "--choose" in done.out and all(id in done.out for id in ids)
    assert len(cli("list", "--json").json) == 2
    cli("forget", "--query", "Ada likes plums", "--choose", ids[0], "--yes")
    assert [memory["id"] for memory in cli("list", "--json").json] == [ids[1]]


def test_a_memory_is_revised_by_description(cli, kept):
    id = kept("Ada lives in Oslo")
    assert (
        cli("revise", "--query", "lives in Oslo", "Ada lives in Turin", "--dry-run", "--json").json["state"]
        == "dry run"
    )
    cli("revise", "--query", "lives in Oslo", "Ada lives in Turin")
    assert cli("get", id, "--json").json["text"] == "Ada lives in Turin"


def test_what_was_learned_says_why(cli, kept):
    receipt = cli("observe", "My manager is Marco.", "--json").json
    learned = next(one["id"] for one in receipt["changes"] if one["action"] == "ADD")
    said = cli("why", learned).out
    assert "by rules" in said and learned in said
    assert cli("why", learned, "--json").json[0]["steps"]
    assert cli("why", receipt["trace"], "--json").json
    cli("why", "nope", code=3)


def test_patterns_are_listed_and_dismissed(cli, kept):
    assert cli("hints", "--json").json == []
    id = kept("Ada travels on Fridays", "--kind", "proactive", "--category", "pattern", "--confidence", "0.9")
    assert [one["id"] for one in cli("hints", "--json").json] == [id]
    assert "Ada travels on Fridays" in cli("hints").out
    cli("dismiss", id)
    assert cli("hints", "--json").json == []
    cli("dismiss", kept("Ada likes plums"), code=7)


def test_erasing_asks_first(cli, kept, scrubbed):
    kept("Ada likes plums")
    kept("Ada likes pears", "--namespace", "orchard")
    assert "--everything" in cli("erase", "--yes", code=7).err, "it must be named what is erased"
    assert "--everything" in cli("erase", "orchard", "--everything", "--yes", code=7).err
    for words in (["erase", "--everything"], ["erase", "orchard"], ["namespace", "delete", "orchard"]):
        assert "--yes" in cli(*words, code=7).err
    assert len(cli("list", "--json", "--namespaces", "default,orchard").json) == 2
    erased = cli("erase", "orchard", "--yes", "--json")
    assert erased.json["state"] == scrubbed and "1 memories" in erased.err
    assert [one["text"] for one in cli("list", "--json").json] == ["Ada likes plums"]
    kept("Ada likes figs", "--namespace", "orchard")
    cli("erase", "--namespace", "orchard", "--yes")
    assert [one["text"] for one in cli("list", "--json").json] == ["Ada likes plums"]
    assert "two namespaces" in cli("erase", "orchard", "--namespace", "default", "--yes", code=7).err
    cli("erase", "--everything", "--yes")
    assert cli("list", "--json").json == []


def test_core_values_have_a_present_and_a_past(cli):
    cli("core", "set", "home", "Oslo")
    cli("core", "set", "home", "Turin")
    assert cli("core", "get", "home").out.strip() == "Turin"
    assert cli("core", "list", "--json").json[0]["value"] == "Turin"
    assert "home" in cli("core", "list").out
    cli("core", "get", "home", "--known-at", "2020-01-01", code=3)
    cli("core", "forget", "home")
    cli("core", "get", "home", code=3)


def test_tags_are_made_described_merged_and_deleted(cli, kept):
    kept("Ada prefers trains", "--tag", "rail")
    cli("tag", "create", "travel", "--description", "on the way", "--synonym", "trips,journeys")
    cli("tag", "revise", "travel", "--rename", "voyages")
    assert cli("tag", "show", "trips", "--json").json["name"] == "voyages"
    assert "on the way" in cli("tag", "show", "voyages").out
    cli("tag", "merge", "rail", "--into", "voyages")
    assert [(one["name"], one["links"]) for one in cli("tag", "list", "--json").json] == [("voyages", 1)]
    assert len(cli("recall", "--tag", "rail", "--json").json) == 1
    cli("tag", "delete", "voyages")
    cli("tag", "show", "voyages", code=3)


def test_namespaces_are_made_renamed_filled_and_deleted(cli, kept):
    id = kept("Ada likes plums")
    cli("namespace", "create", "orchard", "--description", "trees")
    cli("namespace", "revise", "orchard", "--rename", "garden")
    cli("namespace", "move", id, "--to", "garden")
    assert cli("list", "--namespace", "garden", "--json").json[0]["id"] == id
    assert [one["name"] for one in cli("namespace", "list", "--json").json] == ["default", "garden"]
    assert "trees" in cli("namespace", "list").out
    cli("namespace", "delete", "garden", "--yes")
    assert [one["name"] for one in cli("namespace", "list", "--json").json] == ["default"]


def test_relations_make_a_graph(cli):
    cli("relate", "Giulia", "reports_to", "Marco", "--object-type", "person", "--notes", "since spring")
    cli("relate", "Marco", "works_at", "Quarto", "--object-type", "company", "--confidence", "0.9")
    found = cli("relations", "--subject", "Giulia", "--json").json
    assert found[0]["predicate"] == "reports_to" and found[0]["object"]["label"] == "Marco"
    assert "since spring" in cli("relations").out
    assert "Marco --works_at--> Quarto" in cli("walk", "Giulia").out
    assert "Quarto" not in cli("walk", "Giulia", "--depth", "1").out
    assert len(cli("walk", "Giulia", "--json").json["entities"]) == 3
    assert cli("relations", "--as-of", "2020-01-01", "--known-at", "2020-01-01", "--json").json == []


def test_entities_are_shown_revised_merged_and_split(cli):
    cli("relate", "Giulia", "reports_to", "Marco", "--object-type", "person")
    cli("relate", "Julia", "works_on", "Atlas", "--object-type", "project")
    cli("entity", "revise", "Giulia", "--label", "Giulia Bianchi", "--alias", "Giu", "--notes", "tall", "--tag", "team")
    shown = cli("entity", "show", "Giu", "--json").json
    assert (shown["label"], shown["notes"], shown["tags"]) == ("Giulia Bianchi", "tall", ["team"])
    cli("entity", "merge", "Giulia Bianchi", "Julia")
    assert {one["label"] for one in cli("entity", "list", "--json").json} == {"Giulia Bianchi", "Marco", "Atlas"}
    tie = cli("relations", "--object", "Atlas", "--json").json[0]
    assert tie["subject"]["label"] == "Giulia Bianchi"
    cli("entity", "split", "Giulia Bianchi", "--label", "Julia", "--relation", tie["id"], "--alias", "Julia")
    assert cli("relations", "--object", "Atlas", "--json").json[0]["subject"]["label"] == "Julia"
    assert "project" in cli("entity", "list", "--type", "project").out
    assert "tall" in cli("entity", "show", "Giulia Bianchi").out


def test_a_namespace_declares_its_own_predicates(cli):
    cli("relate", "Ada", "paints", "Marco", "--object-type", "person", code=7)
    cli("predicate", "declare", "paints")
    cli("relate", "Ada", "paints", "Marco", "--object-type", "person")
    assert {"id": "paints", "built_in": False} in cli("predicate", "list", "--json").json
    assert "paints (declared here)" in cli("predicate", "list").out


def test_what_waits_is_reviewed(cli, kept):
    ids = [kept(f"Ada likes {fruit}", "--source", "assistant") for fruit in ("plums", "pears", "figs")]
    waiting = cli("review", "list", "--json").json
    assert [one["id"] for one in waiting] == ids
    assert "Ada likes plums" in cli("review", "list").out
    cli("review", "approve", ids[0])
    cli("review", "correct", ids[1], "Ada likes quinces", "--reason", "she said so")
    cli("review", "reject", ids[2])
    assert cli("review", "list", "--json").json == []
    statuses = {one["text"]: one["status"] for one in cli("list", "--json").json}
    assert statuses == {"Ada likes plums": "verified", "Ada likes quinces": "verified"}
    cli("remember", "Ada likes figs", code=5)
    assert cli("review", "lift", "Ada likes figs", "--json").json["lifted"] == 1
    cli("remember", "Ada likes figs")


def test_the_audit_is_listed_and_verified(cli, kept):
    id = kept("Ada likes plums")
    line = cli("audit", "list", "--json").json[0]
    assert (line["action"], line["target"]) == ("ADD", id)
    assert cli("audit", "list", "--before", "1", "--json").json == []
    assert "plums" not in cli("audit", "list").out
    assert cli("audit", "verify", "--json").json["ok"] is True
    assert "OK: " in cli("audit", "verify").out


def test_jobs_are_listed_counted_and_replayed(cli):
    assert cli("jobs", "list", "--json").json == []
    assert cli("jobs", "counts", "--json").json == {}
    assert "pass a job's id" in cli("jobs", "replay", code=7).err
    assert cli("jobs", "replay", "--all", "--json").json == []
    cli("jobs", "replay", "nope", code=3)


@pytest.mark.parametrize("state", ["waiting", "leased", "done", "dead"])
def test_jobs_are_listed_by_the_states_that_they_have(cli, state):
    cli("observe", "I live in Vienna")
    assert {job["state"] for job in cli("jobs", "list", "--state", state, "--json").json} <= {state}
    assert cli("jobs", "list", "--state", "done", "--json").json


def test_receipts_are_listed_newest_first(cli, kept):
    kept("Ada likes plums")
    id = kept("Ada likes pears")
    cli("forget", id)
    found = cli("receipts", "--json").json
    assert [one["action"] for one in found][:2] == ["FORGET", "REMEMBER"]
    assert [one["action"] for one in cli("receipts", "--action", "forget", "--json").json] == ["FORGET"]
    assert id in cli("receipts").out


def test_days_and_conversations_are_looked_back_on(cli, kept):
    cli("observe", "I met Marco", "--session", "tuesday")
    cli("forget", kept("Ada likes quinces"))
    day = cli("timeline", "--json").json[0]
    assert (day["episodes"], day["forgotten"]) == (1, 1)
    assert day["id"] in cli("timeline", "--since", "yesterday").out
    assert cli("timeline", "--until", "2020-01-01", "--json").json == []
    assert [one["name"] for one in cli("conversations", "--json").json] == ["tuesday"]
    assert "tuesday" in cli("conversations").out
    assert cli("usage", "--since", "yesterday", "--json").json == []


@pytest.mark.one_engine("where the file is")
def test_status_says_which_book_and_why(cli, place, kept):
    kept("Ada likes plums")
    found = cli("status", "--json").json
    assert found["namespace"] == "default" and "not in a repository" in found["why"]
    assert found["book"].endswith("home/book.db") and found["owner"] == "me"
    (place / "commonplace.toml").write_text('namespace = "orchard"\n', "utf-8")
    assert cli("status", "--json").json["namespace"] == "orchard"
    assert "commonplace.toml" in cli("status").out


def test_settings_are_shown_with_their_origin_and_without_secrets(cli, monkeypatch):
    monkeypatch.setenv("COMMONPLACE_TOKEN", "cpl_very-secret")
    found = {one["id"]: one for one in cli("settings", "--json").json}
    assert found["token"]["from"] == "the environment" and found["owner"]["from"] is None
    assert "very-secret" not in cli("settings").out
    assert [one["id"] for one in cli("settings", "owner", "--json").json] == ["owner"]
    assert "owner" not in {one["id"] for one in cli("settings", "--changed", "--json").json}
    cli("settings", "ownr", code=3)


@pytest.mark.one_engine("where the file is")
def test_the_owner_and_the_place_of_the_book_are_options(cli, place, kept):
    kept("Ada likes plums")
    for words in (["--owner", "bob"], ["--home", str(place / "other")], ["--url", f"sqlite:///{place}/x.db"]):
        assert cli(*words, "list", "--json").json == []
        assert cli("list", *words, "--json").json == []
    assert len(cli("list", "--json").json) == 1
