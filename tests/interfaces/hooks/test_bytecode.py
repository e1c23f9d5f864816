"""What a hook keeps between two starts: the same classes and patterns, made without compiling."""

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.interfaces.hooks.payloads import EVENTS
from commonplace.light import bytecode

from .conftest import Place, payload, program


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(bytecode, "_path", lambda: tmp_path / "cache" / "x.kept")
    return tmp_path / "cache" / "x.kept"


def made() -> tuple[type, re.Pattern[str]]:
    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Pair:
        left: int
        right: str = "r"

    re.purge()
    return Pair, re.compile(r"(?i)(?P<word>[a-zäé]+)-(\d{2,4}|x*?)\b(?<!bad)")


def check(pair: type, pattern: re.Pattern[str]) -> None:
    assert pair(1) == pair(1, "r") != pair(2)
    assert pair(1) < pair(2)
    assert hash(pair(1)) == hash(pair(1))
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair(1).left = 2
    found = pattern.search("see Äé-1234")
    assert found is not None
    assert (found["word"], found[2]) == ("Äé", "1234")
    assert pattern.groupindex == {"word": 1}
    assert pattern.flags & re.I


def test_a_second_start_compiles_nothing_and_means_the_same(path: Path, monkeypatch: pytest.MonkeyPatch):
    with bytecode.kept():
        check(*made())
    assert path.exists()

    def compiled(*given: object) -> None:
        raise AssertionError("this was compiled before")

    refused = False
    with monkeypatch.context() as patch:
        patch.setattr(re._parser, "parse", compiled)  # type: ignore[attr-defined]
        patch.setattr(bytecode, "compile", compiled, raising=False)
        with bytecode.kept():
            again = made()
        try:
            made()  # the control: outside, everything is compiled
        except AssertionError:
            refused = True
    check(*again)
    assert refused


def test_an_odd_file_is_made_anew(path: Path):
    path.parent.mkdir()
    for data in (b"", b"garbage", path.parent.name.encode() * 100):
        path.write_bytes(data)
        with bytecode.kept():
            check(*made())
    assert path.stat().st_size > 1000


def test_nothing_is_left_behind_in_the_modules(path: Path):
    before = re._compiler.compile  # type: ignore[attr-defined]
    with pytest.raises(ZeroDivisionError), bytecode.kept():
        1 / 0
    assert re._compiler.compile is before  # type: ignore[attr-defined]
    assert not hasattr(dataclasses, "exec")


def test_nothing_is_written_where_bytecode_is_not_to_be(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with bytecode.kept():
        check(*made())
    assert not path.exists()


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_file_that_others_may_write_to_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch):
    with bytecode.kept():
        check(*made())
    assert path.stat().st_mode & 0o022 == 0
    assert bytecode._read(path) != ({}, {})
    for mode in (0o664, 0o646):
        path.chmod(mode)
        assert bytecode._read(path) == ({}, {})
    path.chmod(0o644)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    if path.stat().st_uid != 0:  # what root has written is trusted, as its bytecode is
        assert bytecode._read(path) == ({}, {})


def test_another_python_makes_everything_anew(path: Path, monkeypatch: pytest.MonkeyPatch):
    with bytecode.kept():
        check(*made())
    assert bytecode._read(path) != ({}, {})
    monkeypatch.setattr(sys, "version", "3.99")
    assert bytecode._read(path) == ({}, {})


@pytest.mark.one_engine("hooks as programs of their own")
def test_no_word_of_a_person_is_kept(place: Place, tmp_path: Path):
    cache = tmp_path / "bytecode"
    environ = {"PYTHONPYCACHEPREFIX": str(cache), "PYTHONDONTWRITEBYTECODE": "", "COMMONPLACE_HOOK_TOOLS": "1"}
    told = "Zanzibar"
    fields = {
        "prompt": f"We decided to use {told} 4711 for v{told}. What does {told} in May wait for? I told {told} so.",
        "source": "startup",
        "last_assistant_message": f"{told} is done, see src/{told}.py.",
        "compact_summary": f"{told} was moved.",
        "tool_name": told,
        "tool_input": {"command": f"make {told}"},
        "tool_response": {"exit_code": 2},
    }
    for name in EVENTS:
        done = program(place, name, json.dumps(payload(place, "", **fields)).encode(), **environ)
        assert done.returncode == 0
    kept = [one.read_bytes() for one in cache.rglob("*.kept")]
    assert len(kept) == 1
    assert b"__create_fn__" in kept[0]
    assert told.encode() not in kept[0]
    assert told in place.file("memory/working-buffer.md"), "which was said all the same"


def test_what_is_put_off_is_there_when_it_is_used():
    code = (
        "import sys\n"
        "from commonplace.lazy import defer_imports\n"
        "defer_imports('inspect', 'sys')\n"
        "import dataclasses, inspect\n"
        "print('dis' in sys.modules, inspect.isfunction(defer_imports), 'dis' in sys.modules)\n"
        "import inspect as again\n"
        "Bare = dataclasses.make_dataclass('Bare', ['x'])\n"
        "print(again.__file__ is not None, again.isclass(Bare), hasattr(inspect, 'no_such_name'), Bare.__doc__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "False True True"
    assert done.stdout.split("\n")[1].startswith("True True False Bare(x")
