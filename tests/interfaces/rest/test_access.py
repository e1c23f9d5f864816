"""Who may come in, how far they reach, and that nobody reaches what is another's."""

from datetime import timedelta

import pytest

from commonplace.interfaces.rest.openapi import described

ANOTHER = "01890000-0000-7000-8000-000000000000"


def operations(site):
    """Every operation under /v1: (method, path)."""
    paths = described(site.app)["paths"]
    return [(method.upper(), path) for path, found in paths.items() if path.startswith("/v1") for method in found]


def filled(path: str, id: str = ANOTHER) -> str:
    for name in ("id", "ref", "name", "key", "owner", "step", "memory"):
        path = path.replace(f"{{{name}}}", id)
    return path


def test_every_route_needs_a_token(site):
    found = operations(site)
    assert len(found) >= 60
    for method, path in found:
        for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic YTpi"}):
            answer = site.client.request(method, filled(path), headers=headers, content=b"{not json")
            assert answer.status_code == 401, (method, path, answer.status_code)
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_lets_in_and_two_at_once_do_not(site, ada):
    assert ada("GET", "/v1/me").json()["owner"] == "ada"
    twice = [("Authorization", f"Bearer {ada.secret}"), ("Authorization", "Bearer other")]
    assert site.client.get("/v1/me", headers=twice).status_code == 401


def test_an_expired_token_and_a_revoked_one_are_no_tokens(site):
    clock = site.parts.clock
    short = site.accounts.issue("ada", scope="read", expires_at=clock.now() + timedelta(milliseconds=300))
    caller = site.caller("ada", "read")
    caller.secret = short.secret
    assert caller("GET", "/v1/me").status_code == 200
    while clock.now() < short.token.expires_at:
        pass
    assert caller("GET", "/v1/me").status_code == 401

    other = site.accounts.issue("ada", scope="read")
    caller.secret = other.secret
    assert caller("GET", "/v1/me").status_code == 200
    site.accounts.revoke("ada", other.token.id)
    assert caller("GET", "/v1/me").status_code == 401


ADMINISTERING = ("/v1/doctor", "/v1/backup", "/v1/maintenance/reindex", "/v1/maintenance/rotate-keys", "/v1/settings")
SESSION = ("/v1/session",)
"""Signing in and out is everybody's."""
READING_POSTS = (
    *("/v1/recall", "/v1/context", "/v1/context/prompt", "/v1/receipts/{ref}/verify", "/v1/audit/verify"),
    "/v1/shared/preview",
)


def test_a_reader_may_not_write_and_a_writer_may_not_administer(site):
    reader, writer = site.caller("ada", "read"), site.caller("ada", "write")
    for method, path in operations(site):
        if path == "/v1/events":
            continue  # a stream that never ends; it has its own test
        reads = method == "GET" or path in (*READING_POSTS, *SESSION)
        administers = path.startswith(("/v1/tokens", "/v1/owners")) or path in ADMINISTERING
        answer = reader(method, filled(path), {} if method in ("POST", "PUT", "PATCH") else None)
        if not reads or administers:
            assert answer.status_code == 403, (method, path, answer.status_code)
        else:
            assert answer.status_code != 403, (method, path)
        if administers:
            assert writer(method, filled(path), {}).status_code == 403, (method, path)


def _body(method: str, path: str):
    """What a route takes at least; a body that does not fit would be refused before anything is looked up."""
    if method not in ("POST", "PATCH", "PUT"):
        return None
    least = {"/v1/review/{id}": {"decision": "approve"}, "/v1/entities/{id}/split": {"label": "x"}}
    goals = {"/v1/directives/{id}/steps": {"name": "x"}, "/v1/directives/{id}/memories": {"text": "x"}}
    return {"/v1/memories/{id}/rollback": {"to": 1}, **least, **goals}.get(path, {})


