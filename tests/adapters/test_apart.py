"""Adapters for frameworks that cannot be installed beside the others: each runs with packages of its own.

The packages lie in a folder of the environment, in front of it on the path, and are installed once. Only what differs
from the environment is installed, and nothing that its memory does not need (of CrewAI, a vector store and readers of
documents).
"""

import hashlib
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "apart"
SOURCE = Path(__file__).parents[2] / "src"
PACKAGES = {
    # mcp is older than ours there
    "strands": """strands-agents==1.62.0 mcp==2.1.1 mcp-types==2.1.1 boto3==1.44.0 botocore==1.44.0 s3transfer==0.19.3
        jmespath==1.1.0 six==1.17.0 opentelemetry-instrumentation==0.65b0
        opentelemetry-instrumentation-threading==0.65b0""",
    # protobuf is older than ADK's there
    "autogen": "autogen-agentchat==0.7.5 autogen-core==0.7.5 jsonref==1.1.0 protobuf==5.29.6",
    # asks for older versions of pydantic, openai and mcp, which its memory does not use
    "crewai": """aiofiles==25.1.0 appdirs==1.4.4 cel-python==0.5.0 chromadb==1.5.9 crewai-cli==1.15.30
        crewai-core==1.15.30 crewai==1.15.30 googleapis-common-protos==1.76.0 instructor==1.17.0 json5==0.17.3
        json_repair==0.64.2 jsonref==1.1.0 opentelemetry-exporter-otlp-proto-common==1.44.0
        opentelemetry-exporter-otlp-proto-http==1.44.0 opentelemetry-proto==1.44.0 overrides==7.7.0
        portalocker==4.4.2 pybase64==1.5.1 pydantic-settings==2.16.2 tomli==2.5.0 tomli_w==1.2.0""",
}

pytestmark = [
    pytest.mark.one_engine("another process; the adapters' calls are those of the others, which run on both"),
    pytest.mark.slow,
    pytest.mark.timeout(600),  # the first run installs packages
]


def installed(name: str) -> Path:
    """The folder with a framework's packages; made where it is missing."""
    packages = PACKAGES[name].split()
    digest = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    folder = Path(sys.prefix) / "apart" / f"{name}-{digest}"
    if folder.exists():
        return folder
    fresh = folder.with_name(f"{name}-{uuid.uuid4().hex}")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(fresh), *packages]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    if result.returncode:
        pytest.skip(f"{name} cannot be installed here: {result.stderr.strip().splitlines()[-1]}")
    fresh.rename(folder)
    return folder


@pytest.mark.parametrize("name", PACKAGES)
def test_the_adapter_works_with_the_real_package(name: str, tmp_path: Path) -> None:
    path = os.pathsep.join([str(installed(name)), str(SOURCE)])
    quiet = {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false"}
    environment = {**os.environ, **quiet, "PYTHONPATH": path, "HOME": str(tmp_path)}
    command = [sys.executable, str(SCRIPTS / f"{name}_memory.py"), str(tmp_path / "book")]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr[-4000:]
