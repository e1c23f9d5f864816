"""Other projects' own tests of their stores, unmodified, on our adapters.

They come from the source distributions on the package index, at test time; nothing of them lies in this repository. A
shim puts our class in the place of theirs. What is left out is named here with its reason, and in docs/adapters.md.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SHIMS = Path(__file__).parent / "peers"
SOURCE = Path(__file__).parents[2] / "src"


@dataclass(frozen=True)
class Suite:
    package: str
    """With the version that is tested against."""
    files: tuple[str, ...]
    shim: str
    least: int
    """So many tests pass at least."""
    excluded: dict[str, str] = field(default_factory=dict)
    needs: str = ""


SUITES = {
    "langgraph": Suite(
        "langgraph-checkpoint-sqlite==3.1.2",
        ("tests/__init__.py", "tests/test_store.py", "tests/test_async_store.py"),
        "langgraph_shim.py",
        100,
        {
            "test_no_running_loop": "their async store refuses synchronous calls; ours serves both",
            "test_vector_store_initialization": "looks at the attributes of their vector index",
            "test_nonnull_migrations": "their table of migrations",
            "test_escape_glob_literal": "a private function of theirs",
            "test_namespace_match_pattern": "a private function of theirs",
            "test_list_namespaces_prefix_uses_indexable_condition": "reads the SQL that theirs makes",
            "test_scores": "expects the very cosine of the embeddings it brings; ours are words and meaning together",
            "test_embed_with_path": "expects a cosine above 0.9 of the embeddings it brings",
            "test_large_batches": "a thousand operations each: a minute, and no other contract",
        },
        needs="langgraph",
    ),
    "openai-agents": Suite(
        "openai-agents==0.24.0",
        ("tests/__init__.py", "tests/memory/test_session.py", "tests/memory/test_session_limit.py",
         "tests/test_responses.py"),
        "openai_shim.py",
        50,
        {
            "worker_thread": "connections of their SQLite session",
            "connection": "connections of their SQLite session",
            "corrupt": "writes damaged rows into their table",
            "file_lock": "the lock of their database file",
            "releases_write_lock": "makes their connection fail",
            "rolls_back": "makes their connection fail",
            "post_commit_cancellation": "pauses their connection; test_conversations.py tests the same of ours",
            "closed_rejects": "our session has nothing to close: the book belongs to its opener",
        },
        needs="agents",
    ),
    "anthropic": Suite(
        "anthropic==2.8.0",
        ("tests/lib/tools/memory_tools/test_filesystem.py",),
        "anthropic_shim.py",
        60,
        {
            "umask": "modes of folders on disk; ours are in the book",
            "symlink": "links on disk; a book has none",
            "crlf": "writes files past the tool; test_anthropic_memory.py compares line ends through it",
            "too_many_lines": "a file of a million lines; ours have at most 90,000 characters and say so",
        },
        needs="anthropic",
    ),
}  # fmt: skip


def sources(package: str) -> tarfile.TarFile:
    """The source distribution of a package, fetched once."""
    folder = Path(sys.prefix) / "sdists"
    stem = package.replace("-", "_").replace("==", "-")
    archive = folder / f"{stem}.tar.gz"
    if not archive.exists():
        fresh = folder / uuid.uuid4().hex
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        result = subprocess.run([*command, "--dest", str(fresh), package], capture_output=True, text=True, check=False)
        if result.returncode:
            pytest.skip(f"the sources of {package} cannot be fetched here")
        next(fresh.glob("*.tar.gz")).rename(archive)
        shutil.rmtree(fresh)
    return tarfile.open(archive)


@pytest.mark.one_engine("opens books of its own")
@pytest.mark.timeout(600)  # the first run fetches their sources
@pytest.mark.parametrize("name", SUITES)
def test_their_own_tests_pass(name: str, tmp_path: Path) -> None:
    suite = SUITES[name]
    pytest.importorskip(suite.needs)
    with sources(suite.package) as archive:
        root = archive.getnames()[0].split("/")[0]
        for path in suite.files:
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                member = archive.extractfile(f"{root}/{path}")
            except KeyError:
                member = None  # an empty file that some builds leave out
            target.write_bytes(member.read() if member else b"")
    shutil.copy(SHIMS / suite.shim, tmp_path / "conftest.py")
    chosen = " and ".join(f"not {test}" for test in suite.excluded) or "test"
    options = ["-q", "-p", "no:cacheprovider", "-o", "anyio_mode=auto", "-o", "pythonpath=.", "-W", "ignore"]
    command = [sys.executable, "-m", "pytest", *options, "-k", chosen, "."]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=400
    )
    passed = re.search(r"(\d+) passed", result.stdout)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-1000:]
    assert passed and int(passed[1]) >= suite.least, result.stdout[-300:]