def test_the_id_of_another_owner_is_not_found_on_any_route(site, ada, bob):
    memory = bob.remember("Bob keeps bees", tags=["bees"])
    relation = bob("POST", "/v1/relations", {"subject": "Bob", "predicate": "knows", "object": "Eve"}).json()["id"]
    entity = bob("GET", "/v1/entities").json()["items"][0]["id"]
    receipt = bob("GET", "/v1/receipts").json()["items"][0]["ref"]
    tried = 0
    for method, path in operations(site):
        if not ("{id}" in path or "{ref}" in path) or path.startswith("/v1/tokens"):
            continue
        for id in (memory, relation, entity, receipt):
            answer = ada(method, filled(path, id), _body(method, path), X_Confirm="true")
            assert answer.status_code == 404, (method, path, answer.status_code, answer.text)
            assert "bees" not in answer.text
            tried += 1
    assert tried > 60
    assert bob("GET", f"/v1/memories/{memory}").json()["text"] == "Bob keeps bees"


def test_lists_and_searches_show_only_ones_own(site, ada, bob):
    bob.remember("Bob keeps bees", tags=["bees"])
    bob("PUT", "/v1/me/memory/core/pet", {"value": "bees"})
    bob("POST", "/v1/episodes", {"messages": [{"text": "My bees are well"}], "session": "bees"})
    shown = []
    for path in ("/v1/memories", "/v1/episodes", "/v1/sessions", "/v1/tags", "/v1/me/memory/core", "/v1/receipts"):
        mine, theirs = ada("GET", path), bob("GET", path)
        assert mine.json()["items"] == [] and mine.status_code == 200, path
        shown.append(len(theirs.json()["items"]))
    assert min(shown) >= 1
    assert ada("POST", "/v1/recall", {"query": "bees"}).json()["items"] == []
    assert bob("POST", "/v1/recall", {"query": "bees"}).json()["items"]


def test_the_owner_never_comes_from_the_request(site, ada, bob):
    bob.remember("Bob keeps bees")
    for path in ("/v1/memories?owner=bob", "/v1/me?owner=bob"):
        answer = ada("GET", path, X_Owner="bob", Owner="bob")
        assert answer.status_code == 200 and "bees" not in answer.text
    assert ada("GET", "/v1/me?owner=bob").json()["owner"] == "ada"
    assert ada("POST", "/v1/memories", {"text": "x", "owner": "bob"}).status_code == 422
    assert ada("POST", "/v1/memories", {"text": "x", "source": "user"}).status_code == 422


@pytest.mark.parametrize(
    "path",
    ["/v1/../v1/me", "/v1/memories/../me", "/v1/memories/%2e%2e/me", "/v1/me/", "//v1/me", "/V1/me", "/v1/me%00"],
)
def test_path_tricks_lead_nowhere(site, ada, path):
    from starlette.testclient import TestClient

    raw = TestClient(site.app, base_url="http://localhost")
    answer = raw.get("/", headers={"Authorization": f"Bearer {ada.secret}"})
    assert answer.status_code in (200, 404)
    scope_path = path.replace("%2e", ".").replace("%00", "\x00")
    status = asgi_status(site.app, scope_path, ada.secret)
    assert status in (401, 404), (path, status)
    assert asgi_status(site.app, "/v1/me", ada.secret) == 200


def asgi_status(app, path: str, secret: str) -> int:
    """Ask the application itself, because clients tidy paths up."""
    import anyio

    seen: list[int] = []

    async def ask() -> None:
        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message) -> None:
            if message["type"] == "http.response.start":
                seen.append(message["status"])

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {secret}".encode())],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
            "state": {},
        }
        await app(scope, receive, send)

    anyio.run(ask)
    return seen[0]


