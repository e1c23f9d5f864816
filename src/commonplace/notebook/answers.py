"""Reads an assistant's answer: which sentences report work, remaining work, lessons or decisions. Pure.

Acknowledgements, plans, explanations and greetings are skipped. A report has a past form, is not a plan, and has an
object, an identifier or a count. A labeller (the judge's ``turn`` head) refines the result if given.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from commonplace.lazy import pattern
from commonplace.notebook import grammar
from commonplace.notebook.lines import one_line
from commonplace.text.identifiers import identifiers
from commonplace.text.sentences import sentences

if TYPE_CHECKING:
    from commonplace.providers.judge import Match, TriggerLabels, TurnLabels

LineKind = Literal["done", "failed", "fixed", "next", "task", "lesson", "decision", "blocker"]


class Labeller(Protocol):
    """Labels texts by (role, text), and finds in a person's sentence what to write down at once."""

    def __call__(self, messages: Sequence[tuple[str, str]], /) -> "Sequence[TurnLabels]": ...

    def triggers(self, sentences: Iterable[str]) -> "Sequence[TriggerLabels]": ...


@runtime_checkable
class Matcher(Labeller, Protocol):
    """A labeller that also tells whether a description means a text."""

    def match(self, description: str, texts: Iterable[str]) -> "Sequence[Match]": ...


LOGGED: tuple[LineKind, ...] = ("done", "failed", "fixed")
FORMS: tuple[tuple[grammar.Form, LineKind], ...] = (
    ("lesson", "lesson"),
    ("following", "next"),
    ("blocked", "blocker"),
    ("unfinished", "task"),
    ("task lead", "task"),
)
OWN_FORMS: tuple[grammar.Form, ...] = (*(form for form, _ in FORMS), "chosen", "report", "failure", "fix")
"""Sentence forms that determine the kind of a line."""
EDITED = "edited "
"""Prefix of a log line with the files that tools changed."""
MAX_LINES = 3
"""Maximum log lines of one answer."""
MAX_LENGTH = 240
MAX_SENTENCES = 80
MIN_WORDS = 5
LIKELY, VERY_LIKELY, UNLIKELY = 0.5, 0.75, 0.15
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?")


@dataclass(frozen=True, slots=True)
class AnswerLine:
    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    label: LineKind | None
    """The label before it, or the heading above it."""
    evidence: int
    """The number of identifiers, code snippets and counts in it."""


def read_answer(text: str, *, labeller: Labeller | None = None, edited: Sequence[str] = ()) -> list[AnswerLine]:
    """What an answer reports, in order: at most three log lines, and lines for the other files.

    ``edited`` are files that tools changed meanwhile; they are logged if no line of the answer mentions one.
    """
    spoken = list(_sentences(text))[:MAX_SENTENCES]
    messages = [("assistant", sentence.text) for sentence in spoken]
    labels = labeller(messages) if labeller and spoken else [None] * len(spoken)
    lines: list[tuple[float, AnswerLine]] = []
    before = ""
    for sentence, likely in zip(spoken, labels, strict=True):
        kind = _kind(sentence, likely)
        if kind is not None:
            weight = 2.0 * (kind in ("failed", "fixed")) + min(sentence.evidence, 3)
            weight += grammar.matches("result", sentence.text)
            lines += [(weight, AnswerLine(part, shortened(text))) for part, text in _parts(kind, sentence, before)]
        before = sentence.text
    if edited and not any(name.rsplit("/", 1)[-1] in line.text for _, line in lines for name in edited):
        lines.append((2.0, AnswerLine("done", shortened(EDITED + ", ".join(edited)))))
    logged = [entry for entry in lines if entry[1].kind in LOGGED]
    strongest = sorted(logged, key=lambda entry: -entry[0])[:MAX_LINES]
    chosen = [line for weight, line in lines if line.kind not in LOGGED or (weight, line) in strongest]
    failed = next((line.text for line in chosen if line.kind == "failed"), None)
    fixed = next((line.text for line in chosen if line.kind == "fixed"), None)
    if failed and fixed and not any(line.kind == "lesson" for line in chosen):
        chosen.append(AnswerLine("lesson", shortened(f"{failed.rstrip('.')} – {fixed}")))
    return list(dict.fromkeys(chosen))


def shortened(text: str) -> str:
    """A sentence for a line: without emphasis, and cut to a line's length."""
    plain = one_line(re.sub(r"\*\*|__", "", text)).strip(" -–—")
    return plain if len(plain) <= MAX_LENGTH else plain[:MAX_LENGTH].rsplit(" ", 1)[0] + " …"


def evidence_in(sentence: str) -> int:
    """The number of identifiers, code snippets and test counts in a sentence."""
    names = [identifier for identifier in identifiers(sentence) if identifier.kind != "number"]
    return len(names) + len(_code().findall(sentence)) + grammar.matches("result", sentence)


def _kind(sentence: _Sentence, likely: "TurnLabels | None") -> LineKind | None:
    text = sentence.text
    if text.endswith("?"):
        return None
    if sentence.label and sentence.label not in ("done", "fixed"):
        return sentence.label
    if sentence.label == "fixed" and (sentence.evidence or len(text.split()) > MIN_WORDS):
        return "fixed"
    if grammar.matches("chosen", text) and not grammar.matches("plan", text):
        return "decision"
    for form, kind in FORMS:
        if grammar.matches(form, text):
            return kind
    if likely is not None and not sentence.evidence:
        if max(likely.ack, likely.question, likely.unreal) >= LIKELY:
            return None
        if max(likely.done, likely.failure) < UNLIKELY:
            return _by_labels(likely)
    reported = _report(sentence)
    if reported is None and likely is not None:
        return _by_labels(likely)
    return reported


