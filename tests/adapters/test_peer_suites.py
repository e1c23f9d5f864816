"""Other projects' own tests of their stores, unmodified, on our adapters.

They come from the source distributions on the package index, or from the project's repository where these hold no tests
(skipped where it cannot be reached), at test time; nothing of them lies in this repository. A shim puts our class in
the place of theirs. What is left out is named here with its reason, and in docs/adapters.md.
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

import httpx2
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
    repository: str = ""
    """Where the files are, if not in the source distribution."""


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
            "too_many_lines": "a file of a million lines; ours have at most 450,000 characters and say so",
        },
        needs="anthropic",
    ),
    "google-adk": Suite(
        "google-adk==2.13.0",
        ("tests/unittests/memory/test_in_memory_memory_service.py",),
        "adk_shim.py",
        15,
        {
            "test_add_": "look at the dictionary in which theirs keeps events",
            "-0]": "expects nothing without a common word; ours finds by meaning, and a small book has no floor",
            "simple_match": "the same",
            "case_insensitive_match": "the same",
            "scoped_by_user": "the same; test_conversations.py keeps users apart",
            "at_most_ten": "expects the order of storing among memories that fit alike",
            "do_not": "expect the message alone; ours also gives what was learned of it",
            "thread_safe": "a thousand searches beside five hundred writes: minutes",
        },
        needs="google.adk.memory",
        repository="https://raw.githubusercontent.com/google/adk-python/v2.13.0",
    ),
    "llama-index": Suite(
        "llama-index-core==0.14.25",
        ("llama-index-core/tests/memory/blocks/test_vector.py",),
        "llamaindex_shim.py",
        4,
        {
            "block_put": "looks into the vector store that it brings",
            "postprocessors": "changes the nodes of that store",
            "format_template": "a template of theirs; ours is fenced",
        },
        needs="llama_index.core",
        repository="https://raw.githubusercontent.com/run-llama/llama_index/v0.14.25",
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


def fetched(suite: Suite, path: str) -> bytes:
    """A file of a suite, fetched once."""
    if not suite.repository:
        with sources(suite.package) as archive:
            root = archive.getnames()[0].split("/")[0]
            try:
                member = archive.extractfile(f"{root}/{path}")
            except KeyError:
                return b""  # an empty file that some builds leave out
            return member.read() if member else b""
    kept = Path(sys.prefix) / "sdists" / suite.package / path
    if not kept.exists():
        try:
            answer = httpx2.get(f"{suite.repository}/{path}", timeout=20, follow_redirects=True).raise_for_status()
        except httpx2.HTTPError:
            pytest.skip(f"the tests of {suite.package} are in its repository, which cannot be reached here")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(answer.content)
    return kept.read_bytes()


@pytest.mark.one_engine("opens books of its own")
@pytest.mark.timeout(600)  # the first run fetches their sources
@pytest.mark.parametrize("name", SUITES)
def test_their_own_tests_pass(name: str, tmp_path: Path) -> None:
    suite = SUITES[name]
    pytest.importorskip(suite.needs)
    for path in suite.files:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(fetched(suite, path))
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
