"""What the package asks of those who install it, and what it carries."""

import importlib.util
import re
import sys
import tomllib
import types
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

import commonplace
from commonplace.interfaces.cli import version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def plain(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return {plain(line): line for line in lines if line and not line.startswith("#")}


def test_the_core_has_at_most_ten_direct_dependencies():
    assert len(PROJECT["dependencies"]) <= 10


def test_every_direct_dependency_is_pinned_to_one_version_and_no_address():
    extras = PROJECT["optional-dependencies"].values()
    wanted = {plain(one) for one in [*PROJECT["dependencies"], *(one for extra in extras for one in extra)]}
    assert sorted(wanted - {"commonplace-memory"} - set(pins())) == []
    assert [line for line in pins().values() if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


@pytest.mark.parametrize("extra", [None, "server", "postgres", "metrics"])
def test_what_the_package_declares_is_what_is_installed(extra):
    declared = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    assert [one for one in declared if metadata.version(plain(one)) is None] == []


def test_the_changelog_speaks_of_this_version():
    assert re.search(rf"^## {re.escape(commonplace.__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert metadata.version("commonplace-memory") == commonplace.__version__


@pytest.mark.parametrize("folder", sorted((ROOT / "packages").glob("commonplace*")), ids=lambda path: path.name)
def test_the_other_packages_are_released_with_the_library_and_say_as_much_of_themselves(folder):
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    for same in ("requires-python", "license", "authors"):
        assert project[same] == PROJECT[same]
    assert set(project["urls"]) == set(PROJECT["urls"])
    pythons = {one for one in PROJECT["classifiers"] if "Python ::" in one}
    assert pythons and pythons <= set(project["classifiers"])
    assert (folder / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    (library,) = (Requirement(one) for one in project["dependencies"] if one.startswith("commonplace-memory"))
    assert library.specifier and library.specifier.contains(commonplace.__version__)
    assert metadata.version(project["name"]) == commonplace.__version__
    assert not re.search(r"\]\((?![a-z]+:|#)", (folder / "README.md").read_text("utf-8")), "a link is not absolute"


def test_types_and_licences_travel_with_the_package():
    assert (ROOT / "src/commonplace/py.typed").is_file()
    assert [path for path in PROJECT["license-files"] if not (ROOT / path).is_file()] == []
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")


def test_the_readme_of_a_package_has_absolute_links_only():
    build = load(ROOT / "hatch_build.py")
    text = "![a](docs/a.png) [b](docs/b.md) [c](https://example.org/c) [d](#d)"
    links = build.absolute_links(text, "https://github.com/them/it", "v1")
    assert links == (
        "![a](https://raw.githubusercontent.com/them/it/v1/docs/a.png) [b](https://github.com/them/it/blob/v1/docs/b.md)"
        " [c](https://example.org/c) [d](#d)"
    )


def test_the_wheel_would_carry_everything_it_needs_and_the_sdist_the_whole_tree():
    """A slice of ``make packages``: what would be packed, without packing 27 MB."""
    tool = load(ROOT / "tools" / "check_packages.py")
    made_by_building = ("commonplace/_build.py", "commonplace/interfaces/web/static/index.html")
    wheel = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    required = [name for name in tool.CONTENTS if name not in made_by_building]
    assert [name for name in required if not any(path.startswith(name) for path in wheel)] == []
    sdist = {Path(file.distribution_path).parts[0] for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    generated = {
        ".git",
        ".venv",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        "build",
        "dist",
        "shared",
    }
    present = {path.name for path in ROOT.iterdir()} - generated - {"PKG-INFO", "__pycache__"}
    assert sorted(present - sdist - {"pyproject.toml", ".gitignore"}) == []


def test_a_wheel_without_the_page_is_noticed(tmp_path):
    tool = load(ROOT / "tools" / "check_packages.py")
    with zipfile.ZipFile(tmp_path / "commonplace_memory-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("commonplace/py.typed", "")
    with pytest.raises(tool.CheckFailed, match=r"static/index\.html"):
        tool.check_contents(tmp_path / "commonplace_memory-1.0-py3-none-any.whl")


def test_the_slice_for_the_sdist_names_files_that_exist():
    tool = load(ROOT / "tools" / "check_packages.py")
    assert [path for path in tool.SLICE if not (ROOT / path).is_file()] == []


def test_the_version_names_the_commit_and_the_engines(monkeypatch):
    text = version.text()
    assert text.startswith(f"commonplace {commonplace.__version__} (commit ")
    assert re.search(r"SQLite 3\.\d+\.\d+, apsw 3\.", text) and "libpq" in text and "onnxruntime" in text
    monkeypatch.setitem(sys.modules, "commonplace._build", types.SimpleNamespace(COMMIT="0123456789ab"))
    assert "(commit 0123456789ab;" in version.text()
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "libpq not installed" in version.text()


def load(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
