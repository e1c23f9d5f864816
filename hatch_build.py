"""Write the commit into the package, and build the web page into it where npm is available.

An sdist and a released wheel carry the built page. A source install without Node works and has no page;
``COMMONPLACE_PAGE=required`` (set by tools/check_packages.py, which a release runs) makes a missing page an error.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

STATIC = Path("src/commonplace/interfaces/web/static")
BUILD = "commonplace/_build.py"


class Build(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare a wheel or an sdist; an editable install needs neither file."""
        if version == "editable":
            return
        self.write_commit(build_data)
        self.build_page()

    def write_commit(self, build_data: dict[str, Any]) -> None:
        """Add ``_build.py``. A wheel that is built from an sdist keeps the sdist's."""
        if (Path(self.root) / "src" / BUILD).exists():
            return
        file = Path(self.directory, "_build.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'COMMIT = "{commit(self.root)}"\n', "utf-8")
        build_data["force_include"][str(file)] = BUILD if self.target_name == "wheel" else f"src/{BUILD}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        Path(self.directory, "_build.py").unlink(missing_ok=True)

    def build_page(self) -> None:
        """Run the build of ``web/`` unless the page is built or its source is missing."""
        root = Path(self.root)
        source, page = root / "web" / "package.json", root / STATIC / "index.html"
        if page.exists() or not source.exists():
            return
        required = os.environ.get("COMMONPLACE_PAGE") == "required"
        npm = shutil.which("npm")
        if npm is None:
            if required:
                raise RuntimeError("building the page needs npm: install Node 20.19 or newer")
            print("npm not found: installing without the web page", file=sys.stderr)
            return
        install = "ci" if (source.parent / "package-lock.json").exists() else "install"
        try:
            for step in ([npm, install, "--no-audit", "--no-fund"], [npm, "run", "build"]):
                subprocess.run(step, cwd=source.parent, check=True)
        except subprocess.CalledProcessError as error:
            if required:
                raise
            print(f"the web page could not be built ({error}): installing without it", file=sys.stderr)
        if required and not page.exists():
            raise RuntimeError(f"`npm run build` in web/ left no {STATIC / 'index.html'}")


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """README with absolute links: a package index shows it without the files beside it."""
        text = Path(self.root, "README.md").read_text("utf-8")
        version = re.search(
            r'^__version__ = "(.+)"', Path(self.root, "src/commonplace/__init__.py").read_text("utf-8"), re.M
        )
        assert version is not None
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(text, metadata["urls"]["Repository"], f"v{version[1]}"),
        }


def absolute_links(text: str, repository: str, tag: str) -> str:
    """``text`` with its relative links and images pointing at ``tag`` in the repository."""
    images = repository.replace("github.com", "raw.githubusercontent.com")
    text = re.sub(r"(!\[[^\]]*\]\()(?![a-z]+:)", rf"\1{images}/{tag}/", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?![a-z]+:|#)", rf"\1{repository}/blob/{tag}/", text)


def commit(root: str) -> str:
    """The commit of the checkout; ``COMMONPLACE_COMMIT`` names it where there is no git, as in an image build."""
    if not Path(root, ".git").exists():
        return os.environ.get("COMMONPLACE_COMMIT", "")
    try:
        answer = subprocess.run(
            ["git", "-C", root, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return answer.stdout.strip()
