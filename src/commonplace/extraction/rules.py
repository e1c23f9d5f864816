"""From a clause that fits a rule to the candidates it makes."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from commonplace.extraction.matching import Found, found
from commonplace.extraction.slots import ROLES, plain, possessive, slot_of, statement
from commonplace.model import Candidate, CandidateType, Category, Kind, Role
from commonplace.text.dates import find_dates

MOST = 5
"""Candidates a turn."""

SURE = 0.9
"""The confidence of what the speaker asks to be remembered."""

LOOK_BACK = 5
"""Turns in which "I meant Bergen" and "forget that" look for what they take back."""

Retracts = Literal["ended", "wrong", "forget"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn as the rules see it."""

    episode: str
    text: str
    at: datetime
    speaker: str | None = None
    role: Role = "user"


@dataclass(frozen=True, slots=True)
class _Turn:
    said: Said
    me: str
    """``owner``, or the name of the speaker who is somebody else."""
    owner: str
    """What the owner is called in a statement."""
    recent: Sequence[Said]
    owner_name: str | None


def candidates(turn: Said, *, owner_name: str | None = None, recent: Sequence[Said] = ()) -> tuple[Candidate, ...]:
    """What a turn teaches, by rules alone: at most five, in the order in which it was said; mostly none.

    ``recent`` are the turns before, oldest first: a correction finds there what it corrects. Only what people say is
    read; a turn of the assistant, a tool or the system gives none.
    """
    if turn.role != "user":
        return ()
    told = _Turn(turn, _me(turn, owner_name), owner_name or "Owner", recent, owner_name)
    made: dict[tuple[str | None, ...], Candidate] = {}
    for hit in found(turn.text):
        for one in _SHAPES[hit.rule.shape](hit, told):
            one = _dated(one, hit, turn)
            if hit.rule.shape == "was" and one.valid_to is None:
                continue
            made.setdefault((one.statement, one.kind, one.retracts), one)
    return tuple(made.values())[:MOST]


def _me(turn: Said, owner_name: str | None) -> str:
    if turn.speaker is None or turn.speaker.casefold() in ("owner", "user", "me", (owner_name or "owner").casefold()):
        return "owner"
    return turn.speaker


# When it holds

_TIMELESS = ("routine", "held_on", "due_on", "born_on", "born_in", "value", "use_instead", "name", "age")


def _dated(one: Candidate, hit: Found, turn: Said) -> Candidate:
    """With the bounds its clause gives: since 2021, last month, until Friday."""
    if one.predicate in (None, *_TIMELESS):
        return one
    starts: datetime | None = None
    ends: datetime | None = None
    for date in find_dates(hit.around, turn.at, hit.language.code):
        if date.first.year == 1:
            ends = date.last if hit.rule.shape == "was" else _ahead(date.last, date.text, turn.at)
        elif date.first <= turn.at and date.kind != "recurring":
            starts = date.first
    return replace(one, valid_from=starts, valid_to=ends) if starts or ends else one


def _ahead(last: datetime, text: str, now: datetime) -> datetime:
    """ "Until Friday" and "until June" are the next ones, unless the year says otherwise."""
    if last >= now or re.search(r"\d{4}", text):
        return last
    week = last + timedelta(days=7)
    return week if week >= now else last + timedelta(days=365)


# Who a clause is about


def _subject(hit: Found, turn: _Turn) -> str:
    groups = hit.groups
    if "kname" in groups:
        return groups["kname"]
    if "kin" in groups:
        return f"{_whose(turn)} {_role(hit, groups['kin'])}"
    if "who" in groups and groups["who"].casefold() not in ("i", "we"):
        return groups["who"]
    return turn.me


def _whose(turn: _Turn) -> str:
    return possessive(turn.me)


def _role(hit: Found, word: str) -> str:
    return hit.language.roles[" ".join(word.casefold().split())]


def _clean(value: str) -> str:
    return value.strip(" \t,.;:!`\"'")


def _says_something(hit: Found, value: str) -> bool:
    words = re.findall(r"[\w/#.-]+", value.casefold().split(",")[0])
    return bool(words) and not all(word in hit.language.pronouns or word in _THIN for word in words)


_THIN = frozenset(
    "do go with for use skip keep drop first now then again please start stick to pick merge ship try up".split()
)
"""Words that add nothing to a pronoun: "go with that"."""


