"""The plan of every statement that ``remember`` and ``recall`` run on PostgreSQL: ``python tests/store/explain.py``.

``--docs FILE`` puts the plans of ``SHOWN`` into the page, between its marks; ``--sizes`` prints every table's bytes
instead, a memory and an owner.

Fills a book (``--owners``, ``--memories``), notes what each verb asks, and explains it as the application role, for the
same owner and with the settings of the store's own connections. Ends with 1 if a plan walks over a whole table, or
opens a partition that is not the owner's.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql as sql_text

sys.path[:0] = ["."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.load import named  # noqa: E402
from benchmarks.postgres import database, server, settle  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.runtime import Parts, open_parts  # noqa: E402
from commonplace.store.postgres import vectors  # noqa: E402
from commonplace.store.postgres.adapt import Half  # noqa: E402
from commonplace.store.postgres.connection import PostgresConnection  # noqa: E402
from commonplace.store.postgres.dialect import native  # noqa: E402
from commonplace.store.postgres.store import AHEAD, AHEAD_OF_WRITES, PLANS  # noqa: E402
from commonplace.store.statements import sql  # noqa: E402

LONGEST = 60
"""Characters of a bound value that are worth showing."""
LONG = re.compile(f"'[^']{{{LONGEST},}}'|'[0-9a-f]{{8}}-[0-9a-f-]{{27}}'|'\\\\x[0-9a-f]+'")
CASTS = re.compile(r"::(text|bytea|bigint|smallint|integer)\b(\[\])?| COLLATE \"C\"")
POLICY = re.compile(r"One-Time Filter: .*current_setting\('commonplace\.owner'.*")


SHOWN = {
    "every posting of the question's terms": r"recall: select term, first, data",
    "the memories by document number": r"recall: select kind, category, status",
    "every vector of a small namespace times the question's vector": r"recall: select string_agg\(int8send",
    "the vectors nearest to the question, exact": r"nearest: select doc, min\(",
    "the owner's row, created or locked": r"remember: insert into owner",
    "the owner's keys": r"remember: select record",
    "tombstones and duplicates of a value": r"remember: select fingerprint",
    "the last line of the audit": r"remember: select sequence",
}
"""The plans that grow with a book, as the page names them, and how their statements begin."""
SMALL = ("tag_link", "evidence")
"""Tables of which this little book holds so few rows that any of their indexes will do."""
MARKS = ("<!-- plans, by tests/store/explain.py --docs -->\n", "<!-- end of plans -->\n")


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    values: dict[str, Any]


def noted(act: Callable[[], object]) -> list[Statement]:
    """What ``act`` ran, each text once. The connection is listened to, not asked to do anything else."""
    heard: dict[str, Statement] = {}
    real = {name: getattr(PostgresConnection, name) for name in ("run", "later", "changed", "run_planned", "run_many")}

    def listening(name: str) -> Callable[..., Any]:
        def hear(self: PostgresConnection, text: str, *rows: list[dict[str, Any]], **values: Any) -> Any:
            bound = values if not rows else (rows[0] or [{}])[0]
            heard.setdefault(text, Statement(text, {**bound, "owner": self.owner}))
            return real[name](self, text, *rows, **values)

        return hear

    for name in real:
        setattr(PostgresConnection, name, listening(name))
    try:
        act()
    finally:
        for name, method in real.items():
            setattr(PostgresConnection, name, method)
    return list(heard.values())


class Explainer:
    """Explains as the store's connections would plan."""

    def __init__(self, url: str, owner: str) -> None:
        self._raw = psycopg.connect(url, autocommit=False, cursor_factory=psycopg.ClientCursor)
        self._raw.execute("select set_config('search_path', 'commonplace, public', false)")
        for name, setting in PLANS.items():
            self._raw.execute("select set_config(%s, %s, false)", [name, setting])
        self._raw.commit()
        self._owner = owner

    def plan(self, statement: Statement, form: str, *, once: bool = False) -> Any:
        """``once``: as a write has it planned, for whatever owner comes."""
        self._raw.execute("select set_config('role', 'commonplace_app', true)")
        self._raw.execute("select set_config('commonplace.owner', %s, true)", [self._owner])
        how = f"explain (costs off, format {form}) "
        text = self._prepared(statement) if once else self._written(statement)
        if once:
            self._raw.execute("set local plan_cache_mode = force_generic_plan")
        rows = self._raw.execute((how + text).encode()).fetchall()
        if once:
            self._raw.execute("deallocate hot")
        self._raw.rollback()
        return rows[0][0] if form == "json" else [line for (line,) in rows]

    def _prepared(self, statement: Statement) -> str:
        """Prepare it under the name ``hot``, and give the text that runs it."""
        text, names = native(statement.text)
        self._raw.execute(b"prepare hot as " + text)
        return f"execute hot({', '.join(self._literals(statement, names))})" if names else "execute hot"

    def _written(self, statement: Statement) -> str:
        """With its values in it."""
        text, names = native(statement.text)
        given = self._literals(statement, names)
        return re.sub(r"\$(\d+)", lambda found: given[int(found[1]) - 1], text.decode())

    def _literals(self, statement: Statement, names: Sequence[str]) -> list[str]:
        values = [statement.values[name] for name in names]
        spelled = [str(value) if isinstance(value, Half) else value for value in values]
        return [sql_text.Literal(value).as_string(self._raw) for value in spelled]

    def close(self) -> None:
        self._raw.close()


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def faults(plan: Any) -> list[str]:
    """What a plan of one owner must not do."""
    every = list(nodes((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]))
    walks = [f"walks over {one.get('Relation Name')}" for one in every if one["Node Type"] == "Seq Scan"]
    opened = {one["Relation Name"] for one in every if "Relation Name" in one and one["Node Type"] != "ModifyTable"}
    parts: dict[str, set[str]] = {}
    for name in opened:
        if place := re.fullmatch(r"(.+)_(\d+)", name):
            parts.setdefault(place[1], set()).add(place[2])
    return walks + [f"opens {len(some)} partitions of {table}" for table, some in parts.items() if len(some) > 1]


