"""The master key: its sources, and a recovery copy for people."""

import base64
import binascii
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from commonplace import system
from commonplace.errors import KeyringError

KEY_BYTES = 32
COMMAND_SECONDS = 30.0
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: without I, L, O and U, which people misread or mistype."""
READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1"})
LINES = 4
LINE_BYTES = KEY_BYTES // LINES
CHECK_BYTES = 2
LINE_LETTERS = (LINE_BYTES + CHECK_BYTES) * 8 // 5
GROUP = 4
WAITS = 25
WAIT_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class MasterKeySource:
    """Where to look for the master key; the first source that is set wins."""

    value: str | None = None
    """The key itself: hexadecimal, base64, or recovery text."""
    command: str | None = None
    """A command line that prints the key; run without a shell."""
    file: Path | None = None
    """A file with the key; created on first use."""

    def __repr__(self) -> str:
        origin = "value" if self.value else f"command={self.command!r}" if self.command else f"file={self.file}"
        return f"MasterKeySource({origin})"


def master_key(source: MasterKeySource, *, create: bool = True) -> bytes:
    """The 32 bytes that encrypt every owner's keys.

    A missing key file is created only with ``create``: pass False if a keyring exists, so that a lost file is reported
    and not replaced. Raises ``KeyringError``; no message contains key material.
    """
    if source.value:
        return parse_key(source.value, "the master key from the settings")
    if source.command:
        return parse_key(_command_output(source.command), "what the key command printed")
    if source.file is None:
        raise KeyringError("no master key is set: give it by environment, by key command or by key file")
    file = source.file
    try:
        return _read(file)
    except FileNotFoundError:
        if not create:
            raise KeyringError(
                f"the key file {file} is missing, and the book's keys need it; restore it, or enter the "
                "recovery copy with `commonplace keys restore`"
            ) from None
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(file)
        return _read(file)
    except OSError as fault:
        raise KeyringError(f"the key file {file} cannot be made: {fault.strerror or fault}") from fault


def parse_key(text: str, origin: str = "the master key") -> bytes:
    """Parse a key: 64 hexadecimal digits, base64 of 32 bytes, or recovery text."""
    bare = "".join(text.split())
    if len(bare) == 2 * KEY_BYTES and set(bare) <= set("0123456789abcdefABCDEF"):
        return bytes.fromhex(bare)
    if len(_letters(text)) == LINES * LINE_LETTERS:
        return from_recovery_text(text)
    try:
        key = base64.b64decode(bare.replace("-", "+").replace("_", "/") + "=" * (-len(bare) % 4), validate=True)
    except binascii.Error:
        key = b""
    if len(key) != KEY_BYTES:
        raise KeyringError(
            f"{origin} is not a key: it must be 64 hexadecimal digits, base64 of {KEY_BYTES} bytes or recovery text"
        )
    return key


def recovery_text(master: bytes) -> str:
    """The key in four lines of four groups, to be written down. Each line has its own checksum."""
    parts = (master[start : start + LINE_BYTES] for start in range(0, KEY_BYTES, LINE_BYTES))
    lines = (_spelled(part + _check(number, part)) for number, part in enumerate(parts, 1))
    return "\n".join("-".join(line[at : at + GROUP] for at in range(0, LINE_LETTERS, GROUP)) for line in lines)


def from_recovery_text(text: str) -> bytes:
    """Reverse of ``recovery_text``. Case, spaces and hyphens do not matter; ``#`` begins a comment.

    Raises ``KeyringError`` with the number of the first mistyped line.
    """
    letters = _letters(text)
    if len(letters) != LINES * LINE_LETTERS:
        raise KeyringError(
            f"a recovery text has {LINES * LINE_LETTERS} letters and digits in {LINES} lines, this one has "
            f"{len(letters)}; something is missing or written twice"
        )
    return b"".join(_line(number, letters) for number in range(1, LINES + 1))


def exposed(file: Path) -> bool:
    """Whether other users of this machine may read the key file. Always False on Windows, where it is unknown."""
    return system.HERE.readable_by_others(file)


def _line(number: int, letters: str) -> bytes:
    line = letters[(number - 1) * LINE_LETTERS : number * LINE_LETTERS]
    wrong = sorted(set(line) - set(ALPHABET))
    if wrong:
        raise KeyringError(f"line {number} of the recovery text holds {wrong[0]!r}, which is never part of it")
    value = 0
    for letter in line:
        value = value << 5 | ALPHABET.index(letter)
    data = value.to_bytes(LINE_BYTES + CHECK_BYTES)
    part, check = data[:LINE_BYTES], data[LINE_BYTES:]
    if check != _check(number, part):
        raise KeyringError(f"line {number} of the recovery text is mistyped, or not in its place; check it")
    return part


def _spelled(data: bytes) -> str:
    value = int.from_bytes(data)
    return "".join(ALPHABET[value >> shift & 31] for shift in range(len(data) * 8 - 5, -1, -5))


def _check(number: int, part: bytes) -> bytes:
    return blake2b(bytes([number]) + part, digest_size=CHECK_BYTES, person=b"commonplace/copy").digest()


def _letters(text: str) -> str:
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return "".join("".join(lines).split()).replace("-", "").upper().translate(READ_AS)


def _command_output(command: str) -> str:
    # imported late: few people use a key command, and hooks, which also import this, must be fast
    import subprocess  # noqa: PLC0415

    words = system.HERE.split(command)
    try:
        # No terminal and no standard input: an MCP server uses it for its protocol.
        completed = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS, check=True
        )
    except subprocess.TimeoutExpired:
        raise KeyringError(f"the key command {words[0]!r} did not answer within {COMMAND_SECONDS:.0f} s") from None
    except subprocess.CalledProcessError as fault:
        raise KeyringError(
            f"the key command {words[0]!r} failed with exit code {fault.returncode}; run it by hand to see why"
        ) from None
    except (OSError, IndexError) as fault:
        raise KeyringError(f"the key command cannot be run: {fault}") from fault
    return completed.stdout.decode("utf-8", "replace")


def write_key(file: Path, master: bytes) -> None:
    """Replace the key file atomically by ``master``; durable when it returns."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = _temporary_path(file)
    _write(fresh, master)
    fresh.replace(file)
    system.HERE.sync_folder(file.parent)


def _read(file: Path) -> bytes:
    # Where files cannot be linked, wait while another process is writing. A key file that a person wrote may lack the
    # line end: then this waits briefly in vain.
    text = ""
    try:
        for _ in range(WAITS):
            text = file.read_text("ascii")
            if text.endswith("\n"):
                break
            time.sleep(WAIT_SECONDS)
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as fault:
        raise KeyringError(f"the key file {file} cannot be read: {fault}") from fault
    if not text.strip():
        raise KeyringError(
            f"the key file {file} is empty; restore a copy, or enter the recovery copy with `commonplace keys "
            "restore`; delete it only if no book was ever written with it"
        )
    return parse_key(text, f"what the key file {file} holds")


def _make(file: Path) -> None:
    """Write the key to a temporary file, then link it in place: a second process finds the first one's key."""
    master, fresh = os.urandom(KEY_BYTES), _temporary_path(file)
    _write(fresh, master)
    try:
        os.link(fresh, file)
    except FileExistsError:
        return
    except OSError:
        with suppress(FileExistsError):
            _write(file, master)
    finally:
        fresh.unlink()
        system.HERE.sync_folder(file.parent)


def _write(file: Path, master: bytes) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(master.hex().encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())


def _temporary_path(file: Path) -> Path:
    return file.with_name(f".{file.name}.{os.getpid()}.{os.urandom(6).hex()}")
