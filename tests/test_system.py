"""Linux, macOS and Windows: each variant of what differs, tried on whatever system the tests run on."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from commonplace import Commonplace, Settings, system
from commonplace.errors import StoreBusy
from commonplace.store import locks

BACKUP, BOOK = Path("/my books/book.db.schema-2.backup"), Path("/my books/book.db")


class ByteLocks(SimpleNamespace):
    """What ``msvcrt`` promises: the first byte of a file is locked by one handle at a time, and a second is refused."""

    LK_LOCK, LK_NBLCK, LK_UNLCK = 1, 2, 0

    def __init__(self):
        super().__init__(holders={}, calls=0)

    def locking(self, handle, mode, size):
        file = (os.fstat(handle).st_dev, os.fstat(handle).st_ino)
        self.calls += 1
        assert size == 1
        if self.holders.setdefault(file, handle) != handle:
            raise OSError(errno.EACCES, "locked by another")
        if mode == self.LK_UNLCK:
            del self.holders[file]


@pytest.fixture
def on_windows(monkeypatch):
    byte_locks = ByteLocks()
    monkeypatch.setattr(system, "HERE", system.Windows(byte_locks))
    return byte_locks


def test_the_variant_of_this_machine_is_in_force():
    assert system.HERE.name == (sys.platform if sys.platform in ("win32", "darwin") else "linux")


@pytest.mark.parametrize(
    ("variant", "environ", "data", "config"),
    [
        (system.Linux(), {}, "/h/.local/share", "/h/.config"),
        (system.Linux(), {"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "relative"}, "/d", "/h/.config"),
        (system.MacOS(), {"XDG_DATA_HOME": "/d"}, *["/h/Library/Application Support"] * 2),
        (system.Windows(), {}, "/h/AppData/Local", "/h/AppData/Roaming"),
        (system.Windows(), {"LOCALAPPDATA": "/l", "APPDATA": "/r"}, "/l", "/r"),
    ],
)
def test_where_data_and_settings_are(variant, environ, data, config):
    home = Path("/h")
    assert variant.data_folder(home, environ).as_posix() == data
    assert variant.config_folder(home, environ).as_posix() == config


def test_a_command_line_is_read_as_the_systems_shell_would():
    line = r'"C:\Program Files\agent.exe" --print a\b'
    assert system.Windows().split(line) == [r"C:\Program Files\agent.exe", "--print", r"a\b"]
    assert system.Linux().split("'my agent' --print a\\ b") == ["my agent", "--print", "a b"]


def test_the_command_that_puts_a_backup_back_is_the_systems():
    assert system.Linux().put_back_command(BACKUP, BOOK).endswith(f" && mv '{BACKUP}' '{BOOK}'")
    assert system.Windows().put_back_command(BACKUP, BOOK).endswith(f' & move /Y "{BACKUP}" "{BOOK}"')


def test_file_modes_are_looked_at_where_they_mean_something(tmp_path):
    file = tmp_path / "key"
    file.touch(0o644)
    assert not system.Windows().readable_by_others(file)
    assert "icacls" in system.Windows().private_command(file)
    if sys.platform != "win32":
        assert system.Linux().readable_by_others(file)
        file.chmod(0o600)
        assert not system.Linux().readable_by_others(file)


def test_a_process_starts_in_a_group_of_its_own_and_is_ended():
    assert system.Windows().own_group() == {"creationflags": 0x200}
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], **system.HERE.own_group()) as process:
        assert not system.HERE.ended(process.pid)
        system.HERE.end_group(process, kill=True)
        process.wait(20)
    if sys.platform != "win32":
        assert system.HERE.ended(process.pid)
    killed = []
    system.Windows().end_group(SimpleNamespace(pid=1, kill=lambda: killed.append("yes")), kill=False)
    assert killed == ["yes"]
    assert not system.Windows().ended(1)


@pytest.mark.skipif(sys.platform == "win32", reason="simulated elsewhere; real there")
def test_locks_of_windows_keep_others_out_and_are_given_back(on_windows, tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "PATIENCE", 0.01)
    with locks.held(tmp_path / "lock"):
        with pytest.raises(StoreBusy), locks.held(tmp_path / "lock"):
            pass
        assert on_windows.holders
    assert not on_windows.holders
    with locks.held(tmp_path / "lock"):
        assert on_windows.holders


@pytest.mark.skipif(sys.platform == "win32", reason="simulated elsewhere; real there")
@pytest.mark.one_engine("the files of a SQLite book are what differs")
def test_a_book_works_with_the_windows_variant_of_everything(on_windows, tmp_path):
    settings = Settings(home=tmp_path / "home", embedder="none")
    with Commonplace.open(f"sqlite:///{tmp_path}/book.db", settings=settings) as book:
        kept = book.remember("Ada prefers trains to planes")
        gone = book.remember("The locker code is 4471")
        book.backup(tmp_path / "copy.backup")
        book.forget(gone.id)
        book.restore(tmp_path / "copy.backup")
        assert [memory.id for memory in book.browse()] == [kept.id]
        assert book.doctor(full=True).sound
        book.erase(confirm=True)
    assert on_windows.calls and not on_windows.holders