def shown(line: str) -> str:
    """A line of a plan without what says nothing about it."""
    line = CASTS.sub("", LONG.sub("'…'", line))
    line = POLICY.sub("One-Time Filter: the owner that is set is this one", line)
    line = re.sub(r"'\{[^']*\}'", "'{…}'", line)
    return line if len(line) <= 2 * LONGEST else f"{line[: 2 * LONGEST]}…"


def sent_ahead(parts: Parts, owner: str, verb: str) -> list[Statement]:
    """What is sent along with the beginning of a transaction, where no verb is heard to ask it."""
    if verb == "nearest":
        return []
    if verb == "recall":
        return [Statement(sql(*name), {"owner": owner}) for name in AHEAD]
    locking = Statement(sql("postgres", "locked"), {"owner": owner, "plan": "pro", "now": 1})
    keys = Statement(parts.store.keyrings.question, {"owner": owner})
    return [locking, keys, *(Statement(sql(*name), {"owner": owner}) for name in AHEAD_OF_WRITES)]


def near(book: Commonplace) -> None:
    """What a book asks whose vectors are too many to be held in memory."""
    encoder, held = book._parts.encoder(book._scope.vault), vectors.HELD
    vectors.HELD = 0
    with book._scope.store.read(book.owner) as tx:
        namespace = tx.namespaces.all()[0].id
        tx.vectors.nearest(namespace, encoder.model, encoder.question(questions(1)[0]).tobytes(), limit=50)
    vectors.HELD = held


def shown_plans(lines: Sequence[str]) -> dict[str, list[str]]:
    """The plans of ``SHOWN``, by the name that the page gives them."""
    found: dict[str, list[str]] = {}
    for block in "\n".join(lines).split("\n\n"):
        title, *plan = block.strip().split("\n")
        for name, start in SHOWN.items():
            if re.match(start, title.removeprefix("-- ")):
                found.setdefault(name, plan)
    return found


def ways(plan: Sequence[str]) -> list[str]:
    """The tables that a plan reads by an index, whatever partition it is of: what must not change unnoticed. Which of a
    table's indexes, and whether row by row or by bitmap, is left to the statistics, of which a small book has few."""
    names = re.findall(r"(?:Scan(?: Backward)? using \w+|Bitmap Heap Scan) on (\w+)", "\n".join(plan))
    return sorted({re.sub(r"_\d+$", "", name) for name in names if not name.startswith(SMALL)})


def in_page(text: str) -> dict[str, list[str]]:
    """The plans that a page shows."""
    between = text.partition(MARKS[0])[2].partition(MARKS[1])[0]
    blocks = between.removeprefix("```text\n").removesuffix("```\n").strip().split("\n\n")
    return {title.removeprefix("-- "): plan for title, *plan in (block.split("\n") for block in blocks)}


def put_into(page: Path, lines: Sequence[str]) -> None:
    before, _, rest = page.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    plans = shown_plans(lines)
    blocks = "\n\n".join("\n".join([f"-- {name}", *plans[name]]) for name in SHOWN)
    page.write_text(f"{before}{MARKS[0]}```text\n{blocks}\n```\n{MARKS[1]}{after}", "utf-8")


