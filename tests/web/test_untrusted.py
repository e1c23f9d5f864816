"""Memory text is untrusted: whatever it holds, the page shows it as text and nothing happens."""

from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Opener, Site

ATTACKS = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<svg onload='window.hacked = 1'><a href='javascript:window.hacked=1'>x</a>",
    "[click me](javascript:window.hacked=1) and ![x](https://elsewhere.example/x.png)",
    "</p></main><iframe srcdoc='<script>parent.hacked = 1</script>'></iframe>",
    "{{constructor.constructor('window.hacked = 1')()}} ${window.hacked = 1}",
]


def unharmed(page: Any) -> None:
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("[...document.querySelectorAll('main script, main img, main iframe')].length") == 0
    assert page.evaluate("[...document.links].every((one) => /^(https?|mailto):/.test(one.protocol))")


@pytest.mark.parametrize("attack", ATTACKS)
def test_markup_in_a_memory_is_text(attack: str, site: Site, browse: Opener) -> None:
    made = site.book.remember(attack)
    site.book.core.set("note", attack)
    page = browse(f"#/memories/{made.ids[0]}")
    expect(page.locator(".memory-text.big")).to_have_text(attack)
    unharmed(page)
    for at in ("#/", "#/?q=click+script", "#/me", "#/memories"):
        page.goto(f"{site.url}/{at}")
        page.get_by_role("heading", level=1).wait_for()
        if "?q=" in at:  # where no word is shared the hit is a weak one
            expect(page.locator(".hits > li, .stack > p > button.link").first).to_be_visible()
            if not page.locator(".hits > li").count():
                page.locator(".stack > p > button.link").click()
        expect(page.locator("main")).to_contain_text(attack[:12])
        unharmed(page)


def test_the_policy_would_stop_what_got_through(site: Site, browse: Opener) -> None:
    """The second line of defence, tried on purpose: inline script and foreign pictures do not run even if inserted."""
    page = browse(errors=True)
    page.evaluate(
        """() => { const box = document.createElement('div'); document.body.append(box);
                   box.innerHTML = "<img src=x onerror='window.hacked = 1'>";
                   const script = document.createElement('script');
                   script.textContent = 'window.hacked = 1';
                   box.append(script); }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None


def test_text_that_turns_others_around_is_isolated_and_marked(site: Site, browse: Opener) -> None:
    made = site.book.remember("Pay to \u2066\u200femos rebmun\u2069 today")
    page = browse(f"#/memories/{made.ids[0]}")
    text = page.locator(".memory-text.big")
    expect(text.locator(".trick")).to_have_text(["U+2066", "U+200F", "U+2069"])
    assert text.locator("bdi").count() >= 1


def test_a_megabyte_is_shown_in_pieces(site: Site, browse: Opener) -> None:
    long = "word " * 190_000
    made = site.book.remember(long.strip())
    page = browse(f"#/memories/{made.ids[0]}")
    text = page.locator(".memory-text.big")
    assert len(text.inner_text()) < 2000
    text.get_by_role("button", name="Show more").click()
    assert len(text.inner_text()) > 15_000
