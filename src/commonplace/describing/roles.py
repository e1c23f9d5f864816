"""Compares roles: who does what to whom, whose a thing is, and whether something is denied.

Each check returns True (differs in the memory), False (agrees) or None (unknown).
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from commonplace.describing.description import Description
from commonplace.describing.grammar import ADVERBS, verb_at, word_set
from commonplace.text.normal import fold, fold_case_kept
from commonplace.text.words import words

OWNER = "owner"
SUBJECTS = frozenset("i we ich wir yo je io".split())
_ASKED_FOR = frozenset("who whom wer wem wen".split())
_BEING = frozenset("am was were been is are be got gets get being".split())
_AUXILIARIES = _BEING | word_set(f"{ADVERBS} has have had do does did can could will would should must may might")
_PARTICIPANT = re.compile(
    r"\b(?:(?P<pronoun>i|we|me|us|ich|wir|mir|mich|uns|yo|je|moi|io|who|whom|wer|wem|wen)\b"
    r"|(?:my|our|his|her|their) (?P<noun>[a-z]+)\b(?!['’])"
    r"|(?P<name>(?-i:[A-Z])[\w-]+(?:\.? (?-i:[A-Z])[\w-]+)*))",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"(?i)\b(?:not|never|no longer|no|none|nobody|nothing|cannot|without|neither|nor|nicht|kein\w*|nie|pas|jamais|non"
    r"|nunca|ya no)\b|n['’]t\b"
)
_FIRST_PERSON = re.compile(
    r"(?i)\b(?:i|i['’]\w+|my|mine|me|we|our|us|ich|mein\w*|mi|mis|yo|mon|ma|mes|je|mio|mia|io)\b"
)
_SOMEBODY = re.compile(r"(?:the )?[^\W\d_a-zß-ÿ][\w-]*(?: [^\W\d_a-zß-ÿ][\w-]*)*(?P<whose>['’]s?)?(?= |$)")


def denies(text: str) -> bool:
    return _DENIAL.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Participants:
    subject: str | None
    object: str | None


@lru_cache(maxsize=4096)
def _stems(token: str, language: str) -> frozenset[str]:
    return frozenset(words(token.lower(), language))


def roles_exchanged(description: Description, clause: str) -> bool | None:
    """Whether the roles are exchanged: "what I owe Sabine" and "Sabine owes me 45 euros".

    Decided by the verb that both share: who is before and after it, and a pronoun's case. None if both mention the same
    two people and no such verb decides.
    """
    described = _everyone(description.text)
    mentioned = _everyone(clause)
    if not described:
        return False
    pivots = [token for token in _verbs(clause) if _stems(token, description.language) & set(description.terms)]
    verified = False
    for pivot in pivots:
        clause_roles = _around(clause, pivot, description.language)
        description_roles = _around(description.text, pivot, description.language)
        if (description_roles.subject and description_roles.subject == clause_roles.object) or (
            description_roles.object and description_roles.object == clause_roles.subject
        ):
            return True
        same_subject = description_roles.subject in (None, clause_roles.subject, "who")
        same_object = description_roles.object in (None, clause_roles.object, "who")
        verified = verified or (same_subject and same_object)
    several = len(mentioned | (described & {"who"})) > 1
    return None if several and not verified else False


def _verbs(clause: str) -> list[str]:
    """The main verb of a clause; after an auxiliary also the word it belongs to: "is not supported", "is older"."""
    tokens = re.findall(r"[\w'’-]+", fold_case_kept(clause))
    at = verb_at(tokens)
    verbs = []
    while at is not None and at < len(tokens):
        verbs.append(tokens[at])
        if tokens[at].lower() not in _AUXILIARIES and not tokens[at].lower().endswith("n't"):
            break
        at += 1
    return verbs


@lru_cache(maxsize=4096)
def _everyone(text: str) -> frozenset[str]:
    return frozenset(who for who, _, _ in _participants(text))


@lru_cache(maxsize=4096)
def _participants(text: str) -> tuple[tuple[str, str, int], ...]:
    """(person, the pronoun's case if visible, position) of everybody mentioned."""
    people = []
    for match in _PARTICIPANT.finditer(fold_case_kept(text)):
        pronoun = (match["pronoun"] or "").lower()
        if pronoun in _ASKED_FOR:
            people.append(("who", "", match.start()))
        elif pronoun:
            people.append((OWNER, "subject" if pronoun in SUBJECTS else "object", match.start()))
        elif match["noun"]:
            people.append((match["noun"].lower(), "", match.start()))
        elif words(match["name"].lower()) and not words(match["name"].lower())[0].startswith("s:"):
            people.append((fold(match["name"]), "", match.start()))
    return tuple(people)


@lru_cache(maxsize=4096)
def _around(text: str, pivot: str, language: str) -> _Participants:
    plain = fold_case_kept(text)
    stems = _stems(pivot, language)
    verb = next((match for match in re.finditer(r"[\w'’-]+", plain) if _stems(match[0], language) & stems), None)
    people = _participants(text)
    subject = next((who for who, case, _ in people if case == "subject"), None)
    object = next((who for who, case, _ in people if case == "object"), None)
    if verb is None:
        return _Participants(subject, object)
    for who, case, at in people:
        if case or who in (subject, object):
            continue
        if at < verb.start():
            subject = who if subject in (None, "who") else subject
        elif object is None and at >= verb.end():
            object = who
    before = [word for word in plain[: verb.start()].lower().split() if word not in word_set(ADVERBS)]
    if before and before[-1] in _BEING and verb[0].endswith(("ed", "en", "nt", "ght", "ld", "ent")):
        subject, object = object, subject  # passive
    return _Participants(subject, object)


def owned_by_another(description: Description, subject: str, clause: str) -> bool | None:
    """Whether something that is the owner's in the description is somebody else's in the memory: "my dog", "Bob's dog".

    None if the clause is about "my sister" or "the dog", which the description does not mention.
    """
    if description.anchors.names:
        return _of_the_named(description, subject)
    if not description.mine or _first_word(subject) in SUBJECTS:
        return False
    terms = set(description.terms)
    possession = re.match(r"(?i)(?:my|our|mein\w*|mi|mon|ma|mio|mia) (?P<rest>.+)", subject)
    if possession:
        head = possession["rest"].split()
        mentioned = any(_stems(re.sub(r"['’]s?$", "", word), description.language) & terms for word in head)
        chained = re.search(r"['’]s? \w", possession["rest"]) is not None
        if chained:
            owner = _stems(re.split(r"['’]", possession["rest"])[0].split()[-1], description.language)
            return not owner & terms
        return False if mentioned else None
    if _SOMEBODY.match(subject) and not description.possible_names:
        return not _FIRST_PERSON.search(clause)
    return None if subject and not _FIRST_PERSON.search(clause) else False


def _of_the_named(description: Description, subject: str) -> bool | None:
    """ "Bob's dog" differs from "Bob's sister's dog"; that "Bob's sister" has it is unknown."""
    for name in description.anchors.names:
        chain = re.match(rf"(?i){re.escape(name)}['’]s? (?P<thing>[\w-]+)(?P<more>['’]s)?", subject)
        if chain and not _stems(chain["thing"], description.language) & set(description.terms):
            return True if chain["more"] else None
    return False


def _first_word(text: str) -> str:
    return re.split(r"[\s'’]", text.strip().lower(), maxsplit=1)[0] if text.strip() else ""
