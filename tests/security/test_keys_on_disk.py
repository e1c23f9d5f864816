"""The keychain on the keyring file that a real book has beside it."""

import os
import subprocess
import sys

import pytest

from commonplace.errors import KeyringError
from commonplace.security.keys import Keychain
from commonplace.security.vault import Vault
from commonplace.store.sqlite.keyring_store import FileKeyring

MASTER = bytes(range(32))
FIRST_USE = """
import sys
from pathlib import Path

from commonplace.security.keys import Keychain
from commonplace.store.sqlite.keyring_store import FileKeyring

chain = Keychain(FileKeyring(Path(sys.argv[1])), bytes(range(32)))
sys.stdin.readline()
print(chain.of("ada").blind.hex(), chain.rotate_seal("ada"))
"""


def test_processes_that_start_together_agree_and_lose_no_rotation(tmp_path):
    command = [sys.executable, "-c", FIRST_USE, str(tmp_path / "keyring")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, env=environment, **pipes) for _ in range(4)]  # type: ignore[call-overload]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate()[0].split() for process in processes]
    assert len({blind for blind, _ in answers}) == 1
    assert sorted(int(number) for _, number in answers) == [2, 3, 4, 5]


def test_an_old_copy_of_the_rows_cannot_be_read_once_the_keys_are_destroyed(tmp_path):
    path = tmp_path / "keyring"
    chain = Keychain(FileKeyring(path), MASTER)
    row = Vault("ada", chain.of("ada")).seal("memory", "m1", b"trains")
    neighbour = Vault("bob", chain.of("bob")).seal("memory", "m1", b"planes")
    record = FileKeyring(path).get("ada")
    assert Vault("ada", chain.fresh("ada")).open("memory", "m1", row) == b"trains"
    chain.destroy("ada")
    later = Keychain(FileKeyring(path), MASTER)
    with pytest.raises(KeyringError):
        later.fresh("ada")
    with pytest.raises(KeyringError):
        Vault("ada", later.of("ada")).open("memory", "m1", row)
    assert FileKeyring(path).get("ada") != record
    assert Vault("bob", later.of("bob")).open("memory", "m1", neighbour) == b"planes"