def _items(value: str) -> list[str]:
    """The parts of a list: "tea, coffee and milk"."""
    parts = (_clean(one) for one in re.split(r",\s*(?:and |e |y |et |und )?| and | e | y | et | und ", value))
    return [re.sub(r"^(?:some|a bit of|a little|also) ", "", part) for part in parts if part]


def _taken(hit: Found, value: str) -> list[str]:
    """The parts of a list up to the first that is none: "…, it looks so cosy" goes on with another sentence."""
    parts: list[str] = []
    if "," in value and not _AND.search(value):  # a comma alone begins something else
        value = value.split(",")[0]
    for part in _items(value):
        words = _WITH_ARTICLE.sub("", part).casefold().split()
        if len(words) > 5 or any(word in hit.language.pronouns for word in words):
            break
        parts.append(part)
    return parts


_AND = re.compile(r"\b(?:and|e|ed|y|et|und)\b|&", re.IGNORECASE)


# The common way to a candidate


def _about(
    hit: Found, turn: _Turn, subject: str, predicate: str, object: str, *, type: CandidateType = "fact",
    kind: Kind | None = None, category: Category = "fact", retracts: Retracts | None = None, key: str | None = None,
) -> Candidate:  # fmt: skip
    slot = slot_of(predicate)
    text = statement(predicate, subject, object or "anything", owner=turn.owner)
    return Candidate(
        type=type,
        statement=text if retracts is None else f"No longer held: {text}" if retracts == "ended" else f"Not so: {text}",
        kind=kind or "associative",
        category=category,
        quote=hit.quote,
        episode=turn.said.episode,
        subject=subject,
        subject_type="person" if slot.relational or subject == turn.me else None,
        predicate=predicate,
        object=object or None,
        object_type="person" if object == "owner" else slot.object_type,
        key=key,
        confidence=SURE if hit.insisted else 0.7,
        retracts=retracts,
        many=slot.many,
    )


