"""Write the generated files of clients/typescript again: its types and its table of routes, from the OpenAPI document.

    python tools/typescript_types.py [FOLDER]

Needs `npm ci` in clients/typescript. tests/clients/test_typescript.py compares the files with the code.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from commonplace import __version__
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.verbs import VERBS

CLIENT = Path(__file__).resolve().parents[1] / "clients" / "typescript"
HEADER = "// Made by tools/typescript_types.py from the OpenAPI document. Do not edit.\n"


def document() -> dict[str, Any]:
    """The OpenAPI document of the REST interface; problems stand once, not at each operation."""
    app = FastAPI(title="Commonplace", version=__version__)
    app.router.routes += v1()
    result = json.loads(json.dumps(described(app)))
    for operations in result["paths"].values():
        for operation in operations.values():
            answers = operation["responses"].items()
            operation["responses"] = {code: answer for code, answer in answers if code < "300"}
    del result["components"]["responses"]
    return dict(result)


def retry(method: str, path: str, operation: dict[str, Any]) -> str:
    """Whether a request may be sent again when its answer was lost: safely, with a key, or never."""
    answers = json.dumps([operation["responses"].get(code) for code in ("200", "201")])
    if method == "POST" and "/schemas/Receipt" in answers:
        return "key"
    readers = ("/v1/audit/verify",)
    repeatable = {verb.route for verb in VERBS.values() if verb.once}
    safe = method in ("GET", "PUT", "DELETE") or path in readers or f"{method} {path}" in repeatable
    return "safe" if safe or path.endswith("/verify") else "never"


def routes(described: dict[str, Any]) -> str:
    lines = [
        f'  {operation["operationId"]}: ["{method.upper()}", "{path}", "{retry(method.upper(), path, operation)}"],'
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    ]
    legend = "/** Method, path, and whether a request may be repeated: safely, with a key, or never. */\n"
    return "\n".join([HEADER + legend + "export const ROUTES = {", *sorted(lines), "} as const;"]) + "\n"


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "openapi.json", folder / "schema.ts"
    described = document()
    source.write_text(json.dumps(described), "utf-8")
    program = CLIENT / "node_modules" / ".bin" / "openapi-typescript"
    try:
        command = [str(program), str(source), "--output", str(target), "--alphabetize", "--default-non-nullable=false"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        printed = result.stdout + result.stderr
        if result.returncode or "warn" in printed.lower():
            raise SystemExit(printed)
    finally:
        source.unlink()
    # the client goes by operations; the same types by path would double the file
    body = target.read_text("utf-8").partition("export type webhooks = Record<string, never>;\n")[2]
    target.write_text(HEADER + body, "utf-8")
    (folder / "routes.ts").write_text(routes(described), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else CLIENT / "src")
