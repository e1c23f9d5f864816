"""The plan of every statement that ``remember`` and ``recall`` run on PostgreSQL: ``python benchmarks/explain.py``.

``--sizes`` prints the bytes of every table instead, a memory and an owner.

Fills a book (``--owners``, ``--memories``), notes what each verb asks, and explains it as the application role, for the
same owner and with the settings of the store's own connections. Ends with 1 if a plan walks over a whole table, or
opens a partition that is not the owner's.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

sys.path[:0] = ["."]

from benchmarks.corpus import questions, texts  # noqa: E402
from benchmarks.load import named  # noqa: E402
from benchmarks.postgres import database, server, settle  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.opening import open_parts  # noqa: E402
from commonplace.store.postgres.connection import OwnerConnection, native  # noqa: E402
from commonplace.store.postgres.store import AHEAD, PLANS  # noqa: E402
from commonplace.store.statements import sql  # noqa: E402

LONGEST = 60
"""Characters of a bound value that are worth showing."""
LONG = re.compile(f"'[^']{{{LONGEST},}}'|'[0-9a-f]{{8}}-[0-9a-f-]{{27}}'|'\\\\x[0-9a-f]+'")
CASTS = re.compile(r"::(text|bytea|bigint|smallint|integer)\b(\[\])?| COLLATE \"C\"")
POLICY = re.compile(r"One-Time Filter: .*current_setting\('commonplace\.owner'.*")


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    values: dict[str, Any]


def noted(act: Callable[[], object]) -> list[Statement]:
    """What ``act`` ran, each text once. The connection is listened to, not asked to do anything else."""
    heard: dict[str, Statement] = {}
    once, many = OwnerConnection._execute, OwnerConnection.run_many

    def hear(self: OwnerConnection, text: str, values: dict[str, Any], **how: Any) -> Any:
        heard.setdefault(text, Statement(text, {**values, "owner": self.owner}))
        return once(self, text, values, **how)

    def hear_many(self: OwnerConnection, text: str, values: list[dict[str, Any]], /, **how: Any) -> None:
        if values:
            heard.setdefault(text, Statement(text, {**values[0], "owner": self.owner}))
        many(self, text, values, **how)

    OwnerConnection._execute, OwnerConnection.run_many = hear, hear_many  # type: ignore[method-assign]
    try:
        act()
    finally:
        OwnerConnection._execute, OwnerConnection.run_many = once, many  # type: ignore[method-assign]
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

    def plan(self, statement: Statement, form: str) -> Any:
        self._raw.execute("select set_config('role', 'commonplace_app', true)")
        self._raw.execute("select set_config('commonplace.owner', %s, true)", [self._owner])
        text = f"explain (costs off, format {form}) ".encode() + native(statement.text)
        rows = self._raw.execute(text, statement.values).fetchall()
        self._raw.rollback()
        return rows[0][0] if form == "json" else [line for (line,) in rows]

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


def explain(url: str, home: str, owners: int, memories: int) -> tuple[list[str], list[str]]:
    """The page's lines, and what is wrong with any plan."""
    parts = open_parts(url, Settings(home=Path(home)))
    for owner in range(owners):
        Commonplace(parts, parts.scope(named(owner), "default")).remember_many(list(texts(memories, seed=owner + 1)))
    settle(url)
    owner = named(owners // 2)
    book = Commonplace(parts, parts.scope(owner, "default"))
    book.recall("wake up")
    verbs = {
        "recall": lambda: book.recall(questions(1)[0]),
        "remember": lambda: book.remember("said once " + questions(1, seed=7)[0]),
    }
    explainer, lines, wrong = Explainer(url, owner), [], []
    ahead = [Statement(sql(*name), {"owner": owner}) for name in AHEAD]  # sent along with the beginning of a read
    for verb, act in verbs.items():
        for statement in [*ahead, *noted(act)] if verb == "recall" else noted(act):
            title = " ".join(statement.text.split())[:LONGEST]
            lines += [f"-- {verb}: {title}", *(shown(line) for line in explainer.plan(statement, "text")), ""]
            wrong += [f"{verb}: {title}: {fault}" for fault in faults(explainer.plan(statement, "json"))]
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
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
