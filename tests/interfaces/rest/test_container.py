"""The image and the compose file: read, checked, and their steps tried in a plain folder where that can be done."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from commonplace.settings import FIELDS, PREFIX

ROOT = Path(__file__).parents[3]
KNOWN = set("ARG FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK STOPSIGNAL CMD".split())


def steps() -> list[tuple[str, str]]:
    """Instructions and what follows them, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def of(word: str) -> list[str]:
    return [rest for found, rest in steps() if found == word]


def test_every_instruction_is_known_and_well_formed():
    assert {word for word, _ in steps()} <= KNOWN
    assert steps()[0][0] == "FROM"
    for base in of("FROM"):
        assert re.fullmatch(r"[\w./-]+:[\w.-]+( AS \w+)?", base), f"{base} has no fixed tag"
        assert ":latest" not in base
    for word in ("CMD",):
        for given in of(word):
            assert isinstance(json.loads(given), list), "as a list, so that signals reach the server itself"
    names = [base.rpartition(" AS ")[2] for base in of("FROM") if " AS " in base]
    for copied in of("COPY"):
        if source := re.search(r"--from=(\w+)", copied):
            assert source[1] in names


def test_what_is_copied_is_there_and_let_through():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    allowed = {line[1:] for line in ignored if line.startswith("!")}
    assert ignored[0] == "**", "everything is left out that is not named: no key, no book, no history gets in"
    for copied in of("COPY"):
        if "--from=" in copied:
            continue
        for source in copied.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert source.strip("/").split("/")[0] in allowed, source


def test_it_runs_as_nobody_special_and_stops_when_told():
    words = [word for word, _ in steps()]
    assert of("USER") == ["10001"] and words.index("USER") < words.index("CMD")
    assert any("useradd --system --uid 10001 " in step for step in of("RUN"))
    assert of("STOPSIGNAL") == ["SIGTERM"]
    assert "/readyz" in of("HEALTHCHECK")[0]
    for name in re.findall(PREFIX + r"(\w+)=", of("ENV")[0]):
        assert name.lower() in FIELDS


def test_the_compose_file_names_what_exists_and_holds_no_secret():
    made = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    assert set(made["services"]) == {"book", "database"} and set(made["volumes"]) == {"book", "database"}
    book = made["services"]["book"]
    for name, value in book["environment"].items():
        assert name.removeprefix(PREFIX).lower() in FIELDS, name
        if name.endswith(("KEY", "PASSWORD")):
            assert value.startswith("${"), "secrets come from outside"
    assert all(port.startswith("127.0.0.1:") for port in book["ports"]), "a proxy with TLS stands in front"
    assert book["read_only"] and book["cap_drop"] == ["ALL"]
    for service in made["services"].values():
        for mount in service["volumes"]:
            assert mount.split(":")[0] in made["volumes"]


@pytest.mark.slow
def test_the_install_step_works_in_a_plain_folder(tmp_path):
    """What the image's build copies is enough to make the package, the page included."""
    for copied in of("COPY"):
        if "--from=" in copied or copied.startswith("web/"):
            continue
        for source in copied.split()[:-1]:
            here, there = ROOT / source, tmp_path / source
            if here.is_dir():
                shutil.copytree(here, there, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            else:
                shutil.copy(here, there)
    (tmp_path / "src/commonplace/interfaces/web/static").mkdir(exist_ok=True)
    (tmp_path / "src/commonplace/interfaces/web/static/index.html").write_text("<!doctype html>")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wheel = next((tmp_path / "out").glob("*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    assert "commonplace/interfaces/web/static/index.html" in names
    assert "commonplace/interfaces/rest/application.py" in names
