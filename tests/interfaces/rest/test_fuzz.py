"""Damaged exports: a 4xx that names the line and changes nothing, or an import that can be read again. Never a fault.

``make fuzz`` runs many more of them, and of the requests in test_schema.py.
"""

import copy
import io
import json
import os
import random
from dataclasses import fields
from typing import Any

import pytest

from commonplace import Commonplace, Message
from commonplace.copies import check_lines
from commonplace.memories.codec import STATE_FIELDS, Content

ALL_ROUNDS = int(os.environ.get("COMMONPLACE_FUZZ_ROUNDS", "250"))
ROUNDS = min(ALL_ROUNDS, 500)
"""In one book. Each round has an owner of its own, and every new owner writes the whole keyring."""
ODD: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 10**400, 1.5, 1e308, "", " ", "x", "\x00", "\ud800", "é" * 600),
    *(
        [],
        [1],
        ["x"],
        [None],
        [[]],
        {},
        {"x": 1},
        {"": None},
        "2026-13-99",
        "2026-01-01T00:00:00",
        "AAAA",
        "not base64!",
    ),
    *("9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+00:00", "verified", "core", "-", "../../x", "<script>"),
]


def filled(book) -> list[str]:
    """The lines of an export with every type of line."""
    id = book.remember("Ada prefers trains", tags=["travel"], metadata={"a": {"b": [1]}}, importance=0.5).id
    book.revise(id, "Ada prefers night trains", reason="she said so")
    book.core.set("name", "Ada")
    book.observe(
        [Message("The office moved to Bern.", speaker="Ada"), Message("I see.", role="assistant")], session="a"
    )
    book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person", notes="since May")
    goal = book.directives.create("Release", "Version 2 is out", memory_enabled=True).id
    book.directives.add_step(goal, "Build")
    book.forget(book.remember("The blue bicycle is in the cellar").id)
    out = io.StringIO()
    book.export(out)
    return out.getvalue().splitlines()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a JSON value."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in below for place in places(inner, (*path, key)))]


def damaged(line: str, chance: random.Random) -> str:
    if chance.random() < 0.05:
        cut = chance.randrange(len(line))
        return chance.choice(
            [line[:cut], line[:cut] + "\x00" + line[cut:], "[" * 100_000, '{"type":' * 5000, "5", "null"]
        )
    value = json.loads(line)
    place = chance.choice([place for place in places(value) if place])
    inner = value
    for key in place[:-1]:
        inner = inner[key]
    if isinstance(inner, dict) and chance.random() < 0.2:
        del inner[place[-1]]
    else:
        inner[place[-1]] = copy.deepcopy(chance.choice(ODD))
    return json.dumps(value)


READ = ("/v1/memories?limit=100", "/v1/entities", "/v1/relations", "/v1/graph", "/v1/directives", "/v1/tags")
READ += ("/v1/namespaces", "/v1/sessions", "/v1/me/memory/core", "/v1/me/memory/export", "/v1/stats")  # type: ignore[assignment]


def test_every_field_of_a_memory_is_checked():
    stored = {*STATE_FIELDS, *(field.name for field in fields(Content))} - {"id", "fingerprint"}
    assert stored - {*check_lines.STATE, *check_lines.STATE_EXTRA} == set()


def test_a_tombstone_whose_target_cannot_be_kept_is_refused_before_anything_is_written():
    assert check_lines.whole_text("01a1") and not check_lines.whole_text("\0") and not check_lines.whole_text("\ud800")


@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(max(1, ALL_ROUNDS // ROUNDS)))
def test_a_damaged_export_is_refused_whole_or_taken_in_whole(site, book_url, part):
    whole = filled(Commonplace(site.parts, site.parts.scope("ada", "default")))
    chance = random.Random(17 + part)
    answers: dict[int, int] = {}
    on_postgres = book_url.startswith("postgres")
    for number in range(ROUNDS // 5 if on_postgres else ROUNDS):
        lines = list(whole)
        at = chance.randrange(len(lines))
        lines[at] = damaged(lines[at], chance)
        eve = site.caller(f"eve{number}", "write")
        before = site.parts.store.revision(f"eve{number}")
        body = "\n".join(lines).encode("utf-8", "surrogatepass")
        headers = {"Authorization": f"Bearer {eve.secret}", "Content-Type": "application/x-ndjson"}
        answer = site.client.post("/v1/import", content=body, headers=headers)
        about = f"round {number}, line {at + 1}: {lines[at][:300]} answered {answer.status_code} {answer.text[:200]}"
        answers[answer.status_code] = answers.get(answer.status_code, 0) + 1
        assert answer.status_code in (200, 400, 422), about
        if answer.status_code != 200:
            assert site.parts.store.revision(f"eve{number}") == before, about
            assert f"line {at + 1}" in answer.text or "line " in answer.text or "header" in answer.text, about
            continue
        for path in READ:
            assert eve("GET", path).status_code == 200, f"{path} after {about}"
    assert answers[200] > ROUNDS // 50 and answers[400] > ROUNDS // 50, "both are tried"
