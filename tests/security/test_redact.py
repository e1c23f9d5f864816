"""Secrets go, everything else stays. The lists stand in ``secrets_list``."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.security.redact import only_secret, redact, redact_json
from commonplace.security.rules import KINDS
from commonplace.security.signs import card_number, iban

from .rates import missed, touched
from .secrets_list import CARD, NEGATIVES, POSITIVES, made, pem

WORDS = """
the password secret token key api access of my account and bearer basic is was login user auth private public credential
card number bank train Oslo Zürich 東京 пароль
client header curl mysql reset hash 12 1815 2026 never forget a to in with
""".split()
TEXTS = [text.format(secret) for _, secret, text in POSITIVES]


def test_the_list_is_long_enough_to_mean_something():
    assert len(POSITIVES) >= 60
    assert len(NEGATIVES) >= 120
    assert {kind for kind, _, _ in POSITIVES} == set(KINDS)


def test_the_page_names_every_kind():
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
    rows = [
        cell.strip() for line in page.splitlines() if line.count("|") == 3 for cell in line.split("|")[2].split(",")
    ]
    assert [kind for kind in KINDS if kind not in rows] == []
    assert "no such kind" not in rows


def test_the_page_tells_the_measured_rates():
    page = " ".join((Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8").split())
    assert f"{len(POSITIVES)} of {len(POSITIVES)} secrets are redacted under the right name" in page
    assert f"{len(NEGATIVES)} of {len(NEGATIVES)} other texts are unchanged" in page


def test_every_secret_of_the_list_goes_under_its_name():
    assert missed() == []


def test_nothing_else_of_the_list_is_touched():
    assert touched() == []


@pytest.mark.parametrize(
    ("kind", "secret", "text"), [one for one in POSITIVES if one[0] in ("aws access key", "github token", "iban")]
)
def test_what_surrounds_a_secret_stays(kind, secret, text):
    assert redact(text.format(secret)).text == text.format(f"[redacted: {kind}]")


def test_a_text_without_secrets_is_the_same_text_and_names_no_kind():
    after = redact("Ada prefers trains")
    assert (after.text, after.kinds) == ("Ada prefers trains", ())


def test_several_secrets_are_named_once_each():
    key = "AKIA" + made("base32", 16)
    after = redact(f"{key} and {key} and {CARD}")
    assert after.kinds == ("aws access key", "card number")
    assert after.text == "[redacted: aws access key] and [redacted: aws access key] and [redacted: card number]"


@given(st.lists(st.sampled_from(TEXTS + NEGATIVES), min_size=1, max_size=4), st.sampled_from([" ", "\n", ", ", "; "]))
@settings(deadline=None)
def test_redacting_twice_is_redacting_once(texts, between):
    once = redact(between.join(texts))
    assert redact(once.text) == type(once)(once.text, ())


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
@settings(deadline=None)
def test_prose_of_words_is_never_changed(prose):
    assert redact(prose).text == prose


@given(
    st.lists(st.from_regex(r"[a-zäöüéß]{1,12}", fullmatch=True), max_size=20), st.sampled_from([" ", ": ", " = ", "\n"])
)
@settings(deadline=None)
def test_any_letters_are_never_changed(words, between):
    prose = between.join(words)
    assert redact(prose).text == prose


@given(st.text())
@settings(deadline=None)
def test_any_text_at_all_is_survived(text):
    assert redact(redact(text).text).kinds == ()


@pytest.mark.parametrize(
    "hostile",
    [
        "password=" * 20_000,
        "eyJ" * 40_000,
        "a.b" * 40_000,
        "://:" * 30_000,
        "-----BEGIN PRIVATE KEY-----" * 3_000,
        "4" * 100_000,
        "DE12 " * 20_000,
        "aws secret " * 9_000,
    ],
)
def test_a_long_hostile_text_ends(hostile):
    assert redact(hostile).kinds == ()


@pytest.mark.parametrize(
    "secret",
    [
        TEXTS[0].split()[4],
        "password=" + "Sommer" + "2019!",
        "my password is " + "Blue" + "Whale77",
        pem("OPENSSH PRIVATE KEY"),
        "  " + CARD + "\n",
        "[redacted: aws access key]",
    ],
)
def test_nothing_but_a_secret_is_recognised(secret):
    assert only_secret(secret)


@pytest.mark.parametrize(
    "text", [TEXTS[0], "Ada's card is " + CARD, "hello", "", "password", "my token is a brass coin"]
)
def test_a_text_with_something_else_in_it_is_not_only_a_secret(text):
    assert not only_secret(text)


def test_secrets_inside_json_go_also_when_only_the_field_says_so():
    given_ = {
        "user": "ada",
        "password": "Sommer" + "2019!",
        "hosts": ["db", {"note": TEXTS[0], "port": 5432}],
        "ok": True,
    }
    after, kinds = redact_json(given_)
    assert after["password"] == "[redacted: password]"
    assert after["hosts"][1]["note"] == redact(TEXTS[0]).text
    assert (after["user"], after["hosts"][0], after["hosts"][1]["port"], after["ok"]) == ("ada", "db", 5432, True)
    assert kinds == ("password", "aws access key")
    assert redact_json(after) == (after, ())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS),
        lambda held: st.lists(held, max_size=4) | st.dictionaries(st.sampled_from(WORDS), held, max_size=4),
    )
)
@settings(deadline=None)
def test_json_of_words_is_never_changed(value):
    assert redact_json(value) == (value, ())


def test_check_digits_are_checked():
    assert card_number(CARD)
    wrong = CARD[:-1] + str((int(CARD[-1]) + 1) % 10)
    assert not card_number(wrong)
    good = next(secret for kind, secret, _ in POSITIVES if kind == "iban")
    assert iban(good)
    assert not iban(good[:-1] + str((int(good[-1]) + 1) % 10))