def _slot(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    predicate, _, fixed = hit.rule.detail.partition(":")
    if predicate == "favourite":
        predicate = "favourite_" + "_".join(hit.groups["what"].casefold().split())
    object = _clean(hit.groups.get("o", fixed))
    if not _says_something(hit, object) or (predicate in _PLACES and _is_a_tool(object)):
        return
    slot = slot_of(predicate)
    subject = _subject(hit, turn)
    yield from _named_kin(hit, turn)
    preference = hit.rule.kind == "preference"
    for item in _taken(hit, object) if slot.many and predicate not in _WHOLE else [object]:
        yield _about(
            hit, turn, subject, predicate, _named(hit, predicate, item),
            type="preference" if preference else "relation" if slot.relational else "fact",
            kind="relational" if slot.relational else "associative",
            category="preference" if preference else "fact",
        )  # fmt: skip
    if "job" in hit.groups:
        yield _about(hit, turn, subject, "occupation", _clean(hit.groups["job"]))


_WHOLE = (
    "prefers", "wants", "part_of", "event", "studied", "studies", "is", "runs", "takes_over", "training_for",
    "leads", "has_been", "died", "works_in", "condition", "has_condition", "has",
)  # fmt: skip
"""Said in a phrase of its own, not in a list of things."""
_PLACES = ("lives_in", "staying_in", "from", "works_at")
_TOOLS = frozenset(
    "actions android aws azure chrome code cursor discord docker emacs excel firefox gcp git github gitlab gmail "
    "instagram ios jira kubernetes linear linkedin linux mac mars moon neovim notion outlook postgres python react "
    "rust slack studio teams typescript vim vscode whatsapp windows zed zoom wayland x11 bun deno node".split()
)
"""What people move to and join without living or working there."""


def _is_a_tool(name: str) -> bool:
    return bool(_TOOLS.intersection(re.findall(r"\w+", name.casefold())))


def _named_kin(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "My sister Anna …" says first of all that Anna is a sister."""
    if "kname" in hit.groups and "kin" in hit.groups:
        yield from _edge(hit, turn, hit.groups["kname"], _role(hit, hit.groups["kin"]))


def _named(hit: Found, predicate: str, item: str) -> str:
    if hit.language.code == "en":
        item = re.sub(r"\b(?:my|our)\b", "their", item)
    if predicate == "works_on":
        return _project(item)
    return _WITH_ARTICLE.sub("", item) if hit.language.code != "en" and predicate in _BARE else item


_BARE = (
    "likes", "dislikes", "allergic_to", "plays", "does_not_eat", "does_not_drink", "afraid_of", "practises", "supports",
    "learning", "teaches",
)  # fmt: skip
_WITH_ARTICLE = re.compile(r"^(?:(?:il|lo|la|gli|le|i|el|los|las|les|du|des|de la|der|die|das|den) |l')", re.IGNORECASE)


def _project(name: str) -> str:
    return re.sub(
        r"^(?:the )?(?:project|progetto|proyecto|projet|projekt) | (?:project|projekt)$", "", name, flags=re.IGNORECASE
    )


def _core(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    predicate = f"work_{hit.rule.detail}" if "work" in hit.groups else hit.rule.detail
    object = _clean(hit.groups["o"])
    mine = turn.me == "owner"
    yield _about(
        hit, turn, turn.me, predicate, object, type="value" if mine else "fact",
        kind="core" if mine else "associative", key=predicate if mine else None,
    )  # fmt: skip


def _edge(hit: Found, turn: _Turn, name: str, word: str, *, retracts: Retracts | None = None) -> Iterator[Candidate]:
    """The edge between a person and the speaker."""
    role = ROLES[word]
    ends = (turn.me, name) if role.reversed else (name, turn.me)
    yield replace(
        _about(hit, turn, ends[0], role.predicate, ends[1], type="relation", kind="relational", retracts=retracts),
        subject_type="person",
        object_type="person",
    )


def _value_of_role(
    hit: Found, turn: _Turn, name: str, word: str, *, retracts: Retracts | None = None
) -> Iterator[Candidate]:
    if ROLES[word].one and turn.me == "owner":
        shown = word.upper() if len(word) == 3 and word not in ("son", "vet") else word
        text = f"{possessive(turn.owner)} {shown} is {name}"
        yield Candidate(
            type="value", statement=text if retracts is None else f"No longer held: {text}", kind="core",
            category="fact", quote=hit.quote, episode=turn.said.episode, subject=turn.me, subject_type="person",
            predicate=f"has_one_{word}", object=name, object_type="person", key=word, retracts=retracts,
            confidence=SURE if hit.insisted else 0.7,
        )  # fmt: skip


def _role_is(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    word = _role(hit, hit.groups["role"])
    yield from _edge(hit, turn, hit.groups["name"], word)
    yield from _value_of_role(hit, turn, hit.groups["name"], word)


def _partnered(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    yield from _edge(hit, turn, hit.groups["name"], "partner")


def _project_role(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    groups = hit.groups
    project, role = _project(_clean(groups["project"])), groups.get("role", hit.rule.detail).casefold()
    name = turn.me if groups["name"] in ("I", "i") else groups["name"]
    edge = _about(hit, turn, name, "stakeholder_of", project, type="relation", kind="relational")
    shown = role.upper() if len(role) == 2 else role
    yield replace(edge, subject_type="person", object_type="project")
    fact = _about(hit, turn, name, "role_on", f"{project}: {shown}")
    said = turn.owner if name == "owner" else name
    yield replace(
        fact, statement=f"{said} is {shown} on {project}", object=f"{shown} on {project}", subject_type="person"
    )


def _have_kin(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    word = _role(hit, hit.groups["kin"])
    if "kname" in hit.groups:
        yield from _edge(hit, turn, hit.groups["kname"], word)
    else:
        yield _about(hit, turn, turn.me, f"has_{word}", _counted(hit.groups.get("count", ""), word))
    if "o" in hit.groups:
        who = hit.groups.get("kname") or f"{_whose(turn)} {word}"
        yield _about(hit, turn, who, "lives_in", _clean(hit.groups["o"]))


_COUNTS = {
    "two": ("two", "2", "due", "dos", "deux", "zwei"), "three": ("three", "3", "tre", "tres", "trois", "drei"),
    "four": ("four", "4", "quattro", "cuatro", "quatre", "vier"),
}  # fmt: skip


def _counted(number: str, word: str) -> str:
    count = next((count for count, words in _COUNTS.items() if number.strip().casefold() in words), None)
    if count is None:
        return f"a {word}"
    return f"{count} children" if word == "child" else f"{count} {word}s"


def _kin_list(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "Two kids, Sam (7) and Robin": how many, and each by name."""
    word = _role(hit, hit.groups["kin"])
    if "count" in hit.groups:
        yield _about(hit, turn, turn.me, f"has_{word}", _counted(hit.groups["count"], word))
    for name in _items(re.sub(r"\s*\([^)]*\)", "", hit.groups["names"]).replace(" & ", " and ")):
        yield from _edge(hit, turn, name, word)


def _lack(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    word = _role(hit, hit.groups["kin"])
    born_to = ROLES[word].family and ROLES[word].predicate != "partner_of"
    retracts: Retracts = "wrong" if born_to or hit.misspoke else "ended"
    gone = _about(hit, turn, turn.me, f"has_{word}", "", retracts=retracts)
    yield replace(gone, statement=f"{_name(turn)} has no {word}")
    everything = _about(hit, turn, f"{_whose(turn)} {word}", "is", "", retracts=retracts)
    shown = f"{possessive(_name(turn))} {word}"
    yield replace(everything, statement=f"Nothing holds of {shown}", predicate=None, many=True)


def _name(turn: _Turn) -> str:
    return turn.owner if turn.me == "owner" else turn.me


def _pet(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    groups = hit.groups
    if "animal" in groups:
        animal = groups["animal"].casefold()
        animal = next((english for english, words in _ANIMALS.items() if animal in words), animal)
        named = f"a {animal} called {groups['name']}"
    else:
        named = groups["o"]
    yield _about(hit, turn, turn.me, "has_pet", named.replace(" named ", " called "))


_ANIMALS = {
    "dog": ("cane", "cagnolina", "cagnolino", "perro", "perra", "perrito", "chien", "chienne", "hund", "hündin"),
    "cat": ("gatto", "gatta", "gattino", "gato", "gata", "gatito", "chat", "chatte", "katze", "kater"),
    "rabbit": ("coniglio", "conejo", "coneja", "lapin", "lapine", "kaninchen", "hase"),
    "horse": ("cavallo", "cavalla", "caballo", "yegua", "cheval", "jument", "pferd", "stute"),
    "parrot": ("pappagallo", "loro", "perroquet", "papagei"),
    "tortoise": ("tartaruga", "tortuga", "tortue", "schildkröte"),
    "hamster": ("criceto", "hámster", "hamster"),
}
"""What a pet is called in the languages in which a belief is not written."""


def _thing(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "My blood type is O negative"."""
    if _says_something(hit, _clean(hit.groups["o"])):
        what = "_".join(hit.groups["what"].casefold().split())
        yield _about(hit, turn, turn.me, f"has_one_{what}", _named(hit, "is", _clean(hit.groups["o"])))


def _thing_name(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "My physio is called Marguerite": of whatever the speaker has."""
    what = "_".join(hit.groups["what"].casefold().split())
    yield _about(hit, turn, turn.me, f"has_one_{what}", hit.groups["name"])


def _my_name(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "I'm Ravi", unless it is where they come from or what they believe in."""
    name = hit.groups["name"]
    if not name.isupper() and not _A_KIND.search(name):
        mine = turn.me == "owner"
        yield _about(
            hit, turn, turn.me, "name", name, type="value" if mine else "fact", kind="core" if mine else "associative",
            key="name" if mine else None,
        )  # fmt: skip


_A_KIND = re.compile(r"(?:ish|ese|[^n]ian|ist|olic|ndu|can|ench|tch|wiss|eek)$")
"""Irish, Maltese, Norwegian, Buddhist, Catholic, Hindu, American, French, Dutch, Swiss, Greek."""


def _age(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    if 0 < int(hit.groups["o"]) < 120:
        yield from _named_kin(hit, turn)
        yield _about(hit, turn, _subject(hit, turn), "age", hit.groups["o"])


def _ended(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    predicate = hit.rule.detail
    slot = slot_of(predicate)
    denied = slot.denied == "wrong" and "anymore" not in hit.groups
    retracts: Retracts = "wrong" if hit.misspoke or denied else "ended"
    object = _project(_clean(hit.groups["o"])) if predicate == "works_on" else _clean(hit.groups["o"])
    if predicate == "routine" and "when" in hit.groups:
        object = f"{object} {_cadence(hit.groups['when'])}"
    yield _about(
        hit, turn, _subject(hit, turn), predicate, object, retracts=retracts,
        kind="relational" if slot.relational else "associative",
        type="relation" if slot.relational else "fact",
    )  # fmt: skip


def _ended_role(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    retracts: Retracts = "wrong" if hit.misspoke else "ended"
    if "kin" in hit.groups:
        yield _about(hit, turn, turn.me, f"has_{_role(hit, hit.groups['kin'])}", "", retracts=retracts)
        return
    word = _role(hit, hit.groups["role"])
    yield from _edge(hit, turn, hit.groups["name"], word, retracts=retracts)
    yield from _value_of_role(hit, turn, hit.groups["name"], word, retracts=retracts)


# Free statements


def _free(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    what = _clean(hit.groups["o"])
    if not _says_something(hit, what) or _points_elsewhere(what):
        return
    head = hit.rule.detail
    types: dict[str, CandidateType] = {"preference": "preference", "correction": "lesson", "priority": "decision"}
    categories: dict[str, Category] = {"preference": "preference", "correction": "lesson"}
    yield Candidate(
        type=types.get(hit.rule.kind, "decision"),
        statement=head.format(o=_own_words(what, turn)),
        kind="associative",
        category=categories.get(hit.rule.kind, "decision"),
        quote=hit.quote,
        episode=turn.said.episode,
        confidence=SURE if hit.insisted else 0.7,
    )


def _points_elsewhere(what: str) -> bool:
    """ "Use this money", "merge it and go on": nobody who reads it later knows what is meant."""
    opens = re.match(rf"(?:this|that|it)\b(?! (?:\w+ (?:is|are)|{_OWN_WORK})\b)", what, re.IGNORECASE)
    opens = opens or re.match(r"(?:\w+ )(?:it|them|that)(?: and\b|,|$)", what, re.IGNORECASE)
    opens = opens or _THE_NTH.search(what)
    return bool(opens or _HERE.search(what))


_OWN_WORK = "(?:repo|repository|project|codebase|package|monorepo|team|app|service|library|workspace)"
_HERE = re.compile(rf"\b(?:(?:this|these|those)(?! {_OWN_WORK}\b)|myself|ourselves)\b", re.IGNORECASE)
_THE_NTH = re.compile(
    r"\b(?:the|il|la|el|le|der|die|das) (?:first|second|third|last|latter|former|other|prim[oa]|second[oa]|terz[oa]|"
    r"primer[oa]?|segund[oa]|tercer[oa]?|premi(?:er|ère)|deuxième|troisième|erste|zweite|dritte)n?"
    r"(?: (?:one|option|opzione|opción))?$",
    re.IGNORECASE,
)
"""An offer of the assistant's that nobody will remember by its number."""


def _kept(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    what = _clean(hit.groups["o"])
    said = _own_words(what, turn)
    text = said[:1].upper() + said[1:] if hit.language.code == "en" else f"{_name(turn)} said: {what}"
    yield Candidate(
        type="fact", statement=text, kind="associative", category="context", quote=hit.quote,
        episode=turn.said.episode, confidence=SURE,
    )  # fmt: skip


_OWN = (
    (r"\bI'm\b|\bI am\b", "{n} is"), (r"\bI've\b|\bI have\b", "{n} has"), (r"\bmy\b", "{n}'s"), (r"\bI\b", "{n}"),
    (r"\bme\b", "{n}"),
)  # fmt: skip


def _own_words(what: str, turn: _Turn) -> str:
    for pattern, put in _OWN:
        what = re.sub(pattern, put.format(n=_name(turn)), what)
    return what


def _instead(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    new, old = _clean(hit.groups["new"]), _clean(hit.groups["old"])
    if _says_something(hit, new) and _says_something(hit, old):
        yield _about(hit, turn, old + _aim(hit), "use_instead", new, type="correction", category="correction")


_AIM = re.compile(
    r"(?<= )(?:for|per|para|pour|für) (?!now\b|ora\b|ahora\b)[\w`'#./@+-]+(?: [\w`'#./@+-]+){0,3}$", re.IGNORECASE
)


def _aim(hit: Found) -> str:
    """ "Use SQLite, not Postgres for the tests" leaves the rest on Postgres."""
    aim = _AIM.search(hit.quote)
    return f" {aim[0]}" if aim and aim[0] not in hit.groups["new"] else ""


def _routine(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    parts = (_clean(hit.groups["o"]), hit.groups.get("rest", ""), _cadence(hit.groups.get("when", "")))
    what = " ".join(filter(None, parts)).replace("  ", " ")
    if not _says_something(hit, what):
        return
    yield _about(hit, turn, _subject(hit, turn), "routine", what, type="routine", category="routine")


def _cadence(when: str) -> str:
    when = " ".join(when.split())
    return when[:1].lower() + when[1:]


def _does(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "I sing in a choir": the verb is the predicate."""
    verb, *rest = hit.groups["verb"].casefold().split()
    what = " ".join((*rest, _clean(hit.groups["o"])))
    if _says_something(hit, what):
        yield _about(hit, turn, _subject(hit, turn), _third(verb), _named(hit, "does", what))


def _third(verb: str) -> str:
    """The verb as of somebody else: sings, watches, studies."""
    if verb == "have":
        return "has"
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def _held_on(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    subject, when = _clean(hit.groups["s"]), re.sub(r"^on ", "", _clean(hit.groups["o"]), flags=re.IGNORECASE)
    held = _about(hit, turn, subject, "held_on", when, type="routine", category="routine")
    yield replace(held, many=_may_be_another(hit, subject))


_ANY_OF_THEM = frozenset(
    "meeting call appointment class lesson training review sync demo id url uri endpoint path folder directory tag "
    "table topic queue room file channel riunione lezione allenamento corso percorso cartella canale "
    "reunión clase curso entrenamiento llamada ruta carpeta canal réunion cours entraînement appel chemin dossier "
    "besprechung kurs termin pfad ordner kanal".split()
)
_CHANGED = re.compile(
    r"\b(?:now|new|moved|changed|instead|ora|adesso|nuov\w|spostat\w|ahora|nuev\w|movido|maintenant|nouve\w+|déplac\w+|"
    r"jetzt|neue?\w?|verschoben)\b",
    re.IGNORECASE,
)


def _fixed(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "The meeting is on the 14th, not the 12th"."""
    subject, new = plain(hit.groups["s"]), _day(_clean(hit.groups["new"]), hit, turn)
    yield _about(hit, turn, subject, "value", new, type="correction", category="correction")


def _event(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    """ "The trip is on June 12": takes place once."""
    subject, when = plain(hit.groups["s"]), _day(hit.groups["o"], hit, turn)
    held = _about(hit, turn, subject, "held_on", when, type="value", category="context")
    yield replace(held, many=_may_be_another(hit, subject))


def _may_be_another(hit: Found, subject: str) -> bool:
    """ "The meeting" of today need not be that of last week, unless something is said to have changed."""
    return subject.casefold() in _ANY_OF_THEM and not _CHANGED.search(hit.quote)


def _value(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    subject = plain(hit.groups["s"]) if not hit.groups["s"].isupper() else hit.groups["s"]
    if "://" in hit.groups["o"] and not re.search(r"ur[li]\b|endpoint|webhook|host|domain", subject.casefold()):
        subject += " url"
    value = _about(hit, turn, subject, "value", _clean(hit.groups["o"]), type="value", category="context")
    yield replace(value, many=_may_be_another(hit, subject))


def _version(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    yield _about(hit, turn, f"{hit.groups['s']} version", "value", hit.groups["o"], type="value", category="context")


def _due(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    when = _day(hit.groups["o"], hit, turn)
    subject = re.sub(r"^(deadline|launch|release) (?:for|of) (?:the )?(.+)$", r"\2 \1", plain(hit.groups["s"]))
    yield _about(hit, turn, subject, "due_on", when, type="value", category="context")


def _day(spoken: str, hit: Found, turn: _Turn) -> str:
    """The date that "Friday" means today: next week it would mean another."""
    at = turn.said.at
    found = find_dates(spoken, at, hit.language.code)
    if len(found) != 1 or found[0].last - found[0].first > timedelta(days=1):
        return spoken
    return _ahead(found[0].last, spoken, at).astimezone(at.tzinfo).date().isoformat()


# What needs the turns before


def _before(turn: _Turn, turns: int) -> Iterator[Candidate]:
    """What the same speaker taught in the turns before, latest first."""
    own = [said for said in turn.recent if said.role == "user" and _me(said, turn.owner_name) == turn.me]
    for said in list(reversed(own))[:turns]:
        yield from reversed(candidates(said, owner_name=turn.owner_name))


def _meant(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    new, old = _clean(hit.groups["new"]), _clean(hit.groups.get("old", ""))
    if not _says_something(hit, new):
        return
    earlier = _corrected(turn, new, old)
    if earlier is None or earlier.predicate is None or earlier.object is None:
        if old:
            yield replace(
                _about(hit, turn, old, "use_instead", new, type="correction", category="correction"),
                statement=f"{new}, not {old}",
            )
        return
    here = replace(earlier, quote=hit.quote, episode=turn.said.episode)
    yield replace(here, retracts="wrong", statement=f"Not so: {earlier.statement}")
    fixed = statement(earlier.predicate, earlier.subject or turn.me, new, owner=turn.owner)
    yield replace(here, type="correction", object=new, statement=fixed)


def _corrected(turn: _Turn, new: str, old: str) -> Candidate | None:
    """The saying that "I meant Bergen" corrects: that which named ``old``, or in the last turn one of the same form."""
    for earlier in _before(turn, LOOK_BACK if old else 1):
        if earlier.retracts or not earlier.object or earlier.object == "owner":
            continue
        if plain(earlier.object) == plain(old) if old else _alike(new, earlier.object):
            return earlier
    return None


def _alike(one: str, other: str) -> bool:
    """Both names, or both numbers, or both plain words; and about as long."""
    forms = [(text[0].isupper(), any(sign.isdigit() for sign in text)) for text in (one, other)]
    return forms[0] == forms[1] and abs(len(one.split()) - len(other.split())) <= 1


def _forget(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    groups = hit.groups
    if "clause" in groups:
        inner = replace(turn.said, text=groups["clause"])
        earlier: Sequence[Candidate] = candidates(inner, owner_name=turn.owner_name)
    elif "mine" in groups or "about" in groups:
        what = groups.get("mine") or groups["about"]
        yield _forgotten_topic(hit, turn, what, mine="mine" in groups)
        return
    else:
        earlier = _last_taught(turn)
    for one in earlier:
        if one.retracts is None:
            yield replace(
                one, retracts="forget", quote=hit.quote, episode=turn.said.episode, statement=f"Forget: {one.statement}"
            )


def _last_taught(turn: _Turn) -> Sequence[Candidate]:
    """All of the latest turn of the speaker, if that turn taught anything; "that" reaches no further back."""
    for said in reversed(turn.recent):
        if said.role == "user" and _me(said, turn.owner_name) == turn.me:
            return candidates(said, owner_name=turn.owner_name)
    return ()


def _forgotten_topic(hit: Found, turn: _Turn, what: str, *, mine: bool) -> Candidate:
    named = _clean(re.sub(r"^my ", f"{possessive(_name(turn))} ", what, flags=re.IGNORECASE))
    shown = f"{possessive(_name(turn))} {named}" if mine else named
    return Candidate(
        type="fact", statement=f"Forget: {shown}", kind="associative", category="fact", quote=hit.quote,
        episode=turn.said.episode, object=shown, retracts="forget", many=True,
    )  # fmt: skip


def _nothing(hit: Found, turn: _Turn) -> Iterator[Candidate]:
    return iter(())


_SHAPES: Mapping[str, Callable[[Found, _Turn], Iterator[Candidate]]] = {
    "age": _age,
    "core": _core,
    "does": _does,
    "due": _due,
    "event": _event,
    "ended": _ended,
    "ended_role": _ended_role,
    "forget": _forget,
    "fixed": _fixed,
    "free": _free,
    "have_kin": _have_kin,
    "held_on": _held_on,
    "instead": _instead,
    "kept": _kept,
    "kin_list": _kin_list,
    "kin_name": _role_is,
    "lack": _lack,
    "meant": _meant,
    "mention": _named_kin,
    "my_name": _my_name,
    "nothing": _nothing,
    "partnered": _partnered,
    "pet": _pet,
    "project_role": _project_role,
    "role": _role_is,
    "routine": _routine,
    "slot": _slot,
    "thing": _thing,
    "thing_name": _thing_name,
    "value": _value,
    "version": _version,
    "was": _slot,
}
