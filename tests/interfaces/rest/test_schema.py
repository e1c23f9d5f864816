"""The OpenAPI document is the truth: what fits it or breaks it is answered as documented, never with a fault."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings

from commonplace.interfaces.rest import app
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.runtime import open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings

EXAMPLES = int(os.environ.get("COMMONPLACE_FUZZ_EXAMPLES", "8"))
"""``make fuzz`` tries many more."""
REFUSED_BY_MEANING = {"positive_data_acceptance"}
"""What fits the schema may still be refused for what it says: an empty text, two namespaces of one name."""
CHECKS = [check for check in schemathesis.checks.CHECKS.get_all() if check.__name__ not in REFUSED_BY_MEANING]


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
    assert document["components"]["schemas"]["RememberRequest"]["examples"]
    operations = [one for path, found in document["paths"].items() if path.startswith("/v1") for one in found.values()]
    assert len(operations) >= 60
    for operation in operations:
        assert {"401", "403", "404", "422", "429"} <= operation["responses"].keys()
        assert operation["security"]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert {"recall", "remember", "observe", "context", "forget"} <= set(names)
    assert [name for name in (*names, *document["components"]["schemas"]) if "__" in name or "_v1_" in name] == []
    assert len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()) <= 250_000
    silent = [
        operation["operationId"]
        for operation in operations
        for code, answer in operation["responses"].items()
        if code in ("200", "201") and not any(content.get("schema") for content in answer.get("content", {}).values())
    ]
    assert silent == [], "every answer is described"
    answers = {name: operation["responses"] for name, operation in zip(names, operations, strict=True)}
    assert answers["recall"]["200"]["description"] == "A page of the list: hit"
    assert answers["remember"]["201"]["description"] == "Receipt"
    assert "Successful Response" not in json.dumps(document)
    wordless = {
        parameter["name"]
        for operation in operations
        for parameter in operation.get("parameters", ())
        if parameter.get("in") == "query" and not parameter.get("description")
    }
    assert wordless == set(), "every parameter of a query is described"


@pytest.mark.one_engine("reads the document alone")
def test_a_client_is_generated_from_the_document_without_a_warning(server, tmp_path):
    made, _ = server
    (tmp_path / "openapi.json").write_text(json.dumps(made.openapi()), "utf-8")
    # JSON lines are a type of ours that the generator is told about, as its users would
    (tmp_path / "config.yaml").write_text(
        "content_type_overrides:\n  application/x-ndjson: application/octet-stream\npost_hooks: []\n", "utf-8"
    )
    target = ["--path", "openapi.json", "--config", "config.yaml", "--output-path", "client", "--meta", "none"]
    command = [sys.executable, "-m", "openapi_python_client", "generate", *target, "--fail-on-warning"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "WARNING" not in done.stdout + done.stderr, done.stdout + done.stderr
    recall = (tmp_path / "client/api/recall/recall.py").read_text("utf-8")
    assert "RecallRequest" in recall and "HitList" in recall
