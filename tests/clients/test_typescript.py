"""The TypeScript client: its own tests against a running server, and what is generated of it."""

import importlib.util
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.clients.conftest import CLIENT, TypeScriptClient
from tests.interfaces.rest.conftest import listening

from commonplace.runtime import open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings
from commonplace.verbs import COLLECTIONS, VERBS

ROOT = CLIENT.parents[1]
pytestmark = [
    pytest.mark.one_engine("a client of REST sees no engine"),
    pytest.mark.timeout(600),  # the first run installs packages and compiles
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the server is and a person's token, as an environment."""
    home = tmp_path_factory.mktemp("typescript")
    parts = open_parts(None, Settings(home=home, owner="ada", rate_limit=0))
    secret = Accounts(parts.store, parts.keychain, parts.clock).issue("ada", scope="admin", person=True).secret
    with listening(parts) as url:
        yield {"COMMONPLACE_URL": url, "COMMONPLACE_TOKEN": secret, "PATH": os.environ["PATH"]}
    parts.close()


@pytest.mark.parametrize("name", ["client", "edge", "ai"])
def test_its_own_tests(client: TypeScriptClient, server: dict[str, str], name: str) -> None:
    options = ["--experimental-vm-modules", "--no-warnings", "--test", "--test-timeout=60000"]
    result = client.run(*options, f"test/{name}.test.mjs", **server)
    passed = re.search(r"^ℹ pass (\d+)$|^# pass (\d+)$", result.stdout, re.MULTILINE)
    assert result.returncode == 0, result.stdout + result.stderr
    assert passed and int(passed[1] or passed[2]) >= 1, result.stdout


def examples() -> list[tuple[str, str]]:
    pages = [CLIENT / "README.md", ROOT / "docs" / "typescript.md"]
    pattern = re.compile(r"^```ts\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [
        (f"{page.stem}-{number}", code)
        for page in pages
        for number, code in enumerate(pattern.findall(page.read_text("utf-8")), 1)
    ]


@pytest.mark.parametrize(("name", "code"), examples(), ids=[name for name, _ in examples()])
def test_the_examples_run(client: TypeScriptClient, server: dict[str, str], name: str, code: str) -> None:
    path = CLIENT / "dist" / f"example-{name}.mjs"
    path.write_text(code, "utf-8")
    result = client.run(str(path), **server)
    assert result.returncode == 0, result.stderr


def test_the_generated_files_are_current(client: TypeScriptClient, tmp_path: Path) -> None:
    """``python tools/typescript_types.py`` writes them again."""
    spec = importlib.util.spec_from_file_location("typescript_types", ROOT / "tools" / "typescript_types.py")
    assert spec and spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    tool.write(tmp_path)
    for name in ("schema.ts", "routes.ts"):
        assert (CLIENT / "src" / name).read_text("utf-8") == (tmp_path / name).read_text("utf-8"), name


CALLS = """
import { Commonplace } from "commonplace-memory";
const requests = [];
const fetch = async (url, { method }) => {
  requests.push(`${method} ${new URL(url).pathname}`);
  return new Response('{"items": [], "text": ""}');
};
const book = new Commonplace({ url: "https://book.example", token: "t", fetch });
const special = { remember_many: [["X"]], erase: [{ confirm: true }], import_: ["X"] };
for (const [name, collection, verb] of JSON.parse(process.env.VERBS)) {
  const target = collection ? book[collection] : book;
  const method = verb.replace(/_$/, "").replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const result = target[method](...(special[name] ?? ["X", "X", "X"]));
  for await (const _ of result[Symbol.asyncIterator] ? result : [result]);
  console.log(name, requests.pop());
}
"""


def test_every_verb_of_python_is_there_and_asks_for_its_route(client: TypeScriptClient) -> None:
    routes = {("", verb): row.route for verb, row in VERBS.items() if row.route}
    routes |= {(name, verb): rest.route for name, verbs in COLLECTIONS.items() for verb, rest in verbs.items()}
    routes["", "archive"] = "POST /v1/memories/bulk"  # one or many, as in Python
    names = [(f"{name}.{verb}".strip("."), name, verb) for name, verb in routes]
    path = CLIENT / "dist" / "every-verb.mjs"
    path.write_text(CALLS, "utf-8")
    result = client.run(str(path), VERBS=json.dumps(names))
    assert result.returncode == 0, result.stderr
    lines = [line.split(" ", 1) for line in result.stdout.splitlines()]
    expected = [
        [f"{name}.{verb}".strip("."), re.sub(r"{\w+}", "X", str(route))] for (name, verb), route in routes.items()
    ]
    assert lines == expected and len(lines) > 80


def test_the_lock_file_names_no_registry_and_the_package_has_no_dependencies() -> None:
    assert "resolved" not in (CLIENT / "package-lock.json").read_text("utf-8")
    package = json.loads((CLIENT / "package.json").read_text("utf-8"))
    assert "dependencies" not in package and package["peerDependenciesMeta"] == {"ai": {"optional": True}}


def test_types_are_generated_from_the_whole_document_without_a_warning(
    client: TypeScriptClient, server: dict[str, str], tmp_path: Path
) -> None:
    """As users do: straight from the running server, and the result compiles."""
    headers = {"Authorization": f"Bearer {server['COMMONPLACE_TOKEN']}"}
    source, target = tmp_path / "openapi.json", tmp_path / "types.ts"
    source.write_bytes(httpx2.get(f"{server['COMMONPLACE_URL']}/v1/openapi.json", headers=headers, timeout=60).content)
    result = client.run("node_modules/openapi-typescript/bin/cli.js", str(source), "--output", str(target))
    assert result.returncode == 0, result.stderr
    assert "warn" not in (result.stdout + result.stderr).lower()
    assert "recall: {" in target.read_text("utf-8")
    compiled = client.run("node_modules/typescript/bin/tsc", "--noEmit", "--strict", str(target))
    assert compiled.returncode == 0, compiled.stdout
