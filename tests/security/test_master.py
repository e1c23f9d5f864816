"""Where the master key comes from, and the copy to keep."""

import base64
import os
import shlex
import stat
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import KeyringError
from commonplace.security import master as collection
from commonplace.security.master import (
    MasterKeySource,
    exposed,
    from_recovery_text,
    master_key,
    parse_key,
    recovery_text,
    write_key,
)

MASTER = bytes(range(100, 132))
POSIX = os.name == "posix"


@pytest.mark.parametrize(
    "written",
    [
        MASTER.hex(),
        MASTER.hex().upper() + "\n",
        base64.b64encode(MASTER).decode(),
        base64.urlsafe_b64encode(MASTER).decode().rstrip("="),
        recovery_text(MASTER),
        recovery_text(MASTER).lower().replace("\n", " ").replace("-", ""),
    ],
)
def test_a_key_is_read_in_each_of_its_spellings(written):
    assert master_key(MasterKeySource(value=written)) == MASTER


@pytest.mark.parametrize("written", ["hunter2", MASTER.hex()[:-2], "é" * 64, base64.b64encode(MASTER[:-1]).decode()])
def test_what_is_no_key_is_refused_without_being_repeated(written):
    with pytest.raises(KeyringError) as caught:
        parse_key(written)
    assert written not in str(caught.value)


def test_no_source_at_all_is_said_so():
    with pytest.raises(KeyringError, match="no master key is set"):
        master_key(MasterKeySource())


def test_the_value_wins_over_the_command_and_the_command_over_the_file(tmp_path):
    command = printing(MASTER.hex())
    assert master_key(MasterKeySource(value="00" * 32, command=command)) == bytes(32)
    assert master_key(MasterKeySource(command=command, file=tmp_path / "key")) == MASTER
    assert not (tmp_path / "key").exists()


def test_a_source_never_prints_its_value():
    assert MASTER.hex() not in repr(MasterKeySource(value=MASTER.hex()))


def printing(text: str, code: int = 0) -> str:
    script = f"import sys; print({text!r}); sys.exit({code})"
    return shlex.join([sys.executable, "-c", script])


def test_a_command_is_run_without_a_shell(tmp_path):
    trap = tmp_path / "trap"
    with pytest.raises(KeyringError):
        master_key(MasterKeySource(command=f"{printing('x')} > {trap}; touch {trap}"))
    assert not trap.exists()


def test_a_command_that_fails_is_named_but_its_output_is_not():
    with pytest.raises(KeyringError, match="exit code 3") as caught:
        master_key(MasterKeySource(command=printing("the-secret-it-printed", 3)))
    assert "the-secret" not in str(caught.value)


def test_a_command_that_is_not_there_or_never_answers_is_an_error(monkeypatch):
    with pytest.raises(KeyringError, match="cannot be run"):
        master_key(MasterKeySource(command="no-such-program-anywhere --print"))
    monkeypatch.setattr(collection, "COMMAND_SECONDS", 0.2)
    with pytest.raises(KeyringError, match="did not answer"):
        master_key(MasterKeySource(command=shlex.join([sys.executable, "-c", "import time; time.sleep(60)"])))


def test_a_key_file_is_made_on_first_use_and_then_kept(tmp_path):
    file = tmp_path / "deep" / "folder" / "master.key"
    made = master_key(MasterKeySource(file=file))
    assert master_key(MasterKeySource(file=file)) == made
    assert len(made) == 32
    assert made != master_key(MasterKeySource(file=tmp_path / "other"))
    assert [path.name for path in file.parent.iterdir()] == ["master.key"]


