"""The TypeScript client in Chromium, from a page of another origin."""

from pathlib import Path
from typing import Any

from tests.clients.conftest import TypeScriptClient, client  # noqa: F401  # a fixture

from commonplace import Commonplace

from .conftest import serving

ORIGIN = "http://localhost:8123"
PROGRAM = """async ([url, token]) => {
  const { Commonplace } = await import("/index.js");
  const book = new Commonplace({ url, token });
  const stop = new AbortController();
  const changes = book.feed.follow({ signal: stop.signal, onOpen: () => book.remember("Ada reads in a browser") });
  const { value } = await changes.next();
  stop.abort();
  const hits = await book.recall("where does Ada read?");
  const fault = await book.revise(hits[0].memory.id, { text: "x", expected: 7 }).catch((error) => error);
  await book.core.set("city", "Oslo");
  return [hits[0].memory.text, fault.name, fault.problem.found, typeof value.sequence, (await book.core.list()).length];
}"""


def test_it_works_in_a_browser(chromium: Any, client: TypeScriptClient, tmp_path: Path) -> None:  # noqa: F811
    def answer(route: Any) -> None:
        name = route.request.url.removeprefix(ORIGIN).lstrip("/")
        if not name:
            route.fulfill(body="<!doctype html><title>A page</title>", content_type="text/html")
        else:
            route.fulfill(path=client.folder / "dist" / name, content_type="text/javascript")

    url = f"sqlite:///{tmp_path / 'book.db'}"
    with serving(url, tmp_path, cors_origins=(ORIGIN,)) as site:
        context = chromium.new_context(permissions=["local-network-access"])
        context.route(f"{ORIGIN}/**", answer)
        page = context.new_page()
        page.goto(f"{ORIGIN}/")
        result = page.evaluate(PROGRAM, [site.url, site.secret])
        context.close()
        assert isinstance(site.book, Commonplace) and site.book.core.get("city").text == "Oslo"
    assert result == ["Ada reads in a browser", "Conflict", 1, "number", 1]
