"""The memory tool answers to the letter what the SDK's own file implementation answers."""

import random
import re
from pathlib import Path

import pytest

pytest.importorskip("anthropic.tools.memory")
from anthropic.lib.tools._beta_functions import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

from commonplace import Commonplace
from commonplace.adapters.anthropic_memory import CommonplaceMemoryTool

FILES = ["/memories/a.md", "/memories/b.txt", "/memories/d/e.md", "/memories/d/f/g.md", "/memories/.hidden"]
PATHS = [*FILES, "/memories", "/memories/d", "/memories/d/f", "/memories/d/../a.md", "/memories/nope"]
FOLDER_SIZE = re.compile(r"(?<=hidden items:\n)[\d.]+[BKM]|^[\d.]+[BKM](?=\t\S+/$)", re.MULTILINE)
WORDS = ["e", "one", "two", "zzz"]
TEXTS = ["", "one", "one\ntwo\nthree\n", "e e e", "caf\u00e9\r\nx", "line\n" * 8]


def command(chance: random.Random) -> dict:
    path, other, text = chance.choice(PATHS), chance.choice(PATHS), chance.choice(TEXTS)
    file = chance.choice(FILES)
    return chance.choice(
        [
            {"command": "view", "path": path},
            {"command": "view", "path": file, "view_range": [chance.randint(1, 4), chance.choice([-1, 2, 5])]},
            {"command": "create", "path": file, "file_text": text},
            {"command": "create", "path": chance.choice(FILES), "file_text": text},
            {"command": "str_replace", "path": path, "old_str": chance.choice(WORDS), "new_str": "E"},
            {"command": "insert", "path": path, "insert_line": chance.randint(-1, 5), "insert_text": "new\n"},
            {"command": "delete", "path": chance.choice([path, "/memories/b.txt"])},
            {"command": "rename", "old_path": path, "new_path": other},
        ]
    )  # fmt: skip


def answer(tool: object, given: dict) -> tuple[str, str]:
    try:
        # the size of a folder is the file system's own affair: 4K here, 60B there
        return "ok", FOLDER_SIZE.sub("4K", tool.call(dict(given)))  # type: ignore[attr-defined]
    except ToolError as error:
        return "error", str(error)


@pytest.mark.parametrize("seed", range(6))
def test_random_commands_give_the_same_strings(book: Commonplace, tmp_path: Path, seed: int) -> None:
    theirs, ours = BetaLocalFilesystemMemoryTool(str(tmp_path / "files")), CommonplaceMemoryTool(book)
    chance = random.Random(seed)
    kinds = set()
    for _ in range(60):
        given = command(chance)
        if given["command"] == "rename" and given["new_path"].startswith(f"{given['old_path']}/"):
            continue  # the file system's own error, not the tool's
        expected = answer(theirs, given)
        assert answer(ours, given) == expected, given
        kinds.add((given["command"], expected[0]))
    assert len(kinds) >= 8


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/memories/../../etc/passwd", "/memoriesX", "/memories/" + "a/" * 30 + "b", "/memories/a\x01"],
)
def test_no_path_leaves_the_folder(book: Commonplace, path: str) -> None:
    tool = CommonplaceMemoryTool(book)
    assert answer(tool, {"command": "create", "path": path, "file_text": "x"})[0] == "error"
    assert answer(tool, {"command": "create", "path": "/memories/fine", "file_text": "x"})[0] == "ok"
    assert tool.call({"command": "view", "path": "/memories"}).count("\n") == 2


def test_files_are_there_after_a_restart_and_can_be_recalled(book: Commonplace) -> None:
    CommonplaceMemoryTool(book).call({"command": "create", "path": "/memories/x.md", "file_text": "the fox is red"})
    assert "the fox is red" in CommonplaceMemoryTool(book).call({"command": "view", "path": "/memories/x.md"})
    assert book.within("anthropic-memory").recall("fox")[0].memory.metadata["key"] == "/memories/x.md"


def test_odd_paths_and_texts_are_the_tools_own_errors_and_long_files_are_kept(book: Commonplace) -> None:
    tool, long = CommonplaceMemoryTool(book), "a line of text\n" * 28_000
    refused = [
        {"path": "/memories/\ud800", "file_text": "x"},
        {"path": "/memories/a", "file_text": "\ud800"},
        {"path": "/memories/b", "file_text": "x" * 450_001},
    ]
    for fields in refused:
        with pytest.raises(ToolError):
            tool.call({"command": "create", **fields})
    tool.call({"command": "create", "path": "/memories/long", "file_text": long + "\x00"})
    assert tool.call({"command": "view", "path": "/memories/long", "view_range": [27_999, 28_001]}).endswith(
        " 27999\ta line of text\n 28000\ta line of text\n 28001\t\x00"
    )
