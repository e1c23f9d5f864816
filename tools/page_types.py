"""Write web/src/api/types.ts again: the nouns of the page, from the OpenAPI document.

    python tools/page_types.py

tests/interfaces/rest/test_page_types.py compares the file with the code.
"""

import sys
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.memories.feed import Signal
from commonplace.model import CATEGORIES, KINDS, SOURCES, STATUSES

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "api" / "types.ts"
HEADER = "/** The nouns of the API. Made by tools/page_types.py from the OpenAPI document. Do not edit. */\n"
LISTS = {"KINDS": KINDS, "CATEGORIES": CATEGORIES, "SOURCES": SOURCES, "STATUSES": STATUSES}
NOUNS = (
    *("Memory", "Version", "Use", "Receipt", "Report", "Entity", "Relation", "Hit", "Me", "Waiting", "Hint"),
    *("Namespace", "Tag", "Directive", "Prompt", "Step", "NotebookFiles", "Job", "UsageDay", "AuditLine", "Token"),
    *("Day", "Signal", "AgendaItem", "CoreValue", "Drawing", "RelationSummary", "EvidenceQuote"),
    *("Diagnosis", "ImportedFile", "SettingValue", "Stats", "SharedNamespace", "SyncStatus"),
)
PAGE = "export interface Page<T> {\n  items: T[];\n  next: string | null;\n  total?: number;\n}\n"
SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def types() -> str:
    app = FastAPI()
    app.router.routes += v1()
    schemas = {**described(app)["components"]["schemas"], "Signal": shapes.answer_of(Signal).model_json_schema()}
    names = list(NOUNS)  # grows with what they refer to
    lists = [f"export const {name} = {_list(values)} as const;\n" for name, values in LISTS.items()]
    return "\n".join([HEADER, *lists, PAGE, *(_interface(name, schemas[name], names) for name in names)])


def _list(values: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def _interface(name: str, schema: dict[str, Any], names: list[str]) -> str:
    required = schema.get("required", ())
    lines = [
        f"  {field}{'' if field in required else '?'}: {_type(hint, names)};"
        for field, hint in schema["properties"].items()
    ]
    return "\n".join([f"export interface {name} {{", *lines, "}", ""])


def _type(schema: dict[str, Any], names: list[str]) -> str:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name not in names:
            names.append(name)
        return name
    if "anyOf" in schema:
        return " | ".join(_type(part, names) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(_type(part, names) for part in schema["prefixItems"]) + "]"
        inner = _type(schema["items"], names)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values, names) if isinstance(values, dict) else 'unknown'}>"
    return SCALARS.get(str(schema.get("type")), "unknown")


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET).write_text(types(), "utf-8")
