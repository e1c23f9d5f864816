"""What users and programs see, compared with tests/frozen/, so that no change of it is an accident.

``python tools/freeze.py`` writes the files again.
"""

import argparse
import difflib
import importlib
import inspect
import io
import json
import os
import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest
from fastapi import FastAPI

import commonplace
from commonplace.book import Commonplace
from commonplace.interfaces.cli.commands import COMMANDS
from commonplace.interfaces.cli.dispatch import overview, parser_of
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook
from commonplace.interfaces.rest.openapi import described, parameters_of
from commonplace.interfaces.rest.routes import v1
from commonplace.model import Message
from commonplace.security import keys
from commonplace.testing.quality import feed, samples
from commonplace.verbs import COLLECTIONS, VERBS

FOLDER = Path(__file__).parent / "frozen"
HINT = "run `python tools/freeze.py` if this is intended, and name it in CHANGELOG.md"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b")
DIGEST = re.compile(r'"(?:[0-9a-f]{16,}|[A-Za-z0-9+/_-]{22,}={0,2})"')
MODULE = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])")
TIME = re.compile(r"\b20\d\d-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?")


def check(name: str, text: str) -> None:
    """Compare with the frozen file, or write it when COMMONPLACE_FREEZE is set."""
    path = FOLDER / name
    text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    if os.environ.get("COMMONPLACE_FREEZE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return
    frozen = path.read_text("utf-8")
    if frozen != text:
        lines = difflib.unified_diff(frozen.splitlines(), text.splitlines(), f"frozen/{name}", "now", lineterm="", n=1)
        pytest.fail("\n".join([*lines, "", f"tests/frozen/{name} differs: {HINT}"]), pytrace=False)


# Programs: OpenAPI and MCP


def test_openapi() -> None:
    app = FastAPI()
    app.router.routes += v1()
    document = described(app)
    lines = [line for path, item in sorted(document["paths"].items()) for line in _operations(document, path, item)]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += ["", f"schema {name}", *_properties(schema)]
    check("openapi.txt", "\n".join(lines))


def _operations(document: dict[str, Any], path: str, item: dict[str, Any]) -> Iterator[str]:
    for method, operation in sorted(item.items()):
        yield f"{method.upper()} {path}  {operation.get('operationId', '')}"
        for parameter in parameters_of(document, operation):
            required = " required" if parameter.get("required") else ""
            yield f"    {parameter['in']} {parameter['name']}: {_type(parameter['schema'])}{required}"
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"    body {kind}: {_type(content.get('schema', {}))}"
        for code, response in sorted(operation["responses"].items()):
            if code < "400":
                kinds = {
                    kind: _type(content.get("schema", {})) for kind, content in response.get("content", {}).items()
                }
                yield f"    {code}: " + ", ".join(f"{kind} {type}" for kind, type in kinds.items())
        yield "    problems: " + " ".join(sorted(code for code in operation["responses"] if code >= "400"))


def _properties(schema: dict[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", ()))
    for name, field in sorted(schema.get("properties", {}).items()):
        yield f"    {name}{'' if name in required else '?'}: {_type(field)}"
    if not schema.get("properties"):
        yield f"    {_type(schema)}"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(_type(part) for part in schema[union])
    if "enum" in schema:
        return "(" + " ".join(map(str, schema["enum"])) + ")"
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    bounds = "".join(f" {key}={schema[key]}" for key in ("const", "minimum", "maximum", "default") if key in schema)
    return str(schema.get("type", "any")) + bounds


@pytest.mark.one_engine("lists tools: nothing is stored")
def test_mcp_tools(tmp_path: Path) -> None:
    with Commonplace.open(settings=commonplace.Settings(home=tmp_path)) as book:
        default = {tool.name for tool in server(OneBook(book))._tool_manager.list_tools()}
        tools = {tool.name: tool for tool in server(OneBook(book), "all")._tool_manager.list_tools()}
    lines = []
    for name, tool in sorted(tools.items()):
        annotations = tool.annotations.model_dump(exclude_none=True) if tool.annotations else {}
        lines += [
            f"{name}{'' if name in default else '  (not in the default set)'}",
            *(f"    {line}" for line in (tool.description or "").strip().splitlines()),
            f"    annotations: {json.dumps(annotations, sort_keys=True)}",
            *_properties(tool.parameters),
            "",
        ]
    check("mcp.txt", "\n".join(lines))


# People: the command line


def test_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    parts = [overview()]
    for name in COMMANDS:
        for parser in _parsers(parser_of(name)):
            own = parser.format_help().partition("options of every command:")[0].rstrip()
            parts.append(f"$ {parser.prog} --help\n{own}\n")
    check("help.txt", "\n".join(parts))


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in dict.fromkeys(action.choices.values()):
                yield from _parsers(below)


# Python


def test_signatures() -> None:
    names = [(commonplace, name) for name in commonplace.__all__]
    names += [(importlib.import_module("commonplace.remote"), "RemoteBook")]
    objects = [
        *("core.Core", "glossary.Glossary", "namespaces.Namespaces", "graph.Graph", "review.Review", "audit.Audit"),
        *("jobs.Jobs", "receipts.Receipts", "sessions.Sessions", "feed.Feed", "bulk.Bulk", "timeline.Timeline"),
    ]
    for path in objects:
        module, _, name = path.partition(".")
        names.append((importlib.import_module(f"commonplace.memories.{module}"), name))
    errors = importlib.import_module("commonplace.errors")
    names += [(errors, name) for name in sorted(vars(errors)) if inspect.isclass(getattr(errors, name))]
    seen = dict.fromkeys(getattr(module, name) for module, name in names)
    check("signatures.txt", "\n".join(line for value in seen for line in _signatures(value)))


def _signatures(value: type) -> Iterator[str]:
    bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
    yield f"{value.__name__}({bases})"
    for name, member in sorted(vars(value).items()):
        if name == "__init__" or not name.startswith("_"):
            function = inspect.unwrap(getattr(member, "__func__", member))
            if inspect.isfunction(function):
                yield f"    {name}{MODULE.sub('', str(inspect.signature(function)))}"
            elif isinstance(member, property):
                yield f"    {name}: property"
    yield ""


def test_table_of_verbs() -> None:
    lines = [
        "# Verbs",
        "",
        "Every verb of the book on each interface. Generated from `commonplace.verbs` by `python tools/freeze.py`.",
        "",
        "| Python | CLI | MCP | REST | scope | note |",
        "|---|---|---|---|---|---|",
    ]
    for name, verb in VERBS.items():
        notes = [word for word, holds in (("person only", verb.person), ("irreversible", verb.dangerous)) if holds]
        cells = [name, f"commonplace {verb.cli}" if verb.cli else None, verb.mcp, verb.route]
        row = [f"`{cell}`" if cell else "" for cell in cells] + [verb.scope, ", ".join(notes)]
        lines.append(f"| {' | '.join(row)} |")
    lines += ["", "Verbs of collections (`book.core`, `book.graph` …) that are one REST request:", ""]
    lines += ["| Python | REST |", "|---|---|"]
    lines += [
        f"| `{name}.{verb}` | `{rest.route}` |" for name, verbs in COLLECTIONS.items() for verb, rest in verbs.items()
    ]
    lines += [
        "",
        "## Implementation",
        "",
        "`verbs.txt` is the table. `verbs.py` reads it and imports only `entries.py`, which reads all three tables.",
    ]
    check("../../docs/verbs.md", "\n".join(lines))


# Stored: the two schemas, and an export


@pytest.mark.one_engine("the other engine's schema has a test of its own")
def test_sqlite_schema(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with Commonplace.open(f"sqlite:///{path}", settings=commonplace.Settings(home=tmp_path)):
        connection = apsw.Connection(str(path))
        rows = connection.execute(
            "select sql from sqlite_master where sql is not null order by type desc, name"
        ).fetchall()
        connection.close()
    check("schema-sqlite.sql", "\n".join(f"{_one_space(row[0])};" for row in rows))


@pytest.mark.postgres
def test_postgres_schema(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        columns = connection.execute(COLUMNS).fetchall()
        others = connection.execute(OTHERS).fetchall()
    lines: list[str] = []
    for table, column, type_, nullable, default in columns:
        if f"table {table}" not in lines:
            lines.append(f"table {table}")
        lines.append(f"    {column} {type_}{'' if nullable else ' not null'}{f' default {default}' if default else ''}")
    check("schema-postgres.sql", "\n".join(lines + [_one_space(str(row[0])) for row in others]))


SCHEMAS = "n.nspname in ('commonplace', 'commonplace_keys') and not c.relispartition"
COLUMNS = f"""
select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where {SCHEMAS} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
order by n.nspname, c.relname, a.attnum
"""
OTHERS = f"""
(select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid
 join pg_namespace n on n.oid = c.relnamespace where {SCHEMAS} order by 1)
union all
(select format('policy %s on %s for %s using %s check %s', policyname, tablename, cmd, qual, with_check)
 from pg_policies p where schemaname like 'commonplace%'
 and not exists (select from pg_class c where c.relname = p.tablename and c.relispartition) order by 1)
union all
(select format('grant %s on %s to %s', string_agg(privilege_type, ', ' order by privilege_type), table_name, grantee)
 from information_schema.role_table_grants g where table_schema like 'commonplace%' and grantee = 'commonplace_app'
 and not exists (select from pg_class c where c.relname = g.table_name and c.relispartition)
 group by table_name, grantee order by 1)
"""


def _one_space(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_export(book: Commonplace) -> None:
    train = book.remember("Ada prefers trains to planes", category="preference", tags=["travel"], pinned=True).id
    book.revise(train, "Ada prefers night trains", reason="she said so")
    book.core.set("name", "Ada")
    book.observe(
        [Message("The office moved to Bern.", speaker="Ada"), Message("Noted.", role="assistant")], session="a"
    )
    book.relate("Giulia", "reports_to", "Marco", subject_type="person", object_type="person")
    gone = book.remember("The blue bicycle is in the cellar").id
    book.forget(gone)
    out = io.StringIO()
    book.export(out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    for line in lines:
        for counter in ("doc", "docs", "audited"):
            line.pop(counter, None)
    # tombstones are exported in the order of their keyed fingerprints, which are different in every book
    lines.sort(key=lambda line: line["reason"] if line["type"] == "tombstone" else "")
    text = "\n".join(json.dumps(line, sort_keys=True, ensure_ascii=False) for line in lines)
    names: dict[str, str] = {}
    text = UUID.sub(lambda match: names.setdefault(match[0], f"id-{len(names) + 1}"), text)
    check("export.jsonl", TIME.sub("TIME", DIGEST.sub('"DIGEST"', text)))


# Found: what recall answers on a development chat


@pytest.mark.one_engine("both engines rank alike: tests/store/test_ranking_agreement.py")
def test_recall(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first five turns that recall finds for each question about the first sessions of a chat.

    The keys are the same each time: vectors are rotated by them, and near ties would fall either way.
    """
    numbers = count()
    monkeypatch.setattr(keys, "_random_bytes", lambda: blake2b(str(next(numbers)).encode(), digest_size=32).digest())
    (sample,) = samples(FOLDER.parents[1] / "benchmarks" / "chats" / "nadia.json")
    sessions = {f"session_{number}{end}" for number in range(1, SESSIONS + 1) for end in ("", "_date_time")}
    feed(book, {name: value for name, value in sample["conversation"].items() if name in sessions})
    lines = []
    for question in sample["qa"]:
        numbers = [int(number) for number in re.findall(r"D(\d+):", str(question["evidence"]))]
        if numbers and max(numbers) <= SESSIONS:
            hits = book.recall(question["question"], limit=5, kinds=["episodic"])
            lines.append(f"{question['question']}\n    {' '.join(hit.memory.metadata['dia_id'] for hit in hits)}")
    assert len(lines) >= 10
    check("recall.txt", "\n".join(lines))


SESSIONS = 8
