"""The reference pages of the documentation site, made from the code when mkdocs builds it.

python tools/reference.py FOLDER      # write them as Markdown files, to look at
"""

import argparse
import dataclasses
import importlib
import inspect
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import commonplace
from commonplace import errors, settings
from commonplace.interfaces.cli.commands import COMMANDS
from commonplace.interfaces.cli.dispatch import parser_of

COLLECTIONS = {
    "book.core": "memories.core.Core",
    "book.glossary": "memories.glossary.Glossary",
    "book.namespaces": "memories.namespaces.Namespaces",
    "book.graph": "memories.graph.Graph",
    "book.review": "memories.review.Review",
    "book.audit": "memories.audit.Audit",
    "book.jobs": "memories.jobs.Jobs",
    "book.receipts": "memories.receipts.Receipts",
    "book.directives": "directives.directives.Directives",
}
HIDDEN = ("_", "model_")


def _opening(title: str, source: str) -> list[str]:
    return [f"# {title} reference", "", source, ""]


# Python


def python_page() -> str:
    lines = _opening("Python", "Made from the docstrings. [The book](../book.md) explains the same with examples.")
    names = sorted(commonplace.__all__, key=lambda name: name != "Commonplace")
    for name in names:
        value = getattr(commonplace, name)
        if name == "AsyncCommonplace":  # the same verbs
            lines += [f"## {name}", "", _prose(value), ""]
        elif not issubclass(value, errors.CommonplaceError):
            lines += _class_section(name, value)
    for place, path in COLLECTIONS.items():
        module, _, name = path.rpartition(".")
        lines += _class_section(place, getattr(importlib.import_module(f"commonplace.{module}"), name))
    return "\n".join(lines)


def _class_section(title: str, value: type) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield _prose(value)
    yield ""
    if dataclasses.is_dataclass(value) and value is not settings.Settings:
        yield from ("| field | type | default |", "|---|---|---|")
        for field in dataclasses.fields(value):
            if not field.name.startswith("_"):
                default = "" if field.default is dataclasses.MISSING else f"`{field.default!r}`"
                yield f"| `{field.name}` | `{_annotation(field.type)}` | {default} |"
        yield ""
    for name, member in vars(value).items():
        if not name.startswith(HIDDEN) and _documented(member):
            yield f"### {title.split('.')[-1] if title[0].isupper() else title}.{name}"
            yield ""
            if not isinstance(member, property):
                yield f"```text\n{name}{_signature(member)}\n```"
                yield ""
            yield _prose(member)
            yield ""


def _documented(member: Any) -> bool:
    return isinstance(member, (property, classmethod, staticmethod)) or inspect.isfunction(member)


def _signature(member: Any) -> str:
    function = getattr(member, "__func__", member)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(…)"
    kept = [parameter for name, parameter in signature.parameters.items() if name not in ("self", "cls")]
    text = _plain(str(signature.replace(parameters=kept)))
    if len(text) < 100:
        return text
    words, named = [], False
    for parameter in kept:
        if parameter.kind is parameter.KEYWORD_ONLY and not named:
            words.append("*")
        named = named or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        words.append(_plain(str(parameter)))
    return "(\n" + "".join(f"    {word},\n" for word in words) + ")" + text.rpartition(")")[2]


def _annotation(type: Any) -> str:
    return _plain(type if isinstance(type, str) else inspect.formatannotation(type)).replace("|", "\\|")


def _plain(text: str) -> str:
    """Without module names: ``commonplace.model.Memory`` is ``Memory``."""
    text = re.sub(r"\*<class '([\w.]+)'>", r"\1", text)
    return re.sub(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])", "", text)


def _prose(value: Any) -> str:
    """A docstring as Markdown: double backticks become single ones."""
    text = inspect.getdoc(value) or ""
    own = getattr(value, "__func__", value)
    if inspect.isclass(own) and text.startswith(f"{own.__name__}("):
        return ""  # the signature that a dataclass writes for itself
    return text.replace("``", "`")


# Command line


def cli_page() -> str:
    lines = _opening(
        "Command line", "What `commonplace COMMAND --help` prints. [The command line](../cli.md) explains it."
    )
    group = None
    for name, command in COMMANDS.items():
        if command.group != group:
            group = command.group
            lines += [f"## {group}", ""]
        lines += [f"### commonplace {name}", ""]
        for parser in _parsers(parser_of(name)):
            text = parser.format_help().partition("options of every command:")[0].rstrip()
            lines += ["```text", text, "```", ""]
    return "\n".join(lines)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in dict.fromkeys(action.choices.values()):
                yield from _parsers(below)


# REST and MCP


