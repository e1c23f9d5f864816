"""The consent page in a real browser, reached from another site as an application's page would lead there."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import expect

from .conftest import serving

ELSEWHERE = "https://app.example"


@pytest.mark.parametrize("signed", [True, False])
def test_a_person_allows_an_application(signed: bool, chromium: Any, tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path}/book.db", tmp_path, mcp=True) as site:
        body = {"client_name": "Atlas", "redirect_uris": [f"{ELSEWHERE}/back"], "token_endpoint_auth_method": "none"}
        client = httpx.post(f"{site.url}/oauth/register", json=body).json()["client_id"]
        query = {"response_type": "code", "client_id": client, "code_challenge": "x" * 43, "state": "s"}
        link = f"<a href='{site.url}/oauth/authorize?{urlencode(query)}'>Connect</a>"
        context = chromium.new_context(storage_state=site.session() if signed else None)
        page = context.new_page()
        faults: list[str] = []
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.route(f"{ELSEWHERE}/**", lambda route: route.fulfill(body=link, content_type="text/html"))
        page.goto(ELSEWHERE)
        page.get_by_role("link", name="Connect").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Connect Atlas to your memory?")
        if not signed:
            page.get_by_label("sign in with your token").fill(site.secret)
            page.get_by_role("button", name="Sign in").click()
        expect(page.locator("main")).to_contain_text("Your answer is sent to app.example")
        page.get_by_role("button", name="Allow", exact=True).click()
        page.wait_for_url(f"{ELSEWHERE}/back?*")
        answer = parse_qs(urlsplit(page.url).query)
        assert answer["code"][0].startswith("cpo_")
        assert (answer["state"], answer["iss"]) == (["s"], [site.url])
        assert faults == []
        context.close()
