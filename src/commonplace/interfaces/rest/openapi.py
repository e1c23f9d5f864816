"""The OpenAPI 3.1 document: what FastAPI finds, with the problems that every route can answer with."""

import re
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from commonplace.interfaces.rest.answers import PROBLEM
from commonplace.interfaces.rest.shapes import ProblemDocument

PROBLEMS = {
    "400": "Refused, or not what the verb takes",
    "401": "No token, or one that is unknown, expired or revoked",
    "403": "The token or the plan does not reach that far",
    "404": "Nothing of the caller's lives there",
    "408": "The body did not arrive in time",
    "409": "A newer version exists, or several memories fit",
    "412": "If-Match named an older version",
    "413": "The request is too large",
    "422": "The request does not fit",
    "429": "Too many requests, or the day's token cap is reached",
    "502": "A model or embedder failed",
    "503": "The book cannot be reached just now",
    "507": "No room is left on the disk",
}
OF_WRITES = ("408", "412", "413", "507")
"""Problems of a request that has a body or changes something."""
QUERY_WORDS = {
    name: words.strip()
    for name, _, words in (
        line.partition(" ") for line in Path(__file__).with_name("parameters.txt").read_text("utf-8").splitlines()
    )
}
"""Parameters of queries, by name: each means the same wherever it stands."""
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API token, or one of the company's own issuer where the server knows it.",
}
EXAMPLE = {
    "type": "urn:commonplace:NotFound",
    "title": "Not found",
    "status": 404,
    "detail": "no memory '…' here; ids come from `recall` or `list`, and each namespace has its own",
}


def described(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema:
        return app.openapi_schema
    for route in app.routes:
        if isinstance(route, APIRoute):
            route.unique_id = route.name  # `recall`, not `recall_v1_recall_post`
    document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    components = document["components"]
    for name in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(name, None)
    components["schemas"]["Problem"] = ProblemDocument.model_json_schema()
    components["securitySchemes"] = {"HTTPBearer": BEARER}
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": EXAMPLE}}
    components["responses"] = {
        f"Problem{code}": {"description": text, "content": content} for code, text in PROBLEMS.items()
    }
    components["parameters"] = _shared_parameters(document)
    problems = {code: {"$ref": f"#/components/responses/Problem{code}"} for code in PROBLEMS}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _add_words(operation)
            if path.startswith("/v1"):
                operation["security"] = [{"HTTPBearer": []}]
                own = {code: problem for code, problem in problems.items() if method != "get" or code not in OF_WRITES}
                operation["responses"] = {**operation["responses"], **own}
            if method == "get" and "{id}" in path:
                operation["responses"]["304"] = {"description": "The caller has this version already"}
    app.openapi_schema = _without_titles(document)
    return app.openapi_schema


def _add_words(operation: dict[str, Any]) -> None:
    operation["summary"] = operation["operationId"].replace("_", " ").capitalize()
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "query" and parameter["name"] in QUERY_WORDS:
            parameter.setdefault("description", QUERY_WORDS[parameter["name"]])
    for response in operation["responses"].values():
        if response.get("description") == "Successful Response":
            response["description"] = _answer_words(response)


def _answer_words(response: dict[str, Any]) -> str:
    """What an answer is, by the name of its schema: a page of memories, a receipt."""
    contents: list[dict[str, Any]] = list(response.get("content", {}).values())
    schema: dict[str, Any] = contents[0].get("schema", {}) if contents else {}
    names = [option["$ref"].rpartition("/")[2] for option in schema.get("anyOf", [schema]) if "$ref" in option]
    if not names:
        return "Counts by name" if schema.get("additionalProperties") == {"type": "integer"} else "Done"
    words = [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removesuffix("List")).lower() for name in names]
    page = "A page of the list: " if names[0].endswith("List") else ""
    return f"{page}{' or '.join(words)}" if page else " or ".join(words).capitalize()


def _shared_parameters(document: dict[str, Any]) -> dict[str, Any]:
    """Move the parameter of every operation, the namespace, to one place that all of them refer to."""
    shared: dict[str, Any] = {}
    for operations in document["paths"].values():
        for operation in operations.values():
            for at, parameter in enumerate(operation.get("parameters", [])):
                is_namespace = (parameter["in"], parameter["name"]) == ("query", "namespace")
                if is_namespace and shared.setdefault("namespace", parameter) == parameter:
                    operation["parameters"][at] = {"$ref": "#/components/parameters/namespace"}
    return shared


def parameters_of(document: dict[str, Any], operation: dict[str, Any]) -> list[dict[str, Any]]:
    """The parameters of an operation, the shared ones too."""
    shared = document["components"]["parameters"]
    return [
        shared[parameter["$ref"].rpartition("/")[2]] if "$ref" in parameter else parameter
        for parameter in operation.get("parameters", ())
    ]


def _without_titles(value: Any, *, named: bool = False) -> Any:
    """Without the titles that pydantic makes of field names: a third of the document, and of no use."""
    if isinstance(value, list):
        return [_without_titles(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_titles(item, named=key in ("properties", "schemas"))
        for key, item in value.items()
        if named or key != "title" or not isinstance(item, str) or "openapi" in value or "version" in value
    }
