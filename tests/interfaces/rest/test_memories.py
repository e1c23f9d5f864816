"""The verbs over HTTP, on both engines where the engine matters."""

from datetime import timedelta

import pytest

from commonplace.errors import CommonplaceError
from commonplace.interfaces import problems


def test_a_memory_is_kept_found_corrected_and_forgotten(site):
    ada = site.caller("ada")
    made = ada("POST", "/v1/memories", {"text": "Ada prefers trains", "category": "preference", "tags": ["travel"]})
    assert made.status_code == 201
    receipt = made.json()
    id = receipt["id"]
    assert receipt["ids"] == [id] and receipt["action"] == "ADD" and receipt["ref"] and receipt["at"].endswith("Z")
    hit = ada("POST", "/v1/recall", {"query": "how does Ada travel by train?", "explain": True}).json()["items"][0]
    assert hit["memory"]["id"] == id and hit["memory"]["tags"] == ["travel"] and hit["why"]["parts"]

    revised = ada("PATCH", f"/v1/memories/{id}", {"text": "Ada prefers night trains", "reason": "she said so"})
    assert revised.json()["changes"][0]["after"] == 2
    versions = ada("GET", f"/v1/memories/{id}/versions").json()["items"]
    assert [one["memory"]["text"] for one in versions] == ["Ada prefers trains", "Ada prefers night trains"]
    assert versions[1]["actor"].startswith("rest:") and versions[1]["reason"] == "she said so"

    undone = ada("POST", f"/v1/receipts/{revised.json()['ref']}/undo")
    assert undone.status_code == 200
    assert ada("GET", f"/v1/memories/{id}").json()["text"] == "Ada prefers trains"

    gone = ada("DELETE", f"/v1/memories/{id}")
    assert gone.json()["state"] in ("scrubbed", "scrub pending")
    assert ada("POST", f"/v1/receipts/{gone.json()['ref']}/verify").json()["found"] == []
    assert ada("GET", f"/v1/memories/{id}").status_code == 404
    again = ada("POST", "/v1/memories", {"text": "Ada prefers trains"})
    assert again.status_code == 400 and again.json()["type"].endswith("Tombstoned")


def test_a_version_is_an_etag_and_an_older_one_is_refused(ada):
    id = ada.remember("Ada lives in Bern")
    tag = ada("GET", f"/v1/memories/{id}").headers["etag"]
    assert tag == '"1"'
    assert ada("GET", f"/v1/memories/{id}", If_None_Match=tag).status_code == 304
    assert ada("PATCH", f"/v1/memories/{id}", {"importance": 0.9}, If_Match=tag).status_code == 200
    late = ada("PATCH", f"/v1/memories/{id}", {"importance": 0.1}, If_Match=tag)
    assert (late.status_code, late.json()["expected"], late.json()["found"]) == (412, 1, 2)
    assert ada("DELETE", f"/v1/memories/{id}", If_Match=tag).status_code == 412
    assert ada("PATCH", f"/v1/memories/{id}", {"importance": 0.1}, If_Match="nonsense").status_code == 400
    assert ada("GET", f"/v1/memories/{id}").json()["importance"] == 0.9


def test_a_write_with_a_key_happens_once(site):
    ada, bob = site.caller("ada"), site.caller("bob")
    body = {"text": "Ada plays chess"}
    first = ada("POST", "/v1/memories", body, Idempotency_Key="k1")
    second = ada("POST", "/v1/memories", body, Idempotency_Key="k1")
    assert first.json() == second.json() and second.headers["idempotent-replay"] == "true"
    assert "idempotent-replay" not in first.headers
    assert len(ada("GET", "/v1/receipts").json()["items"]) == 1
    assert ada("POST", "/v1/memories", {"text": "other"}, Idempotency_Key="k1").status_code == 400
    assert bob("POST", "/v1/memories", body, Idempotency_Key="k1").json()["ref"] != first.json()["ref"]
    without = ada("POST", "/v1/memories", body)
    assert without.json()["changes"][0]["action"] == "NOOP", "the same words again only corroborate"


def test_a_replayed_receipt_does_not_bring_back_forgotten_words(site, ada):
    body = {"text": "Ada hides gold in the well"}
    id = ada("POST", "/v1/memories", body, Idempotency_Key="k").json()["id"]
    ada("DELETE", f"/v1/memories/{id}")
    replay = ada("POST", "/v1/memories", body, Idempotency_Key="k")
    assert replay.json()["id"] == id and "gold" not in replay.text
    with site.parts.store.read("ada") as tx:
        assert len(tx.traces.page("idempotency")) == 1


