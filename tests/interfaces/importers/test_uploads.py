"""Files that arrive over the network stay inside their folder and within bounds."""

import zipfile
from pathlib import Path

import pytest

from commonplace.errors import Invalid
from commonplace.interfaces.importers import uploads

pytestmark = pytest.mark.one_engine("reads files and opens no book")


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_a_zip_stays_inside_its_folder_and_only_text_comes_out(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    names = {"../../escaped.md": b"# A", "/etc/b.md": b"# B", "picture.png": b"x", "notes/c.md": b"# C"}
    folder = uploads.unpacked(zipped(inner / "vault.zip", **names))
    out = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert out == {"escaped.md", "etc/b.md", "notes/c.md"}
    assert {path.name for path in tmp_path.iterdir()} == {"inner"}


def test_what_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    small = zipped(tmp_path / "a.zip", **{"a.md": b"x" * 900})
    monkeypatch.setattr(uploads, "MOST_BYTES", 1000)
    assert uploads.unpacked(small).is_dir()
    with pytest.raises(Invalid, match="at most"):
        uploads.unpacked(zipped(tmp_path / "b.zip", **{"a.md": b"x" * 600, "b.md": b"x" * 600}))


def test_a_damaged_zip_is_refused_in_words(tmp_path):
    file = zipped(tmp_path / "a.zip", **{"a.md": b"# A" * 500})
    content = bytearray(file.read_bytes())
    content[40:60] = bytes(20)
    file.write_bytes(content)
    with pytest.raises(Invalid) as caught:
        uploads.unpacked(file)
    assert caught.value.code == "damaged_zip"


@pytest.mark.parametrize(
    ("name", "safe"), [("../../x.zip", "x.zip"), ("C:\\a b.md", "a_b.md"), (".hidden", "hidden"), ("..", "upload")]
)
def test_names_are_harmless(name, safe):
    assert uploads.upload_name(name) == safe


def test_databases_are_not_uploaded():
    uploads.require_format("mem0")
    with pytest.raises(Invalid):
        uploads.require_format("claude-mem")
