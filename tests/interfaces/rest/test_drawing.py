"""The whole graph in one answer, as the page draws it."""

from typing import Any

import pytest

from commonplace.memories import drawing as module

from .conftest import Caller, Site

GIULIA = {"subject": "Giulia", "predicate": "reports_to", "object": "Marco", "object_type": "person"}
PLANNER = {"subject": "Giulia", "predicate": "works_on", "object": "Planner", "object_type": "project"}


def relations(answer: Any) -> list[tuple[str, str, str]]:
    """The relations of a drawing in words."""
    body = answer.json()
    columns = zip(body["subject"], body["predicate"], body["object"], strict=True)
    label, name = body["labels"], body["predicates"]
    return sorted((label[subject], name[predicate], label[object]) for subject, predicate, object in columns)


def test_the_drawing_says_what_the_lists_say(ada: Caller) -> None:
    for body in (GIULIA, PLANNER):
        ada("POST", "/v1/relations", body)
    entity = ada("GET", "/v1/entities/Giulia").json()
    ada("PATCH", f"/v1/entities/{entity['id']}", {"aliases": ["Giulietta"]})
    answer = ada("GET", "/v1/graph")
    body = answer.json()
    listed = ada("GET", "/v1/relations").json()["items"]
    assert relations(answer) == [("Giulia", "reports_to", "Marco"), ("Giulia", "works_on", "Planner")]
    assert body["relations"] == [relation["id"] for relation in listed]
    assert body["confidence"] == [relation["confidence"] for relation in listed]
    entities = ada("GET", "/v1/entities").json()["items"]
    assert body["ids"] == [entity["id"] for entity in entities]
    assert [body["types"][at] for at in body["type"]] == [entity["type"] for entity in entities]
    assert body["aliases"] == {entity["id"]: ["Giulietta"]}


def test_the_drawing_of_another_moment_has_what_held_then_and_its_ends_alone(ada: Caller) -> None:
    ada("POST", "/v1/relations", {**GIULIA, "valid_from": "2020-01-01T00:00:00Z"})
    ada("POST", "/v1/relations", {**PLANNER, "valid_from": "2024-01-01T00:00:00Z"})
    then = ada("GET", "/v1/graph?as_of=2022-01-01T00:00:00Z")
    assert relations(then) == [("Giulia", "reports_to", "Marco")]
    assert then.json()["labels"] == ["Giulia", "Marco"]
    assert len(relations(ada("GET", "/v1/graph"))) == 2
    assert ada("GET", "/v1/graph?as_of=2019-01-01T00:00:00Z").json()["ids"] == []


def test_an_empty_graph_and_another_owners_graph_are_empty(ada: Caller, bob: Caller) -> None:
    bob("POST", "/v1/relations", GIULIA)
    assert relations(bob("GET", "/v1/graph")) == [("Giulia", "reports_to", "Marco")]
    body = ada("GET", "/v1/graph").json()
    assert (body["ids"], body["relations"]) == ([], [])
    assert ada("GET", "/v1/graph?namespace=elsewhere").json()["ids"] == []


def test_a_forgotten_relation_and_name_are_not_drawn(ada: Caller) -> None:
    for body in (GIULIA, PLANNER):
        ada("POST", "/v1/relations", body)
    id = ada("GET", "/v1/relations?predicate=works_on").json()["items"][0]["id"]
    ada("DELETE", f"/v1/relations/{id}", X_Confirm="true")
    answer = ada("GET", "/v1/graph")
    assert relations(answer) == [("Giulia", "reports_to", "Marco")]
    assert "Planner" not in answer.text


def test_a_plan_draws_what_it_shows(site: Site, ada: Caller) -> None:
    ada("POST", "/v1/relations", GIULIA)
    body = {"subject_type": "company", "object_type": "company", "predicate": "owns"}
    ada("POST", "/v1/relations", {**body, "subject": "Orchard", "object": "Plum"})
    assert len(relations(ada("GET", "/v1/graph"))) == 2
    site.accounts.set_owner("ada", plan="pro")
    assert relations(ada("GET", "/v1/graph")) == [("Giulia", "reports_to", "Marco")]
    site.accounts.set_owner("ada", plan="free")
    assert ada("GET", "/v1/graph").status_code == 403


def test_a_large_graph_is_read_page_by_page(ada: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        ada("POST", "/v1/relations", {**GIULIA, "subject": f"Person {number}"})
    whole = ada("GET", "/v1/graph").json()
    assert len(whole["ids"]) == 8
    monkeypatch.setattr(module, "PAGE", 3)
    assert ada("GET", "/v1/graph").json() == whole
    monkeypatch.setattr(module, "MOST_RELATIONS", 3)
    monkeypatch.setattr(module, "MOST_ENTITIES", 2)
    few = ada("GET", "/v1/graph").json()
    assert (len(few["relations"]), len(few["ids"])) == (3, 4)  # the ends of those three come along
