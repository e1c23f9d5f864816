"""What the package asks of those who install it, and what it carries."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

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
    assert sorted(wanted - {"commonplace"} - set(pins())) == []
    assert [line for line in pins().values() if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


@pytest.mark.parametrize("extra", [None, "server", "postgres", "neural", "metrics"])
def test_what_the_package_declares_is_what_is_installed(extra):
    declared = PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    assert [one for one in declared if metadata.version(plain(one)) is None] == []


def test_the_changelog_speaks_of_this_version():
    assert re.search(rf"^## {re.escape(PROJECT['version'])}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert metadata.version("commonplace") == PROJECT["version"]


def test_types_and_licences_travel_with_the_package():
    assert (ROOT / "src/commonplace/py.typed").is_file()
    assert [path for path in PROJECT["license-files"] if not (ROOT / path).is_file()] == []
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")
