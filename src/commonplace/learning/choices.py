"""Which free decision overturns which: "let's go with SQLite for jobs", and later "use Postgres, not SQLite". Pure.

A decision has no slot. Two of them contradict each other only where one names what the other chose (``use X not Y``,
``skip X``), or where both choose for the same purpose between things that do the same work. Everything else stands.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.learning.slots import plain

_LEAD = re.compile(
    r"(?:(?:decision|architecture|correction|convention): ?)?"
    r"(?:(?:we|i)(?:'ll| will| should| must| decided to| agreed to| are going to|'re| are|'m| am|'ve| have)? |"
    r"let's |let us |lass(?:t)? uns )?"
    r"(?P<verb>(?P<deny>do not add|don't add|do not use|don't use|not go with|not going with|skip|drop|"
    r"avoid|remove|dropping|ditching|"
    r"non usiamo|non usare|non aggiungere|non aggiungiamo|saltiamo|togliamo|evitare|"
    r"no usemos|no uses|no añadas|no añadamos|saltemos|evitar|"
    r"n'utilisons pas|n'utilise pas|n'ajoute pas|n'ajoutons pas|sautons|éviter|"
    r"(?:verwende|benutze?|nutze) keine?n?|wir überspringen|überspringen wir)|"
    r"(?:go|going) (?:with|for)|uses?|using|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:with|on)|adopt|pick(?:ed)?|"
    r"choose|chose|chosen|switch(?:ing|ed)? to|mov(?:e|ing) to|went with|opted for|ended up with|add|start with|"
    r"keep(?:ing)?|"
    r"andiamo con|usiamo|usare|optiamo per|passiamo a|scegliamo|partiamo con|adottare|aggiungiamo|"
    r"vamos con|vamos a usar|usemos|usaremos|usar|optemos por|pasemos a|elijamos|adoptar|"
    r"on part sur|partons sur|utilisons|on va utiliser|utiliser|passons à|choisissons|adopter|"
    r"(?:abbiamo|ho) scelto|restiamo (?:su|con)|teniamo|hemos elegido|elegimos|nos quedamos con|"
    r"seguimos con|quedarnos con|"
    r"on garde|gardons|on reste (?:sur|avec)|on a choisi|wir bleiben bei|bleiben wir bei|"
    r"wir setzen auf|für (?=\S+ entschieden)|"
    r"wir nehmen|nehmen wir|wir gehen mit|wir verwenden(?: ab jetzt)?|(?=\S.* (?:nehmen|verwenden|nutzen)$))"
    r"(?:\b|(?<=\s)|^) ?",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:add|aggiung\w+|añad\w+|ajout\w+)\b", re.IGNORECASE)
_SWITCH = re.compile(r"(?:decision: ?)?switch (?P<topic>(?:the|our) .+?) to (?P<what>.+)", re.IGNORECASE)
_INSTEAD = (
    r"instead of|rather than|not|invece di|al posto di|anziché|en vez de|en lugar de|au lieu de|plutôt que|"
    r"statt|anstatt"
)
_OVER = re.compile(
    rf",? (?:{_INSTEAD}) (?P<old>.+?)(?= (?:for|per|para|pour|für) |$)",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r",? (?:instead|after all|now|invece|adesso|al suo posto|en su lugar|ahora|à la place|plutôt|maintenant|"
    r"stattdessen|doch|jetzt)$",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r" (?:for now|for the moment|per ora|por ahora|pour l'instant|fürs erste|nehmen|verwenden|nutzen)$"
)
_FOR = re.compile(r" (?:for|per|para|pour|für) ", re.IGNORECASE)
_VERSION = re.compile(r"(?P<name>.+?) v?\d+(?:\.\d+)*$")

_ALTERNATIVES = tuple(
    frozenset(plain(name) for name in line.split(", "))
    for line in (
        "postgres, postgresql, sqlite, mysql, mariadb, mongodb, mongo, cockroachdb, oracle, duckdb, cassandra",
        "redis, memcached, valkey, dragonfly, keydb",
        "kafka, rabbitmq, nats, sqs, pulsar, redis streams, celery, sidekiq",
        "react, vue, svelte, angular, solid, preact, htmx",
        "django, rails, flask, fastapi, laravel, express, spring, phoenix, starlette, nestjs, symfony",
        "jenkins, github actions, gitlab, gitlab ci, circleci, travis, buildkite, teamcity, drone",
        "github, gitlab, bitbucket, gitea, codeberg, forgejo",
        "aws, azure, gcp, google cloud, hetzner, ovh, digitalocean, heroku, fly.io, vercel, netlify",
        "rest, graphql, grpc, soap",
        "python, go, golang, rust, java, kotlin, ruby, elixir, c#, php, scala",
        "typescript, javascript",
        "pip, uv, poetry, pdm, conda, pipenv",
        "npm, pnpm, yarn, bun",
        "black, ruff format, yapf",
        "pylint, flake8, ruff",
        "pytest, unittest, nose",
        "jest, vitest, mocha",
        "webpack, vite, rollup, esbuild, parcel",
        "tailwind, bootstrap, bulma",
        "docker, podman",
        "docker compose, nix, vagrant",
        "kubernetes, nomad, docker swarm",
        "terraform, pulumi, opentofu, cloudformation",
        "slack, teams, mattermost, discord",
        "zoom, google meet, jitsi",
        "jira, linear, trello, asana",
        "tabs, spaces",
        "merge, rebase, squash",
    )
)
"""Things that do the same work, so that a choice of one is a choice against the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    what: str
    topic: str | None = None
    """What it is chosen for."""
    against: str | None = None
    """What it is said to replace."""
    denies: bool = False
    adds: bool = False
    """Something is put in, not chosen among others."""
    marked: bool = False
    """Said as a change: "instead", "after all"."""
    switches: bool = False


