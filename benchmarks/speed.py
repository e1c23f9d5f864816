"""Speed and size on SQLite, beside what people would use instead: ``python benchmarks/speed.py --sizes 1000 10000``.

Each rival runs in an environment of its own under benchmarks/.envs, made on first use, with the same texts and vectors.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.apart import environment  # noqa: E402
from benchmarks.chart import chart  # noqa: E402
from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.first_look import share  # noqa: E402
from benchmarks.timing import WARMING, milliseconds, resident_megabytes  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.retrieval.common_words import foreign_language  # noqa: E402

HERE = Path(__file__).parent
NEEDS = {
    "chroma": ("chromadb", "numpy", "tokenizers"),
    "mem0": ("mem0ai", "numpy", "tokenizers"),
    "langgraph": ("langgraph", "numpy", "tokenizers"),
}
SLOWEST = {"mem0": 10_000, "langgraph": 10_000}
"""Above this size a rival takes minutes for what is asked here."""
INDEXED = ("chroma",)
"""Rivals with an approximate index. Their program takes a folder that was filled before, and how widely to search."""
WIDER, WANTED = (100, 200, 400, 800, 1600, 3200, 6400), 0.97
"""How widely such a one is searched, from how it comes on, until it finds so many of the ten nearest, as we must."""
MOST_LATE = 10_000
"""Above this size no token vectors are made: a made-up text takes some eight milliseconds, three times a real one."""
FILLED = "filled.json"
Figures = dict[str, Any]


def ours(size: int, asked: int, keep: Path | None, late: bool) -> dict[str, Figures]:
    """The book, hybrid and sealed, in this process; with late interaction too, where its token vectors are made."""
    who = "commonplace-late" if late else "commonplace"
    with _shelf(who, size, keep, lambda place: _fill(place, size, late)) as (place, filled):
        encoded = filled.pop("encoded_per_second", None)
        figures = {"commonplace": {**filled, **_alone(place, asked, "off", questions(asked))}}
        if encoded is not None:
            english = [text for text in questions(4 * asked) if foreign_language(text) is None]
            late = {"bytes_per_memory": _bytes(place, size), "encoded_per_second": encoded}
            figures["commonplace, late interaction"] = late | _alone(place, asked, "on", english[:asked])
    return figures


def _alone(*measured: Any) -> Figures:
    """In a process of its own, so that its memory is what asking takes."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_asked, measured)


def _asked(place: Path, asked: int, late: str, searched: list[str]) -> Figures:
    with _book(place, late) as book:
        for question in questions(WARMING, seed=9):
            book.recall(question)
        found = {
            "search": milliseconds(book.recall, searched),
            "context": milliseconds(book.context, questions(min(asked, 50), seed=4)),
            "add": milliseconds(book.remember, texts(min(asked, 200), seed=5)),
            "megabytes": resident_megabytes(),
        }
    return {**found, "cold_ms": _cold(place, late)}


def _book(place: Path, late: str) -> Commonplace:
    """Without the judge, which reads what each ``add`` may contradict."""
    settings = Settings(home=place, late_interaction=late, judge="off")
    return Commonplace.open(f"sqlite:///{place}/book.db", settings=settings)


def _fill(place: Path, size: int, late: bool) -> Figures:
    """Put into a book what it lacks of so many; and its token vectors, where they are wanted."""
    with _book(place, "off") as book:
        held = book.stats().memories
        rest = list(islice(texts(size), held, None))
        started, started_work = time.perf_counter(), time.process_time()
        for start in range(0, len(rest), 1000):
            book.remember_many(rest[start : start + 1000])
        took, worked = time.perf_counter() - started, time.process_time() - started_work
        figures = {"bulk_per_second": round(len(rest) / took), "bulk_per_processor_second": round(len(rest) / worked)}
    figures["bytes_per_memory"] = _bytes(place, size)
    if late:
        with _book(place, "on") as book:
            started = time.perf_counter()
            encoded = book.reindex().counts["passages"]
            figures["encoded_per_second"] = round(encoded / (time.perf_counter() - started))
    return figures


def _bytes(place: Path, size: int) -> int:
    return round((place / "book.db").stat().st_size / size)


