"""Build every package, install the wheels in clean environments, try them, and run the tests from the sdist.

The packages are the one of this repository's root and those in packages/.

    python tools/check_packages.py                       # every Python 3.11 to 3.14 on this machine
    python tools/check_packages.py --python 3.13         # one of them
    python tools/check_packages.py --tests whole         # the whole suite from the unpacked sdist

Needs the packages of the `dev` extra and a package index. Writes only to a temporary folder (or `--keep FOLDER`).
"""

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# What a wheel without one of these would only miss when somebody uses it.
CONTENTS = (
    "commonplace/_build.py",
    "commonplace/py.typed",
    "commonplace/interfaces/web/static/index.html",
    "commonplace/providers/embed/models/minilm-l6-v2-int8.onnx",
    "commonplace/providers/embed/models/static-256-vectors.npy",
    "commonplace/providers/judge/models/",
    "commonplace/store/migrations/",
)
# Tests that read the most of the tree, and each interface once. No git, no browser, no PostgreSQL.
SLICE = (
    "tests/test_documented.py",
    "tests/test_frozen.py",
    "tests/test_layers.py",
    "tests/test_packaging.py",
    "tests/test_public_api.py",
    "tests/test_workplace.py",
    "tests/interfaces/cli/test_program.py",
    "tests/interfaces/hosts/test_setup.py",
    "tests/store/test_migrations.py",
)


class CheckFailed(Exception):
    """A package that nobody should publish."""


def run(*command: object, cwd: Path | None = None, **environment: str) -> str:
    """Run a command; its output when it succeeds, an error with the end of it when it does not."""
    words = [str(word) for word in command]
    outer = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "PYTHON"))}
    completed = subprocess.run(
        words,
        cwd=cwd,
        env=outer | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if completed.returncode != 0:
        raise CheckFailed(f"{' '.join(words)}\n{completed.stdout[-4000:]}")
    return completed.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from the sdist, as those do who install one."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT, COMMONPLACE_PAGE="required")
    (sdist,) = folder.glob("*.tar.gz")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=unpack(sdist, folder / "source"))
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def build_others(source: Path, folder: Path) -> list[Path]:
    """Sdist and wheel of each package below packages/ in the unpacked sdist."""
    before = set(folder.iterdir())
    for project in sorted(source.glob("packages/*/pyproject.toml")):
        run(sys.executable, "-m", "hatchling", "build", "-d", folder.resolve(), cwd=project.parent)
    return sorted(set(folder.iterdir()) - before)


def unpack(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return folder / sdist.name.removesuffix(".tar.gz")


def check_contents(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    missing = [name for name in CONTENTS if not any(entry.startswith(name) for entry in names)]
    foreign = [name for name in names if name.startswith(("tests/", "web/", "docs/"))]
    if missing or foreign:
        raise CheckFailed(f"{wheel.name}: missing {missing}, does not belong there {foreign[:5]}")


def check_metadata(files: list[Path]) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", *files)


def interpreters(versions: list[str]) -> dict[str, str]:
    """A program for each Python version that runs on this machine: on the path, of pyenv or of uv."""
    programs = {}
    for version in versions:
        homes = (Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python")
        installed = [str(path) for home in homes for path in sorted(home.glob(f"*{version}.*/bin/python"))]
        program = next(filter(partial(_is_python, version), [sys.executable, f"python{version}", *installed]), None)
        if program is not None:
            programs[version] = program
    return programs


def _is_python(version: str, program: str) -> bool:
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([program, "-c", code], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer.stdout.strip() == version


def try_out(python: str, wheels: list[Path], folder: Path) -> str:
    """Install ``wheels``, the library first, in an environment of its own and run tools/smoke.py there."""
    run(python, "-m", "venv", folder)
    clean = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (
        clean / "python",
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "-q",
        "-c",
        ROOT / "constraints.txt",
    )
    run(*pip, f"{wheels[0]}[server,postgres,metrics,traces]", *wheels[1:])
    home = folder / "home"
    return run(clean / "python", ROOT / "tools" / "smoke.py", cwd=folder, COMMONPLACE_HOME=str(home))


def test_from_sdist(source: Path, which: str) -> str:
    """Run the tests in the unpacked sdist, where there is no git, with this environment's tools."""
    chosen = ("--ignore", "tests/web") if which == "whole" else SLICE
    words = ("-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider")
    output = run(sys.executable, *words, *chosen, cwd=source, PYTHONPATH=str(source / "src"))
    return output.strip().splitlines()[-1]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", metavar="VERSION", help="default: every one from 3.11 to 3.14")
    parser.add_argument("--tests", choices=("none", "slice", "whole"), default="slice", help="which tests of the sdist")
    parser.add_argument("--no-install", action="store_true", help="build and check, but install nothing")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="build here and leave it")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="packages-") as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            check(options, folder)
        except CheckFailed as error:
            print(error, file=sys.stderr)
            return 1
    return 0


def check(options: argparse.Namespace, folder: Path) -> None:
    sdist, wheel = build(folder)
    check_contents(wheel)
    source = folder / "source" / sdist.name.removesuffix(".tar.gz")
    files = [sdist, wheel, *build_others(source, folder)]
    print(", ".join(f"{file.name} {file.stat().st_size / 1e6:.1f} MB" for file in files))
    check_metadata(files)
    wheels = [wheel, *(file for file in files[2:] if file.suffix == ".whl")]
    print("metadata: OK")
    versions = options.python or list(VERSIONS)
    available = interpreters(versions)
    for version in versions if not options.no_install else ():
        if version in available:
            print(f"Python {version}: {try_out(available[version], wheels, folder / version).strip()}")
        else:
            print(f"Python {version}: not on this machine, not tried")
    if options.tests != "none":
        print(f"tests from the sdist: {test_from_sdist(source, options.tests)}")


if __name__ == "__main__":
    sys.exit(main())