def choice_of(statement: str, *, predicate: str | None = None, subject: str | None = None) -> Choice | None:
    """What a statement chooses; None if it chooses nothing. Of ``use_instead`` the subject is what gives way."""
    if predicate == "use_instead" and subject:
        statement = re.sub(rf",? not {re.escape(subject)}.*$", "", statement, flags=re.IGNORECASE)
        choice = _read(statement)
        old, _, topic = _split(subject)
        return (
            None if choice is None else Choice(what=choice.what, topic=choice.topic or topic, against=old, marked=True)
        )
    if predicate is not None:
        return None
    return _read(statement)


def same_choice(new: Choice, old: Choice) -> bool:
    """The same chosen (or refused) for the same, in whatever words; nothing more is said of what gives way."""
    same = (new.what, new.topic, new.denies, new.adds) == (old.what, old.topic, old.denies, old.adds)
    return same and new.against in (None, old.against)


def overturned(new: Choice, choices: Sequence[Choice]) -> list[int]:
    """The places of the choices that a later one takes the place of. None where it is not certain which is meant."""
    places = [place for place, old in enumerate(choices) if overturns(new, old)]
    topics = {choices[place].topic for place in places}
    return places if len(topics) < 2 else []


def overturns(new: Choice, old: Choice) -> bool:
    if new.adds != old.adds or not _reaches(new, old):
        return False
    if new.denies or old.denies:
        return new.denies != old.denies and new.what == old.what
    if new.what == old.what:
        return False
    if new.against is not None:
        return new.against == old.what
    if old.against == new.what or _versions(new.what, old.what):
        return new.topic == old.topic
    return _rivals(new, old)


def _reaches(new: Choice, old: Choice) -> bool:
    """For the same purpose; and what is said without any reaches what was chosen for one, if it names that."""
    return new.topic == old.topic or (new.topic is None and (new.against is not None or new.denies))


def _rivals(new: Choice, old: Choice) -> bool:
    kinds = [{n for n, names in enumerate(_ALTERNATIVES) if choice.what in names} for choice in (new, old)]
    if kinds[0] & kinds[1]:
        return new.topic is not None or new.marked
    unknown = not kinds[0] or not kinds[1]
    return unknown and new.marked and not new.switches and new.topic is not None


def _versions(first: str, second: str) -> bool:
    """The same thing in two versions."""
    names = [_VERSION.fullmatch(name) for name in (first, second)]
    return names[0] is not None and names[1] is not None and names[0]["name"] == names[1]["name"]


def _read(statement: str) -> Choice | None:
    switch = _SWITCH.fullmatch(statement.strip())
    if switch:
        chosen, topic = plain(switch["what"]), plain(switch["topic"])
        return Choice(what=chosen, topic=topic, marked=True, switches=True)
    lead = _LEAD.match(statement.strip())
    if lead is None:
        return None
    tail = statement.strip()[lead.end() :]
    over = _OVER.search(tail)
    old = plain(over["old"]) if over else None
    if over:
        tail = tail[: over.start()] + tail[over.end() :]
    chosen, marked, aim = _split(tail)
    if not chosen:
        return None
    return Choice(
        what=chosen, topic=aim, against=old, denies=lead["deny"] is not None, adds=bool(_ADDS.search(lead["verb"])),
        marked=marked,
    )  # fmt: skip


def _split(text: str) -> tuple[str, bool, str | None]:
    """What is chosen, whether as a change, and for what."""
    text = _FOR_NOW.sub("", text.strip(" .,;"))
    bare = _MARKED.sub("", text)
    what, *topic = _FOR.split(bare, maxsplit=1)
    chosen, aim = _MARKED.sub("", what), topic[0] if topic else None
    return plain(chosen), bare != text or chosen != what, plain(aim) if aim else None
