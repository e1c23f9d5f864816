"""A rolling restart under load: ``python -m tests.interfaces.rest.rolling [--servers 3] [--clients 6] [--restarts 6]``.

Several ``commonplace serve`` processes on one PostgreSQL book, each with a home of its own as on machines of their own,
are ended with SIGTERM and started again, one after the other. Meanwhile people write and recall, in their own
namespace and in a shared one. A request that is not answered goes to the next server, as a proxy does, with the same
``Idempotency-Key``, at most three times more. At the end everything acknowledged must be in the book once.
"""

import argparse
import base64
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
from benchmarks.postgres import database, server

from commonplace import Commonplace, Settings
from commonplace.runtime import Parts, open_parts
from commonplace.security.tokens import Accounts

REPEATED = {429, 502, 503, 504}
RETRIES, PAUSE, PATIENCE = 3, 0.25, 180
NAMESPACES = ("default", "team")


class Server:
    """One ``commonplace serve`` on a fixed port."""

    def __init__(self, url: str, master_key: str, home: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        settings = {"URL": url, "HOME": str(home), "MASTER_KEY": master_key, "RATE_LIMIT": "0", "LOG_LEVEL": "ERROR"}
        self._environ = {**os.environ, **{f"COMMONPLACE_{name}": value for name, value in settings.items()}}
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "commonplace", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self._environ, stdout=subprocess.DEVNULL)

    def wait(self) -> None:
        """Until it is ready, as a load balancer waits."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if httpx2.get(f"{self.address}/readyz").status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            time.sleep(0.1)
        raise RuntimeError(f"the server on port {self.port} does not get ready")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


@dataclass
class Client:
    """A person who writes and recalls until told to stop."""

    owner: str
    token: str
    addresses: list[str]
    stop: threading.Event
    acknowledged: dict[str, str] = field(default_factory=dict)
    """Text to namespace."""
    failed: list[str] = field(default_factory=list)
    retried: int = 0
    recalled: int = 0
    slowest: float = 0.0

    def run(self) -> None:
        chance = random.Random(self.owner)
        with httpx2.Client(headers={"Authorization": f"Bearer {self.token}"}, timeout=30) as http:
            for number in count():
                if self.stop.is_set():
                    return
                namespace = chance.choice(NAMESPACES)
                text = f"{self.owner} noted fact {number} about {uuid4().hex}"
                started = time.perf_counter()
                if self._sent(http, chance, "/v1/memories", namespace, {"text": text}):
                    self.acknowledged[text] = namespace
                if self._sent(http, chance, "/v1/recall", "default", {"query": f"what is fact {number}?"}):
                    self.recalled += 1
                self.slowest = max(self.slowest, time.perf_counter() - started)

    def _sent(self, http: httpx2.Client, chance: random.Random, path: str, namespace: str, body: Any) -> bool:
        headers = {"Idempotency-Key": uuid4().hex}
        first, problem = chance.randrange(len(self.addresses)), ""
        for attempt in range(RETRIES + 1):
            address = self.addresses[(first + attempt) % len(self.addresses)]
            self.retried += attempt > 0
            try:
                answer = http.post(address + path, params={"namespace": namespace}, json=body, headers=headers)
            except httpx2.TransportError as error:
                problem = type(error).__name__
            else:
                if answer.is_success:
                    return True
                problem = f"{answer.status_code} {answer.text[:120]}"
                if answer.status_code not in REPEATED:
                    break
            time.sleep(PAUSE * 2**attempt)
        self.failed.append(f"{path}: {problem}")
        return False


def people(parts: Parts, count: int) -> dict[str, str]:
    """Owners with a token each, members of one shared namespace."""
    names = [f"person-{number}" for number in range(count)]
    books = [Commonplace(parts, parts.scope(name, "default")) for name in names]
    for name, book in zip(names[1:], books[1:], strict=True):
        book.sharing.join(str(books[0].sharing.share("team", person=name).code))
    accounts = Accounts(parts.store, parts.keychain, parts.clock)
    return {name: accounts.issue(name, person=True).secret for name in names}


def stored(parts: Parts, owner: str, namespace: str) -> Counter[str]:
    book, texts, last = Commonplace(parts, parts.scope(owner, "default")).within(namespace), Counter[str](), None
    while page := book.browse(limit=500, after=last):
        texts.update(memory.text for memory in page)
        last = page[-1].id
    return texts


def roll(url: str, folder: Path, *, servers: int, clients: int, restarts: int) -> dict[str, Any]:
    master_key = base64.b64encode(os.urandom(32)).decode()
    parts = open_parts(url, Settings(home=folder / "home", master_key=master_key, late_interaction="off"))
    tokens = people(parts, clients)
    running: list[Server] = []
    stop = threading.Event()
    try:
        running += [Server(url, master_key, folder / f"home-{number}") for number in range(servers)]
        for process in running:
            process.wait()
        addresses = [process.address for process in running]
        callers = [Client(owner, token, addresses, stop) for owner, token in tokens.items()]
        threads = [threading.Thread(target=caller.run) for caller in callers]
        for thread in threads:
            thread.start()
        codes = []
        try:
            for number in range(restarts):
                process = running[number % servers]
                codes.append(process.stop())
                process.start()
                process.wait()
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    finally:
        for process in running:
            if process.process.poll() is None:
                process.stop()
    return {**_checked(parts, callers), "restarts": len(codes), "exit_codes": sorted(set(codes))}


def _checked(parts: Parts, callers: list[Client]) -> dict[str, Any]:
    team = stored(parts, callers[0].owner, "team")
    lost = twice = acknowledged = 0
    for caller in callers:
        books = {"default": stored(parts, caller.owner, "default"), "team": team}
        counts = [books[namespace][text] for text, namespace in caller.acknowledged.items()]
        acknowledged += len(counts)
        lost += counts.count(0)
        twice += sum(number > 1 for number in counts)
    parts.close()
    return {
        "acknowledged": acknowledged,
        "lost": lost,
        "twice": twice,
        "recalled": sum(caller.recalled for caller in callers),
        "retried": sum(caller.retried for caller in callers),
        "failed": [problem for caller in callers for problem in caller.failed],
        "slowest_seconds": round(max(caller.slowest for caller in callers), 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--restarts", type=int, default=6)
    parser.add_argument("--url", help="an empty database with pgvector; default: one on a server started here")
    options = parser.parse_args()
    sizes = {"servers": options.servers, "clients": options.clients, "restarts": options.restarts}
    with tempfile.TemporaryDirectory() as folder:
        if options.url:
            result = roll(options.url, Path(folder), **sizes)
        else:
            with server(Path(folder)) as admin:
                result = roll(database(admin, "rolling"), Path(folder), **sizes)
    print(json.dumps({**sizes, **result}, indent=1))
    return 1 if result["lost"] or result["twice"] or result["failed"] or result["exit_codes"] != [0] else 0


if __name__ == "__main__":
    sys.exit(main())