def test_a_refused_write_frees_its_key(ada):
    assert ada("POST", "/v1/memories", {"text": " "}, Idempotency_Key="k").status_code == 400
    assert ada("POST", "/v1/memories", {"text": "Now it is right"}, Idempotency_Key="k").status_code == 201


def test_lists_are_walked_by_cursor_and_lose_nothing(ada):
    ids = [ada.remember(f"Fact number {number}") for number in range(7)]
    for sort, wanted in (("oldest", ids), ("newest", ids[::-1])):
        found, cursor = [], ""
        while cursor is not None:
            page = ada("GET", f"/v1/memories?limit=3&sort={sort}{f'&cursor={cursor}' if cursor else ''}").json()
            assert len(page["items"]) <= 3
            found += [one["id"] for one in page["items"]]
            cursor = page["next"]
        assert found == wanted
    pages = [ada("GET", "/v1/audit?limit=5").json()]
    while pages[-1]["next"]:
        pages.append(ada("GET", f"/v1/audit?limit=5&cursor={pages[-1]['next']}").json())
    sequence = [one["sequence"] for page in pages for one in page["items"]]
    assert sequence == list(range(1, len(sequence) + 1)) and len(pages) > 1


def test_what_an_agent_states_waits_for_a_person(site, ada):
    agent = site.caller("ada", person=False)
    id = agent.remember("Ada likes olives")
    memory = ada("GET", f"/v1/memories/{id}").json()
    assert (memory["status"], memory["source"]) == ("candidate", "assistant")
    assert ada("GET", f"/v1/memories/{ada.remember('Ada likes figs')}").json()["status"] == "verified"
    waiting = ada("GET", "/v1/review").json()["items"]
    assert [one["memory"]["id"] for one in waiting] == [id]
    assert agent("POST", "/v1/review/lift", {"text": "x"}).status_code == 400, "only a person lifts a tombstone"
    assert ada("POST", f"/v1/review/{id}", {"decision": "approve"}).status_code == 200
    assert ada("GET", f"/v1/memories/{id}").json()["status"] == "verified"


def test_the_persons_own_routes(ada):
    assert ada("PUT", "/v1/me/memory/core/city", {"value": "Bern"}).status_code == 200
    core = ada("GET", "/v1/me/memory/core").json()["items"]
    assert [(one["key"], one["value"]) for one in core] == [("city", "Bern")]
    body = {"subject": "Giulia", "predicate": "reports_to", "object": "Marco", "object_type": "person"}
    id = ada("POST", "/v1/relations", body).json()["id"]
    tie = ada("GET", "/v1/me/memory/relational").json()["items"][0]
    assert {"subject": "Giulia", "predicate": "reports_to", "object": "Marco"}.items() <= tie.items()
    assert {"confidence", "last_confirmed_at"} <= tie.keys()
    path = f"/v1/me/memory/relational/{id}"
    assert ada("PATCH", path, {"predicate": "no_such_thing"}).status_code == 400
    assert ada("PATCH", path, {"predicate": "works_with", "confidence": 0.9, "notes": "since May"}).status_code == 200
    assert ada("GET", "/v1/me/memory/relational").json()["items"][0]["notes"] == "since May"
    assert ada("DELETE", path).status_code == 200
    assert ada("GET", "/v1/me/memory/relational").json()["items"] == []
    assert ada("DELETE", "/v1/me/memory/core/city").status_code == 200
    assert ada("DELETE", "/v1/me/memory/core/city").status_code == 404


def test_forgetting_all_needs_a_word_and_keeps_account_and_token(site):
    admin = site.caller("ada", "admin")
    site.accounts.set_owner("ada", plan="pro")
    id = admin.remember("Ada keeps bees")
    admin("PUT", "/v1/me/memory/core/city", {"value": "Bern"})
    refused = admin("POST", "/v1/me/memory/forget-all")
    assert refused.status_code == 400 and admin("GET", f"/v1/memories/{id}").status_code == 200
    receipt = admin("POST", "/v1/me/memory/forget-all", X_Confirm="true")
    assert receipt.status_code == 200 and receipt.json()["action"] == "ERASE"
    for path in ("/v1/memories", "/v1/me/memory/core", "/v1/tags", "/v1/namespaces"):
        assert admin("GET", path).json()["items"] == []
    assert admin("GET", "/v1/me").json()["plan"] == "pro"
    assert [one["action"] for one in admin("GET", "/v1/audit").json()["items"]] == ["ERASE"]
    assert len(admin("GET", "/v1/tokens").json()["items"]) == 1
    assert admin.remember("Ada starts anew")


