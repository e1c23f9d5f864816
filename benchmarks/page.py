"""The page with 100,000 memories in a real browser: ``python benchmarks/page.py [--book FOLDER] [--memories 100000]``.

A book is filled (or, with ``--book``, filled once and used again), the real server is started on it and Chromium opens
each screen five times with an empty cache. Said are: the first useful paint (from the start of the navigation until
the first frame that shows what the screen is for), the processor time until then of the page's main thread, of the
whole page with its workers and of the server, frames over 50 ms while scrolling through 200 pages of the list and while
a graph of 5,000 names finds its place and is moved, how often it is painted anew meanwhile, and the gzip bytes of the
first screen.
"""

import argparse
import gzip
import os
import platform
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import httpx2

sys.path[:0] = ["."]

from benchmarks.apart import server  # noqa: E402
from benchmarks.corpus import texts, words  # noqa: E402

from commonplace import Commonplace, Message, Settings  # noqa: E402
from commonplace.interfaces.web import folder  # noqa: E402
from commonplace.model import CATEGORIES  # noqa: E402
from commonplace.runtime import open_parts  # noqa: E402
from commonplace.testing.clock import StoppedClock  # noqa: E402

HERE = Path(__file__).parent
NAMES = 5_000
"""Entities of the graph, with about two relations each."""
SCREENS = {
    "Home": ("#/", ".home-grid .lines a"),
    "Home, an answer": ("#/?q=baba+cece", ".hits .memory-text"),
    "Memories": ("#/memories", ".memory-row .memory-text"),
    "Memories, filtered": ("#/memories?categories=lesson&statuses=verified", ".memory-row .memory-text"),
    "Memories, by importance": ("#/memories?sort=importance", ".memory-row .memory-text"),
    "Review": ("#/review", ".review-card .memory-text"),
    "Memory settings": ("#/settings", "table.rows td"),
    "Graph": ("#/graph", ".graph-canvas[data-drawn=true]"),
    "Timeline": ("#/timeline", ".days .day-head"),
    "Directives": ("#/directives", ".directive, .state-title"),
    "Notebook": ("#/notebook", "article, .state-title"),
    "Maintenance": ("#/maintenance", ".card .lines, .card .state-title, .card table"),
}
"""Each screen's address, and what must be drawn before it is of use."""
FLAGS = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-dev-shm-usage""".split()
WATCH = """(wanted) => {
  window.useful = new Promise((seen) => {
    const look = () => {
      if (!document.querySelector(wanted)) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => seen(performance.now())));
    };
    requestAnimationFrame(look);
  });
}"""
SCROLL = """async (pages) => {
  const box = document.querySelector('.virtual');
  const frames = [];
  let last = performance.now();
  for (let at = 0; at < pages; at++) {
    box.scrollTop += box.clientHeight;
    const now = await new Promise((drawn) => requestAnimationFrame(drawn));
    frames.push(now - last);
    last = now;
    while (box.scrollTop + box.clientHeight * 2 > box.scrollHeight && !window.atEnd) {
      const height = box.scrollHeight;
      await new Promise((wake) => setTimeout(wake, 20));  // the next rows are on their way
      window.waited = (window.waited ?? 0) + 1;
      if (window.waited > 2000) window.atEnd = true;
      if (box.scrollHeight !== height) last = performance.now();
    }
  }
  return { frames, rows: document.querySelectorAll('.memory-row').length, top: box.scrollTop };
}"""


FRAMES = """() => {
  window.frames_seen = [];
  let last = performance.now();
  const look = (now) => { window.frames_seen.push(now - last); last = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""
PAINTINGS = """
window.paintings = [];
window.Worker = class extends window.Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', () => window.paintings.push(performance.now()));
  }
};"""


@dataclass(frozen=True, slots=True)
class Seen:
    """One opening of one screen, in milliseconds; all but ``paint`` of a processor; None where it cannot be read."""

    paint: float
    busy: float
    whole: float
    server: float | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A graph that finds its place and is moved, in milliseconds: its frames, and between two paintings of it."""

    settled: float
    frames: list[float]
    settling: list[float]
    moving: list[float]


def fill(home: Path, count: int) -> None:
    """Ninety days of memories, some conversations, candidates, core values and a graph."""
    settings = Settings(home=home)
    clock = StoppedClock(datetime.now(UTC) - timedelta(days=90))
    parts = open_parts(None, settings, clock=clock)
    try:
        book = Commonplace(parts, parts.scope(settings.owner, "default")).acting_as("bench", source="user", person=True)
        agent = book.acting_as("agent", source="assistant", person=False)
        days, batch = max(1, count // 90), []
        for at, text in enumerate(texts(count)):
            batch.append({"text": text, "category": CATEGORIES[at % len(CATEGORIES)], "tags": [f"tag {at % 40}"]})
            if len(batch) == 1000:
                (agent if at // 1000 % 20 == 0 else book).remember_many(batch)
                batch = []
                clock.advance(days=1000 / days)
        book.remember_many(batch or ["the last of them"])
        _surroundings(book, clock)
    finally:
        parts.close()


def _surroundings(book: Commonplace, clock: StoppedClock) -> None:
    for at, text in enumerate(texts(200, seed=7)):
        book.observe([Message(text, speaker="Ada", at=clock.now() - timedelta(hours=at))], session=f"day {at // 20}")
    for at in range(12):
        book.core.set(f"key {at}", f"value {at}")
    names = words()[:NAMES]
    for at, name in enumerate(names):
        for other in (names[at * 7 % NAMES], names[at // 9]):
            if other != name:
                kind = ("person", "project", "place")[at % 3]
                book.relate(name, "knows", other, subject_type="person", object_type=kind)


def processor(pid: int) -> float | None:
    """Milliseconds of processor time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def renderers(browser: Any) -> dict[int, float]:
    """Milliseconds of processor time of each process that shows a page."""
    tools = browser.new_browser_cdp_session()
    processes = tools.send("SystemInfo.getProcessInfo")["processInfo"]
    tools.detach()
    return {one["id"]: one["cpuTime"] * 1000 for one in processes if one["type"] == "renderer"}


def signed_in(browser: Any, url: str, token: str) -> Any:
    answer = httpx2.post(f"{url}/v1/session", headers={"Authorization": f"Bearer {token}"})
    cookie = {"url": url, "httpOnly": True, "secure": False, "sameSite": "Strict", "expires": -1}
    cookies = [{"name": name, "value": value, **cookie} for name, value in answer.cookies.items()]
    session = [{"name": "commonplace.session", "value": answer.text}]
    state = {"cookies": cookies, "origins": [{"origin": url, "localStorage": session}]}
    return browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", storage_state=state)


def opened(browser: Any, url: str, token: str, pid: int, at: str, wanted: str) -> Seen:
    """Open one screen with an empty cache and wait for what it is for."""
    context = signed_in(browser, url, token)
    try:
        page = context.new_page()
        page.add_init_script(f"({WATCH})({wanted!r})")
        tools = context.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})  # processor time, whatever else runs
        before, pages = processor(pid), renderers(browser)
        page.goto(f"{url}/{at}", wait_until="commit")
        paint = page.evaluate("window.useful")
        whole = sum(spent - pages.get(process, 0) for process, spent in renderers(browser).items())
        metrics = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
        after = processor(pid)
        spent = None if before is None or after is None else after - before
        return Seen(paint, metrics["TaskDuration"] * 1000, whole, spent)
    finally:
        context.close()


