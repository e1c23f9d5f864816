"""Whether both engines put the same memories first: ``python benchmarks/agreement.py FILE``.

The conversations of FILE (LoCoMo's form, as for ``benchmarks/quality.py``) go into a SQLite and a PostgreSQL book that
share their keys, and every question is asked of both. Ends with 1 below 99 in 100 questions.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = ["."]

from benchmarks.postgres import database, server  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.testing.clock import StoppedClock  # noqa: E402
from commonplace.testing.quality import PAGE, feed, samples  # noqa: E402

WANTED = 0.99


@dataclass(slots=True)
class Tally:
    questions: int = 0
    same: int = 0
    same_set: int = 0

    def count(self, one: list[str], other: list[str]) -> None:
        self.questions += 1
        self.same += one == other
        self.same_set += set(one) == set(other)


@contextmanager
def pair(urls: dict[str, str], home: Path) -> Iterator[list[Commonplace]]:
    """The book on each engine, with the keys of the first: what is blinded and rotated by key is the same on both."""
    books = [Commonplace.open(url, settings=Settings(home=home), clock=StoppedClock()) for url in urls.values()]
    keys = books[0]._parts.keychain.of("me")
    for book in books:
        book._parts.keychain.adopt("me", keys)
    yield books
    for book in books:
        book.close()


def compare(books: list[Commonplace], file: Path) -> Tally:
    tally = Tally()
    for sample in samples(file):
        here = [book.within(str(sample.get("sample_id"))) for book in books]
        for book in here:
            feed(book, sample["conversation"])
        for asked in sample["qa"]:
            question = asked["question"]
            one, other = ([hit.memory.text for hit in book.recall(question, limit=PAGE)] for book in here)
            tally.count(one, other)
        print(f"{sample.get('sample_id')}: {tally}", file=sys.stderr)
    return tally


def page(tally: Tally, file: Path) -> str:
    return (
        "# Do both engines agree\n\n"
        f"`python benchmarks/agreement.py`, on {file.name}: SQLite and PostgreSQL, the same keys, the first {PAGE}\n\n"
        "| questions | the same ten in the same order | the same ten in any order |\n|---|---|---|\n"
        f"| {tally.questions} | {tally.same / tally.questions:.4f} | {tally.same_set / tally.questions:.4f} |\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=Path("../shared/data/locomo-dev.json"))
    parser.add_argument("--write", type=Path, default=Path("benchmarks/results/agreement.md"))
    given = parser.parse_args()
    if not given.file.exists():
        sys.exit(f"{given.file} is not there; name a file of conversations in LoCoMo's form (docs/retrieval.md)")
    with server() as admin, tempfile.TemporaryDirectory() as folder:
        urls = {"sqlite": f"sqlite:///{folder}/book.db", "postgres": database(admin, "bench_agreement")}
        with pair(urls, Path(folder)) as books:
            tally = compare(books, given.file)
    text = page(tally, given.file)
    print(text)
    given.write.write_text(text)
    sys.exit(0 if tally.same >= WANTED * tally.questions else f"below {WANTED}")


if __name__ == "__main__":
    main()