def _report(sentence: _Sentence) -> LineKind | None:
    """The kind of work that a sentence reports; None if it reports none."""
    text = sentence.text
    result = grammar.matches("result", text)
    failed = grammar.matches("failure", text)
    over = grammar.matches("fix", text) or grammar.matches("unblocked", text)
    if grammar.matches("plan", text):
        return None
    if not (result or failed or over or grammar.matches("report", text)):
        # under a heading such as "Changes" a bullet needs no verb
        reports_change = sentence.label == "done" or grammar.matches("changed", text)
        return "done" if reports_change and sentence.evidence else None
    if not (sentence.evidence or sentence.label == "done") and len(text.split()) <= MIN_WORDS:
        return None
    if over or (failed and grammar.matches("all pass", text)):
        return "fixed"
    if failed and not re.search(r"\b(?:0|no|none) (?:\w+ )?(?:fail|error)", text, re.I):
        return "failed"
    # "I haven't changed it", "Nothing was changed"
    report = grammar.search("report", text)
    end = report.end() if report else len(text)
    start = max(text.rfind(mark, 0, end) for mark in (". ", "; ", ": ", ", ")) + 1
    following = " ".join(text[end:].split()[:2])
    denied = grammar.matches("negation", text[start:end]) or grammar.matches("nothing", following)
    return None if denied and not result else "done"


def _parts(kind: LineKind, sentence: _Sentence, before: str) -> list[tuple[LineKind, str]]:
    """Split a sentence into lines: tasks apart, a fix apart from the work before it, and the object of a blocker."""
    text = sentence.text
    if kind == "task":  # without the introduction: "We still need to add … and to remove …"
        lead = grammar.search("task lead", text)
        tasks = re.split(r",? (?:and|und|y|et|e) (?:to|zu|à|a) (?=\w)", text[lead.end() :]) if lead else [text]
        return [(kind, task) for task in tasks]
    opening = re.split(r"[,:;–—]", text, maxsplit=1)[0]  # the sentence itself contains what a later "it" refers to
    if kind == "blocker" and not sentence.evidence and grammar.matches("pronoun", opening):
        return [(kind, f"{before} {text}".strip())]
    for joint in re.finditer(r",? (?:and|und|y|et|e) ", text) if kind == "fixed" else ():
        work, fix = text[: joint.start()], grammar.search("fix", text[joint.end() :])
        breaks_or_mends = grammar.matches("failure", work) or grammar.matches("fix", work)
        if fix and fix.start() == 0 and grammar.matches("report", work) and not breaks_or_mends:
            return [("done", work), (kind, text[joint.end() :])]
    return [(kind, text)]


def _by_labels(likely: "TurnLabels") -> LineKind | None:
    """The kind that the judge alone is certain of."""
    kinds: tuple[tuple[LineKind, float], ...] = (
        ("next", likely.next_step),
        ("task", likely.todo),
        ("blocker", likely.blocker),
        ("lesson", likely.lesson),
        ("decision", likely.decision),
    )
    kind, probability = max(kinds, key=lambda entry: entry[1])
    return kind if probability >= VERY_LIKELY and likely.ack < LIKELY else None


def _sentences(text: str) -> Iterator[_Sentence]:
    """The sentences of a Markdown answer, each with its label; code, tables and quotes are skipped."""
    fence = ""
    heading: LineKind | None = None
    for line in text.splitlines():
        marker = _FENCE.match(line)
        if fence or marker:
            fence = "" if fence and line.strip().startswith(fence) else fence or (marker[1] if marker else "")
            continue
        plain = line.strip()
        if not plain or plain.startswith(("|", ">", "<")):
            continue
        bullet = _BULLET.match(line)
        body = line[bullet.end() :].strip() if bullet else plain.lstrip("#").strip()
        labelled = grammar.label(body)
        if labelled and not labelled[1]:
            heading = labelled[0]
            continue
        if plain.startswith("#") or (body.endswith(":") and not bullet):  # "We still need to:" labels what follows
            lead = f"{body.rstrip(':')} "
            leads: tuple[tuple[grammar.Form, LineKind], ...] = (*FORMS, ("report", "done"))
            heading = next((kind for form, kind in leads if grammar.matches(form, lead)), None)
            continue
        if not bullet and not labelled:
            heading = None
        label = heading
        if bullet and bullet["box"] is not None:
            label = "done" if bullet["box"] in "xX" else "task"
        for number, span in enumerate(sentences(body)):
            labelled_span = grammar.label(span.text)
            if labelled_span:
                label = labelled_span[0]
            elif number and any(grammar.matches(form, span.text) for form in OWN_FORMS):
                label = heading  # "Next: the docs. I decided to …": the label ends at a sentence that says its own kind
            sentence = labelled_span[1] if labelled_span else span.text
            if sentence:
                yield _Sentence(sentence, label, evidence_in(sentence))
            label = heading if label == "fixed" else label  # "Fixed: …" describes its own sentence


_code = pattern(r"`[^`\n]+`|\B--[a-z][\w-]+|\b\w+\(\)|\bport \d{2,5}\b|\b[\w-]+\.(?:[a-z]{1,4})\b(?=$|[\s,.;:)])")
