"""What cannot be undone, and what concerns the account, is a person's: no header makes an agent's token one."""

import pytest

from commonplace.errors import NotAllowed

CONFIRMED = {"X-Confirm": "true"}


@pytest.mark.parametrize("scope", ["write", "admin"])
def test_an_agents_token_erases_nothing_whatever_it_sends(site, ada, scope):
    id = ada.remember("Ada plays chess")
    agent = site.caller("ada", scope, person=False)
    agent.headers = {**CONFIRMED, "X-Source": "user"}
    final = [
        ("POST", "/v1/me/memory/forget-all", None),
        ("DELETE", "/v1/namespaces/default", None),
        ("POST", "/v1/forget", {"query": "chess", "all": True}),
        ("POST", "/v1/maintenance/rotate-keys?destroy_old=true", None),
    ]
    for method, path, body in final:
        assert agent(method, path, body).status_code == 403, path
    assert ada("GET", f"/v1/memories/{id}").status_code == 200
    assert ada("POST", "/v1/me/memory/forget-all").status_code == 400, "a person confirms it"
    assert ada("POST", "/v1/me/memory/forget-all", X_Confirm="true").status_code == 200


def test_an_agents_token_changes_no_account(site):
    person, agent = site.caller("root", "admin"), site.caller("root", "admin", person=False)
    mine = agent("GET", "/v1/me").json()["token"]
    other = person("GET", "/v1/me").json()["token"]
    changes = [
        ("POST", "/v1/tokens", {"person": True}),
        ("DELETE", f"/v1/tokens/{other}", None),
        ("POST", "/v1/owners", {"owner": "eve"}),
        ("PATCH", "/v1/owners/root", {"timezone": "Europe/Rome"}),
    ]
    for method, path, body in changes:
        assert agent(method, path, body, **CONFIRMED).status_code == 403, path
    assert agent("DELETE", f"/v1/tokens/{mine}").status_code == 200, "its own it may give up"
    assert person("POST", "/v1/tokens", {"person": True}).status_code == 201


def test_destroying_keys_asks_for_confirmation(site):
    admin = site.caller("ada", "admin")
    admin.remember("Ada plays chess")
    assert admin("POST", "/v1/maintenance/rotate-keys").status_code == 200
    path = "/v1/maintenance/rotate-keys?destroy_old=true"
    assert admin("POST", path).status_code == 400
    assert admin("POST", path, X_Source="assistant", **CONFIRMED).status_code == 403
    assert admin("POST", path, X_Confirm="true").status_code == 200


def test_the_library_refuses_an_agent_too(book):
    book.remember("Ada plays chess")
    agent = book.acting_as("agent", source="assistant", person=False)
    acts = [
        lambda by: by.erase(confirm=True),
        lambda by: by.erase(confirm=True, namespace="default"),
        lambda by: by.rotate_keys(destroy_old=True),
        lambda by: by.forget(query="chess", all=True),
    ]
    for act in acts:
        with pytest.raises(NotAllowed):
            act(agent)
    assert len(book.browse()) == 1
    book.forget(query="Ada plays chess", all=True)
    assert book.browse() == []


def test_the_personal_routes_answer_under_their_second_address(site, ada):
    id = ada.remember("Ada plays chess")
    assert ada("PUT", "/auth/me/memory/core/city", {"value": "Turin"}).status_code == 200
    assert [value["key"] for value in ada("GET", "/auth/me/memory/core").json()["items"]] == ["city"]
    ada("POST", "/v1/relations", {"subject": "Lena", "predicate": "manages", "object": "Marco"})
    tie = ada("GET", "/auth/me/memory/relational").json()["items"][0]["id"]
    changed = ada("PATCH", f"/auth/me/memory/relational/{tie}", {"notes": "since May"})
    assert changed.status_code == 200, changed.text
    assert ada("DELETE", f"/auth/me/memory/relational/{tie}").status_code == 200
    assert ada("DELETE", "/auth/me/memory/core/city").status_code == 200
    assert site.caller("ada", "write", person=False)("POST", "/auth/me/memory/forget-all").status_code == 403
    assert ada("POST", "/auth/me/memory/forget-all").status_code == 400, "a person confirms it"
    assert ada("GET", f"/v1/memories/{id}").status_code == 200
    assert ada("POST", "/auth/me/memory/forget-all", X_Confirm="true").status_code == 200
    assert ada("GET", f"/v1/memories/{id}").status_code == 404
    assert site.caller("ada", "read")("GET", "/auth/me/elsewhere").status_code == 404


def test_a_core_value_that_was_rejected_comes_back_when_a_person_confirms_it(site, ada):
    ada("PUT", "/v1/me/memory/core/city", {"value": "Turin"})
    ada("DELETE", "/v1/me/memory/core/city")
    assert ada("PUT", "/v1/me/memory/core/city", {"value": "Turin"}).status_code == 400
    agent = site.caller("ada", "write", person=False)
    assert agent("PUT", "/v1/me/memory/core/city", {"value": "Turin", "confirm": True}).status_code >= 400
    assert ada("PUT", "/v1/me/memory/core/city", {"value": "Turin", "confirm": True}).status_code == 200


@pytest.mark.parametrize("path", ["/v1/maintenance/prune", "/v1/maintenance/merge", "/v1/maintenance/decay"])
def test_whether_it_is_a_dry_run_is_true_or_false_and_nothing_like_it(site, path):
    person = site.caller("ada", "admin")
    for value in (0, 1, "false", "no", None):
        assert person("POST", path, {"dry_run": value}).status_code == 422, value
    assert person("POST", path, {"dry_run": True}).json()["dry_run"] is True
    assert person("POST", "/v1/forget", {"query": "chess", "all": 1}).status_code == 422
