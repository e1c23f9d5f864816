"""What a hook keeps between two starts: the same classes and patterns, made without compiling."""

import dataclasses
import re
import sys
from pathlib import Path

import pytest

from commonplace.interfaces.hooks import bytecode


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