def test_a_token_of_some_namespaces_reaches_no_other(site, ada):
    ada("POST", "/v1/namespaces", {"name": "work"})
    ada("POST", "/v1/namespaces", {"name": "home"})
    secret = ada("POST", "/v1/memories?namespace=home", {"text": "The key is under the mat"}).json()["id"]
    work = next(one["id"] for one in ada("GET", "/v1/namespaces").json()["items"] if one["name"] == "work")
    narrow = site.caller("ada", "admin", namespaces=[work])

    assert narrow("POST", "/v1/memories?namespace=work", {"text": "The build is green"}).status_code == 201
    assert narrow("GET", "/v1/me").json()["namespace"] == "work", "the only one it reaches is its default"
    for method, path, body in (
        ("GET", "/v1/memories?namespace=home", None),
        ("GET", "/v1/memories?namespace=work&namespaces=home", None),
        ("POST", "/v1/recall?namespace=work", {"query": "key", "namespaces": ["home"]}),
        ("POST", "/v1/memories?namespace=home", {"text": "x"}),
        ("POST", "/v1/namespaces/home/move", {"ids": [secret], "to": "work"}),
        ("PATCH", "/v1/namespaces/home", {"description": "mine"}),
        ("POST", "/v1/namespaces", {"name": "more"}),
        ("GET", "/v1/receipts", None),
        ("GET", "/v1/audit", None),
        ("GET", "/v1/tokens", None),
        ("POST", "/v1/tokens", {"scopes": ["read"]}),
    ):
        answer = narrow(method, path, body)
        assert answer.status_code == 403, (method, path, answer.status_code)
        assert "mat" not in answer.text
    assert narrow("GET", f"/v1/memories/{secret}?namespace=work").status_code == 404
    assert [one["name"] for one in narrow("GET", "/v1/namespaces").json()["items"]] == ["work"]
    assert narrow("POST", "/v1/me/memory/forget-all", X_Confirm="true").status_code == 403


def test_a_token_of_some_namespaces_knows_nothing_of_the_personal_one(site):
    ada = site.caller("ada")
    ada("POST", "/v1/namespaces", {"name": "work"})
    private = ada("POST", "/v1/memories?namespace=personal", {"text": "Ada is allergic to bees"}).json()
    said = ada("PUT", "/v1/me/memory/core/city?namespace=personal", {"value": "Ada lives in Bern"})
    ids = {one["name"]: one["id"] for one in ada("GET", "/v1/namespaces").json()["items"]}
    narrow = site.caller("ada", "write", namespaces=[ids["work"]])
    wide = site.caller("ada", "write", namespaces=[ids["work"], ids["personal"]])
    memory = f"/v1/memories/{private['id']}"
    assert said.status_code in (200, 201)
    for caller, reads in ((narrow, False), (wide, True), (ada, True)):
        shown = [
            caller("GET", "/v1/memories?namespace=work").text,
            caller("POST", "/v1/recall?namespace=work", {"query": "what is Ada allergic to, bees?"}).text,
            caller("POST", "/v1/context?namespace=work", {"query": "bees"}).text,
        ]
        assert [("bees" in one) for one in shown] == [reads] * 3
        assert ("Bern" in caller("GET", "/v1/me/memory/core?namespace=work").text) is reads
        found = 200 if reads else 404
        for path in (memory, f"{memory}/versions", f"{memory}/uses", f"{memory}/evidence"):
            assert caller("GET", f"{path}?namespace=work").status_code == found, path
        inside = caller("POST", "/v1/memories?namespace=personal", {"text": "Ada keeps a diary"})
        assert inside.status_code == (201 if reads else 403)
        undone = caller("POST", f"/v1/receipts/{private['ref']}/undo?namespace=work")
        if caller is not ada:
            assert undone.status_code == 403, "it was not theirs"
    for method, path, body in (
        ("PATCH", memory, {"text": "Ada likes bees"}),
        ("DELETE", memory, None),
        ("POST", f"{memory}/confirm", {}),
        ("POST", f"{memory}/archive", {}),
    ):
        assert narrow(method, f"{path}?namespace=work", body).status_code == 404, (method, path)
    moved = narrow("POST", "/v1/namespaces/work/move", {"ids": [private["id"]], "to": "personal"})
    assert moved.status_code == 403
    own = narrow("POST", "/v1/memories?namespace=work", {"text": "The build is green"}).json()
    assert narrow("POST", f"/v1/receipts/{own['ref']}/undo?namespace=work").status_code == 200
    assert wide("PATCH", f"{memory}?namespace=work", {"importance": 0.9}).status_code == 200
