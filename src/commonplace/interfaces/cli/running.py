"""Run one parsed command; every error of ours becomes one line and an exit code, from the table of all doors."""

import json
import sys
from collections.abc import Sequence

from commonplace.errors import Ambiguous, CommonplaceError
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, Usage

USAGE = 2
BUG = 1
EXTRAS = {
    **dict.fromkeys(("fastapi", "jwt", "mcp", "starlette", "uvicorn"), "server"),
    **dict.fromkeys(("psycopg", "psycopg_pool"), "postgres"),
    "onnxruntime": "neural",
}
"""Which extra brings a module that the core does without."""


def run(parser: Parser, words: Sequence[str]) -> int:
    """Parse and run; say what went wrong on standard error, as a line or with ``--json`` as a problem document."""
    try:
        given = parser.parse_args(words)
    except Usage as fault:
        return _complain(str(fault), USAGE)
    except SystemExit as end:  # argparse ends the process after --help
        return int(end.code or 0)
    try:
        with Call(given) as call:
            given.run(call)
            sys.stdout.flush()
    except CommonplaceError as error:
        return _failed(error, as_json=bool(getattr(given, "json", False)))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except ModuleNotFoundError as fault:
        return _complain(*_missing(fault))
    except Exception as fault:  # noqa: BLE001  # the door's last catch: a message may carry words of a memory
        return _complain(_bug(fault), BUG)
    return int(getattr(given, "exit_code", 0))


def _failed(error: CommonplaceError, *, as_json: bool) -> int:
    # the errors of every room
    from commonplace.interfaces.problems import document, problem

    if as_json:
        print(json.dumps(document(error), ensure_ascii=False), file=sys.stderr)
        return problem(error).exit_code
    return _complain(_sentence(error), problem(error).exit_code)


def _sentence(error: CommonplaceError) -> str:
    if isinstance(error, Ambiguous):  # its own sentence speaks of keywords
        return f"the words fit {len(error.ids)} memories; name one, or say --all or --best: {' '.join(error.ids)}"
    return str(error)


def _complain(sentence: str, code: int) -> int:
    print(f"commonplace: {' '.join(sentence.split())}", file=sys.stderr)
    return code


def _missing(fault: ModuleNotFoundError) -> tuple[str, int]:
    extra = EXTRAS.get((fault.name or "").partition(".")[0])
    if extra is None:
        return f"the module {fault.name} is missing: install commonplace again", BUG
    return f"this needs {fault.name}: pip install 'commonplace[{extra}]'", USAGE


def _bug(fault: Exception) -> str:
    # the traceback module takes 10 ms
    import traceback

    where = traceback.extract_tb(fault.__traceback__)[-1]
    return (
        f"this should not have happened: {type(fault).__name__} at {where.filename}:{where.lineno}; "
        "please report it with the command you ran"
    )
