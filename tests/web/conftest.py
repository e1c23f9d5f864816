"""The page in a real browser against the real server: Debian's Chromium, uvicorn in a thread, a book on disk."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2 as httpx
import pytest

from commonplace import Commonplace, Settings
from commonplace.runtime import Parts, open_parts
from commonplace.security.tokens import Accounts
from commonplace.testing.clock import StoppedClock

from .story import tell

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
STATIC = ROOT / "src/commonplace/interfaces/web/static"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-dev-shm-usage""".split()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.one_engine("the page sees REST and no engine; `either` takes flows to both"))


@pytest.fixture(scope="session")
def built() -> Path:
    """The page as it is built from the sources that lie here now."""
    index = STATIC / "index.html"
    sources = [*(WEB / "src").rglob("*"), WEB / "index.html", WEB / "package.json", WEB / "vite.config.ts"]
    newest = max(one.stat().st_mtime for one in sources)
    if not index.exists() or index.stat().st_mtime < newest:
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("the page is not built, and there is no npm to build it")
        if not (WEB / "node_modules").exists():
            subprocess.run([npm, "install", "--no-audit", "--no-fund"], cwd=WEB, check=True, capture_output=True)
        subprocess.run([npm, "run", "build"], cwd=WEB, check=True, capture_output=True)
    return STATIC


@dataclass(frozen=True)
class Site:
    """A running server, one owner's way into their book, and the secret that signs in."""

    url: str
    secret: str
    parts: Parts
    owner: str

    @property
    def book(self) -> Commonplace:
        """The book as the person at the page sees it."""
        return self.at("default")

    def at(self, namespace: str) -> Commonplace:
        scope = self.parts.scope(self.owner, namespace)
        return Commonplace(self.parts, scope).acting_as("page", source="user", person=True)

    @property
    def agent(self) -> Commonplace:
        """The same book as an agent writes to it."""
        return self.book.acting_as("agent", source="assistant", person=False)

    def earlier(self, **by: float) -> Commonplace:
        """The book as the person wrote in it some time ago."""
        clock = StoppedClock(datetime.now(UTC) - timedelta(**by))
        scope = replace(self.book._scope, clock=clock)
        return Commonplace(replace(self.parts, clock=clock), scope)

    def session(self) -> dict[str, Any]:
        """A session of the page, as the browser keeps it."""
        answer = httpx.post(f"{self.url}/v1/session", headers={"Authorization": f"Bearer {self.secret}"})
        cookie = {"httpOnly": True, "secure": False, "sameSite": "Strict", "expires": -1}
        cookies = [{"name": name, "value": value, "url": self.url, **cookie} for name, value in answer.cookies.items()]
        kept = [{"name": "commonplace.session", "value": answer.text}]
        return {"cookies": cookies, "origins": [{"origin": self.url, "localStorage": kept}]}

    def another(self, owner: str) -> "Site":
        """The same server for another owner, whose book is empty."""
        return Site(self.url, signed(self.parts, owner), self.parts, owner)


def signed(parts: Parts, owner: str) -> str:
    """A secret that signs this owner in as a person."""
    accounts = Accounts(parts.store, parts.keychain, parts.clock)
    return accounts.issue(owner, name="page", scope="admin", person=True).secret