@pytest.mark.skipif(not POSIX, reason="file modes are POSIX")
def test_a_key_file_is_for_its_owner_alone(tmp_path):
    file = tmp_path / "home" / "master.key"
    master_key(MasterKeySource(file=file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert not exposed(file)
    file.chmod(0o644)
    assert exposed(file)


def test_a_lost_key_file_is_reported_and_not_replaced(tmp_path):
    file = tmp_path / "master.key"
    with pytest.raises(KeyringError, match="is missing"):
        master_key(MasterKeySource(file=file), create=False)
    assert not file.exists()


@pytest.mark.parametrize("content", [b"", b"\n", b"half a key\n", b"\xff\xfe\n"])
def test_a_damaged_key_file_is_never_overwritten(tmp_path, content):
    file = tmp_path / "master.key"
    file.write_bytes(content)
    with pytest.raises(KeyringError, match=r"master\.key"):
        master_key(MasterKeySource(file=file))
    assert file.read_bytes() == content


def test_a_key_file_without_a_line_end_is_read(tmp_path):
    file = tmp_path / "master.key"
    file.write_text(MASTER.hex())
    assert master_key(MasterKeySource(file=file)) == MASTER


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(KeyringError, match="cannot be"):
        master_key(MasterKeySource(file=tmp_path / "file" / "master.key"))


FIRST_USE = """
import sys
from pathlib import Path

from commonplace.security.master import MasterKeySource, master_key
sys.stdin.readline()
print(master_key(MasterKeySource(file=Path(sys.argv[1]))).hex())
"""


def test_processes_that_start_together_get_one_key(tmp_path):
    command = [sys.executable, "-c", FIRST_USE, str(tmp_path / "key")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    starters = [subprocess.Popen(command, env=environment, **pipes) for _ in range(4)]  # type: ignore[call-overload]
    for starter in starters:
        starter.stdin.write("go\n")
        starter.stdin.flush()
    found = {starter.communicate()[0] for starter in starters}
    assert len(found) == 1
    assert len(found.pop().strip()) == 64


@pytest.mark.parametrize("links", [True, False])
def test_threads_that_start_together_get_one_key_with_links_or_without(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    start, found = threading.Barrier(8), []

    def run() -> None:
        start.wait()
        found.append(master_key(MasterKeySource(file=tmp_path / "key")))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def refuse(*_: object) -> None:
    raise PermissionError("no links on this disk")


def test_a_key_is_replaced_in_one_step(tmp_path):
    file = tmp_path / "master.key"
    old = master_key(MasterKeySource(file=file))
    write_key(file, MASTER)
    assert master_key(MasterKeySource(file=file)) == MASTER != old
    assert [path.name for path in tmp_path.iterdir()] == ["master.key"]


@given(st.binary(min_size=32, max_size=32))
def test_a_recovery_text_gives_the_key_back(master):
    text = recovery_text(master)
    assert from_recovery_text(text) == master
    assert [len(line) for line in text.splitlines()] == [19] * 4


def test_a_recovery_text_may_carry_remarks_and_be_misread_where_letters_look_alike():
    text = recovery_text(bytes(32))
    assert from_recovery_text(f"# written 2026\n{text.replace('0', 'o')}\n") == bytes(32)


def test_a_typo_names_its_line():
    lines = recovery_text(MASTER).splitlines()
    for number in range(4):
        for at in (0, 8, 18):
            letter = lines[number][at]
            typed = list(lines)
            typed[number] = lines[number][:at] + ("7" if letter != "7" else "8") + lines[number][at + 1 :]
            with pytest.raises(KeyringError, match=f"line {number + 1} "):
                from_recovery_text("\n".join(typed))


def test_lines_in_the_wrong_order_missing_or_with_foreign_letters_are_noticed():
    one, two, three, four = recovery_text(MASTER).splitlines()
    with pytest.raises(KeyringError, match=r"line 1 .*not in its place"):
        from_recovery_text(f"{two}\n{one}\n{three}\n{four}")
    with pytest.raises(KeyringError, match="this one has 48"):
        from_recovery_text(f"{one}\n{two}\n{three}")
    with pytest.raises(KeyringError, match="never part of it"):
        from_recovery_text("\n".join([one, two, three, "U" + four[1:]]))