def test_many_at_once_are_all_or_none(ada):
    ids = [ada.remember(f"Fact {number}") for number in range(3)]
    bad = ada("POST", "/v1/memories/bulk", {"ids": [*ids, "nothing"], "action": "reject"})
    assert bad.status_code == 404
    assert {ada("GET", f"/v1/memories/{id}").json()["status"] for id in ids} == {"verified"}
    for action, wanted in (("tag", "verified"), ("confirm", "verified"), ("reject", "rejected")):
        answer = ada("POST", "/v1/memories/bulk", {"ids": ids, "action": action, "tags": ["checked"]})
        assert answer.status_code == 200 and set(answer.json()["ids"]) == set(ids)
        assert {ada("GET", f"/v1/memories/{id}").json()["status"] for id in ids} == {wanted}
    assert ada("GET", f"/v1/memories/{ids[0]}").json()["tags"] == ["checked"]
    batch = ada("POST", "/v1/memories/batch", {"items": [{"text": "One"}, {"text": "Two"}]})
    assert batch.status_code == 201 and len(batch.json()["ids"]) == 2


def test_erasing_a_namespace_needs_a_word(ada):
    ada("POST", "/v1/memories?namespace=old", {"text": "An old thing"})
    assert ada("DELETE", "/v1/namespaces/old").status_code == 400
    assert ada("DELETE", "/v1/namespaces/old", X_Confirm="true").status_code == 200
    assert ada("GET", "/v1/memories?namespace=old").json()["items"] == []


@pytest.mark.parametrize("error", list(problems.TABLE), ids=lambda one: one.__name__)
def test_every_error_has_its_own_row(error):
    row = problems.TABLE[error]
    assert 400 <= row.status <= 599 and row.title and 1 <= row.exit_code <= 125 and row.exit_code != 2


def test_no_error_is_missing_from_the_table():
    def under(error):
        return {error, *(one for sub in error.__subclasses__() for one in under(sub))}

    ours = {one for one in under(CommonplaceError) if one.__module__.startswith("commonplace")}
    inner = {one for one in ours if one.__module__.startswith("commonplace.providers") or one.__name__.startswith("_")}
    assert ours - inner == set(problems.TABLE)


def test_a_plan_that_lacks_a_feature_says_so_but_shows_ones_own(site, ada):
    body = {"subject": "Giulia", "predicate": "reports_to", "object": "Marco", "object_type": "person"}
    ada("POST", "/v1/relations", body)
    site.accounts.set_owner("ada", plan="free")
    refused = ada("POST", "/v1/relations", {**body, "subject": "Ugo"})
    assert refused.status_code == 403 and refused.json()["plan"] == "free"
    assert len(ada("GET", "/v1/me/memory/relational").json()["items"]) == 1


def walked(caller, path: str) -> list[dict]:
    """Every item of a list, two at a time."""
    found, cursor = [], None
    while True:
        page = caller("GET", f"{path}&limit=2" + (f"&cursor={cursor}" if cursor else "")).json()
        assert 1 <= len(page["items"]) <= 2
        found += page["items"]
        cursor = page["next"]
        if cursor is None:
            return found


def test_the_most_important_come_first_page_by_page(site):
    ada = site.caller("ada")
    for number, importance in enumerate((0.2, 0.9, 0.5, 0.9, 0.1)):
        ada.remember(f"Fact {number}", importance=importance, category="fact")
    found = walked(ada, "/v1/memories?sort=importance")
    assert [one["text"] for one in found] == ["Fact 1", "Fact 3", "Fact 2", "Fact 0", "Fact 4"]
    assert walked(ada, "/v1/memories?sort=oldest")[0]["text"] == "Fact 0"
    ada("DELETE", f"/v1/memories/{found[1]['id']}")
    lost = ada("GET", f"/v1/memories?sort=importance&cursor={found[1]['id']}")
    assert lost.status_code == 400 and "first page" in lost.json()["detail"]
    then = ada("GET", "/v1/memories?sort=importance&known_at=2026-01-01T00:00:00Z")
    assert then.status_code == 400


