"""What a note-taker writes down at once, and what a hook pays for asking."""

import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commonplace.learning.languages.tables import LanguageRules
from commonplace.learning.matching import LANGUAGES, likely
from commonplace.learning.slots import ROLES
from commonplace.learning.triggers import scan

KINDS = {
    "correction": [
        "Use uv, not pip",
        "no, I meant Bergen",
        "usa uv en vez de pip",
        "je voulais dire Brest, pas Rennes",
    ],
    "decision": ["let's go with Postgres", "skip that", "andiamo con FastAPI", "wir haben uns für Redis entschieden"],
    "architecture": [
        "we should use Redis here",
        "don't add a cache",
        "no añadas dependencias",
        "il faut utiliser Redis",
    ],
    "priority": ["this is blocking the release", "do the login first", "before that, fix the schema"],
    "name": ["My CFO is Giulia", "ich wohne in Graz", "vivo a Roma"],
    "value": ["the branch is feature/x", "la porta è 8443", "le port est 8080", "der Port ist 8081"],
    "preference": ["I prefer tea", "always run the linter", "preferisco il tè", "ich mag keinen Koriander"],
    "routine": ["every Monday I go swimming", "los martes juego al pádel", "tous les lundis je fais du yoga"],
    "retraction": ["I misspoke", "forget that", "I no longer live in Oslo", "ya no vivo en Lima", "vergiss das"],
}
ALL = [(kind, text) for kind, texts in KINDS.items() for text in texts]


@pytest.mark.parametrize(("kind", "text"), ALL, ids=[text for _, text in ALL])
def test_a_clause_has_its_kind(kind: str, text: str) -> None:
    assert [one.kind for one in scan(text)] == [kind]


def test_a_trigger_says_where_it_stands() -> None:
    text = "Hello there. By the way, I live in Oslo; and let's use Postgres!"
    found = scan(text)
    assert [one.kind for one in found] == ["name", "decision"]
    assert [text[one.start : one.end] for one in found] == [one.quote for one in found]
    assert found[0].quote == "I live in Oslo"


@pytest.mark.parametrize(
    "text", ["", "thanks!", "what time is it?", "```\nuse uv not pip\n```", "if we use uv not pip"]
)
def test_small_talk_and_code_have_none(text: str) -> None:
    assert scan(text) == ()
    assert scan("use uv not pip") != ()


@pytest.mark.parametrize(
    "text",
    [
        "I like " + "a " * 2000,
        "my sister " * 500,
        "' a " * 1500,
        "Aa-" * 1500,
        "a/" * 2500,
        "{;" * 2500,
        "the a is " * 600,
    ],
)
def test_no_text_holds_the_scan_up(text: str) -> None:
    """Patterns that step back without end would run into the suite's own time limit here."""
    assert len(scan(text)) <= 600


def test_a_long_paste_is_read_only_at_its_beginning() -> None:
    assert [one.kind for one in scan("I live in Oslo. " + "la " * 3000 + ". I work at Siemens.")] == ["name"]


@pytest.mark.parametrize("language", LANGUAGES, ids=[one.code for one in LANGUAGES])
def test_every_role_of_a_language_is_in_the_table(language: LanguageRules) -> None:
    assert set(language.roles.values()) <= set(ROLES)
    assert language.roles


@pytest.mark.parametrize("language", LANGUAGES, ids=[one.code for one in LANGUAGES])
def test_every_cue_is_written_as_it_is_looked_for(language: LanguageRules) -> None:
    cues = [cue for rule in (*language.rules, *language.mentions) for cue in (*rule.cues, *rule.also)]
    assert [cue for cue in cues if cue != cue.lower() or not cue] == []


@pytest.fixture(scope="module")
def cues() -> Any:
    spec = importlib.util.spec_from_file_location("cues", Path(__file__).parents[2] / "tools" / "cues.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


UNPROVEN = {"en": 49, "de": 43, "it": 36, "fr": 34, "es": 31}
"""Rules whose cues say more than their pattern. A rule with second cues is none of them."""


@pytest.mark.parametrize("language", LANGUAGES, ids=[one.code for one in LANGUAGES])
def test_whatever_a_pattern_matches_holds_a_cue(language: LanguageRules, cues: Any) -> None:
    rules = [*language.rules, *language.mentions]
    unproven = [rule for rule in rules if not cues.is_necessary(rule.cues, rule, language)]
    assert [rule.pattern for rule in unproven if rule.also] == []
    assert len(unproven) <= UNPROVEN[language.code]
    broken = next(rule for rule in rules if rule.also)
    assert not cues.is_necessary(("zzz", *broken.cues[1:]), replace(broken, cues=()), language)


def test_a_language_is_known_by_its_words() -> None:
    texts = {
        "en": "the build is broken and we should look at it",
        "it": "il mio ramo è questo e non ho altro",
        "es": "el puerto es este y mi rama también",
        "fr": "je ne sais pas, c'est dans le dossier",
        "de": "ich habe das nicht gesehen und wir sind da",
    }
    assert {code: likely(text)[0].code for code, text in texts.items()} == {code: code for code in texts}


def test_the_hook_imports_only_the_standard_library() -> None:
    code = (
        "import sys; import commonplace.learning.triggers; "
        "print([n for n in ('numpy', 'pydantic', 'commonplace.model', 'commonplace.learning.rules', "
        "'commonplace.text.dates', 'apsw') if n in sys.modules], 'commonplace.learning.matching' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[] True"
