"""The OpenAPI document is the truth: what fits it or breaks it is answered as documented, never with a fault."""

from pathlib import Path

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from commonplace.interfaces.rest import app
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.opening import open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings

EXAMPLES = 8
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context, value):
    return str(value).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    home: Path = tmp_path_factory.mktemp("schema")
    parts = open_parts(None, Settings(home=home, owner="ada", rate_limit=0))
    issued = Accounts(parts.store, parts.keychain, parts.clock).issue("ada", scope="admin", person=True)
    made = app(parts, mcp=False)
    yield made, issued.secret
    parts.close()


@pytest.fixture(scope="module")
def document(server):
    made, _ = server
    return schemathesis.openapi.from_asgi("/v1/openapi.json", made, headers={"Host": "localhost"})


def operations() -> list[tuple[str, str]]:
    """Read off the routes alone, so that each operation is a test of its own."""
    bare = FastAPI()
    bare.router.routes += v1()
    # A stream has no end, and forgetting all would leave nothing to try on.
    left_out = ("/v1/events", "/v1/me/memory/forget-all")
    return [
        (method, path) for path, found in described(bare)["paths"].items() for method in found if path not in left_out
    ]


@pytest.mark.one_engine("thousands of made-up requests; the others of this folder run on both")
@pytest.mark.parametrize(("method", "path"), operations())
def test_every_answer_is_documented_and_none_is_a_fault(document, server, method, path):
    headers = {"Authorization": f"Bearer {server[1]}", "Host": "localhost"}

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=document[path][method].as_strategy())
    def ask(case):
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()


def test_the_document_is_openapi_3_1_with_examples_and_problems(server):
    made, _ = server
    document = made.openapi()
    assert document["openapi"].startswith("3.1")
    assert document["components"]["schemas"]["NewMemory"]["examples"]
    operations = [one for path, found in document["paths"].items() if path.startswith("/v1") for one in found.values()]
    assert len(operations) >= 60
    for operation in operations:
        assert {"401", "403", "404", "422", "429"} <= operation["responses"].keys()
        assert operation["security"]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