def scrolled(browser: Any, url: str, token: str, pages: int) -> tuple[list[float], int]:
    """How long each frame took while the list was scrolled page by page, and how many rows were drawn at the end."""
    context = signed_in(browser, url, token)
    try:
        page = context.new_page()
        page.goto(f"{url}/#/memories")
        page.wait_for_selector(".memory-row")
        found = page.evaluate(SCROLL, pages)
        return found["frames"], found["rows"]
    finally:
        context.close()


def graph(browser: Any, url: str, token: str) -> Moved:
    """How long each frame took while the graph found its place, and was then moved and magnified."""
    context = signed_in(browser, url, token)
    try:
        page = context.new_page()
        page.add_init_script(PAINTINGS)
        page.goto(f"{url}/#/graph")
        page.wait_for_selector(".graph-canvas canvas", timeout=60_000)
        page.evaluate(FRAMES)
        page.wait_for_selector("[data-settled=true]", timeout=120_000)
        settled, settling = page.evaluate("[performance.now(), window.paintings.splice(0)]")
        page.mouse.move(500, 400)
        for _ in range(20):
            page.mouse.wheel(0, -60)
            page.wait_for_timeout(16)
        page.mouse.down()
        page.mouse.move(300, 300, steps=40)
        page.mouse.up()
        frames, moving = page.evaluate("[window.frames_seen, window.paintings]")
        return Moved(settled, frames, between(settling), between(moving))
    finally:
        context.close()


