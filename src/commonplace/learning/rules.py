"""From a clause that fits a rule to the candidates it makes."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from commonplace.learning.clauses import clause_spans
from commonplace.learning.matching import ClauseMatch, clause_matches, coordinated
from commonplace.learning.slots import ON_A_DAY, ROLES, plain, possessive, slot_of, statement
from commonplace.model import Candidate, CandidateType, Category, Kind, Role
from commonplace.text.dates import Found, find_dates
from commonplace.text.english import is_past, third_person
from commonplace.text.sentences import Span

MOST = 5
"""Candidates a turn."""

SURE = 0.9
"""The confidence of what the speaker asks to be remembered."""

MAX_DATE_WORDS = 4
"""Words before a clause that may be its date."""
LOOK_BACK = 5
"""Turns in which "I meant Bergen" and "forget that" look for what they take back."""

Retracts = Literal["ended", "wrong", "forget"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn as the rules see it."""

    episode: str
    text: str
    at: datetime
    speaker: str | None = None
    role: Role = "user"


@dataclass(frozen=True, slots=True)
class _Turn:
    said: Utterance
    me: str
    """``owner``, or the name of the speaker who is somebody else."""
    owner: str
    """What the owner is called in a statement."""
    recent: Sequence[Utterance]
    owner_name: str | None


def candidates(
    turn: Utterance, *, owner_name: str | None = None, recent: Sequence[Utterance] = ()
) -> tuple[Candidate, ...]:
    """What a turn teaches, by rules alone: at most five, in the order in which it was said; mostly none.

    ``recent`` are the turns before, oldest first: a correction finds there what it corrects. Only what people say is
    read; a turn of the assistant, a tool or the system gives none.
    """
    if turn.role != "user":
        return ()
    speaker = _Turn(turn, _me(turn, owner_name), owner_name or "Owner", recent, owner_name)
    result: dict[tuple[str | None, ...], Candidate] = {}
    for hit in clause_matches(turn.text):
        for candidate in _SHAPES[hit.rule.shape](hit, speaker):
            dated = _dated(candidate, hit, turn)
            if hit.rule.shape == "was" and dated.valid_to is None:
                continue
            for move in _moves(dated, speaker):
                result.setdefault((move.statement, move.kind, move.retracts), move)
    return tuple(result.values())[:MOST]


def _me(turn: Utterance, owner_name: str | None) -> str:
    if turn.speaker is None or turn.speaker.casefold() in ("owner", "user", "me", (owner_name or "owner").casefold()):
        return "owner"
    return turn.speaker


# When it holds

_DATED_OTHERWISE = (
    "last_contacted_on", "owes_followup", "routine", "held_on", "due_on", "value", "use_instead",
)  # fmt: skip
YEARLY = re.compile(
    r"birthday|bday|anniversar|geburtstag|jahrestag|cumpleaños|aniversario|compleanno|onomastico|anniversaire",
    re.IGNORECASE,
)
"""What comes again every year."""
TIMELESS = ("born_on", "born_in", "name", "age", "from")
"""Predicates that do not begin on the day they are said."""


def _dated(candidate: Candidate, hit: ClauseMatch, turn: Utterance) -> Candidate:
    """With the bounds its clause gives: since 2021, last month, until Friday, on June 1.

    A day that is over begins something only where the verb is of the past or "since" says so ("I love the film we saw
    last week"). One that is to come begins only what holds one value at a time.
    """
    if candidate.predicate == ON_A_DAY and not YEARLY.search(candidate.subject or "") and candidate.retracts is None:
        return replace(candidate, valid_to=_end_of(candidate.object or "", turn.at))
    if candidate.predicate in (None, *_DATED_OTHERWISE, *TIMELESS):
        return candidate
    starts: datetime | None = None
    ends: datetime | None = None
    past = _tells_the_past(hit)
    for date in _own_dates(hit, turn.at):
        if date.first.year == 1:
            ends = date.last if hit.rule.shape == "was" else next_occurrence(date.last, date.text, turn.at)
        elif date.kind != "recurring":
            began = past or date.last >= turn.at - timedelta(seconds=1) > date.first  # "since" lasts until now
            first = date.first if began else date.first + (next_occurrence(date.last, date.text, turn.at) - date.last)
            over = first <= turn.at and (began or candidate.retracts is not None)
            ahead = first > turn.at and not candidate.many and candidate.retracts is None
            starts = first if over or ahead else starts
    return replace(candidate, valid_from=starts, valid_to=ends) if starts or ends else candidate


