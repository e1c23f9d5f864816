"""Tokens, owners, and tokens of a company's own issuer."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from commonplace.interfaces.rest.oidc import issuer

from .conftest import Caller, Site


@pytest.mark.one_engine("looks into the file")
def test_a_secret_is_shown_once_and_kept_as_a_hash(site, settings):
    admin = site.caller("ada", "admin")
    made = admin("POST", "/v1/tokens", {"name": "laptop", "scopes": ["read"], "person": True})
    assert made.status_code == 201
    secret = made.json()["secret"]
    listed = admin("GET", "/v1/tokens")
    assert secret not in listed.text
    assert {"laptop"} == {one["name"] for one in listed.json()["items"]} - {None}
    raw = b"".join(path.read_bytes() for path in settings.home.parent.rglob("*") if path.is_file())
    assert secret.encode() not in raw and b"laptop" not in raw
    assert made.json()["token"]["id"].encode() in raw, "the control: the row itself is there"

    new = Caller(site.client, secret)
    assert new("GET", "/v1/me").json()["scopes"] == ["read"]
    ended = admin("DELETE", f"/v1/tokens/{made.json()['token']['id']}")
    assert ended.json()["revoked_at"] and new("GET", "/v1/me").status_code == 401


def test_nobody_sees_or_ends_anothers_tokens(site):
    ada, bob = site.caller("ada", "admin"), site.caller("bob", "admin")
    id = bob("GET", "/v1/tokens").json()["items"][0]["id"]
    assert id not in ada("GET", "/v1/tokens").text
    assert ada("DELETE", f"/v1/tokens/{id}").status_code == 404
    assert bob("GET", "/v1/me").status_code == 200


def test_only_the_administrator_may_see_owners_and_change_plans(site):
    root, ada = site.caller("root", "admin"), site.caller("ada", "admin")
    assert {one["owner"] for one in root("GET", "/v1/owners").json()["items"]} == {"root", "ada"}
    for method, path, body in (
        ("GET", "/v1/owners", None),
        ("POST", "/v1/owners", {"owner": "eve"}),
        ("PATCH", "/v1/owners/ada", {"plan": "team"}),
        ("PATCH", "/v1/owners/root", {"timezone": "Europe/Rome"}),
        ("POST", "/v1/backup", None),
    ):
        assert ada(method, path, body).status_code == 403, (method, path)
    assert root("PATCH", "/v1/owners/ada", {"plan": "free"}).json()["plan"] == "free"
    assert ada("GET", "/v1/me").json()["plan"] == "free"
    assert root("PATCH", "/v1/owners/ada", {"plan": "golden"}).status_code == 400
    assert root("PATCH", "/v1/owners/nobody", {"plan": "free"}).status_code == 404
    assert root("POST", "/v1/owners", {"owner": "eve", "plan": "pro"}).status_code == 201
    assert root("POST", "/v1/owners", {"owner": "eve"}).status_code == 409
    assert ada("PATCH", "/v1/owners/ada", {"timezone": "Europe/Rome"}).json()["timezone"] == "Europe/Rome"
    backup = root("POST", "/v1/backup")
    on_file = site.parts.store.engine == "sqlite"
    assert backup.status_code == (200 if on_file else 503)
    assert on_file or "pg_dump" in backup.json()["detail"]


@pytest.fixture
def company():
    """An issuer with a published key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = {**json.loads(RSAAlgorithm.to_jwk(key.public_key())), "kid": "k1", "use": "sig", "alg": "RS256"}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            host = f"http://127.0.0.1:{server.server_port}"
            found = {
                "/.well-known/openid-configuration": {"issuer": host, "jwks_uri": f"{host}/keys"},
                "/keys": {"keys": [public]},
            }.get(self.path)
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", key
    server.shutdown()
    server.server_close()


def test_a_token_of_the_company_is_its_subject(book_url, settings, company):
    from commonplace.runtime import open_parts

    address, key = company
    parts = open_parts(book_url, settings)
    site = Site(parts, issuer(address, "commonplace"))

    def status(claims, *, signer=key, algorithm="RS256"):
        now = int(time.time())
        given = {"iss": address, "aud": "commonplace", "sub": "carol", "exp": now + 60, "iat": now, **claims}
        given = {name: value for name, value in given.items() if value is not None}
        secret = jwt.encode(given, signer, algorithm, headers={"kid": "k1"})
        return Caller(site.client, secret)

    carol = status({})
    assert carol("GET", "/v1/me").json()["owner"] == "carol"
    id = carol.remember("Carol keeps cats")
    assert carol("GET", f"/v1/memories/{id}").json()["status"] == "verified"
    dave = status({"sub": "dave"})
    assert dave("GET", f"/v1/memories/{id}").status_code == 404
    reader = status({"scope": "openid commonplace:read"})
    assert reader("GET", f"/v1/memories/{id}").status_code == 200
    assert reader("POST", "/v1/memories", {"text": "x"}).status_code == 403
    agent = status({"scope": "commonplace:write commonplace:agent"})
    assert agent("GET", f"/v1/memories/{agent.remember('Carol naps')}").json()["status"] == "candidate"

    plain = status({"scope": "openid admin write"})
    assert plain("GET", "/v1/me").json()["scopes"] == ["read", "write"], "words without our prefix are not ours"
    listed = status({"scp": ["openid", "commonplace:admin"]})
    assert "admin" in listed("GET", "/v1/me").json()["scopes"]

    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    refused = (
        status({"exp": int(time.time()) - 120}),
        status({"aud": "another"}),
        status({"iss": "https://evil.example"}),
        status({"sub": None}),
        status({"exp": None}),
        status({"sub": " "}),
        status({"scope": 5}),
        status({"scope": [1]}),
        status({"scope": {"commonplace:admin": True}}),
        status({"scp": False}),
        status({}, signer=other),
        status({}, signer="x" * 64, algorithm="HS256"),
        Caller(site.client, jwt.encode({"sub": "carol"}, None, algorithm="none")),
        Caller(site.client, "a.b.c"),
    )
    assert [one("GET", "/v1/me").status_code for one in refused] == [401] * len(refused)
    assert site.caller("ada")("GET", "/v1/me").status_code == 200, "our own tokens still hold"
    parts.close()
