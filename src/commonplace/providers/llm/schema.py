"""Converts a Pydantic model to the JSON Schema that strict endpoints accept."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from commonplace.errors import Invalid

# Some strict endpoints refuse one of these. The answer is validated against the model anyway.
LEFT_OUT = frozenset(
    {"title", "default", "examples", "pattern", "format", "multipleOf", "uniqueItems"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
    | {"minItems", "maxItems", "minProperties", "maxProperties"}
)


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every object closed, every property required, no keywords beside a reference.

    Raises ``Invalid`` for a field with free keys, which a closed object cannot have.
    """
    schema = model.model_json_schema()
    strict = _strict(schema)
    if not isinstance(strict, dict):
        raise Invalid(f"{model.__name__} has no object schema")
    return strict


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(child) for child in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    out = {key: _inside(key, value) for key, value in node.items() if key not in LEFT_OUT}
    if len(out.get("allOf", ())) == 1:
        out |= out.pop("allOf")[0]
    if out.get("type") == "object":
        if not out.get("properties"):
            raise Invalid("a strict schema cannot hold an object of free keys")
        out |= {"additionalProperties": False, "required": list(out["properties"])}
    return out


def _inside(key: str, value: Any) -> Any:
    """Names of properties and definitions are not keywords, and enumeration values are not schemas."""
    if key in ("properties", "$defs"):
        return {name: _strict(child) for name, child in value.items()}
    return value if key in ("enum", "const", "required") else _strict(value)
