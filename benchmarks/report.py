"""``make bench-all``: one report on speed, quality, months, forgetting and torture, with machine, commit and commands.

    python -m benchmarks.report                    # everything: about half an hour
    python -m benchmarks.report --quick            # a slice of each: half a minute; proves that it runs, nothing more
    python -m benchmarks.report --only speed --rivals chroma
    python -m benchmarks.report --data locomo.json --data longmemeval_s.json --data BEAM/chats/100K

Writes report.json and report.md: the whole report into benchmarks/results, a part of it (``--quick``, ``--only``) into
build/report, or into ``--write``. Draws the charts beside them, or those of the docs (``--charts FOLDER``), but never
those of the docs from a quick slice.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import chart, months, quality, speed, torture_book, torture_verbs
from benchmarks.description import run as description

from commonplace import Commonplace, Settings
from commonplace.interfaces.cli import version
from commonplace.testing.quality import measure

HERE = Path(__file__).parent
WHOLE, PART = HERE / "results", HERE.parent / "build" / "report"
Figures = dict[str, Any]


def measure_speed(options: argparse.Namespace) -> Figures:
    sizes, asked = ([200], 10) if options.quick else (options.sizes, 200)
    return {str(size): speed.compare(size, asked, options.rivals) for size in sizes}


def measure_quality(options: argparse.Namespace) -> Figures:
    files = options.data if options.quick and options.data else [*quality.CHATS, *options.data]
    recipes = ["balanced"] if options.quick else list(quality.RECIPES)
    return {file.name: {recipe: _all(figures) for recipe, figures in _found(file, recipes).items()} for file in files}


def _found(file: Path, recipes: list[str]) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Commonplace.open(f"sqlite:///{folder}/book.db", settings=Settings(home=Path(folder))) as book,
    ):
        return measure(file, book.within, recipes, progress=lambda line: print(line, file=sys.stderr))


def _all(figures: dict[str, Any]) -> Figures:
    return {name: asdict(value) for name, value in figures.items()}


def measure_months(options: argparse.Namespace) -> Figures:
    names = ["month_1"] if options.quick else sorted(path.stem for path in months.HERE.glob("month_*.json"))
    results = {}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            last = months.play(name, Path(folder), months.MATCHERS["meaning"], sessions=3 if options.quick else None)[
                -1
            ]
        true = len(last.known) + len(last.unknown)
        counts = {field: len(getattr(last, field)) for field in ("beliefs", "stale", "wrong", "twice", "overturned")}
        results[name] = {"true": true, "known": len(last.known), **counts}
    return results


def measure_forgetting(options: argparse.Namespace) -> Figures:
    sets = {"cases": description.CASES, "held out": HERE / "heldout" / "descriptions.jsonl"}
    return {
        name: dict(Counter(outcome.result for outcome in description.run(description.load(path)[:: options.every])))
        for name, path in sets.items()
    }


def measure_torture(options: argparse.Namespace) -> Figures:
    verbs, steps, rounds = (["remember"], 1, 2) if options.quick else (None, 3, 100)
    with tempfile.TemporaryDirectory() as folder:
        acts = torture_verbs.torture(Path(folder), per_verb=steps, seed=options.seed, verbs=verbs)
    with torture_book.books("sqlite") as (place, _):
        writers = torture_book.killed(place, rounds=rounds, chance=torture_book.random.Random(options.seed))
    return {
        "verbs killed at a step": {"kills": acts.killed.total(), "broken promises": len(acts.wrong)},
        "writers killed at random": {
            "kills": writers.rounds,
            "acknowledged": writers.acknowledged,
            "broken promises": len(writers.wrong) + len(writers.errors),
        },
    }


SECTIONS: dict[str, tuple[str, Callable[[argparse.Namespace], Figures]]] = {
    "speed": ("Speed and size on SQLite", measure_speed),
    "quality": ("What recall finds", measure_quality),
    "months": ("What is believed after months of conversation", measure_months),
    "forgetting": ("Forgetting by description", measure_forgetting),
    "torture": ("Killed while it writes", measure_torture),
}


def machine() -> Figures:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(memory / 2**30),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def report(options: argparse.Namespace) -> Figures:
    content: Figures = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version.__version__,
        "commit": os.environ.get("COMMONPLACE_COMMIT") or version.commit(),
        "engines": version.engines(),
        "machine": machine(),
        "quick": options.quick,
        "sections": {},
    }
    for name in options.only or SECTIONS:
        started = time.perf_counter()
        figures = SECTIONS[name][1](options)
        content["sections"][name] = {
            "figures": figures,
            "seconds": round(time.perf_counter() - started, 1),
            "command": " ".join(["python -m benchmarks.report --only", name, *_changed(options, name)]),
        }
        print(f"{name}: {content['sections'][name]['seconds']} s", file=sys.stderr, flush=True)
    return content


def _changed(options: argparse.Namespace, name: str) -> list[str]:
    words = ["--quick"] if options.quick else []
    if name == "speed":
        words += [] if options.quick else ["--sizes", *map(str, options.sizes)]
        words += ["--rivals", *options.rivals] if options.rivals else []
    if name == "quality":
        words += [word for file in options.data for word in ("--data", file.name)]
    if name == "forgetting":
        words += ["--every", str(options.every)] if options.every > 1 and not options.quick else []
    return words


def markdown(content: Figures) -> str:
    here, engines = content["machine"], content["engines"]
    lines = [
        "# Measured",
        "",
        f"Commonplace {content['version']}, commit {content['commit']}, {content['at'][:10]}. {here['processor']}, "
        f"{here['cores']} cores, {here['memory_gib']} GiB, {here['system']}; load at the start {here['load']}. "
        + ", ".join(f"{name} {number}" for name, number in engines.items())
        + ". `make bench-all` writes this page.",
    ]
    if content["quick"]:
        lines += ["", "**A quick slice: it shows that everything runs. Do not quote its figures.**"]
    for name, section in content["sections"].items():
        lines += ["", f"## {SECTIONS[name][0]}", "", f"`{section['command']}` ({section['seconds']:.0f} s)", ""]
        lines += TABLES[name](section["figures"])
    return "\n".join(lines) + "\n"


def _speed_table(figures: Figures) -> list[str]:
    return speed.rows({int(size): found for size, found in figures.items()})


def _quality_table(figures: Figures) -> list[str]:
    lines = ["| file | recipe | questions | R@5 | R@10 | nDCG@10 |", "|---|---|---|---|---|---|"]
    for file, recipes in figures.items():
        for recipe, types in recipes.items():
            whole = types["all"]
            values = f"{whole['recall_5']:.3f} | {whole['recall_10']:.3f} | {whole['ndcg_10']:.3f}"
            lines.append(f"| {file} | {recipe} | {whole['questions']} | {values} |")
    return lines


def _mapping_table(title: str) -> Callable[[Figures], list[str]]:
    def table(figures: Figures) -> list[str]:
        columns = list(dict.fromkeys(column for row in figures.values() for column in row))
        lines = [f"| {title} | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        return lines + [
            f"| {name} | {' | '.join(str(row.get(column, 0)) for column in columns)} |" for name, row in figures.items()
        ]

    return table


TABLES: dict[str, Callable[[Figures], list[str]]] = {
    "speed": _speed_table,
    "quality": _quality_table,
    "months": _mapping_table("month"),
    "forgetting": _mapping_table("set"),
    "torture": _mapping_table("who"),
}


def charts(content: Figures, folder: Path) -> list[Path]:
    """Draw what the report has figures for; the docs show these files."""
    drawings = {}
    sections = {name: section["figures"] for name, section in content["sections"].items()}
    if "speed" in sections:
        drawings["speed.svg"] = chart.chart({int(size): found for size, found in sections["speed"].items()})
    if "quality" in sections:
        drawings["quality.svg"] = chart.bars(
            "Evidence among the first ten hits",
            {
                f"{Path(file).stem}, {recipe}": types["all"]["recall_10"]
                for file, recipes in sections["quality"].items()
                for recipe, types in recipes.items()
            },
        )
    if "forgetting" in sections:
        held_out = sections["forgetting"]["held out"]
        drawings["forgetting.svg"] = chart.bars(
            f"Forgetting by description, {sum(held_out.values())} cases written apart",
            {result.lower(): count / sum(held_out.values()) for result, count in sorted(held_out.items())},
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawing in drawings.items():
        (folder / name).write_text(drawing, encoding="utf-8")
    return [folder / name for name in drawings]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--rivals", nargs="*", default=[], choices=list(speed.NEEDS))
    parser.add_argument("--data", type=Path, action="append", default=[], help="a file of LoCoMo, LongMemEval or BEAM")
    parser.add_argument("--every", type=int, default=1, help="only every n-th case of forgetting")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    parser.add_argument("--charts", type=Path, metavar="FOLDER", help="where to draw; default: beside the report")
    options = parser.parse_args(arguments)
    options.every = 150 if options.quick else options.every
    folder = options.write or (PART if options.quick or options.only else WHOLE)
    content = report(options)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(content), encoding="utf-8")
    charts(content, folder if options.quick else options.charts or folder)
    print(markdown(content))
    print(f"written to {folder}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
