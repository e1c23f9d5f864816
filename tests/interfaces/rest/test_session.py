"""The page's session: a cookie that no script reads, and a header that no other site knows."""

from datetime import timedelta
from http.cookies import SimpleCookie

from commonplace.interfaces.rest.service import COOKIE


def signed_in(site, caller):
    """The cookie and the headers of a session."""
    answer = caller("POST", "/v1/session")
    assert answer.status_code == 201, answer.text
    cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    site.client.cookies.clear()  # the test sends cookies by hand
    return cookie, {"Cookie": f"{COOKIE}={cookie.value}", "X-CSRF-Token": answer.json()["csrf"]}


def test_a_session_is_as_good_as_its_token_and_ends(site, ada):
    ada.remember("Ada plays chess")
    cookie, headers = signed_in(site, ada)
    assert cookie["httponly"] and cookie["samesite"] == "strict" and cookie["path"] == "/"
    me = site.client.get("/v1/me", headers=headers).json()
    assert (me["owner"], me["scopes"], me["person"]) == ("ada", ["read", "write"], True)
    assert site.client.post("/v1/memories", json={"text": "Ada plays go"}, headers=headers).status_code == 201
    assert site.client.delete("/v1/session", headers=headers).status_code == 204
    assert site.client.get("/v1/me", headers=headers).status_code == 401
    assert ada("GET", "/v1/me").status_code == 200, "the token itself goes on"
    assert ada("DELETE", "/v1/session").status_code == 400


def test_the_cookie_alone_is_nothing(site, ada):
    _, headers = signed_in(site, ada)
    assert site.client.get("/v1/me", headers=headers).status_code == 200
    assert site.client.get("/v1/me", headers={"Cookie": headers["Cookie"]}).status_code == 401
    assert site.client.get("/v1/me", headers={**headers, "X-CSRF-Token": "0" * 64}).status_code == 401
    assert site.client.get("/v1/me", headers={"X-CSRF-Token": headers["X-CSRF-Token"]}).status_code == 401
    cookie_of_a_token = {**headers, "Cookie": f"{COOKIE}={ada.secret}"}
    assert site.client.get("/v1/me", headers=cookie_of_a_token).status_code == 401
    foreign = {**headers, "Origin": "http://evil.example"}
    assert site.client.post("/v1/recall", json={}, headers=foreign).status_code == 403


def test_a_session_lasts_hours_and_no_longer_than_a_token_that_expires(site, ada):
    now = site.parts.clock.now()
    ada("POST", "/v1/session")
    short = site.caller("ada", expires_at=now + timedelta(hours=1))
    short("POST", "/v1/session")
    ends = [token.expires_at - now for token in site.accounts.tokens("ada") if token.session]
    assert timedelta(hours=11) < ends[0] < timedelta(hours=13)
    assert ends[1] == timedelta(hours=1)


def test_a_session_is_exchanged_for_a_new_one_and_the_old_one_ends(site, ada):
    _, old = signed_in(site, ada)
    answer = site.client.post("/v1/session", headers=old)
    assert answer.status_code == 201
    site.client.cookies.clear()
    assert site.client.get("/v1/me", headers=old).status_code == 401
    value = SimpleCookie(answer.headers["set-cookie"])[COOKIE].value
    new = {"Cookie": f"{COOKIE}={value}", "X-CSRF-Token": answer.json()["csrf"]}
    assert site.client.get("/v1/me", headers=new).status_code == 200


def test_a_sign_in_link_gives_a_session_of_full_length(site):
    link = site.caller("root")
    link.secret = site.accounts.sign_in_link("root")
    _, headers = signed_in(site, link)
    assert site.client.get("/v1/tokens", headers=headers).status_code == 200, "an administrator's"
    session = next(token for token in site.accounts.tokens("root") if token.session)
    assert session.expires_at - site.parts.clock.now() > timedelta(hours=11)