def _own_dates(hit: ClauseMatch, at: datetime) -> list[Found]:
    """The dates of what a rule read: "Jonas is my boss, and Priya takes over in June" says nothing of June about
    Jonas."""
    dates = find_dates(hit.around, at, hit.language.code)
    if not dates or not hit.tail:
        return dates
    end = clause_spans(Span(0, len(hit.around), hit.around), hit.language)[0].end
    is_whole = end < len(hit.around) - len(hit.tail)
    return [date for date in dates if is_whole or date.start < end]


def _end_of(day: str, now: datetime) -> datetime | None:
    """The end of a day that is to come; None for any other time."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
        return None
    end = datetime.fromisoformat(day).replace(tzinfo=now.tzinfo) + timedelta(days=1, microseconds=-1)
    return end.astimezone(UTC) if end > now else None


def _tells_the_past(hit: ClauseMatch) -> bool:
    """Whether the verb before the object is of the past: "moved", "have been". Only English forms are known."""
    if hit.language.code != "en":
        return True
    return any(is_past(word) or word.casefold() in PERFECT for word in re.findall(r"[\w']+", hit.lead))


PERFECT = ("was", "were", "have", "has", "had", "i've", "we've", "did", "been")


def _moves(candidate: Candidate, turn: _Turn) -> Iterator[Candidate]:
    """Who is moving to Lisbon on June 1 lives there from that day on."""
    day = candidate.valid_from
    if candidate.predicate != "moving_to" or day is None or day <= turn.said.at or candidate.object is None:
        yield candidate
        return
    yield replace(candidate, valid_from=None, valid_to=day)
    there = statement("lives_in", candidate.subject or turn.me, candidate.object, owner=turn.owner)
    yield replace(candidate, predicate="lives_in", statement=there, valid_from=day, valid_to=None)


def next_occurrence(last: datetime, text: str, now: datetime) -> datetime:
    """ "Until Friday" and "until June" are the next ones, unless the year says otherwise."""
    if last >= now or re.search(r"\d{4}", text):
        return last
    week = last + timedelta(days=7)
    return week if week >= now else last + timedelta(days=365)


# Who a clause is about


def _subject(hit: ClauseMatch, turn: _Turn) -> str:
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


def _role(hit: ClauseMatch, word: str) -> str:
    return hit.language.roles[" ".join(word.casefold().split())]


def _clean(value: str) -> str:
    return value.strip(" \t,.;:!`\"'")


def _says_something(hit: ClauseMatch, value: str) -> bool:
    words = re.findall(r"[\w/#.-]+", value.casefold().split(",")[0])
    return bool(words) and not all(word in hit.language.pronouns or word in _THIN for word in words)


_THIN = frozenset(
    "do go with for use skip keep drop first now then again please start stick to pick merge ship try up".split()
)
"""Words that add nothing to a pronoun: "go with that"."""


def _items(value: str) -> list[str]:
    """The parts of a list: "tea, coffee and milk"."""
    parts = (_clean(element) for element in re.split(r",\s*(?:and |e |y |et |und )?| and | e | y | et | und ", value))
    return [re.sub(r"^(?:some|a bit of|a little|also) | (?:and|e|y|et|und)$", "", part) for part in parts if part]


def _taken(hit: ClauseMatch, value: str) -> list[str]:
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
    hit: ClauseMatch, turn: _Turn, subject: str, predicate: str, object: str, *, type: CandidateType = "fact",
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


def _slot(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    predicate, _, fixed = hit.rule.detail.partition(":")
    if predicate == "favourite":
        predicate = "favourite_" + "_".join(hit.groups["what"].casefold().split())
    verb = _GERMAN_VERB.sub(r"\2n", hit.groups.get("verb", ""))  # "ich trinke gern Tee"
    object = _clean(hit.groups.get("o", fixed) or verb)
    if not _says_something(hit, object) or (predicate in _PLACES and _is_a_tool(object)):
        return
    object = _preferred(hit, object) if predicate == "prefers" else object
    slot = slot_of(predicate)
    subject = _subject(hit, turn)
    yield from _named_kin(hit, turn)
    preference = hit.rule.kind == "preference"
    if predicate in ("likes", "dislikes") and object.casefold() in hit.language.not_names:
        return  # "Deborah loves love"
    for item in [*_taken(hit, object), *coordinated(hit)] if slot.many and predicate not in _WHOLE else [object]:
        candidate = _about(
            hit, turn, subject, predicate, f"{_named(hit, predicate, item)} {verb if item != verb else ''}".strip(),
            type="preference" if preference else "relation" if slot.relational else "fact",
            kind="relational" if slot.relational else "associative",
            category="preference" if preference else "fact",
        )  # fmt: skip
        yield candidate if slot.many else _qualified(candidate, hit)
    if "job" in hit.groups:
        yield _about(hit, turn, subject, "occupation", _clean(hit.groups["job"]))


def _preferred(hit: ClauseMatch, object: str) -> str:
    """All of what is preferred: "I would rather have the report as a table"."""
    verb = "to " if re.search(r"\b(?:rather|sooner)\s*$", hit.lead) else ""
    how = re.match(r"\s*(?:as|in|with|for|at|on|by|from) [^,.;]+", hit.tail)
    return f"{verb}{object}{' ' + how[0].strip() if how else ''}"


_GERMAN_VERB = re.compile(r"(?<=er)()e$|(e)$")
"""The ending of the first person, which the infinitive has not."""


def _qualified(candidate: Candidate, hit: ClauseMatch) -> Candidate:
    """What holds only at times, for a time or besides another stands beside the one value of its slot."""
    qualifier = re.search(hit.language.qualifies, f"{hit.lead} | {hit.tail}", re.IGNORECASE)
    if qualifier is None:
        return candidate
    qualified_text = f"{candidate.statement} {qualifier[0]}"
    return replace(candidate, statement=qualified_text, type="fact", kind="associative", many=True)


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


def _named_kin(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "My sister Anna …" says first of all that Anna is a sister."""
    if "kname" in hit.groups and "kin" in hit.groups:
        yield from _edge(hit, turn, hit.groups["kname"], _role(hit, hit.groups["kin"]))


