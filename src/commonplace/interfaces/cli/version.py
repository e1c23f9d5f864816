"""What ``commonplace --version`` prints: the release, the commit it was built from, the engines below it."""

import platform
import subprocess
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from commonplace import __version__


def commit() -> str | None:
    """The commit of this build: stored in a package when it is built, read from git in a checkout."""
    try:
        return str(import_module("commonplace._build").COMMIT) or None
    except ImportError:
        pass
    root = Path(__file__).parents[4]
    if not (root / ".git").exists():
        return None
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()


def engines() -> dict[str, str]:
    """Each engine with its version, or "not installed"."""
    readers: dict[str, Callable[[], str]] = {
        "Python": platform.python_version,
        "SQLite": lambda: str(import_module("apsw").sqlite_lib_version()),
        "apsw": lambda: version("apsw"),
        "simsimd": lambda: version("simsimd"),
        "onnxruntime": lambda: version("onnxruntime"),
        "psycopg": lambda: version("psycopg"),
        "libpq": _libpq,
    }
    return {name: _or_missing(reader) for name, reader in readers.items()}


def text() -> str:
    build = commit()
    lines = [f"{name} {number}" for name, number in engines().items()]
    return f"commonplace {__version__} (commit {build or 'unknown'}; {', '.join(lines)})"


def _libpq() -> str:
    number = import_module("psycopg").pq.version()  # 180006 is 18.6
    return f"{number // 10000}.{number % 10000}"


def _or_missing(reader: Callable[[], str]) -> str:
    try:
        return reader()
    except (ImportError, PackageNotFoundError):
        return "not installed"
