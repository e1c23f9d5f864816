"""The suite that any engine must pass, run on both."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conformance.store import CHECKS, Check

from commonplace.store.open import open_store
from commonplace.store.ports import Store


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for all checks: each takes an owner of its own."""
    if request.param == "sqlite":
        store = open_store(tmp_path_factory.mktemp("conformance") / Path("book.db"))
        yield store
        store.close()
        return
    server = request.getfixturevalue("postgres_server")
    with server.database() as name:
        store = open_store(server.url(name, user="commonplace_tester"))
        yield store
        store.close()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_engine_keeps_the_promise(shared: Store, check: Check) -> None:
    check(shared, f"owner-{uuid.uuid4()}")