def test_a_list_can_be_seen_as_it_was_known(site):
    ada = site.caller("ada")
    city = ada.remember("Ada lives in Oslo", tags=["home"])
    ada.remember("Ada plays chess")
    then = ada("GET", f"/v1/memories/{city}").json()["recorded_at"]
    ada("POST", f"/v1/memories/{city}/reject", {"reason": "she moved"})
    ada.remember("Ada lives in Bern")
    ada("POST", "/v1/memories/bulk", {"ids": [city], "action": "tag", "tags": []})

    def texts(answer) -> list[str]:
        items = answer.json()["items"]
        return [(one.get("memory") or one)["text"] for one in items]

    at = ada("GET", "/v1/memories?sort=oldest").json()["items"][0]["recorded_at"]
    assert texts(ada("GET", "/v1/memories")) == ["Ada lives in Bern", "Ada plays chess"]
    assert texts(ada("GET", f"/v1/memories?known_at={at}")) == ["Ada plays chess", "Ada lives in Oslo"]
    assert texts(ada("GET", f"/v1/memories?known_at={then}")) == ["Ada lives in Oslo"]
    assert texts(ada("GET", f"/v1/memories?known_at={at}&tags=home")) == ["Ada lives in Oslo"]
    assert len(walked(ada, f"/v1/memories?known_at={at}")) == 2
    assert texts(ada("POST", "/v1/recall", {"query": "", "known_at": at})) == ["Ada plays chess", "Ada lives in Oslo"]
    assert texts(ada("POST", "/v1/recall", {"query": ""})) == ["Ada lives in Bern", "Ada plays chess"]
    assert texts(ada("GET", "/v1/memories?known_at=2020-01-01T00:00:00Z")) == []


def test_it_is_told_on_which_pages_a_memory_was(site):
    ada = site.caller("ada")
    chess, trains = ada.remember("Ada plays chess"), ada.remember("Ada prefers trains")
    assert ada("GET", f"/v1/memories/{chess}/uses").json() == {"items": [], "next": None}
    for _ in range(3):
        assert chess in ada("POST", "/v1/context", {"query": "chess"}).json()["memories"]
    ada("DELETE", f"/v1/memories/{chess}")
    ada("POST", "/v1/context", {"query": "trains"})
    found = walked(ada, f"/v1/memories/{trains}/uses?")
    assert [one["memories"] for one in found] == [1, 2, 2, 2] and {one["kind"] for one in found} == {"context"}
    assert found == sorted(found, key=lambda one: one["at"], reverse=True)
    assert ada("GET", f"/v1/memories/{chess}/uses").status_code == 404
    assert site.caller("bob")("GET", f"/v1/memories/{trains}/uses").status_code == 404


def test_noticing_is_asked_for_by_who_may_have_it(site, ada):
    assert ada("POST", "/v1/maintenance/mine").json() == {"noticed": 0}
    now = site.parts.clock.now()
    said = [{"text": "I want to plan my week", "at": (now - timedelta(weeks=week)).isoformat()} for week in range(4)]
    assert ada("POST", "/v1/episodes", {"messages": said}).status_code == 201
    assert ada("POST", "/v1/maintenance/mine").json()["noticed"] >= 1
    site.accounts.set_owner("ada", plan="free")
    assert ada("POST", "/v1/maintenance/mine").status_code == 403


def test_a_page_of_entities_is_full_where_there_are_more(ada):
    for number in range(5):
        body = {"subject": f"Person {number}", "predicate": "works_on", "object": f"Project {number}"}
        ada("POST", "/v1/relations", {**body, "object_type": "project"})
    found = walked(ada, "/v1/entities?type=project")
    assert [one["label"] for one in found] == [f"Project {number}" for number in range(5)]
    assert [one["label"] for one in walked(ada, "/v1/entities?query=project")] == [one["label"] for one in found]
    first = ada("GET", "/v1/entities?type=project&limit=3").json()
    assert len(first["items"]) == 3 and first["next"]


def test_a_kind_that_has_a_verb_of_its_own_is_refused_by_remember(ada):
    for kind, verb in (("relational", "relate"), ("episodic", "observe")):
        answer = ada("POST", "/v1/memories", {"text": "Ada knows Bob", "kind": kind})
        assert answer.status_code in (400, 422) and verb in answer.text
    batch = ada("POST", "/v1/memories/batch", {"items": [{"text": "Ada knows Bob", "kind": "relational"}]})
    assert batch.status_code in (400, 422)
    assert ada("POST", "/v1/memories", {"text": "Ada knows Bob"}).status_code == 201
    assert len(ada("GET", "/v1/memories").json()["items"]) == 1


def test_a_glossary_tag_is_another_name_of_one_tag(ada):
    ada("POST", "/v1/memories", {"text": "Ada likes plums", "tags": ["fruit"]})
    ada("POST", "/v1/memories", {"text": "Ada likes trains", "tags": ["travel"]})
    hits = ada("POST", "/v1/recall", {"query": "Ada", "glossary_tag": "fruit"}).json()["items"]
    assert [hit["memory"]["text"] for hit in hits] == ["Ada likes plums"]
    listed = ada("GET", "/v1/memories?glossary_tag=fruit").json()["items"]
    assert [memory["text"] for memory in listed] == ["Ada likes plums"]