@contextmanager
def serving(url: str, home: Path, *, mcp: bool = False, **settings: Any) -> Iterator[Site]:
    import uvicorn

    from commonplace.interfaces.rest import app

    parts = open_parts(url, Settings(home=home, owner="ada", rate_limit=0, **settings))
    made = app(parts, mcp=mcp)
    config = uvicorn.Config(made, port=0, log_config=None, access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    socket = config.bind_socket()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    try:
        yield Site(f"http://127.0.0.1:{socket.getsockname()[1]}", signed(parts, "ada"), parts, "ada")
    finally:
        made.state.service.stopping.set()
        server.should_exit = True
        thread.join(10)
        socket.close()
        parts.close()


@pytest.fixture(scope="session")
def shared_server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all: every test is another owner, who sees nothing of the others."""
    home = tmp_path_factory.mktemp("server")
    with serving(f"sqlite:///{home}/book.db", home) as running:
        yield running


@pytest.fixture
def site(shared_server: Site) -> Site:
    """An empty book on the running server."""
    return shared_server.another(f"ada-{uuid4().hex[:8]}")


@pytest.fixture(scope="session")
def postgres_site(built: Path, postgres_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The same on PostgreSQL."""
    with postgres_server.database() as name:
        url = postgres_server.url(name, user="commonplace_tester")
        with serving(url, tmp_path_factory.mktemp("postgres-site")) as running:
            yield running


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def either(request: pytest.FixtureRequest) -> Site:
    """An empty book, once per engine."""
    running: Site = request.getfixturevalue("shared_server" if request.param == "sqlite" else "postgres_site")
    return running.another(f"ada-{uuid4().hex[:8]}")


@pytest.fixture(scope="session")
def told(shared_server: Site) -> Site:
    """A book with a life in it, for tests that only look."""
    site = shared_server.another("ada-told")
    tell(site.book, site.agent)
    return site


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


Opener = Callable[..., Any]
IDLE = 4
"""Tabs that are kept for the tests to come; each has a process."""


class Tabs:
    """Tabs that tests use one after another, emptied in between: a new one takes longer than most tests.

    Each has a context of its own. ``fresh`` ones, for tests that look at the first load or change the tab itself, are
    closed afterwards.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._idle: list[tuple[str, Any]] = []

    def take(self, options: dict[str, Any], *, fresh: bool) -> Any:
        look = repr(sorted(options.items()))
        for at, (kind, page) in enumerate(self._idle):
            if kind == look and not fresh:
                del self._idle[at]
                page.set_viewport_size(options["viewport"])
                return page
        return self._browser.new_context(**options).new_page()

    def give_back(self, page: Any, options: dict[str, Any], *, fresh: bool) -> None:
        if fresh:
            page.context.close()
            return
        page.context.set_offline(False)
        page.unroute_all()
        page.goto("about:blank")
        self._idle.append((repr(sorted(options.items())), page))
        if len(self._idle) > IDLE:
            self._idle.pop(0)[1].context.close()


@pytest.fixture(scope="session")
def tabs(chromium: Any) -> Tabs:
    return Tabs(chromium)


EMPTY = """kept => {
  sessionStorage.clear();
  localStorage.clear();
  for (const { name, value } of kept) localStorage.setItem(name, value);
}"""


def enter(page: Any, site: Site, *, signed: bool) -> None:
    """Leave nothing of an earlier test in the tab, and sign in."""
    state = site.session() if signed else {"cookies": [], "origins": [{"localStorage": []}]}
    page.context.clear_cookies()
    page.context.add_cookies(state["cookies"])
    page.goto(f"{site.url}/icon.svg")
    page.evaluate(EMPTY, state["origins"][0]["localStorage"])


@pytest.fixture
def browse(tabs: Tabs, site: Site) -> Iterator[Opener]:
    """Open a tab, signed in unless told otherwise. An error it logs, or a request to another host, fails the test."""
    faults: list[str] = []
    opened: list[tuple[Any, dict[str, Any], bool, dict[str, Callable[[Any], Any]]]] = []

    def opener(
        at: str = "#/",
        *,
        signed: bool = True,
        on: Site = site,
        errors: bool = False,
        fresh: bool = False,
        **options: Any,
    ) -> Any:
        given = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "color_scheme": "light", **options}
        page = tabs.take(given, fresh=fresh)
        page.set_default_timeout(10_000)
        enter(page, on, signed=signed)
        listeners: dict[str, Callable[[Any], Any]] = {
            "request": lambda one: one.url.startswith((on.url, "data:", "blob:")) or faults.append(one.url),
            "pageerror": lambda error: faults.append(str(error)),
            "dialog": lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()),
        }
        if not errors:
            listeners["response"] = lambda one: one.status >= 400 and faults.append(f"{one.status} {one.url}")
            listeners["console"] = lambda one: (
                one.type == "error" and "load resource" not in one.text and faults.append(one.text)
            )
        for event, listener in listeners.items():
            page.on(event, listener)
        opened.append((page, given, fresh, listeners))
        page.goto(f"{on.url}/{at}")
        page.get_by_role("heading", level=1).wait_for()
        return page

    yield opener
    for page, given, fresh, listeners in opened:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        tabs.give_back(page, given, fresh=fresh)
    assert faults == []


@pytest.fixture(scope="session")
def axe(built: Path) -> Callable[..., list[str]]:
    """What axe-core holds against a page, serious or critical, in words: by all its rules, or by those named."""
    source = (WEB / "node_modules/axe-core/axe.min.js").read_text("utf-8")

    def run(page: Any, *rules: str) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
        found = page.evaluate("(options) => axe.run(document, options)", options)["violations"]
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")
        ]

    return run


def words(language: str) -> dict[str, str]:
    """What the page says in a language."""
    table: dict[str, str] = json.loads((WEB / f"src/i18n/{language}.json").read_text("utf-8"))
    return table