def _named(hit: ClauseMatch, predicate: str, item: str) -> str:
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


def _core(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    predicate = f"work_{hit.rule.detail}" if "work" in hit.groups else hit.rule.detail
    object = _clean(hit.groups["o"])
    by_owner = turn.me == "owner"
    yield _about(
        hit, turn, turn.me, predicate, object, type="value" if by_owner else "fact",
        kind="core" if by_owner else "associative", key=predicate if by_owner else None,
    )  # fmt: skip


def _edge(
    hit: ClauseMatch, turn: _Turn, name: str, word: str, *, retracts: Retracts | None = None
) -> Iterator[Candidate]:
    """The edge between a person and the speaker."""
    role = ROLES[word]
    ends = (turn.me, name) if role.reversed else (name, turn.me)
    yield replace(
        _about(hit, turn, ends[0], role.predicate, ends[1], type="relation", kind="relational", retracts=retracts),
        subject_type="person",
        object_type="person",
    )


def _value_of_role(
    hit: ClauseMatch, turn: _Turn, name: str, word: str, *, retracts: Retracts | None = None
) -> Iterator[Candidate]:
    if ROLES[word].one and turn.me == "owner":
        label = word.upper() if len(word) == 3 and word not in ("son", "vet") else word
        text = f"{possessive(turn.owner)} {label} is {name}"
        yield Candidate(
            type="value", statement=text if retracts is None else f"No longer held: {text}", kind="core",
            category="fact", quote=hit.quote, episode=turn.said.episode, subject=turn.me, subject_type="person",
            predicate=f"has_one_{word}", object=name, object_type="person", key=word, retracts=retracts,
            confidence=SURE if hit.insisted else 0.7,
        )  # fmt: skip


def _role_is(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    word = _role(hit, hit.groups["role"])
    yield from _edge(hit, turn, hit.groups["name"], word)
    yield from _value_of_role(hit, turn, hit.groups["name"], word)


def _partnered(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    yield from _edge(hit, turn, hit.groups["name"], "partner")


def _project_role(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    groups = hit.groups
    project, role = _project(_clean(groups["project"])), groups.get("role", hit.rule.detail).casefold()
    name = turn.me if groups["name"] in ("I", "i") else groups["name"]
    edge = _about(hit, turn, name, "stakeholder_of", project, type="relation", kind="relational")
    label = role.upper() if len(role) == 2 else role
    yield replace(edge, subject_type="person", object_type="project")
    fact = _about(hit, turn, name, "role_on", f"{project}: {label}")
    person = turn.owner if name == "owner" else name
    yield replace(
        fact, statement=f"{person} is {label} on {project}", object=f"{label} on {project}", subject_type="person"
    )


def _have_kin(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
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


def _kin_list(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "Two kids, Sam (7) and Robin": how many, and each by name."""
    word = _role(hit, hit.groups["kin"])
    if "count" in hit.groups:
        yield _about(hit, turn, turn.me, f"has_{word}", _counted(hit.groups["count"], word))
    for name in _items(re.sub(r"\s*\([^)]*\)", "", hit.groups["names"]).replace(" & ", " and ")):
        yield from _edge(hit, turn, name, word)


def _lack(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    word = _role(hit, hit.groups["kin"])
    born_to = ROLES[word].family and ROLES[word].predicate != "partner_of"
    retracts: Retracts = "wrong" if born_to or hit.misspoke else "ended"
    gone = _about(hit, turn, turn.me, f"has_{word}", "", retracts=retracts)
    yield replace(gone, statement=f"{_name(turn)} has no {word}")
    everything = _about(hit, turn, f"{_whose(turn)} {word}", "is", "", retracts=retracts)
    label = f"{possessive(_name(turn))} {word}"
    yield replace(everything, statement=f"Nothing holds of {label}", predicate=None, many=True)


def _name(turn: _Turn) -> str:
    return turn.owner if turn.me == "owner" else turn.me


def _pet(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    groups = hit.groups
    if "animal" in groups:
        animal = groups["animal"].casefold()
        animal = next((english for english, words in _ANIMALS.items() if animal in words), animal)
        pet = f"a {animal} called {groups['name']}"
    else:
        pet = groups["o"]
    yield _about(hit, turn, turn.me, "has_pet", pet.replace(" named ", " called "))


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


def _thing(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "My blood type is O negative"."""
    if _says_something(hit, _clean(hit.groups["o"])):
        phrase = "_".join(hit.groups["what"].casefold().split())
        yield _about(hit, turn, turn.me, f"has_one_{phrase}", _named(hit, "is", _clean(hit.groups["o"])))


def _thing_name(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "My physio is called Marguerite": of whatever the speaker has."""
    phrase = "_".join(hit.groups["what"].casefold().split())
    yield _about(hit, turn, turn.me, f"has_one_{phrase}", hit.groups["name"])


def _my_name(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "I'm Ravi", unless it is where they come from or what they believe in."""
    name = hit.groups["name"]
    if not name.isupper() and not _A_KIND.search(name):
        by_owner = turn.me == "owner"
        yield _about(
            hit, turn, turn.me, "name", name, type="value" if by_owner else "fact",
            kind="core" if by_owner else "associative", key="name" if by_owner else None,
        )  # fmt: skip


_A_KIND = re.compile(r"(?:ish|ese|[^n]ian|ist|olic|ndu|can|ench|tch|wiss|eek)$")
"""Irish, Maltese, Norwegian, Buddhist, Catholic, Hindu, American, French, Dutch, Swiss, Greek."""


def _age(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    if 0 < int(hit.groups["o"]) < 120:
        yield from _named_kin(hit, turn)
        yield _about(hit, turn, _subject(hit, turn), "age", hit.groups["o"])


def _ended(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
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


def _ended_role(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    retracts: Retracts = "wrong" if hit.misspoke else "ended"
    if "kin" in hit.groups:
        yield _about(hit, turn, turn.me, f"has_{_role(hit, hit.groups['kin'])}", "", retracts=retracts)
        return
    word = _role(hit, hit.groups["role"])
    yield from _edge(hit, turn, hit.groups["name"], word, retracts=retracts)
    yield from _value_of_role(hit, turn, hit.groups["name"], word, retracts=retracts)


# Free statements


def _free(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    phrase = _clean(hit.groups["o"])
    if not _says_something(hit, phrase) or _points_elsewhere(phrase):
        return
    head = hit.rule.detail
    types: dict[str, CandidateType] = {"preference": "preference", "correction": "lesson", "priority": "decision"}
    categories: dict[str, Category] = {"preference": "preference", "correction": "lesson"}
    yield Candidate(
        type=types.get(hit.rule.kind, "decision"),
        statement=head.format(o=_own_words(phrase, turn)),
        kind="associative",
        category=categories.get(hit.rule.kind, "decision"),
        quote=hit.quote,
        episode=turn.said.episode,
        confidence=SURE if hit.insisted else 0.7,
    )


def _points_elsewhere(phrase: str) -> bool:
    """ "Use this money", "merge it and go on": nobody who reads it later knows what is meant."""
    opens = re.match(rf"(?:this|that|it)\b(?! (?:\w+ (?:is|are)|{_OWN_WORK})\b)", phrase, re.IGNORECASE)
    opens = opens or re.match(r"(?:\w+ )(?:it|them|that)(?: and\b|,|$)", phrase, re.IGNORECASE)
    opens = opens or _THE_NTH.search(phrase)
    return bool(opens or _HERE.search(phrase))


_OWN_WORK = "(?:repo|repository|project|codebase|package|monorepo|team|app|service|library|workspace)"
_HERE = re.compile(rf"\b(?:(?:this|these|those)(?! {_OWN_WORK}\b)|myself|ourselves)\b", re.IGNORECASE)
_THE_NTH = re.compile(
    r"\b(?:the|il|la|el|le|der|die|das) (?:first|second|third|last|latter|former|other|prim[oa]|second[oa]|terz[oa]|"
    r"primer[oa]?|segund[oa]|tercer[oa]?|premi(?:er|ère)|deuxième|troisième|erste|zweite|dritte)n?"
    r"(?: (?:one|option|opzione|opción))?$",
    re.IGNORECASE,
)
"""An offer of the assistant's that nobody will remember by its number."""


def _kept(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    phrase = _clean(hit.groups["o"])
    told_text = _own_words(phrase, turn)
    text = told_text[:1].upper() + told_text[1:] if hit.language.code == "en" else f"{_name(turn)} said: {phrase}"
    yield Candidate(
        type="fact", statement=text, kind="associative", category="context", quote=hit.quote,
        episode=turn.said.episode, confidence=SURE,
    )  # fmt: skip


_OWN = (
    (r"\bI'm\b|\bI am\b", "{n} is"), (r"\bI've\b|\bI have\b", "{n} has"), (r"\bmy\b", "{n}'s"), (r"\bI\b", "{n}"),
    (r"\bme\b", "{n}"),
)  # fmt: skip


def _own_words(phrase: str, turn: _Turn) -> str:
    for pattern, put in _OWN:
        phrase = re.sub(pattern, put.format(n=_name(turn)), phrase)
    return phrase


def _instead(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    new, old = _clean(hit.groups["new"]), _clean(hit.groups["old"])
    if _MOVED.search(hit.lead) and new[:1].isupper() and old[:1].isupper() and not (_is_a_tool(new) or _is_a_tool(old)):
        yield _about(hit, turn, turn.me, "lives_in", new)
    elif _says_something(hit, new) and _says_something(hit, old):
        yield _about(hit, turn, old + _aim(hit), "use_instead", new, type="correction", category="correction")


_MOVED = re.compile(r"\bmov(?:e|ed|ing)\b", re.IGNORECASE)
_AIM = re.compile(
    r"(?<= )(?:for|per|para|pour|für) (?!now\b|ora\b|ahora\b)[\w`'#./@+-]+(?: [\w`'#./@+-]+){0,3}$", re.IGNORECASE
)


def _aim(hit: ClauseMatch) -> str:
    """ "Use SQLite, not Postgres for the tests" leaves the rest on Postgres."""
    aim = _AIM.search(hit.quote)
    return f" {aim[0]}" if aim and aim[0] not in hit.groups["new"] else ""


def _routine(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    parts = (_clean(hit.groups["o"]), hit.groups.get("rest", ""), _cadence(hit.groups.get("when", "")))
    phrase = " ".join(filter(None, parts)).replace("  ", " ")
    if not _says_something(hit, phrase):
        return
    yield _about(hit, turn, _subject(hit, turn), "routine", phrase, type="routine", category="routine")


def _cadence(when: str) -> str:
    when = " ".join(when.split())
    return when[:1].lower() + when[1:]


def _does(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "I sing in a choir": the verb is the predicate."""
    verb, *particles = hit.groups["verb"].casefold().split()
    phrase = " ".join((*particles, _clean(hit.groups["o"])))
    if _says_something(hit, phrase):
        yield _about(hit, turn, _subject(hit, turn), third_person(verb), _named(hit, "does", phrase))


def _held_on(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    subject, when = _clean(hit.groups["s"]), re.sub(r"^on ", "", _clean(hit.groups["o"]), flags=re.IGNORECASE)
    event = _about(hit, turn, subject, "held_on", when, type="routine", category="routine")
    yield replace(event, many=_may_be_another(hit, subject))


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


def _fixed(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "The meeting is on the 14th, not the 12th"."""
    subject, new = plain(hit.groups["s"]), _day(_clean(hit.groups["new"]), hit, turn)
    yield _about(hit, turn, subject, "value", new, type="correction", category="correction")


def _event(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "The trip is on June 12": takes place once."""
    subject, when = plain(hit.groups["s"]), _day(hit.groups["o"], hit, turn)
    event = _about(hit, turn, subject, "held_on", when, type="value", category="context")
    yield replace(event, many=_may_be_another(hit, subject))


def _may_be_another(hit: ClauseMatch, subject: str) -> bool:
    """ "The meeting" of today need not be that of last week, unless something is said to have changed."""
    return subject.casefold() in _ANY_OF_THEM and not _CHANGED.search(hit.quote)


def _value(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    subject = plain(hit.groups["s"]) if not hit.groups["s"].isupper() else hit.groups["s"]
    if "://" in hit.groups["o"] and not re.search(r"ur[li]\b|endpoint|webhook|host|domain", subject.casefold()):
        subject += " url"
    value = _about(hit, turn, subject, "value", _clean(hit.groups["o"]), type="value", category="context")
    yield replace(value, many=_may_be_another(hit, subject))


def _version(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    yield _about(hit, turn, f"{hit.groups['s']} version", "value", hit.groups["o"], type="value", category="context")


def _due(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    when = _day(hit.groups["o"], hit, turn)
    subject = re.sub(r"^(deadline|launch|release) (?:for|of) (?:the )?(.+)$", r"\2 \1", plain(hit.groups["s"]))
    yield _about(hit, turn, subject, "due_on", when, type="value", category="context")


def _day(spoken: str, hit: ClauseMatch, turn: _Turn) -> str:
    """The date that "Friday" means today: next week it would mean another."""
    at = turn.said.at
    dates = find_dates(spoken, at, hit.language.code)
    if len(dates) != 1 or dates[0].last - dates[0].first > timedelta(days=1):
        return spoken
    return next_occurrence(dates[0].last, spoken, at).astimezone(at.tzinfo).date().isoformat()


def _dates(hit: ClauseMatch, turn: _Turn) -> list[Found]:
    """The dates of a clause, else the one that opens its sentence: "Yesterday, I called Sara"."""
    opening = re.split(r"[.!?;\n]", turn.said.text[: hit.start])[-1].rstrip(" ,")
    at, language = turn.said.at, hit.language.code
    opened = find_dates(opening, at, language) if opening and len(opening.split()) <= MAX_DATE_WORDS else []
    return _own_dates(hit, at) or opened


def _contacted(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "I called Sara on Monday": the day of the last contact. "I called Sara" answers what was owed to her too."""
    at = turn.said.at
    dates = _dates(hit, turn)
    past = [date.first for date in dates if date.first <= at]
    contacted_at = (past[-1] if past else at).astimezone(at.tzinfo).date()
    about = hit.groups.get("rest") or ""
    for date in dates:
        about = about.replace(date.text, "")
    if contacted_at == at.date() and not about.strip(" ,"):  # nothing says that it was about something else
        yield from _debt_ended(hit, turn)
    name = hit.groups["name"]
    contact = _about(hit, turn, name, "last_contacted_on", contacted_at.isoformat(), type="relation", kind="relational")
    yield replace(contact, subject_type="person", object_type="topic")


def _owes(hit: ClauseMatch, turn: _Turn, *, retracts: Retracts | None = None) -> Iterator[Candidate]:
    """ "I owe Sara a follow-up by Friday": the debt, and the day it is due."""
    name = hit.groups.get("name") or hit.groups["name2"]
    edge = _about(
        hit, turn, turn.me, "owes_followup", name, type="relation", kind="relational", retracts=retracts
    )  # fmt: skip
    yield replace(edge, subject_type="person", object_type="person")
    dates = _dates(hit, turn)
    if retracts is None and dates:
        at = turn.said.at
        due = next_occurrence(dates[-1].last, dates[-1].text, at).astimezone(at.tzinfo).date().isoformat()
        yield _about(hit, turn, f"Follow-up to {name}", "due_on", due, type="value", category="context")


def _followed_up(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    """ "Sent it to Sara": nothing is owed any more, and she was contacted."""
    yield from dict.fromkeys([*_debt_ended(hit, turn), *_contacted(hit, turn)])


def _debt_ended(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    yield from _owes(hit, turn, retracts="ended")
    subject = f"Follow-up to {hit.groups['name']}"
    yield _about(hit, turn, subject, "due_on", "", type="value", category="context", retracts="ended")


# What needs the turns before


def _before(turn: _Turn, turns: int) -> Iterator[Candidate]:
    """What the same speaker taught in the turns before, latest first."""
    by_speaker = [
        utterance
        for utterance in turn.recent
        if utterance.role == "user" and _me(utterance, turn.owner_name) == turn.me
    ]
    for utterance in list(reversed(by_speaker))[:turns]:
        yield from reversed(candidates(utterance, owner_name=turn.owner_name))


def _meant(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    new, old = _clean(hit.groups["new"]), _clean(hit.groups.get("old", ""))
    if not _says_something(hit, new):
        return
    corrected = _corrected(turn, new, old)
    if not corrected and old:
        yield replace(
            _about(hit, turn, old, "use_instead", new, type="correction", category="correction"),
            statement=f"{new}, not {old}",
        )
    for earlier, end in corrected:
        here = replace(earlier, quote=hit.quote, episode=turn.said.episode)
        yield replace(here, retracts="wrong", statement=f"Not so: {earlier.statement}")
        value = getattr(earlier, end)  # "a dog called Bruno"
        right = re.sub(rf"\b{re.escape(old)}\b", new, value, flags=re.IGNORECASE) if old else new
        fixed = replace(here, type="correction")
        fixed = replace(fixed, object=right) if end == "object" else replace(fixed, subject=right)
        sentence = statement(earlier.predicate or "", fixed.subject or turn.me, fixed.object or "", owner=turn.owner)
        yield replace(fixed, statement=sentence)


def _corrected(turn: _Turn, new: str, old: str) -> list[tuple[Candidate, str]]:
    """The sayings that "I meant Bergen" corrects, and which end of them: those of one turn that name ``old``, or in the
    last turn one of the same form."""
    corrections: list[tuple[Candidate, str]] = []
    for earlier in _before(turn, LOOK_BACK if old else 1):
        if earlier.retracts or not earlier.object or not earlier.predicate:
            continue
        ends = [end for end in ("object", "subject") if getattr(earlier, end) not in (None, "owner")]
        if not old:
            if "object" in ends and _alike(new, earlier.object):
                return [(earlier, "object")]
            continue
        named = re.compile(rf"\b{re.escape(plain(old))}\b")
        end = next((end for end in ends if named.search(plain(getattr(earlier, end)))), None)
        if end and (not corrections or corrections[0][0].episode == earlier.episode):
            corrections.append((earlier, end))
    return corrections


def _alike(first: str, second: str) -> bool:
    """Both names, or both numbers, or both plain words; and about as long."""
    forms = [(text[0].isupper(), any(sign.isdigit() for sign in text)) for text in (first, second)]
    return forms[0] == forms[1] and abs(len(first.split()) - len(second.split())) <= 1


def _forget(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    groups = hit.groups
    if "clause" in groups:
        inner = replace(turn.said, text=groups["clause"])
        earlier: Sequence[Candidate] = candidates(inner, owner_name=turn.owner_name)
    elif "mine" in groups or "about" in groups:
        phrase = groups.get("mine") or groups["about"]
        yield _forgotten_topic(hit, turn, phrase, mine="mine" in groups)
        return
    else:
        earlier = _last_taught(turn)
    for candidate in earlier:
        if candidate.retracts is None:
            yield replace(
                candidate,
                retracts="forget",
                quote=hit.quote,
                episode=turn.said.episode,
                statement=f"Forget: {candidate.statement}",
            )


def _last_taught(turn: _Turn) -> Sequence[Candidate]:
    """All of the latest turn of the speaker, if that turn taught anything; "that" reaches no further back."""
    for utterance in reversed(turn.recent):
        if utterance.role == "user" and _me(utterance, turn.owner_name) == turn.me:
            return candidates(utterance, owner_name=turn.owner_name)
    return ()


def _forgotten_topic(hit: ClauseMatch, turn: _Turn, phrase: str, *, mine: bool) -> Candidate:
    phrase = _clean(re.sub(r"^my ", f"{possessive(_name(turn))} ", phrase, flags=re.IGNORECASE))
    label = f"{possessive(_name(turn))} {phrase}" if mine else phrase
    return Candidate(
        type="fact", statement=f"Forget: {label}", kind="associative", category="fact", quote=hit.quote,
        episode=turn.said.episode, object=label, retracts="forget", many=True,
    )  # fmt: skip


def _nothing(hit: ClauseMatch, turn: _Turn) -> Iterator[Candidate]:
    return iter(())


_SHAPES: Mapping[str, Callable[[ClauseMatch, _Turn], Iterator[Candidate]]] = {
    "age": _age,
    "contacted": _contacted,
    "core": _core,
    "does": _does,
    "due": _due,
    "event": _event,
    "ended": _ended,
    "ended_role": _ended_role,
    "forget": _forget,
    "fixed": _fixed,
    "followed_up": _followed_up,
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
    "owes": _owes,
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
