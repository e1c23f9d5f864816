"""Builds the web page into the package. An sdist carries the result, so installing from it needs no Node."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/commonplace/interfaces/web/static")


class WebPage(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run the build of ``web/`` unless its result is here, its source is not, or the install is editable."""
        root = Path(self.root)
        source, result = root / "web" / "package.json", root / STATIC / "index.html"
        if version == "editable" or result.exists() or not source.exists():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("building the page needs npm: install Node, or build from an sdist, which has the page")
        install = "ci" if (source.parent / "package-lock.json").exists() else "install"
        for step in ([npm, install, "--no-audit", "--no-fund"], [npm, "run", "build"]):
            subprocess.run(step, cwd=source.parent, check=True)
        if not result.exists():
            raise RuntimeError(f"`npm run build` in web/ left no {STATIC / 'index.html'}")
