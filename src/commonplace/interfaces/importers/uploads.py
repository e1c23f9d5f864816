"""Files of other programs that arrive over the network: written to a private folder, unpacked within bounds."""

import re
import zipfile
from pathlib import Path, PurePosixPath

from commonplace.errors import Invalid
from commonplace.interfaces.importers.formats import FORMATS

UPLOADED = tuple(name for name in FORMATS if name not in ("claude-mem", "mcp-memory-service"))
"""Formats that a server reads. The others are databases, which are opened only on the machine they come from."""
MOST_BYTES = 256 * 1024 * 1024
MOST_FILES = 20_000
ENDINGS = (".json", ".jsonl", ".md", ".mdc", ".af", ".txt")


def require_format(format: str) -> None:
    """Raise ``Invalid`` for a format that cannot be uploaded."""
    if format not in UPLOADED:
        raise Invalid(f"no uploaded format is called {format[:40]!r}; there are {', '.join(UPLOADED)}")


def upload_name(name: str) -> str:
    """The last part of a file's name, in harmless characters."""
    return re.sub(r"[^\w.-]+", "_", PurePosixPath(name.replace("\\", "/")).name).lstrip(".") or "upload"


def too_large() -> Invalid:
    return Invalid(
        f"an upload holds at most {MOST_BYTES // 2**20} MiB", code="upload_too_large", most=MOST_BYTES // 2**20
    )


def unpacked(file: Path) -> Path:
    """The file itself, or the folder that a zip was unpacked into. Raises ``Invalid`` for what is too large or damaged.

    Only text files come out, each inside the folder whatever its name says.
    """
    if not zipfile.is_zipfile(file):
        return file
    folder = file.with_name("unpacked")
    left = MOST_BYTES
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.lower().endswith(ENDINGS)]
            if len(entries) > MOST_FILES:
                raise too_large()
            for entry in entries:
                left -= entry.file_size
                if left < 0:
                    raise too_large()
                archive.extract(entry, folder)  # which drops drive letters and ".."
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as fault:
        raise Invalid("the zip file cannot be read; it is damaged or has a password", code="damaged_zip") from fault
    folder.mkdir(exist_ok=True)
    return folder
