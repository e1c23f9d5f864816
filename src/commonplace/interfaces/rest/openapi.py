"""The OpenAPI 3.1 document: what FastAPI finds, with the problems that every route can answer with."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from commonplace.interfaces.rest.answers import PROBLEM
from commonplace.interfaces.rest.shapes import ProblemDocument

PROBLEMS = {
    "400": "Refused, or not what the verb takes",
    "401": "No token, or one that is unknown, expired or revoked",
    "403": "The token or the plan does not reach that far",
    "404": "Nothing of the caller's lives there",
    "409": "Somebody wrote first, or several memories fit",
    "412": "If-Match named an older version",
    "413": "The request is too large",
    "422": "The request does not fit",
    "429": "Too many requests, or the day's token cap is reached",
    "502": "A model or embedder failed",
    "503": "The book cannot be reached just now",
    "507": "No room is left on the disk",
}
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
    made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    schemas = made["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = ProblemDocument.model_json_schema()
    made["components"]["securitySchemes"] = {"HTTPBearer": BEARER}
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}, "example": EXAMPLE}}
    problems = {code: {"description": text, "content": content} for code, text in PROBLEMS.items()}
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            if path.startswith("/v1"):
                operation["security"] = [{"HTTPBearer": []}]
                operation["responses"] = {**operation["responses"], **problems}
            if method == "get" and "{id}" in path:
                operation["responses"]["304"] = {"description": "The caller has this version already"}
    app.openapi_schema = made
    return made