def rest_page() -> str:
    from fastapi import FastAPI

    from commonplace.interfaces.rest.openapi import described, parameters_of
    from commonplace.interfaces.rest.routes import v1

    app = FastAPI()
    app.router.routes += v1()
    document = described(app)
    lines = _opening(
        "REST", "Made from the OpenAPI document at `/v1/openapi.json`. [REST](../rest.md) explains sign-in and lists."
    )
    for path, item in sorted(document["paths"].items()):
        for method, operation in item.items():
            lines += _operation(f"{method.upper()} {path}", operation, parameters_of(document, operation))
    lines += ["## Objects", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        if schema.get("properties"):
            lines += [f"### {name}", "", *_fields(schema), ""]
    return "\n".join(lines)


def _operation(title: str, operation: dict[str, Any], parameters: list[dict[str, Any]]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield str(operation.get("description") or operation.get("summary", "")).replace("``", "`")
    yield ""
    if parameters:
        yield from ("| parameter | in | type | |", "|---|---|---|---|")
        for parameter in parameters:
            needed = "required" if parameter.get("required") else ""
            yield f"| `{parameter['name']}` | {parameter['in']} | {_type(parameter['schema'])} | {needed} |"
        yield ""
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"Body: {_type(content.get('schema', {}))} ({kind})"
        yield ""
    for code, response in sorted(operation["responses"].items()):
        if code < "400":
            types = [_type(content.get("schema", {})) for content in response.get("content", {}).values()]
            yield f"Answers {code}: {', '.join(types) or 'nothing'}"
            yield ""


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", ()))
    yield from ("| field | type | | |", "|---|---|---|---|")
    for name, field in schema.get("properties", {}).items():
        text = str(field.get("description", "")).replace("|", "\\|").replace("\n", " ").replace("``", "`")
        yield f"| `{name}` | {_type(field)} | {'required' if name in required else ''} | {text} |"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(_type(part) for part in schema[union])
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return {"null": "nothing"}.get(str(schema.get("type")), str(schema.get("type", "anything")))


def mcp_page() -> str:
    from commonplace.interfaces.mcp.server import server
    from commonplace.interfaces.mcp.stdio import OneBook

    with tempfile.TemporaryDirectory() as folder:
        own = settings.Settings(home=Path(folder))
        with commonplace.Commonplace.open(f"sqlite:///{folder}/book.db", settings=own) as book:
            default = {tool.name for tool in server(OneBook(book))._tool_manager.list_tools()}
            tools = list(server(OneBook(book), "all")._tool_manager.list_tools())
    lines = _opening("MCP tools", "Made from the server. [MCP](../mcp.md) explains how to connect and who speaks.")
    for tool in sorted(tools, key=lambda tool: (tool.name not in default, tool.name)):
        lines += [f"## {tool.name}", "", "" if tool.name in default else "*Listed with `--tools all`.*", ""]
        lines += [str(tool.description or "").strip(), "", *_fields(tool.parameters), ""]
    return "\n".join(lines)


# Settings and errors


def settings_page() -> str:
    lines = _opening("Settings", "Made from the code. [Settings](../settings.md) says where they are read from.")
    lines += ["| setting | variable | default | meaning |", "|---|---|---|---|"]
    for name, (text, default) in settings.help_and_defaults().items():
        shown = "" if default in (None, (), {}) else f"`{default}`"
        lines.append(f"| `{name}` | `{settings.variable(name)}` | {shown} | {text.replace('|', chr(92) + '|')} |")
    return "\n".join(lines)


def errors_page() -> str:
    tree = (errors.__doc__ or "").partition("\n\n")[2]
    lines = [
        *_opening("Errors", "Made from the code. [Errors](../errors.md) says what to do."),
        f"```text\n{tree}\n```",
        "",
    ]
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, Exception):
            lines += [f"## {name}", "", _prose(value), ""]
    return "\n".join(lines)


PAGES: dict[str, Callable[[], str]] = {
    "reference/python.md": python_page,
    "reference/cli.md": cli_page,
    "reference/rest.md": rest_page,
    "reference/mcp.md": mcp_page,
    "reference/settings.md": settings_page,
    "reference/errors.md": errors_page,
}


def on_files(files: Any, *, config: Any) -> Any:
    """Called by mkdocs: the pages join those of the folder docs."""
    from mkdocs.structure.files import File

    for path, page in pages().items():
        files.append(File.generated(config, path, content=page))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs: of a fence's first line only the language is read; more would make it a paragraph."""
    return re.sub(r"(?m)^(```\w+) .*$", r"\1", markdown)


def pages() -> dict[str, str]:
    os.environ["COLUMNS"] = "100"  # argparse folds its help at the terminal's width
    return {path: make().rstrip() + "\n" for path, make in PAGES.items()}


if __name__ == "__main__":
    for path, page in pages().items():
        file = Path(sys.argv[1], path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, "utf-8")
