"""Speed and size on SQLite, beside what people would use instead: ``python benchmarks/speed.py --sizes 1000 10000``.

Each rival runs in an environment of its own under benchmarks/.envs, made on first use, with the same texts and vectors.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.chart import chart  # noqa: E402
from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.timing import milliseconds, resident_megabytes  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402

HERE = Path(__file__).parent
NEEDS = {
    "chroma": ("chromadb", "numpy", "tokenizers"),
    "mem0": ("mem0ai", "numpy", "tokenizers"),
    "langgraph": ("langgraph", "numpy", "tokenizers"),
}
SLOWEST = {"mem0": 10_000, "langgraph": 10_000}
"""Above this size a rival takes minutes for what is asked here."""
Figures = dict[str, Any]


def ours(size: int, asked: int) -> Figures:
    """The book, hybrid and sealed, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder))
        url = f"sqlite:///{folder}/book.db"
        with Commonplace.open(url, settings=settings) as book:
            batch, started = [], time.perf_counter()
            for text in texts(size):
                batch.append(text)
                if len(batch) == 1000:
                    book.remember_many(batch)
                    batch = []
            book.remember_many(batch or ["the last of them"])
            bulk = size / (time.perf_counter() - started)
            for question in questions(3, seed=9):
                book.recall(question)
            found = {
                "bulk_per_second": round(bulk),
                "add": milliseconds(book.remember, texts(min(asked, 200), seed=5)),
                "search": milliseconds(book.recall, questions(asked)),
                "context": milliseconds(book.context, questions(min(asked, 50), seed=4)),
                "megabytes": resident_megabytes(),
                "bytes_per_memory": round((Path(folder) / "book.db").stat().st_size / size),
            }
        found["cold_ms"] = _cold(url, folder)
    return found


def _cold(url: str, folder: str) -> float:
    """The first recall of a process that has everything imported."""
    program = (
        "import sys, time, pathlib; from commonplace import Commonplace, Settings; "
        "import commonplace.retrieval.pipeline, commonplace.providers.embed.static; "
        "book = Commonplace.open(sys.argv[1], settings=Settings(home=pathlib.Path(sys.argv[2]))); "
        "start = time.perf_counter(); book.recall('baba cece'); print((time.perf_counter() - start) * 1000)"
    )
    done = subprocess.run([sys.executable, "-c", program, url, folder], capture_output=True, text=True, check=True)
    return round(float(done.stdout), 1)


def rival(name: str, size: int, asked: int) -> Figures:
    python = _environment(name)
    command = [str(python), str(HERE / "rivals" / f"with_{name}.py"), str(size), str(asked)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent, check=False)
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["?"])[-1][:120]}
    figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def _environment(name: str) -> Path:
    folder = HERE / ".envs" / name
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"making an environment for {name} …", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *NEEDS[name]], check=True)
        (folder / "ready").touch()
    return python


def rows(results: dict[int, dict[str, Figures]]) -> list[str]:
    titles = ("memories", "who", "bulk a second", "add p50 / p95 ms", "search p50 / p95 ms", "search against ours")
    more = ("context p50 ms", "first recall ms", "resident MB", "bytes a memory")
    lines = [f"| {' | '.join(titles + more)} |", "|---" * len(titles + more) + "|"]
    for size, found in results.items():
        base = found["commonplace"]["search"]["p50"]
        for who, one in found.items():
            if "failed" in one:
                lines.append(f"| {size:,} | {who} | failed: {one['failed']} |||||||| ")
                continue
            add, search = one["add"], one["search"]
            context = one.get("context", {}).get("p50", "")
            lines.append(
                f"| {size:,} | {who} | {one['bulk_per_second']:,} | {add['p50']} / {add['p95']} "
                f"| {search['p50']} / {search['p95']} | {search['p50'] / base:.1f} × | {context} "
                f"| {one.get('cold_ms', '')} | {one['megabytes']} | {one.get('bytes_per_memory', '')} |"
            )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--rivals", nargs="*", default=list(NEEDS), choices=list(NEEDS))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--write", type=Path, default=HERE / "results")
    given = parser.parse_args()
    results: dict[int, dict[str, Figures]] = {}
    for size in given.sizes:
        results[size] = {"commonplace": ours(size, given.questions)}
        for name in given.rivals:
            if size <= SLOWEST.get(name, size):
                results[size][name] = rival(name, size, given.questions)
        print("\n".join(rows({size: results[size]})), flush=True)
    given.write.mkdir(parents=True, exist_ok=True)
    text = (HERE / "speed.md").read_text(encoding="utf-8")
    (given.write / "speed.md").write_text(text + "\n".join(rows(results)) + "\n", encoding="utf-8")
    (given.write / "speed.svg").write_text(chart(results), encoding="utf-8")


if __name__ == "__main__":
    main()
