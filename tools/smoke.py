"""Try an installed package: keep, find, serve, and look for the page and the models. Run outside the checkout.

Embedders that other packages bring into the same environment must answer too.
"""

import json
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import entry_points
from pathlib import Path

import commonplace
from commonplace import Commonplace, Message
from commonplace.providers.embed.choose import embedder


def main() -> int:
    home = Path(commonplace.__file__).parent
    assert "site-packages" in home.parts, f"this is not an installed package: {home}"
    with Commonplace.open(owner="ada") as book:
        book.remember("Ada prefers trains to planes", category="preference")
        book.observe([Message("My manager is Marco.", speaker="Ada")])
        assert any("trains" in hit.memory.text for hit in book.recall("how does Ada travel?"))
        assert any("Marco" in hit.memory.text for hit in book.recall("who is the manager?"))
    for plugin in entry_points(group="commonplace.embedders"):
        (vector,) = embedder(plugin.name).embed(["trains"])
        assert any(vector), f"the embedder {plugin.name} answers with nothing"
    program = str(Path(sys.executable).with_name("commonplace"))
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    doctor = subprocess.run([program, "doctor", "--full", "--json"], capture_output=True, text=True, check=True).stdout
    report = json.loads(doctor)
    assert {"embedder", "judge"} <= set(report["checks"])
    wrong = [symptom for symptom in report["symptoms"] if symptom["check"] in ("embedder", "judge")]
    assert not wrong, wrong
    assert report["sound"]
    served(program)
    print(version)
    return 0


def served(program: str) -> None:
    """Start the server on a free port; it must answer and carry its page."""
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [program, "serve", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert b"ok" in answer(f"http://127.0.0.1:{port}/healthz")
        assert b"<div id=" in answer(f"http://127.0.0.1:{port}/"), "the page is missing"
    finally:
        server.terminate()
        server.wait(120)


def answer(url: str) -> bytes:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5) as response:
                return bytes(response.read())
        except OSError:  # refused, cut off, or too slow to answer yet
            time.sleep(0.2)
    raise AssertionError(f"no answer from {url}")


if __name__ == "__main__":
    sys.exit(main())