def explain(url: str, home: str, owners: int, memories: int) -> tuple[list[str], list[str]]:
    """The page's lines, and what is wrong with any plan."""
    parts = open_parts(url, Settings(home=Path(home)))
    for owner in range(owners):
        said = [
            {"text": text, "tags": ["said", f"tag {place % 9}"]}
            for place, text in enumerate(texts(memories, seed=owner + 1))
        ]
        Commonplace(parts, parts.scope(named(owner), "default")).remember_many(said)
    settle(url)
    owner = named(owners // 2)
    book = Commonplace(parts, parts.scope(owner, "default"))
    book.recall("wake up")
    verbs = {
        "nearest": lambda: near(book),
        "recall": lambda: book.recall(questions(1)[0]),
        "remember": lambda: book.remember("said once " + questions(1, seed=7)[0]),
    }
    explainer, lines, wrong = Explainer(url, owner), [], []
    for verb, act in verbs.items():
        once = verb == "remember"
        for statement in [*sent_ahead(parts, owner, verb), *noted(act)]:
            title = " ".join(statement.text.split())[:LONGEST]
            plan = explainer.plan(statement, "text", once=once)
            lines += [f"-- {verb}: {title}", *(shown(line) for line in plan), ""]
            wrong += [f"{verb}: {title}: {fault}" for fault in faults(explainer.plan(statement, "json", once=once))]
    explainer.close()
    parts.close()
    return lines, wrong


@dataclass(frozen=True, slots=True)
class Size:
    table: str
    heap: int
    indexes: int


OF_AN_OWNER = ("owner", "namespace", "keyring", "vector_set", "tag", "entity", "entity_label")
"""Tables that grow with owners and what they know, not with what they say."""
SIZES = """
select coalesce(parent.relname, c.relname), sum(pg_table_size(c.oid))::bigint, sum(pg_indexes_size(c.oid))::bigint
from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
where n.nspname in ('commonplace', 'commonplace_keys') and c.relkind = 'r'
group by 1 order by 2 desc
"""


def lived(url: str, home: str, owners: int, memories: int) -> None:
    """A fifth is said one by one, the rest comes in batches; jobs have run, so that words are packed."""
    parts = open_parts(url, Settings(home=Path(home)))
    for owner in range(owners):
        book = Commonplace(parts, parts.scope(named(owner), "default"))
        said = list(texts(memories, seed=owner + 1))
        for text in said[: memories // 5]:
            book.remember(text, tags=["said"])
        book.remember_many(said[memories // 5 :])
        book.maintain()
    parts.close()
    settle(url)


def sizes(url: str) -> list[Size]:
    """What every table holds, partitions summed up; empty pages of empty tables left out."""
    with psycopg.connect(url) as raw:
        rows = raw.execute(SIZES).fetchall()
        counted = {
            name: raw.execute(f"select exists (select from {_place(name)})".encode()).fetchall() for name, *_ in rows
        }
    return [Size(*row) for row in rows if counted[row[0]] == [(True,)]]


def _place(table: str) -> str:
    return f"commonplace{'_keys' if table in ('keyring', 'ledger') else ''}.{table}"


def sizes_page(found: list[Size], owners: int, memories: int) -> list[str]:
    total = owners * memories
    lines = ["| table | heap | indexes |", "|---|---|---|"]
    said = [one for one in found if one.table not in OF_AN_OWNER]
    lines += [f"| {one.table} | {one.heap / total:,.0f} | {one.indexes / total:,.0f} |" for one in said]
    heap, indexes = sum(one.heap for one in said), sum(one.indexes for one in said)
    lines.append(f"| **a memory** | **{heap / total:,.0f}** | **{indexes / total:,.0f}** |")
    fixed = [one for one in found if one.table in OF_AN_OWNER]
    heap, indexes = sum(one.heap for one in fixed), sum(one.indexes for one in fixed)
    lines.append(
        f"| **an owner** ({', '.join(one.table for one in fixed)}) | {heap / owners:,.0f} | {indexes / owners:,.0f} |"
    )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=50)
    parser.add_argument("--memories", type=int, default=100, help="per owner")
    parser.add_argument("--docs", type=Path, help="put the plans into this page")
    parser.add_argument("--sizes", action="store_true", help="bytes of every table instead of plans")
    given = parser.parse_args()
    if given.sizes:
        with server() as admin, tempfile.TemporaryDirectory() as home:
            url = database(admin, "bench_sizes")
            lived(url, home, given.owners, given.memories)
            print("\n".join(sizes_page(sizes(url), given.owners, given.memories)))
        return
    with server() as admin, tempfile.TemporaryDirectory() as home:
        lines, wrong = explain(database(admin, "bench_explain"), home, given.owners, given.memories)
    print("\n".join(lines))
    if given.docs:
        put_into(given.docs, lines)
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