def between(moments: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(moments)]


def bundle() -> int:
    """Bytes after gzip of what a browser fetches before Home stands."""
    page = folder()
    index = (page / "index.html").read_text("utf-8")
    names = {"index.html", *re.findall(r'(?:src|href)="\./([^"]+)"', index)}
    return sum(len(gzip.compress((page / one).read_bytes(), 6)) for one in names)


def smooth(frames: list[float]) -> str:
    late = sum(one > 50 for one in frames)
    return f"{len(frames)} frames, {late} over 50 ms, the longest {max(frames):.0f} ms, p50 {median(frames):.0f} ms"


def report(seen: dict[str, list[Seen]], frames: list[float], rows: int, moved: Moved, size: int) -> list[str]:
    lines = [
        f"{size:,} memories, {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}.",
        "",
        "| screen | first useful paint p50 ms | worst ms | processor p50 ms: main thread | whole page | server |",
        "|---|---|---|---|---|---|",
    ]
    for name, every in seen.items():
        spent = [one.server for one in every if one.server is not None]
        paints, busy, whole = (
            [one.paint for one in every],
            median(one.busy for one in every),
            median(one.whole for one in every),
        )
        server = f"{median(spent):.0f}" if spent else ""
        lines.append(f"| {name} | {median(paints):.0f} | {max(paints):.0f} | {busy:.0f} | {whole:.0f} | {server} |")
    lines += [
        "",
        f"- Scrolling through the list, page by page: {smooth(frames)}; {rows} rows are drawn.",
        f"- The graph finding its place (after {moved.settled / 1000:.1f} s), then moved: {smooth(moved.frames)}.",
        f"- Painted anew every {median(moved.settling):.0f} ms (p50), then every {median(moved.moving):.0f} ms.",
        f"- First screen: {bundle() / 1000:.1f} kB after gzip (budget 200 kB).",
    ]
    return lines


def measure(home: Path, given: argparse.Namespace) -> list[str]:
    from playwright.sync_api import sync_playwright  # only this benchmark needs it

    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    seen: dict[str, list[Seen]] = {name: [] for name in SCREENS if not given.only or name in given.only}
    with server(home) as (url, token, pid), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        opened(browser, url, token, pid, *SCREENS["Home"])  # the server's first request, which imports what it needs
        for _ in range(given.times):
            for name in seen:
                seen[name].append(opened(browser, url, token, pid, *SCREENS[name]))
        frames, rows = scrolled(browser, url, token, given.pages)
        moved = graph(browser, url, token)
        browser.close()
    return report(seen, frames, rows, moved, given.memories)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--book", type=Path, help="a folder to keep the filled book in, and to find it again")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--only", nargs="*", choices=list(SCREENS))
    parser.add_argument("--write", type=Path, default=HERE / "results")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = (given.book or Path(temporary)).resolve()
        if not (home / "filled").exists():
            home.mkdir(parents=True, exist_ok=True)
            fill(home, given.memories)
            (home / "filled").touch()
        lines = measure(home, given)
    print("\n".join(lines))
    given.write.mkdir(parents=True, exist_ok=True)
    text = (HERE / "page.md").read_text(encoding="utf-8")
    (given.write / "page.md").write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
