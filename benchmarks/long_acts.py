"""python benchmarks/long_acts.py [--size 100000] [--folder F] [--results R]

Time and resident memory of stats, export, import, backup, restore, doctor, prune, undo, reindex and key rotation on a
SQLite book of that many memories: each in a process of its own, so that the peak is its own too. Adds to the table in
benchmarks/results/ or R (long_acts.json, and long_acts.md to read). Memory is exact whatever else the machine does;
seconds are not, so the processor's time stands beside them.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import platform
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.timing import resident_megabytes  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.upkeep.prune import PruneRule, prune  # noqa: E402

RESULTS = Path(__file__).parent / "results"
HEAD = """# Long acts, and the memory they take

`python benchmarks/long_acts.py --size N` on SQLite; a third of the memories are turns of conversations, a tenth of the
others have two versions. Each act runs in a process of its own. *Grew* is the most memory it held beyond what an open
book with its embedder holds; *busy* is the processor's time. The machine was shared while this ran: the seconds are
upper bounds, the megabytes are exact. A reindex compares 50,000 versions at a time, whatever the size of the book.
*Export from half* goes on with one that was broken off there. *Prune* archives what was revised, a fifteenth of all, in
transactions of 200; *undo* takes it back in as many.
"""
WORDS = [
    f"{a}{b}"
    for a in "ka lo mi ne pu ra si to vu ze".split()
    for b in "bar den fil gor hum jak lit mon nus pel".split()
]
BATCH = 2_000


def book(folder: Path, name: str = "book") -> Commonplace:
    settings = Settings(home=folder / "home")
    return Commonplace.open(f"sqlite:///{folder}/{name}.db", settings=settings)


def fill(folder: Path, size: int) -> None:
    """A third are turns of conversations, the rest stated; every tenth has been revised once."""
    chance = random.Random(1)
    with book(folder) as one:
        made = 0
        while made < size:
            many = min(BATCH, size - made)
            texts = [" ".join(chance.choices(WORDS, k=12)) + f" n{made + n}" for n in range(many)]
            turns = many // 3
            ids = one.remember_many([{"text": text, "importance": 0.8} for text in texts[turns:]]).ids
            if turns:
                one.observe(texts[:turns], session=f"talk {made}")
            for id in ids[::10]:
                one.revise(id, importance=0.7)
            made += many


def measured(act: str, folder: Path, answer: Any) -> None:
    """Run one act; tell its seconds, and the most memory this process held beyond what it began with."""
    target = "copy" if act.startswith("import") else "book"
    with book(folder, target) as one:
        one.within("nowhere").recall("begin")  # loads the embedder, and no vector of the book
        if act in PREPARED:
            PREPARED[act](one, folder)
        before = round(resident_megabytes(reset=True))
        started, busy = time.perf_counter(), time.process_time()
        ACTS[act](one, folder)
        seconds, cpu = time.perf_counter() - started, time.process_time() - busy
        peak = round(resident_megabytes())
    answer.send(
        {"act": act, "seconds": round(seconds, 2), "cpu": round(cpu, 2), "peak_mib": peak, "grew_mib": peak - before}
    )


ACTS: dict[str, Any] = {
    "stats": lambda one, folder: one.stats(),
    "export": lambda one, folder: one.export(folder / "all.jsonl"),
    "import": lambda one, folder: one.import_(folder / "all.jsonl"),
    "import again": lambda one, folder: one.import_(folder / "all.jsonl"),
    "backup": lambda one, folder: one.backup(folder / "copy.backup"),
    "doctor": lambda one, folder: one.doctor(),
    "doctor --full": lambda one, folder: one.doctor(full=True),
    "restore": lambda one, folder: one.restore(folder / "copy.backup"),
    "prune --dry-run": lambda one, folder: one.prune(dry_run=True),
    "rotate keys": lambda one, folder: one.rotate_keys(),
    "reindex": lambda one, folder: one.reindex(),
    "export from half": lambda one, folder: one.export(folder / "half.jsonl"),
    "prune": lambda one, folder: prune(one._scope, rule=PruneRule(importance=0.75, days=-1)),
    "undo": lambda one, folder: one.undo(one.receipts.list(actions=["PRUNE"], limit=1)[0]),
}


def half_exported(one: Commonplace, folder: Path) -> None:
    def stop(done: int, total: int | None) -> None:
        if total and done >= total // 2:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        one.export(folder / "half.jsonl", progress=stop)


PREPARED: dict[str, Any] = {"export from half": half_exported}


def in_a_process(call: Any, *args: Any) -> Any:
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    child = context.Process(target=call, args=(*args, theirs))
    child.start()
    while not mine.poll(1):
        if not child.is_alive() and not mine.poll(0):
            raise RuntimeError("the measured process died")
    made = mine.recv()
    child.join()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks/long_acts.py")
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--acts", nargs="*", default=list(ACTS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        if not (folder / "book.db").exists():
            started = time.perf_counter()
            fill(folder, asked.size)
            print(f"filled with {asked.size:,} in {time.perf_counter() - started:.0f} s")
        size = (folder / "book.db").stat().st_size >> 20
        for act in asked.acts:
            row = in_a_process(measured, act, folder)
            print(
                "{act:16} {seconds:9.2f} s ({cpu:.2f} busy)   peak {peak_mib:6} MiB   grew {grew_mib:6} MiB".format(
                    **row
                ),
                flush=True,
            )
            keep(asked.results, asked.size, size, row)


def keep(results: Path, memories: int, book_mib: int, row: dict[str, Any]) -> None:
    """Add one line to the table; another run of the same act replaces it."""
    results.mkdir(exist_ok=True)
    file = results / "long_acts.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    table = kept.setdefault(str(memories), {"acts": {}})
    table |= {"python": platform.python_version(), "cores": os.cpu_count(), "book_mib": book_mib}
    table["acts"][row.pop("act")] = row
    file.write_text(json.dumps(kept, indent=1) + "\n")
    file.with_suffix(".md").write_text(table_of(kept))


def table_of(kept: dict[str, Any]) -> str:
    """The figures of every size, one line an act."""
    parts = [HEAD]
    for size, table in sorted(kept.items(), key=lambda item: int(item[0])):
        parts.append(
            f"\n## {int(size):,} memories\n\nA book of {table['book_mib']:,} MiB, Python {table['python']}, "
            f"{table['cores']} cores.\n\n| act | seconds | busy | peak MiB | grew MiB |\n|---|---|---|---|---|\n"
        )
        for act, row in table["acts"].items():
            busy = row.get("cpu", "")
            parts.append(f"| {act} | {row['seconds']} | {busy} | {row['peak_mib']} | {row['grew_mib']} |\n")
    return "".join(parts)


if __name__ == "__main__":
    main()
