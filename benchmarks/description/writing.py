"""Short ways to write a case."""

from collections.abc import Mapping, Sequence

from benchmarks.description.case import Case, Entry


def one(kind: str, query: str, gone: Entry, *keep: Entry, text: str | None = None) -> Case:
    return Case(kind=kind, query=query, gone=[gone], keep=list(keep), text=text)


def many(query: str, gone: Sequence[Entry], *keep: Entry, all: bool = False) -> Case:
    return Case(kind="everything", query=query, gone=list(gone), keep=list(keep), all=all)


def cut(query: str, cut: Mapping[str, str], *keep: Entry) -> Case:
    return Case(kind="compound", query=query, cut=dict(cut), keep=list(keep))


def none(kind: str, error: str, query: str, *keep: Entry) -> Case:
    return Case(kind=kind, query=query, keep=list(keep), error=error)
