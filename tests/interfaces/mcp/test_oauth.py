"""Remote applications connect with OAuth 2.1: the official clients' flows, and what is refused."""

import base64
import json
import re
import secrets
import subprocess
from hashlib import sha256
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from starlette.testclient import TestClient

from commonplace.interfaces.rest import app
from commonplace.runtime import open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings
from commonplace.testing.clock import StoppedClock

from .conftest import listening, said

pytestmark = pytest.mark.anyio
REDIRECT = "http://127.0.0.1:4567/callback"


class Memory:
    """Where the SDK's client keeps its tokens."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class Person:
    """A browser without scripts: keeps cookies, follows redirects to this server, and fills in the form."""

    def __init__(self, secret, http, **choices):
        self.secret, self.choices = secret, choices
        self.http = http
        self.pages = []

    def visit(self, address):
        """The address that the application is called back at."""
        answer = self.follow(self.http.get(address))
        if "password" in answer.text:
            answer = self.follow(self.post(answer, token=self.secret))
        form = {"csrf": hidden(answer.text), "answer": "allow", **self.choices}
        return self.post(answer, **form).headers["location"]

    def follow(self, answer):
        self.pages.append(answer)
        target = answer.headers.get("location") or answer.headers.get("refresh", "").partition("url=")[2]
        return self.follow(self.http.get(answer.url.join(target))) if target else answer

    def post(self, page, /, **fields):
        origin = f"{page.url.scheme}://{page.url.netloc.decode()}"
        return self.http.post(page.url, data=fields, headers={"Origin": origin})


def hidden(html):
    return re.search(r'name="csrf" value="(\w+)"', html).group(1)


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_the_metadata_says_where_to_go(tmp_path, sqlite_url):
    with listening(tmp_path, sqlite_url) as (url, _):
        base = url.removesuffix("/mcp")
        refusal = httpx2.post(f"{url}/all", json={})
        assert refusal.status_code == 401
        address = re.search(r'resource_metadata="([^"]+)"', refusal.headers["www-authenticate"]).group(1)
        resource = httpx2.get(address).json()
        assert resource["resource"] == f"{url}/all"
        assert resource["authorization_servers"] == [base]
        assert httpx2.get(f"{base}/.well-known/oauth-protected-resource").json()["resource"] == url
        server = httpx2.get(f"{base}/.well-known/oauth-authorization-server").json()
        assert server["issuer"] == base
        assert server["code_challenge_methods_supported"] == ["S256"]
        assert "none" in server["token_endpoint_auth_methods_supported"]
        assert "resource_metadata" not in httpx2.get(f"{base}/v1/me").headers["www-authenticate"]


@pytest.mark.parametrize("method", ["none", "client_secret_basic"])
async def test_the_python_client_connects_and_stays_an_agent(tmp_path, book_url, method):
    with listening(tmp_path, book_url) as (url, accounts), httpx2.Client(timeout=30) as browser:
        person = Person(accounts.issue("ada", scope="admin", person=True).secret, browser, scope="write")
        headers, base = {"Authorization": f"Bearer {person.secret}"}, url.removesuffix("/mcp")
        own = httpx2.post(f"{base}/v1/memories", json={"text": "Ada lives in Oslo"}, headers=headers).json()["id"]
        called_back = []

        async def redirect(address):
            called_back.append(person.visit(address))

        async def callback():
            query = parse_qs(urlsplit(called_back[-1]).query)
            return AuthorizationCodeResult(**{name: values[0] for name, values in query.items()})

        metadata = OAuthClientMetadata(
            client_name="A test", redirect_uris=[REDIRECT], token_endpoint_auth_method=method
        )
        storage = Memory()
        auth = OAuthClientProvider(url, metadata, storage, redirect, callback)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            saved = await said(client, "memory_memorize", text="Ada plays chess")
            assert "candidate" in saved, "what an application saves is unconfirmed"
            assert "chess" in await said(client, "memory_recall", query="chess")
            await said(client, "memory_forget", id=own, confirm=True)
            assert httpx2.get(f"{base}/v1/memories/{own}", headers=headers).status_code == 200
        assert storage.tokens.refresh_token
        outside = httpx2.get(f"{base}/v1/me", headers={"Authorization": f"Bearer {storage.tokens.access_token}"})
        assert outside.status_code == 401, "good for /mcp alone"
        connection = next(token for token in accounts.tokens("ada") if token.connection)
        assert (connection.name, connection.scope, connection.person) == ("A test", "write", False)


class Application:
    """An application that speaks OAuth by hand, so that each step can be done wrongly."""

    def __init__(self, http, *uris, **metadata):
        self.http = http
        self.verifier = secrets.token_urlsafe(48)
        body = {"redirect_uris": uris or (REDIRECT,), "client_name": "By hand", "token_endpoint_auth_method": "none"}
        self.registration = http.post("/oauth/register", json={**body, **metadata})
        self.id = self.registration.json().get("client_id")

    def address(self, **changes):
        challenge = base64.urlsafe_b64encode(sha256(self.verifier.encode()).digest()).decode().rstrip("=")
        query = {
            "response_type": "code", "client_id": self.id, "redirect_uri": REDIRECT, "state": "s",
            "scope": "read write", "code_challenge": challenge, "code_challenge_method": "S256",
            "resource": f"{BASE}/mcp",
        }  # fmt: skip
        wanted = {name: value for name, value in {**query, **changes}.items() if value is not None}
        return f"/oauth/authorize?{urlencode(wanted)}"

    def code(self, person, **changes):
        return parse_qs(urlsplit(person.visit(self.address(**changes))).query)["code"][0]

    def exchange(self, code, **changes):
        form = {
            "grant_type": "authorization_code", "code": code, "client_id": self.id, "redirect_uri": REDIRECT,
            "code_verifier": self.verifier, "resource": f"{BASE}/mcp",
        }  # fmt: skip
        return self.http.post("/oauth/token", data={**form, **changes})

    def refresh(self, token, **changes):
        form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id}
        return self.http.post("/oauth/token", data={**form, **changes})

    def works(self, access, path="/mcp"):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accept = "application/json, text/event-stream"
        headers = {"Authorization": f"Bearer {access}", "Accept": accept, "MCP-Protocol-Version": "2025-06-18"}
        answer = self.http.post(path, json=call, headers=headers)
        assert answer.status_code in (200, 401), answer.text
        return answer.status_code == 200


BASE = "http://localhost"


@pytest.fixture
def site(tmp_path, book_url):
    """A client of a server whose clock stands, and its accounts."""
    parts = open_parts(book_url, Settings(home=tmp_path, rate_limit=0), clock=StoppedClock())
    with TestClient(app(parts), base_url=BASE, follow_redirects=False) as http:
        http.accounts, http.clock = Accounts(parts.store, parts.keychain, parts.clock), parts.clock
        yield http
    parts.close()


@pytest.fixture
def ada(site):
    return Person(site.accounts.issue("ada", scope="admin", person=True).secret, site, scope="write")


def test_a_code_is_good_once_and_only_with_its_verifier(site, ada):
    application, other = Application(site), Application(site, client_name="Another")
    code = application.code(ada)
    for changes in (
        {"code_verifier": secrets.token_urlsafe(48)},
        {"client_id": other.id},
        {"redirect_uri": "http://127.0.0.1:4567/other"},
        {"resource": "https://elsewhere.example/mcp"},
        {"code": code[:-2] + ("AA" if code[-2:] != "AA" else "BB")},
    ):
        assert application.exchange(**{"code": code, **changes}).status_code in (400, 401), changes
    tokens = application.exchange(code).json()
    assert tokens["expires_in"] == 15 * 60
    assert application.works(tokens["access_token"])
    assert application.exchange(code).json()["error"] == "invalid_grant"
    assert not application.works(tokens["access_token"]), "a code that comes twice was stolen: the connection ends"
    assert application.refresh(tokens["refresh_token"]).status_code == 400


def test_a_refresh_token_is_good_once_and_a_copy_ends_the_connection(site, ada):
    application = Application(site)
    first = application.exchange(application.code(ada)).json()
    second = application.refresh(first["refresh_token"]).json()
    third = application.refresh(second["refresh_token"]).json()
    assert application.works(third["access_token"])
    assert (
        application.refresh(third["refresh_token"], client_id=Application(site, client_name="B").id).status_code == 400
    )
    assert application.works(third["access_token"]), "another application cannot end it"
    assert application.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert not application.works(third["access_token"])
    assert application.refresh(third["refresh_token"]).status_code == 400
    assert application.refresh(third["access_token"]).status_code == 400, "an access token refreshes nothing"


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_codes_tokens_and_connections_end_with_their_time(site, ada):
    application = Application(site)
    code = application.code(ada)
    site.clock.advance(minutes=3)
    assert application.exchange(code).json()["error"] == "invalid_grant"
    tokens = application.exchange(application.code(ada)).json()
    site.clock.advance(minutes=14)
    assert application.works(tokens["access_token"])
    site.clock.advance(minutes=2)
    assert not application.works(tokens["access_token"])
    assert application.works(application.refresh(tokens["refresh_token"]).json()["access_token"])
    tokens = application.exchange(application.code(ada)).json()
    site.clock.advance(days=61)
    assert application.refresh(tokens["refresh_token"]).status_code == 400


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_a_token_is_good_for_the_address_it_was_made_for(site, ada):
    application = Application(site)
    tokens = application.exchange(application.code(ada)).json()
    assert application.works(tokens["access_token"])
    assert not application.works(tokens["access_token"], "/mcp/all")
    wide = application.exchange(application.code(ada, resource=f"{BASE}/mcp/all"), resource=f"{BASE}/mcp/all").json()
    assert application.works(wide["access_token"], "/mcp/all")
    refusal = site.get(application.address(resource="https://elsewhere.example/mcp"))
    assert "error=invalid_target" in refusal.headers["location"]
    assert application.works(application.exchange(application.code(ada, resource=None)).json()["access_token"])


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_redirects_go_only_where_the_application_registered(site, ada):
    web = Application(site, "https://app.example/back", REDIRECT)
    for uri in (
        *("https://app.example/back/", "https://app.example/back?x=1", "https://app.example.evil.example/back"),
        *(
            "http://127.0.0.1:4567/callback/..",
            "http://localhost:4567/callback",
            "http://127.0.0.1.evil.example/callback",
        ),
    ):
        answer = site.get(web.address(redirect_uri=uri))
        assert (answer.status_code, "location" in answer.headers) == (400, False), uri
    assert web.code(ada, redirect_uri="https://app.example/back")
    assert web.code(ada, redirect_uri="http://127.0.0.1:9999/callback"), "on the person's machine any port"
    for uri in (
        "http://app.example/back",
        "javascript:alert(1)",
        "https://app.example/#x",
        "https://u@app.example/",
        "data:x",
    ):
        assert Application(site, uri).registration.json()["error"] == "invalid_redirect_uri", uri
    assert Application(site, "cursor://anysphere.cursor-mcp/oauth/callback").registration.status_code == 201


@pytest.mark.one_engine("what the server says and checks before the store is asked")
@pytest.mark.parametrize(
    "changes",
    [{"code_challenge": None}, {"code_challenge_method": "plain"}, {"response_type": "token"}, {"scope": "admin"}],
)
def test_requests_without_pkce_or_for_more_are_sent_back(site, changes):
    application = Application(site)
    answer = site.get(application.address(**changes))
    assert answer.headers["location"].startswith(REDIRECT + "?error=")
    assert "/oauth/consent" in site.get(application.address()).headers["location"]


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_a_made_up_client_is_nobody(site):
    application = Application(site)
    application.id = application.id[:-3] + "AAA"
    answer = site.get(application.address())
    assert (answer.status_code, "location" in answer.headers) == (400, False)


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_only_a_person_can_allow_and_may_allow_less(site, ada):
    application = Application(site)
    agent = Person(site.accounts.issue("ada", scope="admin").secret, site)
    page = agent.follow(site.get(application.address()))
    page = agent.follow(agent.post(page, token=agent.secret))
    assert page.status_code == 403
    assert "Only a person" in page.text
    site.cookies.clear()
    page = ada.follow(site.get(application.address()))
    assert ada.post(page, token="cpl_" + "x" * 43).status_code == 401
    page = ada.follow(ada.post(page, token=ada.secret))
    assert "By hand" in page.text
    assert "an application on this computer" in page.text
    assert ada.post(page, csrf="0" * 64, answer="allow", scope="write").status_code == 403
    assert "access_denied" in ada.post(page, csrf=hidden(page.text), answer="deny").headers["location"]
    foreign = site.post(
        page.url, data={"csrf": hidden(page.text), "answer": "allow"}, headers={"Origin": "https://evil.example"}
    )
    assert foreign.status_code == 403
    less = ada.post(page, csrf=hidden(page.text), answer="allow", scope="read").headers["location"]
    assert application.exchange(parse_qs(urlsplit(less).query)["code"][0]).json()["scope"] == "read"
    connection = next(token for token in site.accounts.tokens("ada") if token.connection)
    assert connection.scope == "read"


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_the_page_runs_nothing_and_escapes_names(site, ada):
    application = Application(site, "https://app.example/back", client_name="<script>alert(1)</script>")
    address = application.address(redirect_uri="https://app.example/back")
    page = ada.follow(site.get(address))
    page = ada.follow(ada.post(page, token=ada.secret))
    assert "<script" not in page.text
    assert "&lt;script&gt;" in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "form-action 'self' https://app.example;" in policy
    assert "unsafe" not in policy
    assert page.headers["cache-control"] == "no-store"
    site.clock.advance(minutes=11)
    assert site.get(page.url).status_code == 400, "an old request is not answered"


@pytest.mark.one_engine("what the server says and checks before the store is asked")
def test_a_connection_is_listed_and_ended_like_a_token(site, ada):
    application = Application(site)
    tokens = application.exchange(application.code(ada)).json()
    headers = {"Authorization": f"Bearer {ada.secret}"}
    listed = [token for token in site.get("/v1/tokens", headers=headers).json()["items"] if token["connection"]]
    assert [(token["name"], token["resource"]) for token in listed] == [("By hand", f"{BASE}/mcp")]
    assert site.delete(f"/v1/tokens/{listed[0]['id']}", headers=headers).status_code == 200
    assert not application.works(tokens["access_token"])
    tokens = application.exchange(application.code(ada)).json()
    form = {"token": tokens["refresh_token"], "client_id": Application(site, client_name="B").id}
    assert site.post("/oauth/revoke", data=form).status_code == 200
    assert application.works(tokens["access_token"]), "another application's word ends nothing"
    assert site.post("/oauth/revoke", data={**form, "client_id": application.id}).status_code == 200
    assert not application.works(tokens["access_token"])


@pytest.mark.one_engine("another client of the same server")
def test_the_typescript_client_connects_and_refreshes(tmp_path, sqlite_url, node_packages):
    with listening(tmp_path, sqlite_url) as (url, accounts), httpx2.Client(timeout=30) as browser:
        person = Person(accounts.issue("ada", scope="admin", person=True).secret, browser, scope="write")
        command = ["node", str(node_packages / "oauth.mjs"), url, REDIRECT]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
            print(person.visit(node.stdout.readline().strip()), file=node.stdin, flush=True)
            result = json.loads(node.stdout.read())
        assert "memory_recall" in result["tools"]
        assert "chess" in result["text"]
        assert result["rotated"]
