"""The newest first, and how many there are: what the page shows above its lists."""

from typing import Any

from .conftest import Caller


def test_audit_and_jobs_come_newest_first_page_by_page(ada: Caller) -> None:
    for number in range(5):
        ada.remember(f"Fact number {number}.")
    oldest = [line["sequence"] for line in ada("GET", "/v1/audit?limit=1000").json()["items"]]
    newest: list[int] = []
    cursor: Any = 0
    while cursor is not None:
        page = ada("GET", f"/v1/audit?newest=true&limit=2&cursor={cursor}").json()
        newest += [line["sequence"] for line in page["items"]]
        cursor = page["next"]
    assert len(oldest) >= 5
    assert newest == oldest[::-1]
    ada("POST", "/v1/episodes", {"messages": [{"text": "I live in Bern."}]})
    due = [job["due_at"] for job in ada("GET", "/v1/jobs?newest=true").json()["items"]]
    assert due == sorted(due, reverse=True)


def test_review_says_how_many_wait_beyond_its_page(site: Any, ada: Caller) -> None:
    agent = site.caller("ada", person=False)
    for number in range(4):
        agent.remember(f"Fact number {number}.")
    page = ada("GET", "/v1/review?limit=2").json()
    assert (len(page["items"]), page["total"]) == (2, 4)
    last = ada("GET", f"/v1/review?limit=2&cursor={page['next']}").json()
    assert (len(last["items"]), last["total"], last["next"]) == (2, 4, None)
    ada("POST", f"/v1/review/{page['items'][0]['memory']['id']}", {"decision": "approve"})
    assert ada("GET", "/v1/review").json()["total"] == 3


def test_memories_are_counted_by_kind_within_filters(ada: Caller) -> None:
    ada.remember("Ada likes trains.", category="preference", tags=["travel"])
    ada.remember("The pump is blue.", category="fact")
    ada("POST", "/v1/episodes", {"messages": [{"text": "Good morning."}]})
    counted = ada("GET", "/v1/memories/counts").json()
    assert (counted["associative"], counted["episodic"]) == (2, 1)
    assert ada("GET", "/v1/memories/counts?tags=travel").json() == {"associative": 1}
    assert ada("GET", "/v1/memories/counts?categories=lesson").json() == {}