@contextmanager
def _shelf(who: str, size: int, keep: Path | None, fill: Callable[[Path], Figures]) -> Iterator[tuple[Path, Figures]]:
    """A filled folder to measure in, gone afterwards; with ``keep``, a copy of one that stays.

    A kept one is filled once; a filling that was broken off is gone on with.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if keep is None:
            yield place, fill(place)
            return
        kept = keep / f"{who}-{size}"
        if not (kept / FILLED).exists():
            kept.mkdir(parents=True, exist_ok=True)
            (kept / FILLED).write_text(json.dumps(fill(kept)), encoding="utf-8")
        shutil.copytree(kept, place, dirs_exist_ok=True)
        yield place, json.loads((kept / FILLED).read_text(encoding="utf-8")) | {"kept": True}


def _cold(place: Path, late: str) -> float:
    """The first recall of a process that has everything imported."""
    program = (
        "import sys, time, pathlib; from commonplace import Commonplace, Settings; "
        "import commonplace.retrieval.pipeline, commonplace.providers.embed.static; "
        "settings = Settings(home=pathlib.Path(sys.argv[2]), late_interaction=sys.argv[3], judge='off'); "
        "book = Commonplace.open(sys.argv[1], settings=settings); "
        "start = time.perf_counter(); book.recall('baba cece'); print((time.perf_counter() - start) * 1000)"
    )
    command = [sys.executable, "-c", program, f"sqlite:///{place}/book.db", str(place), late]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return round(float(done.stdout), 1)


def rival(name: str, size: int, asked: int, keep: Path | None, exact: list[list[int]]) -> dict[str, Figures]:
    """What it takes as it comes and, where that finds too little, what it takes to find as much as we must."""
    try:
        if name not in INDEXED:
            return {name: _run(name, size, asked)}
        with _shelf(name, size, keep, lambda place: _run(name, size, 0, place)) as (place, filled):
            wider = _wider(name, size, asked, place, exact)
            as_it_comes = _run(name, size, asked, place)  # last: it adds to the folder
            return {name: _shared(as_it_comes, exact) | filled} | wider
    except subprocess.CalledProcessError as failed:
        return {name: {"failed": (failed.stderr.strip().splitlines() or ["?"])[-1][:120]}}


def _wider(name: str, size: int, asked: int, place: Path, exact: list[list[int]]) -> dict[str, Figures]:
    """Searched as widely as it takes; nothing where it finds enough as it comes."""
    for breadth in WIDER:
        found = _shared(_run(name, size, asked, place, breadth), exact)
        if found["share"] >= WANTED:
            break
    return {} if breadth == WIDER[0] else {f"{name}, ef_search {breadth}": found}


def _shared(figures: Figures, exact: list[list[int]]) -> Figures:
    return {**figures, "share": share(figures["nearest"], exact)}


def _exact(size: int, asked: int, keep: Path | None) -> Figures:
    """In a process of its own: this one's memory is measured."""
    words = ["--exact", str(size), str(asked), *([] if keep is None else [str(keep)])]
    command = [sys.executable, str(HERE / "first_look.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def _run(name: str, size: int, asked: int, place: Path | None = None, breadth: int | None = None) -> Figures:
    """Its program fills its store, unless it is given a filled one, and answers what is asked."""
    command = [str(environment(name, NEEDS[name])), str(HERE / "rivals" / f"with_{name}.py"), str(size), str(asked)]
    command += [str(one) for one in (place, breadth) if one is not None]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=True)
    figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def compare(
    size: int, asked: int, rivals: list[str], keep: Path | None = None, *, most_late: int = MOST_LATE
) -> dict[str, Figures]:
    """Our figures, and those of each rival that manages this size."""
    exact = _exact(size, asked, keep)
    figures = {
        who: {**found, "share": exact["ours"]} for who, found in ours(size, asked, keep, size <= most_late).items()
    }
    for name in rivals:
        if size <= SLOWEST.get(name, size):
            figures |= rival(name, size, asked, keep, exact["exact"])
    return figures


def rows(results: dict[int, dict[str, Figures]]) -> list[str]:
    titles = ("memories", "who", "bulk a second", "bulk a processor second", "add p50 / p95 ms", "add, processor ms")
    more = (
        "search p50 / p95 ms",
        "search, processor ms",
        "search against ours",
        "ten nearest: found",
        "context p50 ms",
        "first recall ms",
        "resident MB",
        "bytes a memory",
    )
    lines = [f"| {' | '.join(titles + more)} |", "|---" * len(titles + more) + "|"]
    for size, found in results.items():
        base = found["commonplace"]["search"]["p50"]
        for who, one in found.items():
            if "failed" in one:
                lines.append(f"| {size:,} | {who} | failed: {one['failed']} |||||||||||| ")
                continue
            lines.append(f"| {' | '.join((f'{size:,}', who, *_cells(one, base)))} |")
    return lines


def _cells(one: Figures, base: float) -> list[str]:
    add, search = one["add"], one["search"]
    bulk = (
        f"{one['bulk_per_second']:,}{' (when filled)' if one.get('kept') else ''}" if one.get("bulk_per_second") else ""
    )
    if "encoded_per_second" in one:
        bulk = f"{one['encoded_per_second']:,} token vectors"
    return [
        bulk,
        f"{one['bulk_per_processor_second']:,}" if one.get("bulk_per_processor_second") else "",
        f"{add['p50']} / {add['p95']}" if add else "",
        str(add["work"]) if add else "",
        f"{search['p50']} / {search['p95']}",
        str(search["work"]),
        f"{search['p50'] / base:.1f} ×",
        str(one.get("share", "")),
        str(one.get("context", {}).get("p50", "")),
        str(one.get("cold_ms", "")),
        str(one["megabytes"]),
        str(one.get("bytes_per_memory", "")),
    ]


def growth(results: dict[int, dict[str, Figures]]) -> list[str]:
    """How much longer a search takes, from each size to the next."""
    took = [(size, found["commonplace"]["search"]["p50"]) for size, found in results.items()]
    steps = [
        f"{few:,} to {many:,} memories ({many / few:g} ×): {slow / fast:.1f} ×"
        for (few, fast), (many, slow) in pairwise(took)
    ]
    return ["", f"How much longer a search of ours takes: from {'; from '.join(steps)}."] if steps else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--rivals", nargs="*", default=list(NEEDS), choices=list(NEEDS))
    parser.add_argument("--late", type=int, default=MOST_LATE, help="the largest size with late interaction")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="a folder in which each size, once filled, stays for another run")
    parser.add_argument("--write", type=Path, default=HERE / "results")
    given = parser.parse_args()
    results: dict[int, dict[str, Figures]] = {}
    for size in given.sizes:
        results[size] = compare(size, given.questions, given.rivals, given.keep, most_late=given.late)
        print("\n".join(rows({size: results[size]})), flush=True)
    given.write.mkdir(parents=True, exist_ok=True)
    text = (HERE / "speed.md").read_text(encoding="utf-8")
    (given.write / "speed.md").write_text(text + "\n".join(rows(results) + growth(results)) + "\n", encoding="utf-8")
    (given.write / "speed.svg").write_text(chart(results), encoding="utf-8")


if __name__ == "__main__":
    main()
